import type { Tx } from '../../db/database.ts';

export const EVENT_TYPES = ['booking.updated', 'message.received', 'venue.updated'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface EventRow {
  id: string;
  type: EventType;
  partnerId: number;
  venueId: string;
  bookingId: string | null;
  occurredAt: Temporal.Instant;
  body: Buffer;
}

export async function insertEvent(tx: Tx, event: EventRow): Promise<void> {
  await tx`
    insert into event (id, type, partner_id, venue_id, booking_id, occurred_at, body)
    values (${event.id}, ${event.type}, ${event.partnerId}, ${event.venueId}, ${event.bookingId},
      ${event.occurredAt}, ${event.body})`;
}

export interface StoredEvent extends Omit<EventRow, 'body'> {
  body: Buffer | null;
}

/** The events of a booking in the order in which they happened. */
export async function listEvents(tx: Tx, bookingId: string): Promise<StoredEvent[]> {
  const rows = await tx<StoredEvent[]>`
    select id, type, partner_id as "partnerId", venue_id as "venueId", booking_id as "bookingId",
      occurred_at as "occurredAt", body
    from event where booking_id = ${bookingId} order by occurred_at, id`;
  return [...rows];
}

export async function forgetBodies(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  await tx`update event set body = null where booking_id = any(${bookingIds as string[]}::uuid[])`;
}
