/** The events of partners and operators, and the outcomes of their deliveries. */
import type { Config } from '../../../config.ts';
import { inSnapshot, inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import { firstIdAt } from '../../../db/partitions.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type Clock, nowOf, timestampOf } from '../../../kernel/clock.ts';
import type { Keyring } from '../../../kernel/crypto.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { instantOf } from '../../../kernel/rfc3339.ts';
import { openBody } from '../../events/service.ts';
import { openAnswer, postedHeaders } from '../delivery/attempt.ts';
import type { WebhookDeliveryDetail } from '../manage/schema.ts';
import type { Owner } from '../subscriptions/secrets.ts';
import { getSubscription, ownerOf } from '../subscriptions/subscriptions.ts';
import type {
  DeliveriesQuery,
  EventsQuery,
  ReplayBody,
  Replayed,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEvent,
  WebhookEvents,
} from './schema.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  findDelivery,
  findDeliveryContent,
  getSettledPosition,
  hasEvent,
  insertReplay,
  type LogRow,
  listAnswers,
  listAttempts,
  listDeliveries,
  listLog,
  type ReplayOrder,
} from './store.ts';

export interface EventLog {
  list(caller: Caller, query: EventsQuery): Promise<WebhookEvents>;
  listDeliveries(caller: Caller, query: DeliveriesQuery): Promise<WebhookDeliveries>;
  getDelivery(caller: Caller, id: string): Promise<WebhookDelivery>;
  /** With what was sent and what receivers answered. */
  getDeliveryDetail(caller: Caller, id: string): Promise<WebhookDeliveryDetail>;
}

export interface EventLogDeps {
  config: Pick<Config, 'eventDays'>;
  sql: Sql;
  encryptionKeys: Keyring;
  clock: Clock;
}

const NOT_KEPT = 'is older than the events that are kept; begin without one, or with since';

export function createEventLog({ config, sql, encryptionKeys, clock }: EventLogDeps): EventLog {
  function isKept(id: string): boolean {
    const { eventDays } = config;
    return eventDays === 0 || id >= firstIdAt(nowOf(clock).subtract({ hours: 24 * eventDays }));
  }

  return {
    async list(caller, { eventId: id, eventType: type, since, until, cursor: after, limit }) {
      const owner = ownerOf(caller);
      if (after !== undefined && !(await hasEvent(sql, owner, after)))
        throw invalid('cursor', isKept(after) ? 'is none of your events' : NOT_KEPT);
      const settled = await getSettledPosition(sql);
      const found = await listLog(sql, owner, settled, {
        id,
        type,
        since: since === undefined ? since : instantOf(since),
        until: until === undefined ? until : instantOf(until),
        after,
        limit: limit + 1,
      });
      return pageOf(
        found.map((row) => eventView(row, encryptionKeys)),
        limit,
      );
    },

    listDeliveries(caller, { cursor: after, limit, webhookId, eventId, status }) {
      const owner = ownerOf(caller);
      const filter = { webhookId, eventId, status, after, limit: limit + 1 };
      return inSnapshot(sql, async (tx) => {
        if (after !== undefined && !(await findDelivery(tx, owner, after)))
          throw invalid('cursor', 'is none of your deliveries');
        const found = await listDeliveries(tx, owner, filter);
        return pageOf(await withAttempts(tx, found), limit);
      });
    },

    getDelivery(caller, id) {
      const owner = ownerOf(caller);
      return inSnapshot(sql, (tx) => getDelivery(tx, owner, id));
    },

    getDeliveryDetail(caller, id) {
      const owner = ownerOf(caller);
      return inSnapshot(sql, async (tx) => {
        const delivery = await getDelivery(tx, owner, id);
        const { eventId, webhookId } = delivery;
        const content = await findDeliveryContent(tx, owner, id);
        const answers = await listAnswers(tx, id);
        return {
          ...delivery,
          attempts: delivery.attempts.map((attempt) => {
            const answer = answers.get(attempt.number);
            const key = { deliveryId: delivery.id, number: attempt.number };
            return { ...attempt, answer: answer ? openAnswer(encryptionKeys, key, answer) : null };
          }),
          request: {
            url: content?.callbackUrl ?? null,
            headers: postedHeaders({ webhookId, messageId: eventId }),
            body: content?.body
              ? JSON.parse(openBody(encryptionKeys, eventId, content.body).toString())
              : null,
          },
        };
      });
    },
  };
}

