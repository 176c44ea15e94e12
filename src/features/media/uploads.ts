/** Pictures come in parts, so that a bad line costs one part, and each part may meet another node. */
import { inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { aboutVenue, getVenueRef, lockVenueRef, notFound } from '../venues/service.ts';
import { assertAnnounceable, assertRoom, PART_BYTES, type Upload, type UploadBody } from './schema.ts';
import { listPhotos } from './store.ts';
import {
  deleteExpired,
  deleteUpload,
  insertUpload,
  listUploads,
  lockUpload,
  savePart,
  type UploadRecord,
} from './upload-store.ts';

export interface Uploads {
  list(venueId: VenueId): Promise<{ data: Upload[] }>;
  get(venueId: VenueId, uploadId: string): Promise<Upload>;
  announce(actor: Actor, venueId: VenueId, body: UploadBody): Promise<Upload>;
  receive(actor: Actor, part: Part, ifMatch: string | undefined): Promise<Upload>;
  drop(actor: Actor, venueId: VenueId, uploadId: string, ifMatch: string | undefined): Promise<void>;
  /** Deletes uploads that were not completed in time. */
  forgetExpired(): Promise<void>;
}

export interface Part {
  venueId: VenueId;
  uploadId: string;
  /** From 1. */
  number: number;
  bytes: Buffer;
}

export interface UploadsDeps {
  sql: Sql;
  clock: Clock;
  auditLog: AuditLog;
}

const LIFETIME = { hours: 24 };

const partsOf = ({ sizeBytes }: UploadRecord) => Math.ceil(sizeBytes / PART_BYTES);

/** All parts are of the same length, except the last. */
function bytesOfPart(upload: UploadRecord, number: number): number {
  return Math.min(PART_BYTES, upload.sizeBytes - (number - 1) * PART_BYTES);
}

/** The numbers of the parts that have not arrived. */
export function missingParts(upload: UploadRecord): number[] {
  const numbers = Array.from({ length: partsOf(upload) }, (_, index) => index + 1);
  return numbers.filter((number) => !upload.received.includes(number));
}

function uploadView(upload: UploadRecord): Upload {
  const { id, contentType, sizeBytes, caption, received, expiresAt } = upload;
  return {
    uploadId: id,
    contentType,
    sizeBytes,
    caption,
    partBytes: PART_BYTES,
    parts: partsOf(upload),
    received,
    expiresAt: timestampOf(expiresAt),
  };
}

export async function getUpload(
  tx: Tx,
  venueId: VenueId,
  uploadId: string,
  clock: Clock,
): Promise<UploadRecord> {
  const uploads = await listUploads(tx, venueId, nowOf(clock));
  const upload = uploads.find(({ id }) => id === uploadId.toLowerCase());
  if (upload) return upload;
  throw notFound(`Venue ${venueId} has no upload ${uploadId}: it is complete, was dropped or has expired.`);
}

export function createUploads({ sql, clock, auditLog }: UploadsDeps): Uploads {
  const about = (venueId: VenueId, uploadId: string) => aboutVenue(venueId, 'upload', uploadId.toLowerCase());

  async function getLocked(tx: Tx, venueId: VenueId, uploadId: string): Promise<UploadRecord> {
    await getVenueRef(tx, venueId);
    await lockUpload(tx, uploadId);
    return getUpload(tx, venueId, uploadId, clock);
  }

  return {
    list: (venueId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        const uploads = await listUploads(tx, venueId, nowOf(clock));
        return { data: uploads.map(uploadView) };
      }),

    get: (venueId, uploadId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return uploadView(await getUpload(tx, venueId, uploadId, clock));
      }),

    announce: (actor, venueId, { contentType, sizeBytes, caption = null }) =>
      auditLog.create({
        actor,
        action: 'upload.create',
        async write(tx) {
          await lockVenueRef(tx, venueId);
          assertAnnounceable(contentType, sizeBytes);
          const now = nowOf(clock);
          assertRoom({
            photos: (await listPhotos(tx, venueId)).length,
            uploads: (await listUploads(tx, venueId, now)).length,
          });
          const upload = { id: newId(clock), contentType, sizeBytes, caption, expiresAt: now.add(LIFETIME) };
          await insertUpload(tx, { ...upload, venueId });
          return uploadView({ ...upload, received: [] });
        },
        about: ({ uploadId }) => about(venueId, uploadId),
      }),

    receive: (actor, { venueId, uploadId, number, bytes }, ifMatch) =>
      auditLog.change({
        ...about(venueId, uploadId),
        actor,
        action: 'upload.part',
        ifMatch,
        find: async (tx) => uploadView(await getLocked(tx, venueId, uploadId)),
        async write(tx) {
          const upload = await getUpload(tx, venueId, uploadId, clock);
          if (number > partsOf(upload)) throw invalid('number', `must be at most ${partsOf(upload)}`);
          const expected = bytesOfPart(upload, number);
          if (bytes.length !== expected) {
            throw problem('VENUE-N-011', {
              detail: `Part ${number} of this upload has ${expected} bytes; ${bytes.length} were sent.`,
            });
          }
          await savePart(tx, uploadId, number, bytes);
        },
      }),

    drop: (actor, venueId, uploadId, ifMatch) =>
      auditLog.remove({
        ...about(venueId, uploadId),
        actor,
        action: 'upload.remove',
        ifMatch,
        find: async (tx) => uploadView(await getLocked(tx, venueId, uploadId)),
        write: (tx) => deleteUpload(tx, uploadId),
      }),

    forgetExpired: () => deleteExpired(sql, nowOf(clock)),
  };
}
