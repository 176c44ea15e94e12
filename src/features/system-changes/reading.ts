/**
 * Reads the accounts of operators at a system: asks what has changed there since the last time, or, where the system
 * does not tell, looks at the bookings that are to come, one after the other.
 */

import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { mapConcurrently } from '../../kernel/request-scope.ts';
import { type ChangesPage, callFor, type RemoteConnector } from '../../tms/remote.ts';
import type { Reconciliation, SystemSource } from '../bookings/service.ts';
import * as store from './store.ts';

export interface ReadingDeps {
  sql: Sql;
  clock: Clock;
  reconcile(source: SystemSource, bookingId: string): Promise<Reconciliation>;
  log: Pick<Log, 'warn'>;
}

/** Longer than the calls for one claim take. */
const LEASE_SECONDS = 90;
const POLL_SECONDS = 3;
const MOST_PAGES = 20;
const MOST_IDS = 10_000;
const LONGEST_CURSOR = 4000;
/** Each booking to come is looked at so often, at least within two minutes. */
const TURN_SECONDS = 100;
const TURN_BATCH = 40;
/** Bookings are looked at by so few calls at a time, so that guests who book have the system almost to themselves. */
export const LOOKS_AT_A_TIME = 2;
/** So many look-ups without an answer mean that the system is away, and not that something is wrong with a booking. */
const MOST_UNANSWERED = 3;
const ACCOUNTS_AT_A_TIME = 4;
const LONGEST_PAUSE_SECONDS = 60;
const LONGEST_RATE_PAUSE_SECONDS = 3600;

