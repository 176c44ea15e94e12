/** What a party can be given: a table, or tables pushed together. */
export interface Unit {
  /** Ascending. */
  tableIds: readonly number[];
  minCovers: number;
  maxCovers: number;
  /** What its tables would seat one by one; while the unit is in use no other booking can have them. */
  coversTiedUp: number;
}

/**
 * The order in which units are given away. For any party the waste is `maxCovers` less its guests, so the
 * smallest unit that seats it is the tightest, and large tables are left for large parties. On equal waste
 * fewer tables come first, then what takes less from others; ids make the choice the same on every node.
 */
export function byPreference(a: Unit, b: Unit): number {
  return (
    a.maxCovers - b.maxCovers ||
    a.tableIds.length - b.tableIds.length ||
    a.coversTiedUp - b.coversTiedUp ||
    byIds(a.tableIds, b.tableIds) ||
    a.minCovers - b.minCovers
  );
}

function byIds(a: readonly number[], b: readonly number[]): number {
  for (const [index, id] of a.entries()) {
    const difference = id - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function unitsFor(units: readonly Unit[], guests: number): Unit[] {
  return units.filter(({ minCovers, maxCovers }) => minCovers <= guests && guests <= maxCovers);
}

/** The first unit in order of preference that seats the party and none of whose tables is taken. */
export function pickUnit(
  units: readonly Unit[],
  guests: number,
  takenTables: ReadonlySet<number>,
): Unit | undefined {
  return unitsFor(units, guests).find(({ tableIds }) => !tableIds.some((id) => takenTables.has(id)));
}
