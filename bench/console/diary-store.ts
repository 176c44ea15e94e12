import type { Tx } from '../../src/db/database.ts';

/** Changes a booking of that day as its operator would; the screens are told the number. */
export async function flagBooking(tx: Tx, bookingId: string, number: number): Promise<void> {
  await tx`update booking set flags = array[${`change ${number}`}] where id = ${bookingId}`;
}

export async function listBookingIds(tx: Tx, venueId: string, date: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from booking where venue_id = ${venueId} and trading_day = ${date} order by id`;
  return rows.map(({ id }) => id);
}

/** Copies of a booking on other days, without what triggers would do for each of them. */
export async function copyBooking(tx: Tx, bookingId: string, date: string, count: number): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`
    insert into booking select made.*
    from booking b, generate_series(1, ${count}) as n, lateral jsonb_populate_record(b, jsonb_build_object(
      'id', md5(n || ${date} || b.id)::uuid, 'partner_booking_id', null, 'trading_day', ${date}::date,
      'starts_at', ${date}::date + interval '19 hours' + n * interval '100 milliseconds')) as made
    where b.id = ${bookingId}`;
}