export function createReading({ sql, clock, reconcile, log }: ReadingDeps) {
  const later = (seconds: number) => nowOf(clock).add({ milliseconds: Math.round(seconds * 1000) });

  /** Reads what is due; says how many accounts that were. */
  async function readDue(connector: RemoteConnector): Promise<number> {
    // Of a system that does not tell each account is many calls, so there is one at a time.
    const most = connector.changes ? ACCOUNTS_AT_A_TIME : 1;
    let read = 0;
    await mapConcurrently(Array(most).fill(connector), most, async (each: RemoteConnector) => {
      if (await readOne(each)) read += 1;
    });
    return read;
  }

  async function readOne(connector: RemoteConnector): Promise<boolean> {
    const times = { now: nowOf(clock), leasedUntil: later(LEASE_SECONDS) };
    const account = await store.claimAccount(sql, connector.slug, randomUUID(), times);
    if (!account) return false;
    const dueAt = await (connector.changes ? poll(connector, account) : lookAround(account));
    await store.releaseAccount(sql, account, dueAt);
    return true;
  }

  /** The cursor is stored with the bookings of its page: a node that dies has done both or neither. */
  async function poll(connector: RemoteConnector, account: store.ClaimedAccount): Promise<Temporal.Instant> {
    let { cursor } = account;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const outcome = await connector.changes?.(callFor(account.operatorId), cursor);
      if (outcome?.kind === 'refused' && cursor !== null) {
        // The system does not go on from there; it is asked from now on, and all bookings are looked at.
        await store.saveReading(sql, account, { ...account, cursor: null, failures: 0 });
        return nowOf(clock);
      }
      if (outcome?.kind === 'rate-limited') return afterFailure(account, outcome.retryAfterSeconds);
      if (outcome?.kind !== 'ok' || !isSound(outcome.value)) return afterFailure(account);
      const page = outcome.value;
      const isOurs = await keep(account, cursor, page);
      if (!isOurs || !page.hasMore || page.cursor === cursor) return later(POLL_SECONDS);
      cursor = page.cursor;
    }
    return later(1);
  }

  /** Without a cursor it is not known what has happened before. */
  const keep = (account: store.ClaimedAccount, before: string | null, { bookingIds, cursor }: ChangesPage) =>
    inTransaction(sql, async (tx) => {
      const now = nowOf(clock);
      if (!(await store.saveReading(tx, account, { ...account, cursor, failures: 0 }))) return false;
      if (before === null) await store.noteUpcoming(tx, account, now);
      await store.noteChanges(tx, account, bookingIds.filter(isUuid), now);
      return true;
    });

  async function afterFailure(
    account: store.ClaimedAccount,
    retryAfterSeconds?: number,
  ): Promise<Temporal.Instant> {
    const failures = Math.min(account.failures + 1, 10);
    await store.saveReading(sql, account, { ...account, failures });
    return later(pauseOf(failures, retryAfterSeconds));
  }

  /** A part of one turn over all bookings to come, those that begin next first. */
  async function lookAround(account: store.ClaimedAccount): Promise<Temporal.Instant> {
    const now = nowOf(clock);
    const turnBeganAt = account.turnBeganAt ?? now;
    const batch = await store.listUpcoming(sql, account, account.after, now, TURN_BATCH);
    const { looked, pauseSeconds } = await lookAt(account, batch);
    const after = looked.at(-1) ?? account.after;
    if (pauseSeconds !== null) {
      await store.saveReading(sql, account, { ...account, turnBeganAt, after });
      return afterFailure({ ...account, turnBeganAt, after }, pauseSeconds || undefined);
    }
    const isOver = batch.length < TURN_BATCH;
    const next = isOver ? { turnBeganAt: null, after: null } : { turnBeganAt, after };
    await store.saveReading(sql, account, { ...account, ...next, failures: 0 });
    if (!isOver) return nowOf(clock);
    const [nextTurn, soonest] = [turnBeganAt.add({ seconds: TURN_SECONDS }), later(1)];
    return Temporal.Instant.compare(nextTurn, soonest) < 0 ? soonest : nextTurn;
  }

  /** `looked`: the first of them that need not be looked at again. `pauseSeconds`: the system wants rest; 0: for a while. */
  async function lookAt(account: store.ClaimedAccount, batch: readonly store.BookingPosition[]) {
    const kinds = new Map<string, Reconciliation['kind'] | 'failed'>();
    let pauseSeconds: number | null = null;
    let unanswered = 0;
    await mapConcurrently(batch, LOOKS_AT_A_TIME, async ({ id }) => {
      if (pauseSeconds !== null) return;
      const result = await reconcile(account, id).catch((err) => {
        log.warn(
          { err, bookingId: id, tms: account.tms },
          'A booking could not be compared with its system.',
        );
        return { kind: 'failed' } as const;
      });
      kinds.set(id, result.kind);
      if (result.kind === 'rate-limited') pauseSeconds = Math.max(1, result.retryAfterSeconds);
      if (result.kind === 'unavailable') unanswered += 1;
      if (unanswered >= MOST_UNANSWERED) pauseSeconds ??= 0;
    });
    const isDone = ({ id }: store.BookingPosition) => {
      const kind = kinds.get(id);
      return (
        kind !== undefined && kind !== 'rate-limited' && (kind !== 'unavailable' || pauseSeconds === null)
      );
    };
    const end = batch.findIndex((each) => !isDone(each));
    const looked = end === -1 ? batch : batch.slice(0, end);
    const open = looked.filter(({ id }) =>
      ['missing', 'busy', 'unavailable', 'failed'].includes(kinds.get(id) ?? ''),
    );
    await store.noteChanges(
      sql,
      account,
      open.map(({ id }) => id),
      nowOf(clock),
    );
    return { looked, pauseSeconds: pauseSeconds as number | null };
  }

  return { readDue };
}

/** What a system answers is not trusted to be what its connector says. */
const isSound = ({ bookingIds, cursor }: ChangesPage) =>
  Array.isArray(bookingIds) &&
  bookingIds.length <= MOST_IDS &&
  bookingIds.every((id) => typeof id === 'string') &&
  typeof cursor === 'string' &&
  cursor.length <= LONGEST_CURSOR &&
  !cursor.includes('\0');

/** Longer each time, or as long as the system says. */
export function pauseOf(failures: number, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined && Number.isFinite(retryAfterSeconds))
    return Math.min(Math.max(retryAfterSeconds, 1), LONGEST_RATE_PAUSE_SECONDS);
  return Math.min(2 ** failures, LONGEST_PAUSE_SECONDS);
}
