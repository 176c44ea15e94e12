/** The index of a feed: which days there are, and where. */

import { timestampOf } from '../../kernel/clock.ts';
import { MINUTES_PER_DAY } from '../../kernel/zone-time.ts';
import type { Forecast } from '../../tms/contract.ts';
import type { Channel } from './channels.ts';
import type { StoredShard } from './store.ts';

export interface IndexOptions {
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
