import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { NewPhoto, StoredPhoto } from './photo-list.ts';
import type { PictureType, Size } from './sniff.ts';

export async function listPhotos(tx: Tx, venueId: VenueId): Promise<StoredPhoto[]> {
  const photos = await tx<StoredPhoto[]>`
    select id, media_id as "mediaId", url, caption, width, height from venue_photo
    where venue_id = ${venueId} order by position, id`;
  return [...photos];
}

/** These, in this order, and no others. A picture that is kept here goes with its photo. */
export async function replacePhotos(
  tx: Tx,
  venueId: VenueId,
  photos: readonly (StoredPhoto | NewPhoto)[],
): Promise<void> {
  const placed = photos.map((photo, position) => ({ ...photo, position }));
  const kept = placed.filter((photo) => 'id' in photo);
  const added = placed.filter((photo) => !('id' in photo));
  await tx`delete from venue_photo
    where venue_id = ${venueId} and id <> all(${kept.map(({ id }) => id)}::integer[])`;
  await tx`
    update venue_photo photo
    set url = kept.url, caption = kept.caption, width = kept.width, height = kept.height, position = kept.position
    from json_to_recordset(${JSON.stringify(kept)}::text::json)
      as kept (id integer, url text, caption text, width integer, height integer, position smallint)
    where photo.venue_id = ${venueId} and photo.id = kept.id`;
  await insertAll(
    tx,
    'venue_photo',
    added.map((photo) => ({ venue_id: venueId, ...photo })),
  );
}

export interface NewPicture {
  mediaId: string;
  venueId: VenueId;
  uploadId: string;
  type: PictureType;
  size: Size;
}

/** Makes an upload that is complete the last photo of its venue; answers the id of the photo. */
export async function insertPicture(tx: Tx, picture: NewPicture): Promise<number> {
  const { mediaId, venueId, uploadId, type, size } = picture;
  const [photo] = await tx<{ id: number }[]>`
    insert into venue_photo (venue_id, media_id, caption, width, height, position)
    select venue_id, ${mediaId}, caption, ${size.width}, ${size.height},
      (select coalesce(max(position) + 1, 0) from venue_photo where venue_id = ${venueId})
    from media_upload where id = ${uploadId}
    returning id`;
  if (!photo) throw new Error(`Upload ${uploadId} went while it was locked.`);
  await tx`insert into media (id, content_type, content)
    select ${mediaId}, ${type}, string_agg(content, '' order by number) from media_part where upload_id = ${uploadId}`;
  await tx`delete from media_upload where id = ${uploadId}`;
  return photo.id;
}

export interface MediaFacts {
  contentType: PictureType;
  sizeBytes: number;
}

export async function findMedia(tx: Tx, id: string): Promise<MediaFacts | undefined> {
  const [facts] = await tx<MediaFacts[]>`
    select content_type as "contentType", octet_length(content) as "sizeBytes" from media where id = ${id}`;
  return facts;
}

/** Some of the bytes; none when the picture has been deleted. */
export async function readMedia(tx: Tx, id: string, offset: number, length: number): Promise<Buffer> {
  const [piece] = await tx<{ bytes: Buffer }[]>`
    select substring(content from ${offset + 1}::integer for ${length}::integer) as bytes from media where id = ${id}`;
  return piece?.bytes ?? Buffer.alloc(0);
}
