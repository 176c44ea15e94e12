import type postgres from 'postgres';

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const BIGINT = 20;
const NUMERIC = 1700;

/** PostgreSQL types as values: instants are `Temporal.Instant`, dates `YYYY-MM-DD`, bigints and decimals numbers. */
export const types = {
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

export type SqlTypes = { instant: Temporal.Instant; date: string; bigint: number; decimal: number };
/** The pool. Hold it in services; hand stores a `Tx`. */
export type Sql = postgres.Sql<SqlTypes>;
/** What a store function runs on: the pool for a single statement, or the transaction it is part of. */
export type Tx = postgres.ISql<SqlTypes>;
/** A piece of SQL that can be put into another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]> | postgres.Fragment;
