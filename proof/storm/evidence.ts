/** What the database holds when all is over, read with SQL of its own. */
import type { Sql } from '../../src/db/database.ts';
import type { SentOrder } from '../../test/faults/orders/order-random.ts';
import { imbalances } from '../../test/race/balance.ts';
import type { ReceivedPost } from '../../test/support/peers/receiver.ts';
import type { HeldBooking } from '../../test/support/remote-tms/kinds.ts';
import type { LoggedEvent } from './actors/readers.ts';
import type { Shown } from './actors/screens.ts';
import type { Entry } from './journal.ts';

export interface BookingRow {
  id: string;
  /** Null: of the house. */
  partnerId: number | null;
  clientId: string;
  venueId: string;
  productId: string;
  partnerBookingId: string | null;
  depositPence: number | null;
  /** What had to be paid here before it was confirmed; null: nothing is known to be due. */
  depositDuePence: number | null;
  isUnpaid: boolean;
  status: string;
  date: string;
  time: string;
  partySize: number;
  children: number;
  lastUpdateMs: number;
}

export interface ItemRow {
  orderId: string;
  isAtomic: boolean;
  isSettled: boolean;
  bookingId: string;
  status: string;
}

export interface EventRow {
  id: string;
  partnerId: number | null;
  eventType: string;
}

/** A table from one instant to another. */
export interface SeatRow {
  tableId: number;
  bookingId: string;
  fromMs: number;
  toMs: number;
}

export interface TicketRow {
  occurrenceId: number;
  productId: string;
  bookingId: string;
  quantity: number;
  capacity: number;
}

export interface PaymentRow {
  id: string;
  bookingId: string;
  status: string;
  amountPence: number;
  refundedPence: number;
}

export interface AuditRow {
  actorId: string;
  action: string;
}

/** A place that a partner keeps, or kept. */
export interface HoldRow {
  id: string;
  state: string;
  productId: string;
  guests: number;
}

/** A party on a waiting list. */
export interface EntryRow {
  id: string;
  status: string;
  productId: string;
  partnerId: number | null;
  date: string;
  from: string;
  to: string;
  guests: number;
  holdId: string | null;
}

export interface ClosureRow {
  id: string;
  state: string;
  open: number;
}

/** A movement of money, in our ledger or in the books of the provider; what was given back is negative. */
export interface MovementRow {
  /** Of the payment, or of the refund. */
  id: string;
  bookingId: string | null;
  amountPence: number;
}

/** A subscription that lasts from before the first booking to the end. */
export interface Subscription {
  path: string;
  partnerId: number;
  webhookId: string;
  secret: string;
  /** Null: all that are told without being named. */
  eventTypes: readonly string[] | null;
}

export interface Stored {
  bookings: BookingRow[];
  items: ItemRow[];
  /** In the order of the log. */
  events: EventRow[];
  seats: SeatRow[];
  tickets: TicketRow[];
  payments: PaymentRow[];
  audit: AuditRow[];
  holds: HoldRow[];
  waiting: EntryRow[];
  /** Ids of reservations that were made in the words of OCTO. */
  reservations: { id: string; state: string }[];
  closures: ClosureRow[];
  ledger: MovementRow[];
  provider: MovementRow[];
  imbalances: string[];
}

export interface Evidence extends Stored {
  entries: readonly Entry[];
  orders: readonly SentOrder[];
  posts: readonly ReceivedPost[];
  subscriptions: readonly Subscription[];
  /** What each partner has read of the log, by its id. */
  logs: ReadonlyMap<number, readonly LoggedEvent[]>;
  /** What the systems of others hold, by our product. */
  remote: ReadonlyMap<string, readonly HeldBooking[]>;
  /** What screens show at the end, and what the diary is then. */
  screens: readonly SeenScreen[];
  /** Slots that are free at the end, for each entry that waits. */
  freeFor: ReadonlyMap<string, readonly string[]>;
  /** Sentences of those who watched while it happened. */
  witnessed: readonly string[];
}

export interface SeenScreen {
  name: string;
  shown: Shown;
  /** Null: nobody could read it. */
  diary: Shown | null;
}

export async function readStored(sql: Sql): Promise<Stored> {
  return {
    bookings: await sql<BookingRow[]>`
      select id, partner_id as "partnerId", client_id as "clientId", venue_id as "venueId",
        product_id as "productId", partner_booking_id as "partnerBookingId",
        deposit_pence::float8 as "depositPence", deposit_due_pence as "depositDuePence",
        payment_until is not null as "isUnpaid", status, trading_day as date, adults as "partySize", children,
        to_char(make_interval(mins => starts_minute), 'HH24:MI') as time,
        floor(extract(epoch from last_update) * 1000)::float8 as "lastUpdateMs"
      from booking order by id`,
    items: await sql<ItemRow[]>`
      select o.id as "orderId", is_atomic as "isAtomic", settled_at is not null as "isSettled",
        booking_id as "bookingId", i.status
      from booking_order o join booking_order_item i on i.order_id = o.id order by o.id, position`,
    events: await sql<EventRow[]>`
      select id, partner_id as "partnerId", type as "eventType" from event order by position`,
    seats: await sql<SeatRow[]>`
      select table_id as "tableId", reservation_id as "bookingId",
        (extract(epoch from lower(during)) * 1000)::float8 as "fromMs",
        (extract(epoch from upper(during)) * 1000)::float8 as "toMs"
      from house_allocation`,
    tickets: await sql<TicketRow[]>`
      select occurrence_id as "occurrenceId", product_id as "productId", r.id as "bookingId", quantity, capacity
      from ticket_reservation r join ticket_type using (product_id)`,
    payments: await sql<PaymentRow[]>`
      select p.id, p.booking_id as "bookingId", p.status, p.amount_pence::float8 as "amountPence",
        coalesce((select sum(amount_pence) from refund r where r.payment_id = p.id), 0)::float8 as "refundedPence"
      from payment p`,
    audit: await sql<AuditRow[]>`select actor_id as "actorId", action from audit_entry`,
    ...(await readPlaces(sql)),
    ...(await readBooks(sql)),
    imbalances: await imbalances(sql),
  };
}

async function readPlaces(
  sql: Sql,
): Promise<Pick<Stored, 'holds' | 'waiting' | 'reservations' | 'closures'>> {
  return {
    holds: await sql<HoldRow[]>`
      select id, state, product_id as "productId", adults + children as guests from hold`,
    waiting: await sql<EntryRow[]>`
      select id, status, product_id as "productId", partner_id as "partnerId", trading_day as date,
        to_char(make_interval(mins => from_minute), 'HH24:MI') as from,
        to_char(make_interval(mins => to_minute), 'HH24:MI') as to, adults + children as guests,
        hold_id as "holdId"
      from waitlist_entry`,
    reservations: await sql<{ id: string; state: string }[]>`select id, state from octo_booking`,
    closures: await sql<ClosureRow[]>`
      select id, state, (select count(*)::int from closure_booking b
        where b.closure_id = closure.id and b.state = 'open') as open
      from closure`,
  };
}

async function readBooks(sql: Sql): Promise<Pick<Stored, 'ledger' | 'provider'>> {
  return {
    ledger: await sql<MovementRow[]>`
      select coalesce(refund_id, payment_id) as id, booking_id as "bookingId",
        amount_pence::float8 as "amountPence"
      from ledger_entry`,
    provider: await sql<MovementRow[]>`
      select payment_id as id, null as "bookingId", amount_pence::float8 as "amountPence"
      from sandbox_payment where status = 'succeeded'
      union all
      select id, null, -amount_pence::float8 from sandbox_refund`,
  };
}
