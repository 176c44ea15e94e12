import type { Fragment, Tx } from '../../db/database.ts';
import { COLUMNS, LOCATION_COLUMNS, type VenueFields } from './fields.ts';

const selected = (columns: Record<string, string>) =>
  Object.entries(columns)
    .map(([name, column]) => `v.${column} as "${name}"`)
    .join(', ');

const { types: _, ...PLAIN_COLUMNS } = COLUMNS;
const PLAIN = selected(PLAIN_COLUMNS);
const LOCATION = selected(LOCATION_COLUMNS);
const LOCATION_OBJECT = `json_build_object(${Object.entries(LOCATION_COLUMNS)
  .map(([name, column]) => `'${name}', v.${column}`)
  .join(', ')})`;

/** The fields of the venue `v`, by their names, but for its types and its location. */
export const plainFields = (tx: Tx): Fragment => tx`${tx.unsafe(PLAIN)}`;

/** The fields of its location. */
export const flatLocation = (tx: Tx): Fragment => tx`${tx.unsafe(LOCATION)}`;

/** The same as one object. */
export const locationObject = (tx: Tx): Fragment => tx`${tx.unsafe(LOCATION_OBJECT)}`;

/** Columns and values to write; what a search finds the venue by, a trigger adds. */
export function rowOf(tx: Tx, venue: VenueFields) {
  const { content, location } = venue;
  const values = (columns: Record<string, string>, fields: object) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [column, (fields as Record<string, unknown>)[name]]),
    );
  return {
    ...values(COLUMNS, venue),
    ...values(LOCATION_COLUMNS, location),
    content: tx.json(content),
  };
}
