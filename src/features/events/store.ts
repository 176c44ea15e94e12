import type { Tx } from '../../db/database.ts';
import type { Fault } from '../../kernel/sandbox-faults.ts';

export const EVENT_TYPES = [
  'booking.updated',
  'message.received',
  'venue.updated',
  'hold.expired',
  'waitlist.offered',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Told only to subscriptions that name them. */
const NAMED_TYPES: readonly EventType[] = ['hold.expired'];

/** Messages are from operators to partners, and holds are theirs, so operators are not told of them. */
export const OPERATOR_EVENT_TYPES = EVENT_TYPES.filter(
  (type) => type !== 'message.received' && type !== 'hold.expired',
);

/** Whether a subscription to these types gets that one; null: to everything that need not be named. */
export const isSubscribed = (types: readonly EventType[] | null, type: EventType): boolean =>
  types === null ? !NAMED_TYPES.includes(type) : types.includes(type);

/** The notification topic of new deliveries. */
export const DELIVERIES = 'deliveries';

export interface EventRow {
  id: string;
  type: EventType;
  partnerId: number | null;
  operatorId: number | null;
  venueId: string;
  bookingId: string | null;
  occurredAt: Temporal.Instant;
  body: Buffer;
  /** The trace that its deliveries belong to. */
  traceparent: string | null;
}

/**
 * Inserts events with a delivery to each matching subscription of the partner and of the operator; the commit notifies
 * the dispatchers. Deliveries are due a minute in the past, so that a small difference between clocks delays none.
 */
export async function insertEvents(tx: Tx, events: readonly EventRow[]): Promise<void> {
  const rows = events.map(
    ({ type, partnerId, operatorId, venueId, bookingId, occurredAt, body, id, traceparent }) => ({
      id,
      type,
      partner_id: partnerId,
      operator_id: operatorId,
      venue_id: venueId,
      booking_id: bookingId,
      occurred_at: occurredAt.toString(),
      body: `\\x${body.toString('hex')}`,
      traceparent,
    }),
  );
  await tx`
    with appended as (
      insert into event (id, type, partner_id, operator_id, venue_id, booking_id, occurred_at, body,
        traceparent)
      select id, type, partner_id, operator_id, venue_id, booking_id, occurred_at, body, traceparent
      from jsonb_to_recordset(${tx.json(rows)}) as (id uuid, type text, partner_id integer, operator_id integer,
        venue_id text, booking_id uuid, occurred_at timestamptz, body bytea, traceparent text)
      returning id, type, partner_id, operator_id, occurred_at),
    deliveries as (
      insert into delivery (id, event_id, webhook_id, partner_id, operator_id, due_at, created_at)
      select gen_random_uuid(), e.id, w.id, w.partner_id, w.operator_id, e.occurred_at - interval '1 minute',
        e.occurred_at
      from appended e cross join lateral (
        select * from webhook where partner_id = e.partner_id
        union all select * from webhook where operator_id = e.operator_id) w
      where w.is_active and case when w.event_types is null then e.type <> all(${[...NAMED_TYPES]}::text[])
        else e.type = any(w.event_types) end
      returning 1)
    select pg_notify('changed', ${DELIVERIES}) from deliveries limit 1`;
}

/** The partner's deliveries of new events fail as it asked; those of operators stay as they are. */
export async function failDeliveries(
  tx: Tx,
  eventIds: readonly string[],
  { name, seconds }: Fault<'webhook'>,
  now: Temporal.Instant,
): Promise<void> {
  const ofPartner = tx`event_id = any(${eventIds as string[]}::uuid[]) and partner_id is not null`;
  switch (name) {
    case 'lost':
      await tx`update delivery set status = 'dropped', finished_at = ${now} where ${ofPartner}`;
      return;
    case 'late':
      await tx`update delivery set due_at = ${now.add({ seconds })} where ${ofPartner}`;
      return;
    case 'bad-signature':
      await tx`update delivery set is_missigned = true where ${ofPartner}`;
      return;
    case 'twice':
      await tx`
        insert into delivery (id, event_id, webhook_id, partner_id, due_at, created_at)
        select gen_random_uuid(), event_id, webhook_id, partner_id, due_at, created_at from delivery where ${ofPartner}`;
      return;
  }
}

export interface StoredEvent extends Pick<EventRow, 'id' | 'type' | 'occurredAt'> {
  /** Null once the guest in it was forgotten. */
  body: Buffer | null;
}

/** The latest events of a booking, in the order in which they happened. */
export async function listEvents(tx: Tx, bookingId: string, most: number): Promise<StoredEvent[]> {
  const rows = await tx<StoredEvent[]>`
    select id, type, occurred_at as "occurredAt", body from event
    where booking_id = ${bookingId} order by occurred_at desc, id desc limit ${most}`;
  return rows.toReversed();
}

export async function forgetBodies(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  const ids = bookingIds as string[];
  await tx`update event set body = null where booking_id = any(${ids}::uuid[])`;
  // Receivers may have repeated them.
  await tx`
    update delivery_attempt set answer = null
    where answer is not null and delivery_id in (
      select d.id from delivery d join event e on e.id = d.event_id where e.booking_id = any(${ids}::uuid[]))`;
}
