import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { codeOf } from '../kernel/error-facts.ts';

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const BIGINT = 20;

/** What PostgreSQL types become here: instants are `Temporal.Instant`, dates stay `YYYY-MM-DD`, bigints numbers. */
const types = {
  instant: {
    to: TIMESTAMPTZ,
    from: [TIMESTAMPTZ],
    serialize: (value: Temporal.Instant | string) => value.toString(),
    parse: (text: string) => Temporal.Instant.from(text),
  },
  date: { to: DATE, from: [DATE], serialize: (value: string) => value, parse: (text: string) => text },
  bigint: { to: BIGINT, from: [BIGINT], serialize: (value: number) => String(value), parse: Number },
};

type SqlTypes = { instant: Temporal.Instant; date: string; bigint: number };
/** The pool. Hold it in services; hand stores a `Tx`. */
export type Sql = postgres.Sql<SqlTypes>;
/** What a store function runs on: the pool for a single statement, or the transaction it is part of. */
export type Tx = postgres.ISql<SqlTypes>;
/** A piece of SQL that can be put into another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]> | postgres.Fragment;

export interface PoolOptions {
  max?: number;
  applicationName?: string;
  onClose?: () => void;
  /** How long a statement waits for somebody else's lock. */
  lockTimeoutMs?: number;
}

/**
 * A node whose machine vanishes leaves its transactions open, and with them the locks that others wait for; nothing of
 * ours holds a transaction open that long while it does something else.
 */
const IDLE_TRANSACTION_MS = 15_000;
const LOCK_TIMEOUT_MS = 20_000;

export function openPool(url: string, options: PoolOptions = {}): Sql {
  return postgres(url, {
    max: options.max ?? 10,
    connect_timeout: 10,
    onnotice: () => {},
    types,
    connection: {
      application_name: options.applicationName ?? 'maitred',
      TimeZone: 'UTC',
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    },
    ...(options.onClose ? { onclose: options.onClose } : {}),
  }) as unknown as Sql;
}

/** Runs `work` in one transaction: all of it is committed, or, when it throws, none of it. */
export function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(sql, 'read write', work);
}

const DEADLOCK = '40P01';
const CONTESTED_ATTEMPTS = 5;

/**
 * The same where others may want the same rows or locks the other way round: PostgreSQL then ends one of those who
 * wait for each other, and that one begins again. All that `work` does must be in the transaction.
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

/** Runs several reads on one snapshot, so that what they return belongs together. */
export function inSnapshot<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(sql, 'isolation level repeatable read read only', read);
}

const BEGIN_ATTEMPTS = 3;
/** Within this the driver has said that a connection is gone. */
const BREAK_KNOWN_MS = 1000;

/** A connection may turn out to be broken, or to remember how it broke, only when something is asked of it. */
async function begin<T>(sql: Sql, mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    let hasBegun = false;
    try {
      return await beginOnce(sql, mode, (tx) => {
        hasBegun = true;
        return work(tx);
      });
    } catch (error) {
      if (hasBegun || !isBreak(error) || count === BEGIN_ATTEMPTS) throw error;
    }
  }
}

/**
 * The driver does not survive a statement on a connection that has broken, and its own rollback is one: it fails where
 * nobody can catch it. So a transaction that has lost its connection sends nothing more, and never ends; the driver
 * has told its caller already, and the server has rolled back.
 */
async function beginOnce<T>(sql: Sql, mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = { isBroken: false };
  const begun = sql.begin(mode, (tx) =>
    work(guarded(tx, connection)).catch(async (error) => {
      // It may have been another connection that broke, and then this one is there to roll back on.
      if (isBreak(error)) await sleep(BREAK_KNOWN_MS);
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
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'ECONNRESET', 'EPIPE'],
  // With these words the server hangs up.
  ...['57P01', '57P02', '57P03'],
]);
const isBreak = (error: unknown) => BREAKS.has(codeOf(error) ?? '');

/** The same transaction, as long as its connection is there. */
function guarded(tx: Tx, connection: { isBroken: boolean }): Tx {
  const assertThere = () => {
    if (connection.isBroken)
      throw Object.assign(new Error('The connection is gone.'), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(tx, {
    apply(target, _this, args) {
      assertThere();
      return Reflect.apply(target as never, undefined, args);
    },
    get(target, name) {
      assertThere();
      return Reflect.get(target, name);
    },
  });
}

/** Settles when the database answers; rejects when it cannot be asked. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}
