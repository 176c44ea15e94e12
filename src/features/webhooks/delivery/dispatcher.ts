/**
 * Sends deliveries to their receivers. A delivery is stored in the transaction of its event; a dispatcher claims what
 * is due, posts it, and records the outcome. The claims of a dispatcher that dies end with their lease, and then
 * another one attempts them: every delivery arrives at least once, and with the same bytes each time.
 */

import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../db/database.ts';
import type { Notifications } from '../../../db/notifications.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import type { Keyring } from '../../../kernel/crypto.ts';
import type { Log } from '../../../kernel/log.ts';
import { DELIVERIES } from '../../events/service.ts';
import { attempt, type Sender } from './attempt.ts';
import { createQueues, type Reply } from './queues.ts';
import {
  type Attempted,
  type ClaimedDelivery,
  claimDue,
  dropUndeliverable,
  recordAttempts,
  releaseClaims,
} from './store.ts';

export interface DispatcherDeps {
  sql: Sql;
  clock: Clock;
  notifications: Notifications;
  encryptionKeys: Keyring;
  sender: Sender;
  log: Pick<Log, 'warn' | 'error'>;
  /** Told what became of each attempt. */
  observe?: (status: Attempted['status']) => void;
}

export interface Dispatcher {
  /** Takes on nothing more, gives back what it has not begun, and waits for the rest. */
  stop(): Promise<void>;
}

/** Posts at a time: in all, and to one subscription. */
const AT_ONCE = 256;
const AT_ONCE_EACH = 16;
/**
 * Claimed ahead for each subscription, so that no receiver waits for the next claim; fewer once many are in memory.
 */
const CLAIMED_EACH = 256;
const CLAIMED_EACH_OF_MANY = AT_ONCE_EACH;
const MANY = 4096;
const CLAIMED_AT_ONCE = 1024;
const LEASE_SECONDS = 30;
/**
 * A delivery that has waited longer is not started: its lease could end, and another node start it, before the result
 * is recorded.
 */
const BEGIN_WITHIN_SECONDS = 15;
/** Prefix of the notification topic of a subscription; its id follows. */
const WEBHOOK = 'webhook:';
/** How often due retries are polled: no notification announces them. */
const POLL_MS = 1000;

interface Task {
  delivery: ClaimedDelivery;
  beginUntil: Temporal.Instant;
}

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { sql, clock, notifications, log } = deps;
  const recorder = createRecorder({
    record: (attempts) => recordAttempts(sql, attempts),
    isMoreToCome: () => queues.haveWaiting(),
    log,
  });
  const wakeUp = createWakeUp();
  const queues = createQueues<Task>({
    concurrency: AT_ONCE,
    concurrencyEach: AT_ONCE_EACH,
    work: deliver,
    onDone: (length) => {
      if (length === 0 || length === CLAIMED_EACH / 2) wakeUp.signal();
      if (length === 0) recorder.hurry();
    },
  });
  /** Subscriptions that changed since the last claim began, which may know them as they were. */
  const changed = new Set<string>();
  /** Notifications may have been missed since then, so any subscription may have changed. */
  let mayHaveMissed = false;
  let isStopping = false;

  async function deliver({ delivery, beginUntil }: Task): Promise<Reply> {
    if (Temporal.Instant.compare(nowOf(clock), beginUntil) > 0) return 'unknown';
    const { id: deliveryId, webhookId } = delivery;
    try {
      const attempted = await attempt(deps, delivery);
      if (attempted.status === 'dropped') log.warn({ deliveryId, webhookId }, 'A delivery was given up.');
      recorder.add(attempted);
      deps.observe?.(attempted.status);
      return replyOf(attempted);
    } catch (err) {
      log.error({ err, deliveryId, webhookId }, 'A delivery could not be read, and is tried again later.');
      return 'unknown';
    }
  }

  /** How many may be claimed of subscriptions that are in memory or timed out, which have a single place. */
  function roomsOf(lengths: ReadonlyMap<string, number>, roomEach: number): Map<string, number> {
    const slow = queues.slow();
    const rooms = new Map([...slow].map((webhookId) => [webhookId, 1]));
    for (const [webhookId, length] of lengths)
      rooms.set(webhookId, Math.max(0, (slow.has(webhookId) ? 1 : roomEach) - length));
    return rooms;
  }

  async function claimMore(): Promise<void> {
    const claim = randomUUID();
    const now = nowOf(clock);
    const lengths = queues.lengths();
    const areMany = lengths.values().reduce((sum, length) => sum + length, 0) > MANY;
    const roomEach = areMany ? CLAIMED_EACH_OF_MANY : CLAIMED_EACH;
    changed.clear();
    mayHaveMissed = false;
    const { deliveries, undeliverable } = await claimDue(sql, {
      claim,
      now,
      leaseUntil: now.add({ seconds: LEASE_SECONDS }),
      room: CLAIMED_AT_ONCE,
      roomEach,
      rooms: roomsOf(lengths, roomEach),
    });
    const { stale = [], current = [] } = Object.groupBy(deliveries, ({ webhookId }) =>
      mayHaveMissed || changed.has(webhookId) ? 'stale' : 'current',
    );
    const beginUntil = now.add({ seconds: BEGIN_WITHIN_SECONDS });
    for (const delivery of current) queues.add(delivery.webhookId, delivery.owner, { delivery, beginUntil });
    await giveBack(stale);
    if (undeliverable.length > 0) await dropUndeliverable(sql, claim, undeliverable, now);
    if (deliveries.length + undeliverable.length >= CLAIMED_AT_ONCE) wakeUp.signal();
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        await claimMore();
      } catch (err) {
        log.error({ err }, 'Deliveries could not be claimed.');
      }
      if (!isStopping) await wakeUp.wait(POLL_MS);
    }
  }

  async function giveBack(left: readonly ClaimedDelivery[]): Promise<void> {
    if (left.length === 0) return;
    await releaseClaims(sql, left, nowOf(clock)).catch((err) =>
      log.error({ err }, 'Deliveries could not be given back before their lease ends.'),
    );
    wakeUp.signal();
  }

  /**
   * The subscription was paused, changed or deleted after the claim: deliveries that have not started are claimed
   * again, if at all.
   */
  async function claimAgain(tasks: readonly Task[]): Promise<void> {
    await giveBack(tasks.map(({ delivery }) => delivery));
    wakeUp.signal();
  }

  const unsubscribe = notifications.subscribe({
    changed(topic) {
      if (topic === DELIVERIES) wakeUp.signal();
      if (!topic.startsWith(WEBHOOK)) return;
      const webhookId = topic.slice(WEBHOOK.length);
      changed.add(webhookId);
      queues.forget(webhookId);
      void claimAgain(queues.empty(webhookId));
    },
    lost() {
      mayHaveMissed = true;
      void claimAgain(queues.emptyAll());
    },
  });
  const running = run();
  return {
    async stop() {
      isStopping = true;
      unsubscribe();
      wakeUp.signal();
      await running;
      await claimAgain(queues.emptyAll());
      await queues.settled();
      await recorder.settled();
    },
  };
}

