/** What the database holds when all is over, read with SQL of its own. */
import type { Sql } from '../../src/db/database.ts';
import type { SentOrder } from '../../test/faults/order-random.ts';
import { imbalances } from '../../test/race/balance.ts';
import type { ReceivedPost } from '../../test/support/receiver.ts';
import type { RemoteBooking } from '../../test/support/remote-tms/book.ts';
import type { Entry } from './journal.ts';
import type { LoggedEvent } from './readers.ts';

export interface BookingRow {
  id: string;
  partnerId: number;
  productId: string;
  partnerBookingId: string | null;
  depositPence: number | null;
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
  partnerId: number;
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
}

/** A subscription that lasts from before the first booking to the end. */
export interface Subscription {
  path: string;
  partnerId: number;
  webhookId: string;
  secret: string;
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
  imbalances: string[];
}

export interface Evidence extends Stored {
  entries: readonly Entry[];
  orders: readonly SentOrder[];
  posts: readonly ReceivedPost[];
  subscriptions: readonly Subscription[];
  /** What each partner has read of the log, by its id. */
  logs: ReadonlyMap<number, readonly LoggedEvent[]>;
  remote: readonly RemoteBooking[];
  remoteProduct: string;
  /** Sentences of those who watched while it happened. */
  witnessed: readonly string[];
}

export async function readStored(sql: Sql): Promise<Stored> {
  return {
    bookings: await sql<BookingRow[]>`
      select id, partner_id as "partnerId", product_id as "productId", partner_booking_id as "partnerBookingId",
        deposit_pence as "depositPence", status, trading_day as date, adults as "partySize", children,
        to_char(make_interval(mins => starts_minute), 'HH24:MI') as time,
        floor(extract(epoch from last_update) * 1000)::float8 as "lastUpdateMs"
      from booking order by id`,
    items: await sql<ItemRow[]>`
      select o.id as "orderId", is_atomic as "isAtomic", settled_at is not null as "isSettled",
        booking_id as "bookingId", i.status
      from booking_order o join booking_order_item i on i.order_id = o.id order by o.id, position`,
    events: await sql<EventRow[]>`
      select id, partner_id as "partnerId" from event order by position`,
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
    audit: await sql<AuditRow[]>`select actor_id as "actorId" from audit_entry`,
    imbalances: await imbalances(sql),
  };
}
