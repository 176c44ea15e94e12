import assert from 'node:assert/strict';
import type { Hours } from '../../../src/features/venues/hours/hours.ts';
import type { OperatorDocument } from '../../../src/features/venues/transfer/document.ts';

/** Lists whose order says nothing. */
const SETS = ['spaceIds', 'packageIds', 'menuIds', 'zoneIds', 'partners', 'partnerCategories', 'systems'];

/** What is kept in the order of its ids. */
const BY_ID = ['zones', 'areas', 'tables'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Everything that a document says is in what became of it; what it leaves open may have become anything. */
export function assertSaid(said: unknown, whole: unknown, path = ''): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (name === 'hours') {
    assert.deepEqual(byDay(whole as Hours), byDay(said as Hours), path);
  } else if (name === 'availabilityRules') {
    assertRulesSaid(said as object[], whole as object[], path);
  } else if (Array.isArray(said)) {
    assert.ok(Array.isArray(whole), path);
    assert.equal(whole.length, said.length, path);
    const ordered = (list: unknown[]) => inOrder(list, name);
    const pairs = ordered(said).map((each, index) => [each, ordered(whole)[index]]);
    for (const [index, [mine, theirs]] of pairs.entries()) assertSaid(mine, theirs, `${path}.${index}`);
  } else if (isObject(said)) {
    assert.ok(isObject(whole), path);
    for (const [key, value] of Object.entries(said)) {
      assertSaid(value, whole[key], path === '' ? key : `${path}.${key}`);
    }
  } else {
    assert.deepEqual(whole, said, path);
  }
}

function inOrder(list: unknown[], name: string): unknown[] {
  if (BY_ID.includes(name)) return list.toSorted((a, b) => (a as Numbered).id - (b as Numbered).id);
  return SETS.includes(name) && !list.some(isObject) ? list.toSorted() : list;
}

interface Numbered {
  id: number;
}

/** Rules have no order of their own. */
function assertRulesSaid(said: readonly object[], whole: readonly object[], path: string): void {
  const left = [...whole];
  assert.equal(left.length, said.length, path);
  for (const [index, rule] of said.entries()) {
    const found = left.findIndex((candidate) => {
      try {
        assertSaid(rule, candidate);
        return true;
      } catch {
        return false;
      }
    });
    assert.notEqual(found, -1, `${path}.${index}`);
    left.splice(found, 1);
  }
}

/** Periods by weekday and by date, however they were put together. */
function byDay({ weekly, exceptions = [] }: Hours): object {
  const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    weekly
      .filter(({ weekdays }) => weekdays.some((each) => each === weekday))
      .flatMap(({ periods }) => periods)
      .toSorted((a, b) => (a.opens < b.opens ? -1 : 1)),
  );
  const dates = exceptions.map(({ date, periods, reason = null }) => ({
    date,
    reason,
    periods: periods.toSorted((a, b) => (a.opens < b.opens ? -1 : 1)),
  }));
  return { days, dates: dates.toSorted((a, b) => (a.date < b.date ? -1 : 1)) };
}

/** With lists in one order, for documents whose ids have changed. */
export function sorted(document: OperatorDocument): unknown {
  const walk = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item) => walk(item, ''));
      const isUnordered = [...SETS, ...BY_ID, 'availabilityRules', 'spaceZones'].includes(name);
      return isUnordered ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((key) => [key, walk(value[key], key)]),
    );
  };
  return walk(document, '');
}
