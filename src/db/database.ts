import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { addressesOf } from '../kernel/database-address.ts';
import { DEADLINES } from '../kernel/deadlines.ts';
import { codeOf } from '../kernel/problem.ts';
import { assertWanted, noteWrite, withinDeadline } from '../kernel/request-scope.ts';
import { isTracing, traced } from '../kernel/tracing.ts';
import { type Driver, openDriver, readOnlyError, SILENT, silentError } from './driver.ts';
import { type Liveness, type LivenessLog, watchLiveness } from './liveness.ts';
import { traceStatement, traceWhenSent } from './statement-spans.ts';

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const BIGINT = 20;
const NUMERIC = 1700;

/** PostgreSQL types as values: instants are `Temporal.Instant`, dates `YYYY-MM-DD`, bigints and decimals numbers. */
const types = {
  instant: {
    to: TIMESTAMPTZ,
    from: [TIMESTAMPTZ],
    serialize: (value: Temporal.Instant | string) => value.toString(),
    parse: (text: string) => Temporal.Instant.from(text),
  },
  date: { to: DATE, from: [DATE], serialize: (value: string) => value, parse: (text: string) => text },
  bigint: { to: BIGINT, from: [BIGINT], serialize: (value: number) => String(value), parse: Number },
  decimal: { to: NUMERIC, from: [NUMERIC], serialize: (value: number) => String(value), parse: Number },
};

