/** Delivers again what is in the log, to one subscription: what was lost there, or was never sent to it. */
import type { Sql } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/problem.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import type { ReplayBody, Replayed } from './log-schema.ts';
import { hasEvent, insertReplay, type ReplayOrder } from './log-store.ts';
import { getSubscription, partnerIdOf } from './subscriptions.ts';

/** In one call, and so in one statement. */
const MOST_DELIVERIES = 10_000;

export type Replay = (caller: Caller, webhookId: string, body: ReplayBody) => Promise<Replayed>;

export interface ReplayDeps {
  sql: Sql;
  clock: Clock;
}

export function createReplay({ sql, clock }: ReplayDeps): Replay {
  return async (caller, id, body) => {
    const partnerId = partnerIdOf(caller);
    const { id: webhookId } = await getSubscription(sql, partnerId, id);
    const events = readOrder(body);
    if ('eventId' in events && !(await hasEvent(sql, partnerId, events.eventId)))
      throw invalid('eventId', 'is none of your events');
    const { deliveries, continueFrom } = await insertReplay(sql, partnerId, {
      webhookId,
      now: nowOf(clock),
      atMost: MOST_DELIVERIES,
      events,
    });
    return { deliveries, continueFrom: continueFrom && timestampOf(continueFrom) };
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
