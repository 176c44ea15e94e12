import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import type { PlaceRequest } from '../../../src/tms/contract.ts';
import {
  type BookRows,
  compileBook,
  type HouseProduct,
  type ProductRow,
} from '../../../src/tms/house/book.ts';
import { decide, draftOf } from '../../../src/tms/house/decision.ts';
import {
  at,
  bookRows,
  clockTime,
  everyDay,
  hour,
  LONDON,
  liveOf,
  offered,
  PRODUCT,
  productOf,
  type Stay,
  table,
} from './books.ts';

/** An ordinary day, a short one, a long one, and the nights before those. */
const DATES = ['2026-07-01', '2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25'] as const;
const MINUTE = 60_000;

const NO_SPACES: ProductRow['spaces'] = [];
const TWO_SPACES: ProductRow['spaces'] = [
  { spaceId: 1, zoneId: 1 },
  { spaceId: 2, zoneId: 2 },
];

const covers = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 6 }));
const layout = fc
  .record({
    sizes: fc.array(covers, { minLength: 1, maxLength: 8 }),
    pairs: fc.uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 4, selector: String }),
  })
  .map(({ sizes, pairs }) => {
    const tables = sizes.map(([min, more], index) =>
      table(index + 1, min + more, min, index % 3 === 2 ? 2 : 1),
    );
    const combinations = pairs
      .filter(([a, b]) => a !== b && a < tables.length && b < tables.length)
      .map(([a, b]) => ({ tableIds: [a + 1, b + 1], minCovers: 3, maxCovers: 9 }));
    return { tables, combinations };
  });
const settings = fc.record({
  hours: fc.constantFrom(everyDay(hour(18), hour(22)), everyDay(hour(22), hour(27)), everyDay(0, hour(5))),
  intervalMinutes: fc.constantFrom(15, 30, 45),
  coversPerStart: fc.constantFrom(null, 6),
  instantLimit: fc.constantFrom(null, 4),
  takesEnquiries: fc.boolean(),
  isRequestOnly: fc.constantFrom(false, false, false, true),
  noticeMinutes: fc.constantFrom(0, 90),
  spaces: fc.constantFrom(NO_SPACES, TWO_SPACES),
});
const requested = fc.array(
  fc.record({
    guests: fc.integer({ min: 1, max: 10 }),
    at: fc.nat(30),
    duration: fc.constantFrom(30, 90, 120),
  }),
  { minLength: 1, maxLength: 8 },
);
const scene = fc.record({ layout, settings, requested, date: fc.constantFrom(...DATES) });
type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

const rowsOf = ({ layout, settings }: Pick<Scene, 'layout' | 'settings'>) => bookRows(layout, settings);

/** Whoever asks asks an hour into the day, so that notice matters for some. */
const nowMsOf = (date: string) => at(LONDON, date, 0) + hour(1) * MINUTE;

function requestFor(
  date: string,
  minute: number,
  startMs: number,
  guests: number,
  duration: number,
): PlaceRequest {
  return {
    bookingId: 'any',
    productId: PRODUCT,
    venueId: parseVenueId('1|house|test'),
    zone: LONDON,
    date,
    minute,
    startMs,
    adults: guests,
    children: 0,
    durationMinutes: duration,
    spaceId: null,
    nowMs: nowMsOf(date),
  };
}

function tryToBook(product: HouseProduct, request: PlaceRequest, live: ReturnType<typeof liveOf>) {
  // No table is chosen by its id here.
  const draft = draftOf({ tables: new Map() }, product, request);
  return draft.kind === 'ok' ? decide(draft.value, request, live) : draft;
}

interface Diary {
  stays: Stay[];
  pace: Map<number, number>;
}

const liveIn = ({ stays, pace }: Diary) => liveOf(stays, [...pace]);

/** Books what can be booked, one wish after the other, and calls `check` before each. */
function playThrough(
  product: HouseProduct,
  { requested, date }: Scene,
  check: (diary: Diary) => void,
): Diary {
  const diary: Diary = { stays: [], pace: new Map() };
  for (const { guests, at: index, duration } of requested) {
    check(diary);
    const { slots } = offered(product, {
      date,
      guests,
      durationMinutes: duration,
      nowMs: nowMsOf(date),
      live: liveIn(diary),
    });
    const slot = slots[index % Math.max(1, slots.length)];
    if (!slot) continue;
    const outcome = tryToBook(
      product,
      requestFor(date, slot.minute, slot.startMs, guests, duration),
      liveIn(diary),
    );
    if (outcome.kind !== 'ok') continue;
    const { unit, startMs, endMs } = outcome.value;
    diary.stays.push(...unit.tableIds.map((tableId) => ({ tableId, startMs, endMs })));
    diary.pace.set(startMs, (diary.pace.get(startMs) ?? 0) + guests);
  }
  return diary;
}