type SqlTypes = { instant: Temporal.Instant; date: string; bigint: number; decimal: number };
/** The pool. Hold it in services; hand stores a `Tx`. */
export type Sql = postgres.Sql<SqlTypes>;
/** What a store function runs on: the pool for a single statement, or the transaction it is part of. */
export type Tx = postgres.ISql<SqlTypes>;
/** A piece of SQL that can be put into another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]> | postgres.Fragment;

/** An instant as answers show it, for rows that are shown as they are; see `timestampOf` of `kernel/clock.ts`. */
export const timestampText = (tx: Tx, column: string): Fragment =>
  tx`to_char(${tx(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export interface PoolOptions {
  max?: number;
  applicationName?: string;
  onClose?: () => void;
  /** How long a statement waits for a lock that another transaction holds. */
  lockTimeoutMs?: number;
  /** How long a statement may take; absent: unlimited, as for migrations and tools. */
  statementTimeoutMs?: number;
  /** Statements fail at once while the database does not answer; costs a connection. Always so with several hosts. */
  isWatched?: boolean;
  /** Absent: the pool watches for itself. */
  liveness?: Liveness;
  /** It may reach standbys. */
  isForReading?: boolean;
  /** Hears of a watched database that stops answering. */
  log?: LivenessLog;
}

export const NODE_POOL = {
  lockTimeoutMs: DEADLINES.lock,
  statementTimeoutMs: DEADLINES.statement,
  isWatched: true,
};

const MAX_CONNECTIONS = 10;

export function openPool(url: string, options: PoolOptions = {}): Sql {
  const { max = MAX_CONNECTIONS, statementTimeoutMs, isWatched = false } = options;
  const hasSeveralHosts = addressesOf(url).length > 1;
  const own =
    !options.liveness && (isWatched || hasSeveralHosts) ? watchLiveness(url, options.log) : undefined;
  const liveness = options.liveness ?? own;
  const owesAtMostMs =
    statementTimeoutMs === undefined ? undefined : statementTimeoutMs + DEADLINES.cancelledStatement;
  const open = () => {
    const opened = openDriver(
      url,
      {
        max,
        connect_timeout: DEADLINES.databaseConnect / 1000,
        onnotice: () => {},
        types: types as never,
        connection: {
          application_name: options.applicationName ?? 'maitred',
          TimeZone: 'UTC',
          lock_timeout: options.lockTimeoutMs ?? DEADLINES.toolLock,
          ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
          idle_in_transaction_session_timeout: DEADLINES.idleTransaction,
        },
        ...(options.onClose ? { onclose: options.onClose } : {}),
      },
      {
        owesAtMostMs,
        find: liveness?.find,
        ...(!options.isForReading && { onStandby: () => state.startAnew(opened) }),
      },
    );
    return opened;
  };
  const state: PoolState = {
    max,
    statements: { open: 0 },
    transactions: limitConcurrency(Math.max(1, max - 1)),
    isSilent: () => liveness?.isSilent() ?? false,
    statementTimeoutMs,
    mode: options.isForReading ? 'read only' : READ_WRITE,
    current: () => current,
    startAnew(from) {
      if (from !== current) return;
      current = open();
      state.statements = { open: 0 };
      state.transactions.rejectWaiting(silentError());
      from.abandon();
    },
  };
  let current = open();
  const forget = liveness?.onLost(() => state.startAnew(current));
  const sql = checked(state, async (...how) => {
    forget?.();
    await own?.stop();
    await current.driver.end(...how);
  });
  pools.set(sql, state);
  return sql;
}

interface PoolState {
  max: number;
  /** Sent and not answered, apart from those of transactions; begins anew with the driver. */
  statements: { open: number };
  /** Told how long a transaction waited for its connection. */
  onWait?: (seconds: number) => void;
  /** One connection is left to single statements, which then need not wait for transactions. */
  transactions: ConcurrencyLimit;
  isSilent(): boolean;
  statementTimeoutMs: number | undefined;
  /** Of transactions that a single statement needs. */
  mode: string;
  current(): Driver;
  /** Closes all connections, unless others have already taken the place of these. */
  startAnew(from: Driver): void;
}

const pools = new WeakMap<Sql, PoolState>();

/** How many connections there are and are in use, and how much waits for one. Another pool than ours has none. */
export function poolLoad(sql: Sql): { max: number; busy: number; waiting: number } {
  const pool = pools.get(sql);
  if (!pool) return { max: 0, busy: 0, waiting: 0 };
  const { running, waiting } = pool.transactions.load();
  const wanted = running + pool.statements.open;
  return {
    max: pool.max,
    busy: Math.min(wanted, pool.max),
    waiting: waiting + Math.max(0, wanted - pool.max),
  };
}

export function observeWaits(sql: Sql, onWait: (seconds: number) => void): void {
  const pool = pools.get(sql);
  if (pool) pool.onWait = onWait;
}

function countOpen(statements: { open: number }, sent: DriverQuery): void {
  const { resolve, reject } = sent;
  statements.open += 1;
  sent.resolve = (result) => {
    statements.open -= 1;
    resolve(result);
  };
  sent.reject = (error) => {
    statements.open -= 1;
    reject(error);
  };
}

/** What the driver calls when a statement is awaited; fragments are never sent on their own. */
interface DriverQuery {
  strings: TemplateStringsArray;
  /** Rows are asked for piece by piece. */
  cursorFn?: unknown;
  handler(query: DriverQuery): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The current pool. A statement is not sent for a request that is over, or to a database that does not answer. */
function checked(state: PoolState, end: Sql['end']): Sql {
  const driver = () => state.current().driver as unknown as Sql;
  function check(query: DriverQuery, args: unknown[]): void {
    const send = query.handler;
    query.handler = (sent) => {
      try {
        assertSendable(state);
      } catch (error) {
        sent.reject(error);
        return;
      }
      if (isWriting(sent.strings)) noteWrite();
      const from = state.current();
      const { reject } = sent;
      sent.reject = (error) => reject(codeOf(error) === NO_WRITES ? leave(state, from, error) : error);
      if (isTracing()) traceStatement(sent);
      countOpen(state.statements, sent);
      if (isShortOfTime(state) && !sent.cursorFn)
        beginOnce(driver(), state.mode, state, async (tx) =>
          Reflect.apply(tx as never, undefined, args),
        ).then(sent.resolve, sent.reject);
      else send(sent);
    };
  }
  return new Proxy((() => {}) as unknown as Sql, {
    apply(_target, _this, args) {
      const made = Reflect.apply(driver() as never, undefined, args) as unknown;
      if (made instanceof Promise) check(made as unknown as DriverQuery, args);
      return made;
    },
    get: (_target, name) => (name === 'end' ? end : Reflect.get(driver(), name)),
  });
}

const NO_WRITES = '25006';
/** What a standby answers to the begin of a transaction that is to write. */
const NOT_SUPPORTED = '0A000';

/** Connections to a host that has become read-only are given up; the next ones go to its successor. */
function leave(state: PoolState, from: Driver, cause: unknown): Error {
  state.startAnew(from);
  return readOnlyError(cause);
}

function assertSendable(state: PoolState | undefined): void {
  if (state?.isSilent()) throw silentError();
  assertWanted();
}

const WRITING = /\b(?:insert into|update|delete from|merge into)\b/i;
const knownWriting = new WeakMap<TemplateStringsArray, boolean>();
const isWriting = (strings: TemplateStringsArray) =>
  knownWriting.getOrInsertComputed(strings, () => strings.some((text) => WRITING.test(text)));

/** Runs `work` in one transaction: all of it is committed, or, when it throws, none of it. */
export function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(sql, READ_WRITE, work);
}

const DEADLOCK = '40P01';
const CONTESTED_ATTEMPTS = 5;

/**
 * The same for transactions that may lock the same rows in opposite order: PostgreSQL then aborts one of the
 * deadlocked transactions, and that one starts again. All that `work` does must be in the transaction.
 */
export async function inContestedTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await inTransaction(sql, work);
    } catch (error) {
      if (codeOf(error) !== DEADLOCK || count === CONTESTED_ATTEMPTS) throw error;
    }
  }
}

/** Until the transaction ends no statement waits longer for a lock. Sent at once, before what the caller sends next. */
export async function limitLockWaits(tx: Tx, ms: number): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(ms)}, true)`.execute();
}

