import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partySizesOf } from '../../../src/tms/house/book.ts';
import {
  at,
  clockTime,
  everyDay,
  hour,
  LONDON,
  liveOf,
  makeProduct,
  offered,
  table,
  times,
} from './books.ts';

const DAY = '2026-07-01';
const stay = (tableId: number, from: number, to: number, date = DAY) => ({
  tableId,
  startMs: at(LONDON, date, from),
  endMs: at(LONDON, date, to),
});
const kinds = (day: ReturnType<typeof offered>) =>
  Object.fromEntries(
    day.slots.map(({ minute, type, requestReason, obstacle }) => [
      clockTime(minute),
      obstacle ?? requestReason ?? type,
    ]),
  );

test('starts follow the interval from opening, and the whole stay ends by closing', () => {
  const day = offered(makeProduct());
  assert.deepEqual(times(day), ['18:00', '18:30', '19:00', '19:30', '20:00', '20:30']);
  assert.ok(day.slots.every(({ type, obstacle }) => type === 'book' && obstacle === undefined));
});

test('larger parties stay longer, the largest as long as the last turn time says', () => {
  const turnTimes = [
    { upTo: 4, minutes: 120 },
    { upTo: 2, minutes: 60 },
  ];
  const product = makeProduct({ turnTimes }, { tables: [table(1, 8)] });
  assert.equal(times(offered(product, { guests: 2 })).at(-1), '21:00');
  assert.equal(times(offered(product, { guests: 3 })).at(-1), '20:00');
  assert.equal(times(offered(product, { guests: 8 })).at(-1), '20:00');
});

test('an exception replaces the hours of its weekday, and one without times closes the day', () => {
  const product = makeProduct({
    exceptions: [
      { date: DAY, opens: hour(12), closes: hour(14) },
      { date: '2026-07-02', opens: null, closes: null },
    ],
  });
  assert.deepEqual(times(offered(product)), ['12:00', '12:30']);
  const closed = offered(product, { date: '2026-07-02' });
  assert.deepEqual([closed.isClosed, closed.slots], [true, []]);
  assert.equal(offered(product, { date: '2026-07-03' }).isClosed, false);
});

test('a weekday without hours is closed', () => {
  const product = makeProduct({ hours: [{ weekday: 3, opens: hour(18), closes: hour(22) }] });
  assert.equal(offered(product).isClosed, false, 'a Wednesday');
  assert.equal(offered(product, { date: '2026-07-02' }).isClosed, true);
});

test('a stay takes its table from every start that would run into it, and from no other', () => {
  const live = liveOf([stay(1, hour(19, 30), hour(20, 30))]);
  const product = makeProduct({ turnTimes: [{ upTo: 2, minutes: 60 }] });
  assert.deepEqual(kinds(offered(product, { live })), {
    '18:00': 'book',
    '18:30': 'book',
    '19:00': 'taken',
    '19:30': 'taken',
    '20:00': 'taken',
    '20:30': 'book',
    '21:00': 'book',
  });
});

test('tables of other zones and stays at them change nothing', () => {
  const product = makeProduct({}, { tables: [table(1, 2), table(9, 2, 1, 2)] });
  const live = liveOf([stay(1, hour(18), hour(22)), stay(9, hour(18), hour(20))]);
  const obstacles = offered(product, { live }).slots.map(({ obstacle }) => obstacle);
  assert.deepEqual([...new Set(obstacles)], ['taken']);
});

test('a combination seats the party that no table does, while all of its tables are free', () => {
  const combinations = [{ tableIds: [2, 1], minCovers: 3, maxCovers: 4 }];
  const product = makeProduct({}, { tables: [table(1, 2), table(2, 2)], combinations });
  const live = liveOf([stay(2, hour(18), hour(20))]);
  const day = kinds(offered(product, { guests: 4, live }));
  assert.equal(day['19:30'], 'taken');
  assert.equal(day['20:00'], 'book');
});

