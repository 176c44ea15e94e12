import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';

export interface UploadRecord {
  id: string;
  contentType: string;
  sizeBytes: number;
  caption: string | null;
  expiresAt: Temporal.Instant;
  received: number[];
}

export interface NewUpload extends Omit<UploadRecord, 'received'> {
  venueId: VenueId;
}

/** Those of a venue that have not expired, the oldest first. */
export async function listUploads(tx: Tx, venueId: VenueId, now: Temporal.Instant): Promise<UploadRecord[]> {
  const uploads = await tx<UploadRecord[]>`
    select u.id, content_type as "contentType", size_bytes as "sizeBytes", caption, expires_at as "expiresAt",
      array(select number from media_part p where p.upload_id = u.id order by number) as received
    from media_upload u where venue_id = ${venueId} and expires_at > ${now} order by u.id`;
  return [...uploads];
}

/** Locks the upload against parts, completion and deletion until the transaction ends. */
export async function lockUpload(tx: Tx, id: string): Promise<void> {
  await tx`select from media_upload where id = ${id} for update`;
}

export async function insertUpload(tx: Tx, upload: NewUpload): Promise<void> {
  const { id, venueId, contentType, sizeBytes, caption, expiresAt } = upload;
  await tx`insert into media_upload (id, venue_id, content_type, size_bytes, caption, expires_at)
    values (${id}, ${venueId}, ${contentType}, ${sizeBytes}, ${caption}, ${expiresAt})`;
}

export async function savePart(tx: Tx, uploadId: string, number: number, bytes: Buffer): Promise<void> {
  await tx`insert into media_part (upload_id, number, content) values (${uploadId}, ${number}, ${bytes})
    on conflict (upload_id, number) do update set content = excluded.content`;
}

export async function readParts(tx: Tx, uploadId: string): Promise<Buffer> {
  const parts = await tx<{ content: Buffer }[]>`
    select content from media_part where upload_id = ${uploadId} order by number`;
  return Buffer.concat(parts.map(({ content }) => content));
}

export async function deleteUpload(tx: Tx, id: string): Promise<void> {
  await tx`delete from media_upload where id = ${id}`;
}

export async function deleteExpired(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx`delete from media_upload where expires_at <= ${now}`;
}