test('what is offered to book can be booked at that moment, and nothing else can', () => {
  fc.assert(
    fc.property(scene, (drawn) => {
      const product = productOf(compileBook(rowsOf(drawn)));
      playThrough(product, drawn, (diary) => {
        const { date } = drawn;
        for (const guests of [2, 5]) {
          const asked = { date, guests, durationMinutes: 90, nowMs: nowMsOf(date), live: liveIn(diary) };
          const slots = new Map(offered(product, asked).slots.map((slot) => [slot.minute, slot]));
          for (let minute = 0; minute < hour(28); minute += 15) {
            const slot = slots.get(minute);
            const isOffered = slot?.type === 'book' && !slot.obstacle;
            const startMs = slot?.startMs ?? at(LONDON, date, 0) + minute * MINUTE;
            const request = requestFor(date, minute, startMs, guests, 90);
            const isBooked = tryToBook(product, request, liveIn(diary)).kind === 'ok';
            assert.equal(isBooked, isOffered, `${clockTime(minute)} for ${guests}`);
          }
        }
      });
    }),
    { numRuns: 30 },
  );
});

test('two stays never share a table', () => {
  fc.assert(
    fc.property(scene, (drawn) => {
      const { stays } = playThrough(productOf(compileBook(rowsOf(drawn))), drawn, () => {});
      for (const [index, one] of stays.entries()) {
        for (const other of stays.slice(index + 1)) {
          const meet = one.startMs < other.endMs && other.startMs < one.endMs;
          assert.ok(one.tableId !== other.tableId || !meet);
        }
      }
    }),
    { numRuns: 300 },
  );
});

const openMinutes = (rows: BookRows, { date }: Scene, guests: number, diary: Diary) =>
  offered(productOf(compileBook(rows)), { date, guests, nowMs: nowMsOf(date), live: liveIn(diary) })
    .slots.filter(({ type, obstacle }) => type === 'book' && !obstacle)
    .map(({ minute }) => minute);

test('more tables never give fewer starts to book', () => {
  fc.assert(
    fc.property(scene, covers, fc.integer({ min: 1, max: 10 }), (drawn, [min, more], guests) => {
      const rows = rowsOf(drawn);
      const diary = playThrough(productOf(compileBook(rows)), drawn, () => {});
      const before = openMinutes(rows, drawn, guests, diary);
      const larger = { ...rows, tables: [...rows.tables, table(99, min + more, min)] };
      const after = new Set(openMinutes(larger, drawn, guests, diary));
      assert.deepEqual(
        before.filter((minute) => !after.has(minute)),
        [],
      );
    }),
    { numRuns: 300 },
  );
});

test('the order of rows changes neither what is offered nor which table is given', () => {
  const shuffled = scene.chain((drawn) => {
    const rows = rowsOf(drawn);
    const all = <T>(list: T[]) => fc.shuffledSubarray(list, { minLength: list.length });
    return fc.record({
      drawn: fc.constant(drawn),
      tables: all(rows.tables),
      areas: all(rows.areas),
      combinations: all(rows.combinations),
      hours: all(rows.products[0]?.hours ?? []),
      spaces: all(rows.products[0]?.spaces ?? []),
    });
  });
  fc.assert(
    fc.property(shuffled, ({ drawn, tables, areas, combinations, hours, spaces }) => {
      const rows = rowsOf(drawn);
      const products = rows.products.map((product) => ({ ...product, hours, spaces }));
      const other = { ...rows, tables, areas, combinations, products };
      const [one, two] = [rows, other].map((each) => productOf(compileBook(each)));
      assert.ok(one && two);
      const [first, second] = [one, two].map((product) => playThrough(product, drawn, () => {}));
      assert.ok(first && second);
      assert.deepEqual(second, first);
      const { date } = drawn;
      assert.deepEqual(
        offered(two, { date, live: liveIn(first) }),
        offered(one, { date, live: liveIn(first) }),
      );
    }),
    { numRuns: 200 },
  );
});

test('a repeated hour can be booked by its second instant when the stay still ends by closing', () => {
  const product = productOf(compileBook(bookRows({}, { hours: everyDay(0, hour(3)) })));
  const first = at(LONDON, '2026-10-25', hour(1, 30));
  const book = (startMs: number, duration: number) =>
    tryToBook(product, requestFor('2026-10-25', hour(1, 30), startMs, 2, duration), liveOf([])).kind;
  assert.equal(book(first + hour(1) * MINUTE, 90), 'ok');
  assert.equal(book(first + hour(1) * MINUTE, 120), 'refused');
  assert.equal(book(first + hour(2) * MINUTE, 30), 'refused', 'an instant at which clocks show another time');
});
