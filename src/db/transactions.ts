/** One transaction on one connection of the driver: what it does when that breaks, and how long its statements may take. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINES } from '../kernel/deadlines.ts';
import { codeOf } from '../kernel/problem.ts';
import { withinDeadline } from '../kernel/request-scope.ts';
import { isRecorded } from '../kernel/tracing.ts';
import { SILENT } from './driver.ts';
import type { Sql, Tx } from './sql-types.ts';
import { traceWhenSent } from './statement-spans.ts';

export const READ_WRITE = 'read write';

export interface TransactionOptions {
  /** What follows `begin`. */
  mode: string;
  /** How long a statement may take as far as the server knows. */
  statementTimeoutMs: number | undefined;
}

/**
 * The driver does not survive a statement on a broken connection, and its own rollback is one: its error cannot be
 * caught. So a transaction that has lost its connection sends nothing more and never settles; the driver has already
 * rejected for its caller, and the server has rolled back.
 */
export async function beginOnce<T>(
  sql: Sql,
  { mode, statementTimeoutMs }: TransactionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = { isBroken: false };
  const begun = sql.begin(mode, (tx) =>
    work(guarded(tx, connection, limitStatements(tx, statementTimeoutMs))).catch(async (error) => {
      // It may have been another connection that broke, and then this one is there to roll back on.
      if (isBreak(error)) await sleep(DEADLINES.brokenConnection);
      if (connection.isBroken) return new Promise<never>(() => {});
      throw error;
    }),
  );
  try {
    return (await begun) as T;
  } catch (error) {
    connection.isBroken = true;
    throw error;
  }
}

const BREAKS = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'ECONNRESET', 'EPIPE', SILENT],
  // The server closes the connection with these codes.
  ...['57P01', '57P02', '57P03'],
]);
export const isBreak = (error: unknown) => BREAKS.has(codeOf(error) ?? '');

/** The same transaction, as long as its connection is there, and as long as the request has time. */
function guarded(tx: Tx, connection: { isBroken: boolean }, limit: () => void): Tx {
  const assertThere = () => {
    if (connection.isBroken)
      throw Object.assign(new Error('The connection is gone.'), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(tx, {
    apply(target, _this, args) {
      assertThere();
      limit();
      const made = Reflect.apply(target as never, undefined, args) as unknown;
      if (isRecorded() && made instanceof Promise) traceWhenSent(made as never);
      return made;
    },
    get(target, name) {
      assertThere();
      return Reflect.get(target, name);
    },
  });
}

/** How long a statement of the current request may take: `mostMs`, or less once its deadline is near. */
const statementLimitMs = (mostMs: number) => Math.max(withinDeadline(mostMs), DEADLINES.answer);

/**
 * Outside of a transaction a limit costs two round trips, so it is set once less than half of what a statement may
 * take is left.
 */
export const isShortOfTime = (mostMs: number | undefined) =>
  mostMs !== undefined && statementLimitMs(mostMs) < mostMs / 2;

/**
 * Makes the server end statements that the request has no time for. It is sent with the statement that follows, and
 * only when the deadline comes earlier than the limit that the server knows of, so the usual request pays nothing.
 */
function limitStatements(tx: Tx, mostMs: number | undefined): () => void {
  if (mostMs === undefined) return () => {};
  let toldMs = mostMs;
  return () => {
    const limitMs = statementLimitMs(mostMs);
    if (limitMs >= toldMs) return;
    toldMs = limitMs - DEADLINES.answer;
    tx`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute().catch(() => {});
  };
}

export interface ConcurrencyLimit {
  /** Settles when a slot is free. `leave` must follow. */
  enter(): Promise<void>;
  leave(): void;
  /** Transactions that have a connection keep it. */
  rejectWaiting(error: Error): void;
  load(): { running: number; waiting: number };
}

/** A concurrency limit with a queue in order of arrival. */
export function limitConcurrency(most: number): ConcurrencyLimit {
  const waiting: PromiseWithResolvers<void>[] = [];
  let running = 0;
  return {
    async enter() {
      if (running >= most) {
        const place = Promise.withResolvers<void>();
        waiting.push(place);
        await place.promise;
      } else running += 1;
    },
    leave() {
      const next = waiting.shift();
      if (next) next.resolve();
      else running -= 1;
    },
    rejectWaiting(error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    },
    load: () => ({ running, waiting: waiting.length }),
  };
}
