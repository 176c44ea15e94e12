/**
 * Changes that venues make in their own systems. Bookings that may have changed are found by asking the system, by what
 * it sends, or by looking at them in turn; they stand in a queue until they were compared with the system. A node that
 * dies only delays, and a booking that is compared twice is the same as before.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry as Metrics } from 'prom-client';
import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { databaseGauge, nodeCounter } from '../../http/observability/metrics.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { problem } from '../../kernel/problem.ts';
import { mapConcurrently } from '../../kernel/request-scope.ts';
import type { RemoteConnector, SystemNotification } from '../../tms/remote.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Bookings, OperatorAction, Reconciliation, SystemSource } from '../bookings/service.ts';
import type { Connections } from '../systems/service.ts';
import { createReading, LOOKS_AT_A_TIME, pauseOf } from './reading.ts';
import * as store from './store.ts';

export interface SystemChanges {
  /** Reads and works off what is due, of all systems. */
  workDue(signal?: AbortSignal): Promise<void>;
  /** The same as it comes, until it is stopped. */
  start(): { stop(): Promise<void> };
  /** What a system sends by itself. Throws the same problem for one that is forged as for an account that is not there. */
  receive(
    sender: { operatorId: string; tms: string },
    notification: Omit<SystemNotification, 'nowMs'>,
  ): Promise<void>;
  /** Bookings that wait to be compared, and for how long the first of them has. */
  waiting(): Promise<{ count: number; oldestSeconds: number }>;
  /** How many bookings this node has compared, by system and outcome. */
  counts(): Iterable<{ tms: string; outcome: Reconciliation['kind']; count: number }>;
}

export interface SystemChangesDeps {
  sql: Sql;
  clock: Clock;
  notifications: Notifications;
  connections: Connections;
  auditLog: AuditLog;
  bookings: Bookings;
  log: Pick<Log, 'warn'>;
}

/** Told by the trigger of the table. */
const TOPIC = 'system-changes';
/** Longer than one comparison takes. */
const LEASE_SECONDS = 40;
const TICK_MS = 1000;
const SYSTEMS_KNOWN_MS = 5000;
/** So many are compared before the system is asked for changes again. */
const BATCH = 40;
const GIVE_UP_HOURS = 24;
/** Between the two looks after which a booking counts as cancelled by its venue. */
const MISSING_SECONDS = 2;
const MOST_NAMED = 1000;

