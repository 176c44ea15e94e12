import postgres from 'postgres';

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
export async function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin((tx) => work(tx))) as T;
}

/** Runs several reads on one snapshot, so that what they return belongs together. */
export async function inSnapshot<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin('isolation level repeatable read read only', (tx) => read(tx))) as T;
}

/** Settles when the database answers; rejects when it cannot be asked. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}
