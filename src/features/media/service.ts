/** Photos of venues: pictures that are kept here, and addresses of pictures elsewhere. */
import type { Config } from '../../config.ts';
import { inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { isUuid, type VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { aboutVenue, getVenueRef, lockVenueRef } from '../venues/service.ts';
import { arranged, photoView } from './photo-list.ts';
import { assertRoom, type ManagedPhoto, type PhotoEntry, type PhotoList, readPicture } from './schema.ts';
import { findMedia, insertPicture, listPhotos, type MediaFacts, readMedia, replacePhotos } from './store.ts';
import { lockUpload, readParts } from './upload-store.ts';
import { createUploads, getUpload, missingParts, type Uploads } from './uploads.ts';

export interface Media {
  listPhotos(venueId: VenueId): Promise<PhotoList>;
  replacePhotos(
    actor: Actor,
    venueId: VenueId,
    entries: readonly PhotoEntry[],
    ifMatch: string | undefined,
  ): Promise<PhotoList>;
  uploads: Uploads;
  /** Makes an upload whose parts are all here the last photo of its venue. */
  complete(
    actor: Actor,
    venueId: VenueId,
    uploadId: string,
    ifMatch: string | undefined,
  ): Promise<ManagedPhoto>;
  /** Of a picture that is kept here. */
  find(mediaId: string): Promise<MediaFacts | undefined>;
  /** Its bytes, a piece at a time: a reader that is slow keeps nothing but the piece it reads. */
  read(mediaId: string, facts: MediaFacts): AsyncIterable<Buffer>;
}

export interface MediaDeps {
  sql: Sql;
  clock: Clock;
  config: Pick<Config, 'publicUrl'>;
  auditLog: AuditLog;
}

const PIECE_BYTES = 256 * 1024;

export function createMedia({ sql, clock, config, auditLog }: MediaDeps): Media {
  const { publicUrl } = config;

  async function photosOf(tx: Tx, venueId: VenueId): Promise<PhotoList> {
    const photos = await listPhotos(tx, venueId);
    return { data: photos.map((photo) => photoView(photo, publicUrl)) };
  }

  const changePhotos = (
    actor: Actor,
    venueId: VenueId,
    change: { action: string; ifMatch: string | undefined; write(tx: Tx): Promise<void> },
  ) =>
    auditLog.change({
      ...change,
      actor,
      ...aboutVenue(venueId, 'photos', venueId),
      async find(tx) {
        await lockVenueRef(tx, venueId);
        return photosOf(tx, venueId);
      },
    });

  /** Answers the id of the photo that it has become. */
  async function finish(tx: Tx, venueId: VenueId, uploadId: string): Promise<number> {
    await lockUpload(tx, uploadId);
    const upload = await getUpload(tx, venueId, uploadId, clock);
    const missing = missingParts(upload);
    if (missing.length > 0)
      throw problem('VENUE-N-012', { detail: `Parts that have not arrived: ${missing.join(', ')}.` });
    assertRoom({ photos: (await listPhotos(tx, venueId)).length });
    const picture = readPicture(await readParts(tx, uploadId), upload.contentType);
    return insertPicture(tx, { ...picture, mediaId: newId(clock), venueId, uploadId });
  }

  return {
    listPhotos: (venueId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return photosOf(tx, venueId);
      }),

    replacePhotos: (actor, venueId, entries, ifMatch) =>
      changePhotos(actor, venueId, {
        action: 'photos.change',
        ifMatch,
        write: async (tx) =>
          replacePhotos(tx, venueId, arranged(entries, await listPhotos(tx, venueId), publicUrl)),
      }),

    uploads: createUploads({ sql, clock, auditLog }),

    async complete(actor, venueId, uploadId, ifMatch) {
      let photoId: number | undefined;
      const { data } = await changePhotos(actor, venueId, {
        action: 'photos.upload',
        ifMatch,
        write: async (tx) => {
          photoId = await finish(tx, venueId, uploadId);
        },
      });
      const photo = data.find(({ id }) => id === photoId);
      if (!photo) throw new Error(`Upload ${uploadId} has become no photo.`);
      return photo;
    },

    find: async (mediaId) => (isUuid(mediaId) ? findMedia(sql, mediaId) : undefined),

    async *read(mediaId, { sizeBytes }) {
      for (let offset = 0; offset < sizeBytes; offset += PIECE_BYTES) {
        const piece = await readMedia(sql, mediaId, offset, PIECE_BYTES);
        // The reader must not take what it has for the whole.
        if (piece.length === 0) throw new Error('The picture was deleted while it was sent.');
        yield piece;
      }
    },
  };
}

export function mediaJobs({ uploads }: Pick<Media, 'uploads'>): JobDefinition[] {
  return [{ name: 'media.forget-uploads', schedule: '41 * * * *', handle: () => uploads.forgetExpired() }];
}
export { MAX_PHOTOS } from './schema.ts';
