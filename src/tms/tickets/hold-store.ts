import type { Fragment, Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { MS_PER_HOUR } from '../../kernel/zone-time.ts';

/** Tickets that are kept for bookings which are not made yet. They are not in the stock: a hold ends by clock. */

const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

export interface Hold {
  bookingId: string;
  productId: ProductId;
  venueId: VenueId;
  occurrenceId: number;
  /** When the occurrence is now. */
  date: string;
  minute: number;
  durationMinutes: number;
  /** When it was as the tickets were held. */
  startsAt: Temporal.Instant;
  quantity: number;
  pricePence: number;
  expiresAt: Temporal.Instant;
}

/** Also one that has ended. */
export async function findHold(tx: Tx, bookingId: string): Promise<Hold | undefined> {
  const [hold] = await tx<Hold[]>`
    select hold.id as "bookingId", product_id as "productId", occurrence.venue_id as "venueId",
      occurrence_id as "occurrenceId", date, starts_minute as minute, duration_minutes as "durationMinutes",
      starts_at as "startsAt", quantity, price_pence as "pricePence", expires_at as "expiresAt"
    from ticket_hold as hold join ticket_occurrence as occurrence on occurrence.id = occurrence_id
    where hold.id = ${bookingId}`;
  return hold;
}

export interface NewHold {
  bookingId: string;
  productId: ProductId;
  occurrenceId: number;
  startMs: number;
  quantity: number;
  pricePence: number;
  capacity: number;
  untilMs: number;
  /** By the clock of the request. */
  nowMs: number;
}

/** In place of one that has ended. */
export async function saveHold(tx: Tx, hold: NewHold): Promise<void> {
  const row = {
    id: hold.bookingId,
    product_id: hold.productId,
    occurrence_id: hold.occurrenceId,
    starts_at: at(hold.startMs),
    quantity: hold.quantity,
    price_pence: hold.pricePence,
    capacity: hold.capacity,
    expires_at: at(hold.untilMs),
    checked_at: at(hold.nowMs),
  };
  await tx`insert into ticket_hold ${tx(row as never)} on conflict (id) do update set ${tx(row as never)}`;
}

/**
 * That the tickets of hold `h` are there beside those that are sold and held now. A request with a later clock may have
 * been given them; what had ended by the clock by which it was given them itself does not count, also where the clock of
 * this request is behind. The capacity may be configured lower since; what was held stays.
 */
const isCovered = (tx: Tx, nowMs: number): Fragment => tx`
  h.quantity
    + coalesce((select sold from ticket_stock s
        where s.occurrence_id = h.occurrence_id and s.product_id = h.product_id), 0)
    + coalesce((select sum(o.quantity) from ticket_hold o
        where o.occurrence_id = h.occurrence_id and o.product_id = h.product_id and o.id <> h.id
          and o.expires_at > greatest(${at(nowMs)}, h.checked_at)), 0)
    <= greatest(h.capacity, (select t.capacity from ticket_type t where t.product_id = h.product_id))`;

/** Until when it lasts, never shorter than before; undefined: it has ended. The occurrence must be locked. */
export async function extendHold(
  tx: Tx,
  bookingId: string,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<number | undefined> {
  const [row] = await tx<{ expiresAt: Temporal.Instant }[]>`
    update ticket_hold h set expires_at = greatest(expires_at, ${at(untilMs)}),
      checked_at = greatest(checked_at, ${at(nowMs)})
    where id = ${bookingId} and expires_at > ${at(nowMs)} and ${isCovered(tx, nowMs)}
    returning expires_at as "expiresAt"`;
  return row?.expiresAt.epochMilliseconds;
}

/** Takes the tickets of a hold from the stock; false, and nothing taken, if it has ended. The occurrence must be locked. */
export async function sellHeld(tx: Tx, bookingId: string, nowMs: number): Promise<boolean> {
  const rows = await tx`
    insert into ticket_stock as stock (product_id, occurrence_id, capacity, sold)
    select h.product_id, h.occurrence_id, greatest(h.capacity, t.capacity), h.quantity
    from ticket_hold h join ticket_type t using (product_id)
    where h.id = ${bookingId} and h.expires_at > ${at(nowMs)} and ${isCovered(tx, nowMs)}
    on conflict (occurrence_id, product_id) do update
      set sold = stock.sold + excluded.sold, capacity = excluded.capacity
    returning sold`;
  return rows.length > 0;
}

export async function deleteHold(tx: Tx, bookingId: string): Promise<void> {
  await tx`delete from ticket_hold where id = ${bookingId}`;
}

const SWEPT_AT_ONCE = 500;
const KEPT_MS = MS_PER_HOUR;

/** Deletes some of the holds that ended over an hour ago, and says how many. */
export async function sweepHolds(tx: Tx, nowMs: number): Promise<number> {
  const swept = await tx`
    delete from ticket_hold where id in (
      select id from ticket_hold where expires_at <= ${at(nowMs - KEPT_MS)}
      order by expires_at limit ${SWEPT_AT_ONCE} for update skip locked)`;
  return swept.count;
}
