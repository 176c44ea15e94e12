import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { OccurrenceDocument, TicketTypeDocument } from './document.ts';
import { lock, occurrenceName } from './store.ts';

/** A ticket type with nothing left to a default. */
export interface SoldTicketType {
  pricePence: number;
  capacity: number;
  minPerBooking: number;
  maxPerBooking: number;
  salesOpenDaysBefore: number | null;
  salesCloseMinutesBefore: number;
  policy: string | null;
  cancellationPolicy: string | null;
}

/** Makes the ticket type what the document says; its product must exist. */
export async function saveTicketType(tx: Tx, venueId: VenueId, type: TicketTypeDocument): Promise<void> {
  const row = {
    product_id: `${venueId}|${type.key}`,
    venue_id: venueId,
    price_pence: type.pricePence,
    capacity: type.capacity,
    min_per_booking: type.minPerBooking ?? 1,
    max_per_booking: type.maxPerBooking,
    sales_open_days_before: type.salesOpenDaysBefore ?? null,
    sales_close_minutes_before: type.salesCloseMinutesBefore ?? 0,
    policy: type.policy ?? null,
    cancellation_policy: type.cancellationPolicy ?? null,
  };
  await tx`insert into ticket_type ${tx(row)} on conflict (product_id) do update set ${tx(row)}`;
}

/** All of the event's, or one of them. */
export async function listTicketTypes(
  tx: Tx,
  venueId: VenueId,
  productId?: ProductId,
): Promise<Map<ProductId, SoldTicketType>> {
  const rows = await tx<(SoldTicketType & { productId: ProductId })[]>`
    select product_id as "productId", price_pence as "pricePence", capacity, min_per_booking as "minPerBooking",
      max_per_booking as "maxPerBooking", sales_open_days_before as "salesOpenDaysBefore",
      sales_close_minutes_before as "salesCloseMinutesBefore", policy, cancellation_policy as "cancellationPolicy"
    from ticket_type
    where venue_id = ${venueId} and ${productId ? tx`product_id = ${productId}` : tx`true`}`;
  return new Map(rows.map(({ productId: id, ...type }) => [id, type]));
}

/** When an event takes place, and whether tickets are sold. */
export interface StoredOccurrence extends OccurrenceDocument {
  id: number;
  isWithdrawn: boolean;
  hasTickets: boolean;
}

export async function listOccurrences(
  tx: Tx,
  venueId: VenueId,
  { from, limit, offset }: { from: string | undefined; limit: number; offset: number },
): Promise<{ occurrences: StoredOccurrence[]; total: number }> {
  const isMeant = tx`o.venue_id = ${venueId} and ${from === undefined ? tx`true` : tx`o.date >= ${from}`}`;
  const occurrences = await tx<StoredOccurrence[]>`
    ${selected(tx)} where ${isMeant} order by date, starts_minute limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from ticket_occurrence o where ${isMeant}`;
  return { occurrences: [...occurrences], total: counted.total };
}

export async function findOccurrence(
  tx: Tx,
  venueId: VenueId,
  id: number,
): Promise<StoredOccurrence | undefined> {
  const [found] = await tx<StoredOccurrence[]>`
    ${selected(tx)} where o.venue_id = ${venueId} and o.id = ${id}`;
  return found;
}

const selected = (tx: Tx) => tx`
  select o.id, date, starts_minute as "startsMinute", duration_minutes as "durationMinutes",
    is_withdrawn as "isWithdrawn",
    exists (select from ticket_reservation r where r.occurrence_id = o.id) as "hasTickets"
  from ticket_occurrence o`;

/** Undefined when the event takes place at that time already. */
export async function insertOccurrence(
  tx: Tx,
  venueId: VenueId,
  { date, startsMinute, durationMinutes }: OccurrenceDocument,
): Promise<number | undefined> {
  const [made] = await tx<{ id: number }[]>`
    insert into ticket_occurrence (venue_id, date, starts_minute, duration_minutes)
    values (${venueId}, ${date}, ${startsMinute}, ${durationMinutes})
    on conflict (venue_id, date, starts_minute) do nothing returning id`;
  return made?.id;
}

export async function updateOccurrence(
  tx: Tx,
  id: number,
  { date, startsMinute, durationMinutes, isWithdrawn }: OccurrenceDocument & { isWithdrawn: boolean },
): Promise<void> {
  await tx`
    update ticket_occurrence set date = ${date}, starts_minute = ${startsMinute},
      duration_minutes = ${durationMinutes}, is_withdrawn = ${isWithdrawn}
    where id = ${id}`;
}

/** Whether another occurrence of the event has that start. */
export async function isStartTaken(
  tx: Tx,
  venueId: VenueId,
  { id, date, startsMinute }: { id: number; date: string; startsMinute: number },
): Promise<boolean> {
  const others = await tx`
    select from ticket_occurrence
    where venue_id = ${venueId} and date = ${date} and starts_minute = ${startsMinute} and id <> ${id}`;
  return others.length > 0;
}

/** Blocks sales of the occurrence, with their stock check, until the transaction ends; an earlier sale counts. */
export async function lockOccurrence(tx: Tx, venueId: VenueId, id: number): Promise<void> {
  const [found] = await tx<{ date: string; minute: number }[]>`
    select date, starts_minute as minute from ticket_occurrence where id = ${id} and venue_id = ${venueId}`;
  if (found) await lock(tx, [occurrenceName({ venueId, ...found })]);
  await tx`select from ticket_occurrence where id = ${id} and venue_id = ${venueId} for update`;
}

export async function deleteOccurrence(tx: Tx, id: number): Promise<void> {
  await tx`delete from ticket_occurrence where id = ${id}`;
}

export async function withdrawOccurrence(tx: Tx, id: number): Promise<void> {
  await tx`update ticket_occurrence set is_withdrawn = true where id = ${id}`;
}