test('a combination that needs a table of another zone is not the product’s', () => {
  const combinations = [{ tableIds: [1, 2], minCovers: 3, maxCovers: 4 }];
  const product = makeProduct({}, { tables: [table(1, 2), table(2, 2, 1, 2)], combinations });
  assert.equal(offered(product, { guests: 4 }).slots[0]?.obstacle, 'party-never-fits');
});

test('parties outside the limits of the product or of every table never fit', () => {
  const product = makeProduct(
    { minGuests: 2, maxGuests: 6, takesEnquiries: true },
    { tables: [table(1, 5, 2)] },
  );
  const first = (guests: number) => offered(product, { guests }).slots[0]?.obstacle;
  assert.deepEqual([1, 2, 5, 6, 7].map(first), [
    'party-never-fits',
    undefined,
    undefined,
    'party-never-fits',
    'party-never-fits',
  ]);
});

test('the sizes that a product sells are those that an empty house offers', () => {
  const limit = fc.option(fc.integer({ min: 1, max: 12 }));
  const settings = fc.record({
    minGuests: fc.integer({ min: 1, max: 6 }),
    maxGuests: fc.integer({ min: 1, max: 16 }),
    coversPerStart: limit,
    instantLimit: limit,
    isRequestOnly: fc.boolean(),
    takesEnquiries: fc.boolean(),
  });
  const covers = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(settings, fc.array(covers, { maxLength: 4 }), (made, seats) => {
      const tables = seats.map(([least, more], index) => table(index + 1, least + more, least));
      const product = makeProduct(made, { tables });
      const all = Array.from({ length: 20 }, (_, less) => less + 1);
      const sold = all.filter((guests) =>
        offered(product, { guests }).slots.some(({ obstacle }) => obstacle === undefined),
      );
      assert.deepEqual(partySizesOf(product), sold);
    }),
  );
});

test('pacing counts guests who start at the same minute', () => {
  const live = liveOf([], [[at(LONDON, DAY, hour(19)), 3]]);
  const product = makeProduct({ coversPerStart: 5 }, { tables: [table(1, 4), table(2, 4)] });
  const verdict = (guests: number) => kinds(offered(product, { guests, live }));
  assert.equal(verdict(2)['19:00'], 'book');
  assert.equal(verdict(3)['19:00'], 'taken');
  assert.equal(verdict(3)['19:30'], 'book');
});

test('above the instant limit one may ask, and is told when it is full', () => {
  const product = makeProduct({ instantLimit: 2, takesEnquiries: true }, { tables: [table(1, 4)] });
  const live = liveOf([stay(1, hour(18), hour(19))]);
  assert.equal(kinds(offered(product, { guests: 2, live }))['18:00'], 'fully_booked');
  assert.equal(kinds(offered(product, { guests: 3, live }))['18:00'], 'fully_booked');
  assert.equal(kinds(offered(product, { guests: 2, live }))['19:00'], 'book');
  assert.equal(kinds(offered(product, { guests: 3, live }))['19:00'], 'exceeds_auto_confirm');
});

test('above the instant limit of a product without enquiries nobody fits', () => {
  const product = makeProduct({ instantLimit: 2 }, { tables: [table(1, 4)] });
  assert.equal(kinds(offered(product, { guests: 3 }))['18:00'], 'party-never-fits');
});

test('a product on request stays so whether or not a table is free', () => {
  const product = makeProduct({ isRequestOnly: true });
  const live = liveOf([stay(1, hour(18), hour(22))]);
  assert.deepEqual(new Set(Object.values(kinds(offered(product)))), new Set(['request_only']));
  assert.deepEqual(new Set(Object.values(kinds(offered(product, { live })))), new Set(['request_only']));
});

