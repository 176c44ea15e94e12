import type { Tx } from '../../db/database.ts';

export interface Release {
  bookingId: string;
  at: Temporal.Instant;
}

/** What the desk does one by one when a party goes: its tables are free from then on. */
export async function releaseTables(tx: Tx, releases: readonly Release[]): Promise<void> {
  await tx`
    update house_allocation a set during = tstzrange(lower(a.during), r.at)
    from unnest(${releases.map(({ bookingId }) => bookingId)}::uuid[],
      ${releases.map(({ at }) => at.toString())}::text[]::timestamptz[]) as r (id, at)
    where a.reservation_id = r.id and lower(a.during) < r.at and upper(a.during) > r.at`;
}