async function getDelivery(tx: Tx, owner: Owner, id: string): Promise<WebhookDelivery> {
  const found = await findDelivery(tx, owner, id);
  const [delivery] = await withAttempts(tx, found ? [found] : []);
  if (!delivery) throw problem('HTTP-N-404', { detail: `You have no delivery ${id}.` });
  return delivery;
}

/** Of one entry more than the page has, when there is one. */
function pageOf<Entry extends { id: string }>(entries: Entry[], limit: number) {
  const data = entries.slice(0, limit);
  return { data, meta: { nextCursor: entries.length > limit ? (data.at(-1)?.id ?? null) : null } };
}

function eventView(row: LogRow, encryptionKeys: Keyring): WebhookEvent {
  const { id, type, occurredAt, bookingId, venueId, body } = row;
  return {
    id,
    eventType: type,
    occurredAt: timestampOf(occurredAt),
    bookingId,
    venueId,
    body: body && JSON.parse(openBody(encryptionKeys, id, body).toString()),
  };
}

async function withAttempts(tx: Tx, deliveries: readonly DeliveryRow[]): Promise<WebhookDelivery[]> {
  const attempts = Map.groupBy(await listAttempts(tx, deliveries), ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => deliveryView(delivery, attempts.get(delivery.id) ?? []));
}

function deliveryView(delivery: DeliveryRow, attempts: readonly AttemptRow[]): WebhookDelivery {
  const { id, eventId, eventType, webhookId, status, isReplay, createdAt, dueAt, finishedAt } = delivery;
  return {
    id,
    eventId,
    eventType,
    webhookId,
    status,
    attempts: attempts.map(({ deliveryId: _, startedAt, ...attempt }) => ({
      ...attempt,
      startedAt: timestampOf(startedAt),
    })),
    isReplay,
    createdAt: timestampOf(createdAt),
    nextAttemptAt: status === 'pending' ? timestampOf(dueAt) : null,
    finishedAt: finishedAt && timestampOf(finishedAt),
  };
}

/** In one call, and so in one statement. */
const MOST_DELIVERIES = 10_000;

/** Delivers again what is in the log, to one subscription: what was lost there, or was never sent to it. */
export type Replay = (
  caller: Caller,
  webhookId: string,
  body: ReplayBody,
  /** Records it in the audit log of an operator, in the transaction that makes the deliveries. */
  record?: (tx: Tx, replayed: Replayed) => Promise<void>,
) => Promise<Replayed>;

interface ReplayDeps {
  sql: Sql;
  clock: Clock;
}

export function createReplay({ sql, clock }: ReplayDeps): Replay {
  return async (caller, id, body, record) => {
    const owner = ownerOf(caller);
    const { id: webhookId } = await getSubscription(sql, owner, id);
    const events = readOrder(body);
    if ('eventId' in events && !(await hasEvent(sql, owner, events.eventId)))
      throw invalid('eventId', 'is none of your events');
    const order = { webhookId, now: nowOf(clock), atMost: MOST_DELIVERIES, events };
    return inTransaction(sql, async (tx) => {
      const { deliveries, continueFrom } = await insertReplay(tx, owner, order);
      const replayed = { deliveries, continueFrom: continueFrom && timestampOf(continueFrom) };
      await record?.(tx, replayed);
      return replayed;
    });
  };
}

function readOrder({ eventId, since, until, eventTypes: types }: ReplayBody): ReplayOrder['events'] {
  if (eventId !== undefined) {
    if (since ?? until ?? types) throw invalid('eventId', 'goes with no other field');
    return { eventId };
  }
  if (since === undefined) throw invalid('since', 'is required, or eventId in its place');
  return { since: instantOf(since), until: until === undefined ? until : instantOf(until), types };
}