/** Runs several reads on one snapshot, so that what they return belongs together. */
export function inSnapshot<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(sql, 'isolation level repeatable read read only', read);
}

const READ_WRITE = 'read write';
const BEGIN_ATTEMPTS = 3;

/**
 * A request that is over by the time it gets its connection starts nothing. A broken connection may show it only when
 * a statement is sent on it.
 */
function begin<T>(sql: Sql, mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return traced('transaction', () => beginUntraced(sql, mode, work));
}

async function beginUntraced<T>(sql: Sql, mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const pool = pools.get(sql);
  assertSendable(pool);
  const askedMs = performance.now();
  await pool?.transactions.enter();
  pool?.onWait?.((performance.now() - askedMs) / 1000);
  try {
    for (let count = 1; ; count += 1) {
      assertSendable(pool);
      const from = pool?.current();
      let hasBegun = false;
      try {
        return await beginOnce(sql, mode, pool, async (tx) => {
          assertWanted();
          hasBegun = true;
          if (mode === READ_WRITE) noteWrite();
          return work(tx);
        });
      } catch (error) {
        const isReadOnly = codeOf(error) === NO_WRITES || (!hasBegun && codeOf(error) === NOT_SUPPORTED);
        if (pool && from && mode === READ_WRITE && isReadOnly) throw leave(pool, from, error);
        if (hasBegun || !isBreak(error) || count === BEGIN_ATTEMPTS) throw error;
      }
    }
  } finally {
    pool?.transactions.leave();
  }
}

/**
 * The driver does not survive a statement on a broken connection, and its own rollback is one: its error cannot be
 * caught. So a transaction that has lost its connection sends nothing more and never settles; the driver has already
 * rejected for its caller, and the server has rolled back.
 */
async function beginOnce<T>(
  sql: Sql,
  mode: string,
  pool: PoolState | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = { isBroken: false };
  const begun = sql.begin(mode, (tx) =>
    work(guarded(tx, connection, limitStatements(tx, pool))).catch(async (error) => {
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
const isBreak = (error: unknown) => BREAKS.has(codeOf(error) ?? '');

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
      if (isTracing() && made instanceof Promise) traceWhenSent(made as unknown as DriverQuery);
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
const isShortOfTime = ({ statementTimeoutMs: mostMs }: PoolState) =>
  mostMs !== undefined && statementLimitMs(mostMs) < mostMs / 2;

/**
 * Makes the server end statements that the request has no time for. It is sent with the statement that follows, and
 * only when the deadline comes earlier than the limit that the server knows of, so the usual request pays nothing.
 */
function limitStatements(tx: Tx, pool: PoolState | undefined): () => void {
  const mostMs = pool?.statementTimeoutMs;
  if (mostMs === undefined) return () => {};
  let toldMs = mostMs;
  return () => {
    const limitMs = statementLimitMs(mostMs);
    if (limitMs >= toldMs) return;
    toldMs = limitMs - DEADLINES.answer;
    tx`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute().catch(() => {});
  };
}

/** Settles when the database answers; rejects when no query can be sent. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}

/**
 * Whether a megabyte can be written, which is then released; false while the server is short of something (class 53).
 */
export async function canWrite(sql: Sql): Promise<boolean> {
  try {
    await inTransaction(sql, async (tx) => {
      await tx`create temp table room on commit drop as
        select repeat(md5(number::text), 32) from generate_series(1, 1000) as number`;
    });
    return true;
  } catch (error) {
    return !codeOf(error)?.startsWith('53');
  }
}

interface ConcurrencyLimit {
  /** Settles when a slot is free. `leave` must follow. */
  enter(): Promise<void>;
  leave(): void;
  /** Transactions that have a connection keep it. */
  rejectWaiting(error: Error): void;
  load(): { running: number; waiting: number };
}

/** A concurrency limit with a queue in order of arrival. */
function limitConcurrency(most: number): ConcurrencyLimit {
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