function replyOf({ statusCode, error }: Attempted): Reply {
  if (statusCode !== null) return 'answered';
  return error === 'timeout' ? 'timed out' : 'unknown';
}

/** A signal without a waiter is kept for the next one. */
function createWakeUp() {
  let isSignalled = false;
  let wake: (() => void) | undefined;
  return {
    signal(): void {
      isSignalled = true;
      wake?.();
    },
    wait(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      wake = resolve;
      if (isSignalled) resolve();
      return promise.finally(() => {
        clearTimeout(timer);
        isSignalled = false;
        wake = undefined;
      });
    },
  };
}

const RECORD_ATTEMPTS = 5;
const RECORD_RETRY_MS = 500;
/** While there is a queue: many at once cost the database half of what they cost a few at a time. */
const RECORD_TOGETHER = 128;
const RECORD_WITHIN_MS = 20;

interface RecorderDeps {
  record(attempts: Attempted[]): Promise<void>;
  isMoreToCome(): boolean;
  log: Pick<Log, 'warn' | 'error'>;
}

/** Attempts that finish during a write are recorded in the next batch. */
function createRecorder({ record, isMoreToCome, log }: RecorderDeps) {
  let waiting: Attempted[] = [];
  let writing: Promise<void> | undefined;
  const wakeUp = createWakeUp();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < RECORD_TOGETHER && isMoreToCome()) await wakeUp.wait(RECORD_WITHIN_MS);
      const batch = waiting;
      waiting = [];
      await write(batch);
    }
    writing = undefined;
  }

  /** A batch that cannot be recorded is attempted once more, by the node that claims it after its lease has ended. */
  async function write(batch: Attempted[]): Promise<void> {
    for (let count = 1; ; count += 1) {
      try {
        return await record(batch);
      } catch (err) {
        log.error({ err, deliveries: batch.length }, 'Attempts to deliver could not be written down.');
        if (count === RECORD_ATTEMPTS) return;
        await new Promise((resolve) => setTimeout(resolve, RECORD_RETRY_MS));
      }
    }
  }

  return {
    add(attempted: Attempted): void {
      waiting.push(attempted);
      writing ??= writeAll();
      if (waiting.length >= RECORD_TOGETHER) wakeUp.signal();
    },
    /** Nothing more is to come for now. */
    hurry: () => wakeUp.signal(),
    settled: async () => writing,
  };
}
