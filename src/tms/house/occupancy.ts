import type { Unit } from './allocation.ts';

/** What the tables of a venue are taken by; entry `i` of each list belongs to one stay at one table. */
export interface Stays {
  tableIds: readonly number[];
  startsMs: readonly number[];
  endsMs: readonly number[];
}

/** One bit per start of a day. */
type StartSet = number[];

/** Two fewer than a number has for them: what fits into so many is the cheapest kind of number there is. */
const BITS = 30;
const ALL = 2 ** BITS - 1;

const wordsFor = (starts: number) => Math.ceil(starts / BITS);
const none = (starts: number): StartSet => new Array<number>(wordsFor(starts)).fill(0);

export function hasStart(set: StartSet, index: number): boolean {
  return (((set[Math.floor(index / BITS)] ?? 0) >> (index % BITS)) & 1) === 1;
}

/** Adds the starts from one index to another, the end excluded. */
function addRange(set: StartSet, from: number, to: number): void {
  for (let word = Math.floor(from / BITS); word * BITS < to; word += 1) {
    const low = Math.max(from - word * BITS, 0);
    const high = Math.min(to - word * BITS, BITS);
    set[word] = (set[word] ?? 0) | ((ALL >> (BITS - high)) & (ALL << low));
  }
}

/** Per table the starts that collide with another stay. Free tables are not in the map. */
export type Taken = ReadonlyMap<number, StartSet>;

/** What a stay of that length would run into. `startsMs` ascends. */
export function takenStarts(
  { tableIds, startsMs: beginnings, endsMs }: Stays,
  startsMs: readonly number[],
  durationMs: number,
): Taken {
  const taken = new Map<number, StartSet>();
  const empty = none(startsMs.length);
  for (let index = 0; index < tableIds.length; index += 1) {
    const from = firstAfter(startsMs, (beginnings[index] ?? 0) - durationMs);
    const to = firstAfter(startsMs, (endsMs[index] ?? 0) - 1);
    if (from >= to) continue;
    const tableId = tableIds[index] ?? 0;
    let set = taken.get(tableId);
    if (set === undefined) {
      set = empty.slice();
      taken.set(tableId, set);
    }
    addRange(set, from, to);
  }
  return taken;
}

/** The index of the first entry above `value`; the length when there is none. */
function firstAfter(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The starts at which at least one of the units is free: all of a unit's tables have to be. */
export function freeStarts(units: readonly Unit[], taken: Taken, startCount: number): StartSet {
  const free = none(startCount);
  for (const { tableIds } of units) {
    if (!tableIds.some((id) => taken.has(id))) return free.fill(ALL);
    for (let word = 0; word < free.length; word += 1) {
      let blocked = 0;
      for (const id of tableIds) blocked |= taken.get(id)?.[word] ?? 0;
      free[word] = (free[word] ?? 0) | (ALL & ~blocked);
    }
  }
  return free;
}

/** How many of the units are free at each start. */
export function freeUnits(units: readonly Unit[], taken: Taken, startCount: number): number[] {
  const counts = new Array<number>(startCount).fill(units.length);
  for (const { tableIds } of units) {
    if (!tableIds.some((id) => taken.has(id))) continue;
    for (let word = 0; word < wordsFor(startCount); word += 1) {
      let blocked = 0;
      for (const id of tableIds) blocked |= taken.get(id)?.[word] ?? 0;
      for (let index = word * BITS; blocked > 0; index += 1, blocked >>= 1)
        if ((blocked & 1) === 1) counts[index] = (counts[index] ?? 0) - 1;
    }
  }
  return counts;
}

export function tablesTaken(stays: Stays, startMs: number, endMs: number): Set<number> {
  return new Set(
    stays.tableIds.filter(
      (_, index) => (stays.startsMs[index] ?? 0) < endMs && startMs < (stays.endsMs[index] ?? 0),
    ),
  );
}
