import { addressesOf } from '../kernel/database-address.ts';
import { DEADLINES } from '../kernel/deadlines.ts';
import { codeOf } from '../kernel/problem.ts';
import { assertWanted, noteWrite } from '../kernel/request-scope.ts';
import { isRecorded, traced } from '../kernel/tracing.ts';
import { type Driver, openDriver, readOnlyError, silentError } from './driver.ts';
import { type Liveness, type LivenessLog, watchLiveness } from './liveness.ts';
import { type Fragment, type Sql, type Tx, types } from './sql-types.ts';
import { traceStatement } from './statement-spans.ts';
import {
  beginOnce,
  type ConcurrencyLimit,
  isBreak,
  isShortOfTime,
  limitConcurrency,
  READ_WRITE,
} from './transactions.ts';

export type { Fragment, Sql, Tx } from './sql-types.ts';

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

/** A cursor replaces what is called at its end with each piece of its rows. */
function countOpen(statements: { open: number }, sent: DriverQuery): void {
  let isOpen = true;
  statements.open += 1;
  const settled = () => {
    if (isOpen) statements.open -= 1;
    isOpen = false;
  };
  for (const name of ['resolve', 'reject'] as const) {
    let call = sent[name];
    Object.defineProperty(sent, name, {
      get() {
        const current = call;
        return (value: unknown) => {
          settled();
          current(value);
        };
      },
      set(next: typeof call) {
        call = next;
      },
    });
  }
}

/** What the driver calls when a statement is awaited; fragments are never sent on their own. */
interface DriverQuery {
  strings: TemplateStringsArray;
  /** What has been asked for besides: `cursor`, `forEach`, `values` or `raw`, `describe`, `readable` or `writable`, `simple`. */
  cursorFn?: unknown;
  forEachFn?: unknown;
  isRaw?: unknown;
  onlyDescribe?: unknown;
  streaming?: unknown;
  options: { simple?: boolean };
  handler(query: DriverQuery): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A statement that can be sent in another way, because its rows are all that is wanted of it. */
const isPlain = ({ cursorFn, forEachFn, isRaw, onlyDescribe, streaming, options }: DriverQuery) =>
  !(cursorFn || forEachFn || isRaw || onlyDescribe || streaming || options.simple);

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
      countOpen(state.statements, sent);
      if (isShortOfTime(state.statementTimeoutMs) && isPlain(sent))
        beginOnce(driver(), state, async (tx) => Reflect.apply(tx as never, undefined, args)).then(
          sent.resolve,
          sent.reject,
        );
      else {
        if (isRecorded()) traceStatement(sent);
        send(sent);
      }
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
        return await beginOnce(sql, { mode, statementTimeoutMs: pool?.statementTimeoutMs }, async (tx) => {
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
