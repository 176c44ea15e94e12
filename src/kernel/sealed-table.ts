/** A table with sealed values. Features declare theirs, so that all of them can be sealed anew with another key. */
export interface SealedTable {
  table: string;
  /** Those that hold sealed values, or null. */
  columns: readonly string[];
  /** By which a row is found and rows are walked through: unique together, with an index in this order. */
  key: readonly string[];
  /** What the values of a row are sealed for, from the values of `key` in its order. */
  contextOf(...key: string[]): string;
}
