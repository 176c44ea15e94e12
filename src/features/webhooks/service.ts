/** Webhooks: the subscriptions of partners and operators, and the delivery of events to them. */

import type { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import { createOutcomeCounts, type OutcomeCounts } from '../../http/observability/outcomes.ts';
import { nowOf } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import type { Log } from '../../kernel/log.ts';
import type { Resolve } from '../../kernel/safe-connector.ts';
import type { Sender } from './delivery/attempt.ts';
import { type Dispatcher, startDispatcher } from './delivery/dispatcher.ts';
import { createSender } from './delivery/sender.ts';
import { countWaiting, findMostOverdue } from './delivery/store.ts';
import type { TestEventDeps } from './event-types.ts';
import { createEventLog, createReplay, type EventLog, type Replay } from './log/event-log.ts';
import { type CallbackUrl, reaches, readCallbackUrl } from './subscriptions/callback-url.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions/subscriptions.ts';
import { createTesting, type SendTest } from './testing/service.ts';

export interface Webhooks {
  subscriptions: Subscriptions;
  sendTest: SendTest;
  eventLog: EventLog;
  replay: Replay;
  /** Delivers what is due until it is stopped. Any number of nodes may do so side by side. */
  startDispatcher(): Dispatcher;
  /** Deliveries that will be attempted, of subscriptions that are not paused. */
  countWaiting(): Promise<number>;
  /** For how long one of them could have been attempted already and was not. */
  overdueSeconds(): Promise<number>;
  /** How the attempts of this node went. */
  attempts: OutcomeCounts;
  /** Once nothing more is to be posted. */
  close(): Promise<void>;
}

export interface WebhooksDeps extends TestEventDeps {
  config: Pick<Config, 'webhookAllowLoopback' | 'environment' | 'eventDays'>;
  sql: Sql;
  encryptionKeys: Keyring;
  notifications: Notifications;
  log: Pick<Log, 'warn' | 'error'>;
  /** Absent: as the system resolves names. */
  resolve?: Resolve;
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { config, sql, clock, resolve } = deps;
  const reach = { allowLoopback: config.webhookAllowLoopback, ...(resolve && { resolve }) };

  async function findCallback(text: string): Promise<CallbackUrl | undefined> {
    const callback = readCallbackUrl(text, reach);
    return callback && (await reaches(callback.url, reach)) ? callback : undefined;
  }

  const attempts = createOutcomeCounts(
    'webhook_attempts_total',
    'Attempts of this node to deliver, by outcome: delivered, failed (and tried again), given_up.',
    ['outcome'],
  );
  const sender = sharedSender(() => createSender(reach));
  return {
    subscriptions: createSubscriptions({ ...deps, findCallback }),
    sendTest: createTesting({ ...deps, sender }),
    eventLog: createEventLog(deps),
    replay: createReplay(deps),
    attempts,
    startDispatcher: () =>
      startDispatcher({ ...deps, sender, observe: (status) => attempts.add({ outcome: OUTCOMES[status] }) }),
    countWaiting: () => countWaiting(sql),

    async overdueSeconds() {
      const dueAt = await findMostOverdue(sql);
      return dueAt ? Math.max(0, nowOf(clock).since(dueAt).total('seconds')) : 0;
    },

    close: () => sender.close(),
  };
}

const OUTCOMES = { delivered: 'delivered', pending: 'failed', dropped: 'given_up' } as const;

/** One for all that is posted, made when something is. */
function sharedSender(make: () => Sender): Sender {
  let made: Sender | undefined;
  return {
    post(post) {
      made ??= make();
      return made.post(post);
    },
    close: async () => made?.close(),
  };
}

export function webhookMetrics(registry: Registry, webhooks: Webhooks): void {
  webhooks.attempts.register(registry);
  databaseGauge(registry, {
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries to subscriptions that are not paused, still to be made or to be retried, of all nodes.',
    read: () => webhooks.countWaiting(),
  });
  databaseGauge(registry, {
    name: 'webhook_deliveries_overdue_seconds',
    help: 'For how long the most belated of them has been due.',
    read: () => webhooks.overdueSeconds(),
  });
}
export { SEALED_ANSWERS } from './delivery/attempt.ts';
export { SEALED_SECRETS } from './subscriptions/secrets.ts';
