/** Days on which parties wait. One node at a time makes the offers of a day. */
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';

export interface WaitingDay {
  venueId: VenueId;
  date: string;
}

/** The days on which an entry waits. */
export async function listDays(tx: Tx, now: Temporal.Instant): Promise<WaitingDay[]> {
  return tx<WaitingDay[]>`
    select distinct venue_id as "venueId", trading_day as date from waitlist_entry
    where status = 'waiting' and ends_at > ${now} order by trading_day, venue_id`;
}

export interface DayClaim {
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
  /** Left alone if it was looked at since; null: in any case looked at. */
  lookedBefore: Temporal.Instant | null;
}

/** False: another node works on the day, or has just done so. */
export async function claimDay(
  tx: Tx,
  { venueId, date }: WaitingDay,
  { now, leasedUntil, lookedBefore }: DayClaim,
): Promise<boolean> {
  const claimed = await tx`
    update waitlist_day set leased_until = ${leasedUntil}, looked_at = ${now}
    where venue_id = ${venueId} and trading_day = ${date} and leased_until <= ${now}
      and looked_at <= coalesce(${lookedBefore}::timestamptz, 'infinity')`;
  return claimed.count > 0;
}

/** Not where the lease has ended and another node has it. */
export async function releaseDay(
  tx: Tx,
  { venueId, date }: WaitingDay,
  { leasedUntil }: Pick<DayClaim, 'leasedUntil'>,
): Promise<void> {
  await tx`
    update waitlist_day set leased_until = '-infinity'
    where venue_id = ${venueId} and trading_day = ${date} and leased_until = ${leasedUntil}`;
}

export async function deleteDays(tx: Tx, before: string): Promise<void> {
  await tx`delete from waitlist_day where trading_day < ${before}`;
}
