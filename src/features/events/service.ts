/**
 * The events of partners and operators. An event is written in the transaction of the change that it reports, as the
 * bytes that will be sent, so that neither exists without the other and every delivery is the same.
 */

import type { Tx } from '../../db/database.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { type Keyring, newId, open, seal } from '../../kernel/crypto.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { currentScope } from '../../kernel/request-scope.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import { currentSpan } from '../../kernel/tracing.ts';
import {
  type EventRow,
  type EventType,
  failDeliveries,
  forgetBodies,
  insertEvents,
  listEvents,
} from './store.ts';

export interface NewEvent {
  type: EventType;
  /** Null: no partner is told. */
  partnerId: number | null;
  /** Absent: the operator is not told. */
  operatorId?: number;
  venueId: VenueId;
  bookingId?: string;
  occurredAt: Temporal.Instant;
  /** Besides the type and the moment, at most one list of what it is about. */
  content: Record<string, unknown>;
  /** The trace of its cause, where that is not the current one. Null: it has none. */
  traceparent?: string | null | undefined;
}

export interface LoggedEvent {
  id: string;
  type: EventType;
  occurredAt: Temporal.Instant;
  /** Null once the guest in it was forgotten. */
  body: string | null;
}

export interface Events {
  append(tx: Tx, ...events: readonly NewEvent[]): Promise<void>;
  /** In the order in which they happened; of more than `most` the latest. */
  listOfBooking(tx: Tx, bookingId: string, most?: number): Promise<LoggedEvent[]>;
  /** The bodies go, the fact that something happened stays. */
  forget(tx: Tx, bookingIds: readonly string[]): Promise<void>;
}

const contextOf = (eventId: string) => `event:${eventId}`;

export const SEALED_EVENTS: SealedTable = {
  table: 'event',
  columns: ['body'],
  key: ['id'],
  contextOf,
};

/** The body of an event, decrypted. */
export function openBody(encryptionKeys: Keyring, eventId: string, sealed: Buffer): Buffer {
  return open(encryptionKeys, sealed, contextOf(eventId));
}

export function createEvents({ encryptionKeys, clock }: { encryptionKeys: Keyring; clock: Clock }): Events {
  function rowOf(event: NewEvent): EventRow {
    const { type, partnerId, operatorId = null, venueId, bookingId = null, occurredAt, content } = event;
    const id = newId(clock);
    const { traceparent = currentSpan()?.traceparent ?? null } = event;
    const text = JSON.stringify({ eventType: type, timestamp: timestampOf(occurredAt), ...content });
    const body = seal(encryptionKeys, text, contextOf(id));
    return { id, type, partnerId, operatorId, venueId, bookingId, occurredAt, body, traceparent };
  }

  return {
    async append(tx, ...events) {
      const rows = events.map(rowOf);
      const fault = currentScope()?.faults?.meet('webhook');
      const inserted = insertEvents(tx, rows);
      if (!fault) return inserted;
      await inserted;
      const ids = rows.map(({ id }) => id);
      await failDeliveries(tx, ids, fault, nowOf(clock));
    },

    async listOfBooking(tx, bookingId, most = Number.MAX_SAFE_INTEGER) {
      const rows = await listEvents(tx, bookingId, most);
      return rows.map(({ id, type, occurredAt, body }) => ({
        id,
        type,
        occurredAt,
        body: body && openBody(encryptionKeys, id, body).toString(),
      }));
    },

    forget: forgetBodies,
  };
}

export { DELIVERIES, EVENT_TYPES, type EventType, isSubscribed, OPERATOR_EVENT_TYPES } from './store.ts';