export function createSystemChanges(deps: SystemChangesDeps): SystemChanges {
  const { sql, clock, notifications, connections, auditLog, bookings, log } = deps;
  const { registry } = connections;
  const compared = new Map<string, { tms: string; outcome: Reconciliation['kind']; count: number }>();
  const reading = createReading({ sql, clock, reconcile, log });
  /** Systems that want rest, until when. */
  const resting = new Map<string, Temporal.Instant>();

  async function reconcile(
    source: SystemSource,
    bookingId: string,
    wasMissing = false,
  ): Promise<Reconciliation> {
    const result = await bookings.asOperator(actionOf(source)).reconcile(source, bookingId, { wasMissing });
    const { tms } = source;
    const outcome = result.kind;
    compared.getOrInsertComputed(`${tms} ${outcome}`, () => ({ tms, outcome, count: 0 })).count += 1;
    return result;
  }

  const actionOf = ({ operatorId, tms }: SystemSource): OperatorAction => ({
    actorId: `system ${tms}`,
    check: async () => {},
    record: (tx, { bookingId, before, after }) =>
      auditLog.record(tx, {
        actor: { kind: 'system', id: tms, name: tms },
        operatorId,
        action: `booking.${deedOf(before, after)}`,
        subject: `booking ${bookingId}`,
        before,
        after,
      }),
  });

  async function listRemote(): Promise<RemoteConnector[]> {
    const slugs = await store.listSystemsInUse(sql);
    const remote = slugs.flatMap((slug) => {
      const connector = registry.get(slug);
      return connector?.flavour === 'remote' ? connector : [];
    });
    const names = remote.map(({ slug }) => slug);
    if (names.length > 0) await store.addAccounts(sql, names, nowOf(clock));
    return remote;
  }

  /** One system, by itself: one that is slow or away costs the others nothing. */
  async function serve(connector: RemoteConnector, signal: AbortSignal | undefined): Promise<void> {
    for (let isMore = true; isMore && !signal?.aborted; ) {
      const read = await reading.readDue(connector);
      isMore = (await workOff(connector.slug, signal)) + read > 0;
    }
  }

  async function workOff(tms: string, signal: AbortSignal | undefined): Promise<number> {
    let worked = 0;
    await mapConcurrently(Array(LOOKS_AT_A_TIME).fill(tms), LOOKS_AT_A_TIME, async () => {
      while (worked < BATCH && !signal?.aborted && !isResting(tms) && (await workOnNext(tms))) worked += 1;
    });
    return worked;
  }

  function isResting(tms: string): boolean {
    const until = resting.get(tms);
    return until !== undefined && Temporal.Instant.compare(nowOf(clock), until) < 0;
  }

  async function workOnNext(tms: string): Promise<boolean> {
    const now = nowOf(clock);
    const times = { now, leasedUntil: now.add({ seconds: LEASE_SECONDS }) };
    const change = await store.claimChange(sql, tms, randomUUID(), times);
    if (!change) return false;
    try {
      await conclude(change, await reconcile(change, change.bookingId, change.wasMissing));
    } catch (err) {
      log.warn({ err, bookingId: change.bookingId, tms }, 'A booking could not be compared with its system.');
      const endsAt = change.notedAt.add({ hours: GIVE_UP_HOURS });
      if (Temporal.Instant.compare(endsAt, now) < 0) await store.finishChange(sql, change, nowOf(clock));
      else await tryLater(change);
    }
    return true;
  }

  async function conclude(change: store.ClaimedChange, result: Reconciliation): Promise<void> {
    switch (result.kind) {
      case 'changed':
      case 'cancelled':
      case 'unchanged':
      case 'ignored':
        return store.finishChange(sql, change, nowOf(clock));
      case 'missing':
        return store.postponeChange(sql, change, nowOf(clock).add({ seconds: MISSING_SECONDS }), true);
      case 'rate-limited':
        resting.set(change.tms, await tryLater(change, result.retryAfterSeconds));
        return;
      case 'unavailable':
        resting.set(change.tms, nowOf(clock).add({ seconds: 1 }));
        await tryLater(change);
        return;
      case 'busy':
        await tryLater(change);
        return;
    }
  }

  async function tryLater(
    change: store.ClaimedChange,
    retryAfterSeconds?: number,
  ): Promise<Temporal.Instant> {
    const seconds = pauseOf(Math.min(change.attempts, 10) - 1, retryAfterSeconds);
    const dueAt = nowOf(clock).add({ milliseconds: Math.round(seconds * 1000) });
    await store.postponeChange(sql, change, dueAt, change.wasMissing);
    return dueAt;
  }

  function start(): { stop(): Promise<void> } {
    const stopping = new AbortController();
    const running = new Map<string, Promise<void>>();
    let wake = Promise.withResolvers<void>();
    const unsubscribe = notifications.subscribe({
      changed(topic) {
        if (topic === TOPIC) wake.resolve();
      },
      // The timer finds what comes while the listener is disconnected.
      lost: () => {},
    });
    let systems: RemoteConnector[] = [];
    let knownUntil = 0;

    async function look(): Promise<void> {
      if (performance.now() >= knownUntil) {
        systems = await listRemote();
        knownUntil = performance.now() + SYSTEMS_KNOWN_MS;
      }
      for (const system of systems) {
        if (running.has(system.slug)) continue;
        const serving = serve(system, stopping.signal)
          .catch((err) => log.warn({ err, tms: system.slug }, 'Changes of a system could not be read.'))
          .finally(() => running.delete(system.slug));
        running.set(system.slug, serving);
      }
    }

    async function run(): Promise<void> {
      while (!stopping.signal.aborted) {
        wake = Promise.withResolvers<void>();
        await look().catch((err) => log.warn({ err }, 'Changes of systems could not be read.'));
        const tick = sleep(TICK_MS, undefined, { signal: stopping.signal }).catch(() => {});
        await Promise.race([tick, wake.promise]);
      }
    }

    const looking = run();
    return {
      async stop() {
        unsubscribe();
        stopping.abort();
        await looking;
        await Promise.all(running.values());
      },
    };
  }

  return {
    start,
    counts: () => compared.values(),

    async workDue(signal) {
      const systems = await listRemote();
      await mapConcurrently(systems, systems.length, (system) => serve(system, signal));
    },

    async receive({ operatorId: sentId, tms }, { headers, body }) {
      const operatorId = /^[1-9]\d{0,8}$/.test(sentId) ? Number(sentId) : 0;
      const connector = registry.get(tms);
      if (connector?.flavour !== 'remote' || !connector.readNotification) throw notVerified();
      const account = await connections.accounts.find({ operatorId, tms });
      if (!account) throw notVerified();
      const now = nowOf(clock);
      const sent = { headers, body, nowMs: now.epochMilliseconds };
      const read = await connector.readNotification(account, sent).catch((err) => {
        log.warn({ err, tms }, 'A notification of a system could not be read.');
        return { kind: 'refused', reason: 'rejected' } as const;
      });
      if (read.kind === 'refused') throw notVerified();
      if (read.kind !== 'ok') throw problem('HTTP-R-503', { retryAfterSeconds: 5 });
      const ids = read.value.bookingIds.filter((id) => typeof id === 'string' && isUuid(id));
      await store.noteChanges(sql, { operatorId, tms }, ids.slice(0, MOST_NAMED), now);
    },

    async waiting() {
      const { count, since } = await store.countChanges(sql);
      return { count, oldestSeconds: since ? nowOf(clock).since(since).total('seconds') : 0 };
    },
  };
}

/** Whether it is the signature, the time or the address that is wrong is not said. */
const notVerified = () =>
  problem('IDENT-N-001', {
    detail: 'This notification does not come from a system that is connected here.',
    headers: { 'WWW-Authenticate': 'Signature' },
  });

/** What the audit log calls a change; the same words as for what hosts do. */
function deedOf(before: object | null, after: object): string {
  const [was, is] = [before, after] as { status?: string; visit?: string }[];
  if (is?.status === 'cancelled') return 'cancel';
  return was?.visit === is?.visit ? 'move' : 'visit';
}

export function systemChangeMetrics(metrics: Metrics, changes: SystemChanges): void {
  databaseGauge(metrics, {
    name: 'system_changes_waiting',
    help: 'Bookings that may have changed in the system of their venue and were not compared yet, of all nodes.',
    read: async () => (await changes.waiting()).count,
  });
  databaseGauge(metrics, {
    name: 'system_changes_oldest_seconds',
    help: 'For how long the oldest of them has waited.',
    read: async () => (await changes.waiting()).oldestSeconds,
  });
  nodeCounter(metrics, {
    name: 'system_changes_compared_total',
    help: 'Bookings that this node has compared with the system of their venue, by outcome.',
    labelNames: ['tms', 'outcome'],
    read: () => changes.counts(),
  });
}
