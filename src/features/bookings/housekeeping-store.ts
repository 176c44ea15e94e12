import type { Tx } from '../../db/database.ts';

/** Confirmed bookings whose visit ended before a moment; those that somebody is at work on are left for the next time. */
export async function claimOver(
  tx: Tx,
  endedBefore: Temporal.Instant,
  except: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from booking
    where status = 'confirmed' and starts_at < ${endedBefore}
      and starts_at + make_interval(mins => duration_minutes) < ${endedBefore}
      and id <> all(${except as string[]}::uuid[])
    order by starts_at limit ${limit} for update skip locked`;
  return rows.map(({ id }) => id);
}

/** Bookings of guests who came, or would have come, before a moment and are still known. */
export async function claimKnown(tx: Tx, startedBefore: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from booking where guest is not null and starts_at < ${startedBefore}
    order by starts_at limit ${limit} for update skip locked`;
  return rows.map(({ id }) => id);
}

/** What guests and operators said goes; what is needed to count stays. */
export async function forgetGuests(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  await tx`update booking set guest = null where id = any(${bookingIds as string[]}::uuid[])`;
  await tx`update booking_message set content = null where booking_id = any(${bookingIds as string[]}::uuid[])`;
}
