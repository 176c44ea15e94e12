import { timestampOf } from '../../kernel/clock.ts';
import { MINUTES_PER_DAY } from '../../kernel/zone-time.ts';
import type { Forecast } from '../../tms/contract.ts';
import type { Channel } from './channels.ts';
import type { StoredShard } from './store.ts';

/** The files of a feed, and the headers of each wherever it is stored. */
const INDEX = /^[\w-]{32}\/index\.json$/;
const SHARD = /^[\w-]{32}\/\d{4}-\d\d-\d\d\.\d{1,19}\.json\.gz$/;

export interface FileFacts {
  contentType: string;
  cacheControl: string;
  /** Whether it is sent compressed to callers that accept an encoding. */
  isCompressible: boolean;
}

/** Overwritten in place; a cached copy expires before the next change could have shown anyway. */
const INDEX_FACTS: FileFacts = {
  contentType: 'application/json',
  cacheControl: 'public, max-age=5, must-revalidate',
  isCompressible: true,
};

/**
 * A name never gets another content. It is gzip as a file, not as an encoding: some clients would unpack an encoding
 * on the way, and its length and its ranges would then be those of other bytes.
 */
const SHARD_FACTS: FileFacts = {
  contentType: 'application/gzip',
  cacheControl: 'public, max-age=31536000, immutable',
  isCompressible: false,
};

/** Undefined: no feed file has such a path. What has one leads nowhere else. */
export function findFacts(path: string): FileFacts | undefined {
  if (INDEX.test(path)) return INDEX_FACTS;
  return SHARD.test(path) ? SHARD_FACTS : undefined;
}

export function factsOf(path: string): FileFacts {
  const facts = findFacts(path);
  if (!facts) throw new Error(`${path} is no path of a feed file.`);
  return facts;
}

/** The index of a feed: which days there are, and where. */

interface IndexOptions {
  /** Where files are fetched from, without a slash at its end. */
  feedUrl: string;
  /** When the venue was closed, if it was. */
  shutAt: Temporal.Instant | null;
}

/** `shards` ascend. */
export function indexOf(
  { venue, product, configHash }: Channel,
  { noticeMinutes, horizonDays }: Pick<Forecast, 'noticeMinutes' | 'horizonDays'>,
  shards: readonly StoredShard[],
  { feedUrl, shutAt }: IndexOptions,
) {
  return {
    product_id: product.id,
    product_name: product.name,
    venue_name: venue.name,
    active: shutAt === null,
    shut_at: shutAt && timestampOf(shutAt),
    // Notice is counted in minutes here; whole days of it are what a calendar can leave out.
    ...(noticeMinutes >= MINUTES_PER_DAY && {
      advance_bookings_min_days: Math.floor(noticeMinutes / MINUTES_PER_DAY),
    }),
    ...(horizonDays !== null && { advance_bookings_max_days: horizonDays }),
    shards: shards.flatMap(({ date, file, hash, updatedAtMs }) =>
      file === null
        ? []
        : {
            date,
            url: `${feedUrl}/${file}`,
            hash,
            updated_at: new Date(updatedAtMs).toISOString(),
          },
    ),
    config_hash: configHash,
    activity_dates: shards.flatMap(({ date, hasStays }) => (hasStays ? date : [])),
  };
}

/**
 * Where feed files are stored. A readable file is always complete: a read during a write gets the file before, or
 * nothing.
 */
export interface FeedStorage {
  put(path: string, body: Buffer): Promise<void>;
  /** Removing what is not there is no mistake. */
  remove(paths: readonly string[]): Promise<void>;
}