test('notice is counted to the minute and the horizon in days of the venue', () => {
  const product = makeProduct({ noticeMinutes: 60, horizonDays: 2, hours: everyDay(0, hour(24)) });
  const nowMs = at(LONDON, DAY, hour(18));
  const today = kinds(offered(product, { nowMs }));
  assert.equal(today['18:30'], 'too-soon');
  assert.equal(today['19:00'], 'book');
  assert.equal(kinds(offered(product, { nowMs, date: '2026-06-30' }))['20:00'], 'too-soon');
  assert.equal(kinds(offered(product, { nowMs, date: '2026-07-03' }))['22:00'], 'book');
  assert.equal(kinds(offered(product, { nowMs, date: '2026-07-04' }))['00:00'], 'too-far');
});

test('today is the date in the venue’s zone', () => {
  const product = makeProduct({ horizonDays: 0 });
  const nowMs = Date.UTC(2026, 6, 1, 12);
  const first = (zone: string, date: string) => offered(product, { zone, date, nowMs }).slots[0]?.obstacle;
  assert.equal(first('America/New_York', '2026-07-02'), 'too-far');
  assert.equal(first('Pacific/Kiritimati', '2026-07-02'), undefined);
});

test('each space that could seat the party says whether it is free; the others are not named', () => {
  const spaces = [
    { spaceId: 30, zoneId: null },
    { spaceId: 20, zoneId: 3 },
    { spaceId: 10, zoneId: 2 },
    { spaceId: 5, zoneId: 1 },
  ];
  const product = makeProduct({ spaces, zoneIds: [] }, { tables: [table(1, 2), table(9, 2, 1, 2)] });
  const live = liveOf([stay(1, hour(18), hour(20))]);
  const free = (guests: number, minute: number) =>
    offered(product, { guests, live })
      .slots.find((slot) => slot.minute === minute)
      ?.spaces.map(({ spaceId, isFree }) => [spaceId, isFree]);
  assert.deepEqual(free(2, hour(18)), [
    [5, false],
    [10, true],
  ]);
  assert.deepEqual(free(2, hour(20)), [
    [5, true],
    [10, true],
  ]);
  assert.equal(offered(product, { guests: 3 }).slots[0]?.obstacle, 'party-never-fits');
});

test('a trading day runs past midnight', () => {
  const product = makeProduct({ hours: everyDay(hour(22), hour(27)), intervalMinutes: 60 });
  const day = offered(product);
  assert.deepEqual(times(day), ['22:00', '23:00', '24:00', '25:00']);
  assert.equal(day.slots[3]?.startMs, at(LONDON, '2026-07-02', hour(1)));
  assert.ok(day.slots.every((slot) => slot.date === DAY));
});

test('starts that the clocks skip are left out, and a stay across the change lasts as long as any other', () => {
  const product = makeProduct({ hours: everyDay(hour(23), hour(27)) });
  const day = offered(product, { date: '2026-03-28' });
  // From 01:00 the clocks show 02:00, so three hours are left between 23:00 and 03:00.
  assert.deepEqual(times(day), ['23:00', '23:30', '24:00', '24:30']);
  const short = times(offered(product, { date: '2026-03-28', durationMinutes: 30 }));
  assert.deepEqual(short, ['23:00', '23:30', '24:00', '24:30', '26:00', '26:30']);
});

test('in the hour that comes twice each time is offered once, by its first instant', () => {
  const product = makeProduct({ hours: everyDay(0, hour(3)) });
  const day = offered(product, { date: '2026-10-25' });
  assert.deepEqual(times(day), ['00:00', '00:30', '01:00', '01:30']);
  assert.equal(day.slots[2]?.startMs, Date.UTC(2026, 9, 25, 0));
  // Two and a half hours lie between the first 01:30 and 03:00.
  assert.equal(times(offered(product, { date: '2026-10-25', durationMinutes: 150 })).at(-1), '01:30');
});

test('a house that would close at a time the clocks skip closes as they jump', () => {
  const product = makeProduct({ hours: everyDay(hour(22), hour(25, 30)) });
  const day = offered(product, { date: '2026-03-28', durationMinutes: 60 });
  assert.equal(times(day).at(-1), '24:00');
});
