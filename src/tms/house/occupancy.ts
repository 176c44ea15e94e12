import type { Unit } from './allocation.ts';

/** What the tables of a venue are taken by; entry `i` of each list belongs to one stay at one table. */
export interface Stays {
  tableIds: readonly number[];
  startsMs: readonly number[];
  endsMs: readonly number[];
}

/** One bit per start of a day. */
type StartSet = Uint32Array;

const BITS = 32;
const ALL = 0xffffffff;

const wordOf = (index: number) => Math.floor(index / BITS);

export function hasStart(set: StartSet, index: number): boolean {
  return (((set[wordOf(index)] ?? 0) >>> (index % BITS)) & 1) === 1;
}

/**
 * Per table the starts at which a stay of that length would run into another one. Tables that nobody has
 * are not in the map. `startsMs` ascends.
 */
export function takenStarts(stays: Stays, startsMs: Float64Array, durationMs: number): Map<number, StartSet> {
  const taken = new Map<number, StartSet>();
  const words = Math.ceil(startsMs.length / BITS);
  for (let index = 0; index < stays.tableIds.length; index += 1) {
    const tableId = stays.tableIds[index] ?? 0;
    const startMs = stays.startsMs[index] ?? 0;
    const endMs = stays.endsMs[index] ?? 0;
    let at = firstAfter(startsMs, startMs - durationMs);
    if (!((startsMs[at] ?? endMs) < endMs)) continue;
    let set = taken.get(tableId);
    if (set === undefined) {
      set = new Uint32Array(words);
      taken.set(tableId, set);
    }
    for (; (startsMs[at] ?? endMs) < endMs; at += 1) {
      const word = wordOf(at);
      set[word] = (set[word] ?? 0) | (1 << (at % BITS));
    }
  }
  return taken;
}

/** The index of the first entry above `value`; the length when there is none. */
function firstAfter(ascending: Float64Array, value: number): number {
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
export function freeStarts(
  units: readonly Unit[],
  taken: ReadonlyMap<number, StartSet>,
  startCount: number,
): StartSet {
  const free = new Uint32Array(Math.ceil(startCount / BITS));
  const blocked = new Uint32Array(free.length);
  for (const { tableIds } of units) {
    if (!tableIds.some((id) => taken.has(id))) return free.fill(ALL);
    blocked.fill(0);
    for (const id of tableIds) addAll(blocked, taken.get(id));
    for (let word = 0; word < free.length; word += 1) free[word] = (free[word] ?? 0) | ~(blocked[word] ?? 0);
  }
  return free;
}

function addAll(into: StartSet, from: StartSet | undefined): void {
  if (from === undefined) return;
  for (let word = 0; word < into.length; word += 1) into[word] = (into[word] ?? 0) | (from[word] ?? 0);
}

export function tablesTaken(stays: Stays, startMs: number, endMs: number): Set<number> {
  return new Set(
    stays.tableIds.filter(
      (_, index) => (stays.startsMs[index] ?? 0) < endMs && startMs < (stays.endsMs[index] ?? 0),
    ),
  );
}
