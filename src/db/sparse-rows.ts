import type { Fragment, Tx } from './database.ts';

/** Rows as one JSON array, in which all that is null is left out. */
export const sparseRows = (tx: Tx, query: Fragment): Fragment =>
  tx`(select coalesce(json_strip_nulls(json_agg(row)), '[]') from (${query}) row)`;
