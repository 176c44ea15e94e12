import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileRules, judge } from '../../../src/features/availability/operator-rules/operator-rules.ts';
import { calendarOf } from '../../../src/features/listings/view.ts';
import { type HoursRows, isTradingAt } from '../../../src/features/venues/hours/hours.ts';
import type { ProductRecord, RuleRecord, VenueRecord } from '../../../src/features/venues/service.ts';
import { type ProductId, parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import { addDays, type Weekday, weekdayOf } from '../../../src/kernel/zone-time.ts';
import { isOpen, QUARTERS, trades } from './reading.ts';

const NOW = Temporal.Instant.from('2027-03-20T12:00:00Z');
const TODAY = '2027-03-20';
const DAYS = Array.from({ length: 12 }, (_, index) => addDays(TODAY, index));
const NOBODY = { partnerId: null, categoryIds: [] };
const PRODUCTS = ['lunch', 'dinner'].map((key) => parseProductId(`1|house|any|${key}`));

const minute = (max: number) => fc.integer({ min: 0, max: max / 30 - 1 }).map((half) => half * 30);
const period = fc
  .record({ opens: minute(1440), length: fc.integer({ min: 1, max: 48 }) })
  .map(({ opens, length }) => ({ opens, closes: opens + length * 30 }));
const day = fc.integer({ min: -4, max: 11 }).map((days) => addDays(TODAY, days));
const weekday = fc.integer({ min: 1, max: 7 }) as fc.Arbitrary<Weekday>;
const clock = minute(1440).map(
  (at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
);

const exceptionsOn = fc.oneof(
  fc.constant([{ opens: null, closes: null }]),
  fc.uniqueArray(period, { minLength: 1, maxLength: 2, selector: ({ opens }) => opens }),
);
const hours: fc.Arbitrary<HoursRows> = fc.record({
  hours: fc.uniqueArray(
    fc.record({ weekday, times: period }).map(({ weekday: on, times }) => ({ weekday: on, ...times })),
    { maxLength: 8, selector: (row) => `${row.weekday} ${row.opens}` },
  ),
  exceptions: fc
    .uniqueArray(fc.tuple(day, exceptionsOn), { maxLength: 4, selector: ([date]) => date })
    .map((dates) => dates.flatMap(([date, rows]) => rows.map((row) => ({ date, ...row, reason: null })))),
});

const range = fc
  .tuple(day, fc.integer({ min: 0, max: 6 }))
  .map(([startDate, length]) => ({ startDate, endDate: addDays(startDate, length) }));
const times = fc.tuple(clock, clock).map(([startTime, endTime]) => ({ startTime, endTime }));
const weekdays = fc.uniqueArray(weekday, { minLength: 1, maxLength: 3 });
const days = fc.oneof(
  range,
  weekdays.map((on) => ({ weekdays: on })),
  fc.tuple(range, weekdays).map(([between, on]) => ({ ...between, weekdays: on })),
  fc.uniqueArray(day, { minLength: 1, maxLength: 3 }).map((dates) => ({ dates })),
);
const definition = fc.oneof(
  days,
  times,
  fc.tuple(days, times).map(([on, at]) => ({ ...on, ...at })),
);
const rule: fc.Arbitrary<RuleRecord> = fc.record({
  id: fc.uuid(),
  type: fc.constant('date_range' as const),
  productId: fc.constantFrom<ProductId | null>(null, ...PRODUCTS),
  spaceId: fc.constantFrom(null, null, 7),
  partnerIds: fc.constantFrom(null, null, null, [3]),
  categoryIds: fc.constant(null),
  scope: fc.constant(null),
  effect: fc.constant('disable' as const),
  definition,
});

function venueWith(own: HoursRows, products: readonly HoursRows[], rules: RuleRecord[]): VenueRecord {
  const product = (each: HoursRows, index: number): ProductRecord => ({
    id: PRODUCTS[index] as ProductId,
    name: 'Product',
    slug: null,
    category: null,
    timeIntervalMinutes: 30,
    preOrderRequiredType: 'none',
    paymentRules: [],
    refundTerms: [],
    hours: [...each.hours],
    exceptions: [...each.exceptions],
    spaceIds: [],
    packageIds: [],
    menuIds: [],
    feedToken: null,
  });
  return {
    ...PLAIN,
    hours: [...own.hours],
    exceptions: [...own.exceptions],
    products: products.map(product),
    rules,
  };
}

const PLAIN: VenueRecord = {
  id: parseVenueId('1|house|any'),
  name: 'Any',
  operatorName: 'Anybody',
  timeZone: 'Europe/London',
  content: { summary: null, description: null, highlights: [] },
  phoneNumber: null,
  website: null,
  lat: 0,
  lng: 0,
  address: null,
  area: 'Any',
  city: 'Any',
  postcode: null,
  countryCode: 'GB',
  types: [],
  isClosed: false,
  isSuspended: false,
  systems: [],
  createdAt: NOW,
  updatedAt: NOW,
  photos: [],
  hours: [],
  exceptions: [],
  spaces: [],
  packages: [],
  menus: [],
  products: [],
  rules: [],
  closures: [],
  channel: null,
};

const capability = fc.constantFrom('table_reservation' as const, 'event_ticket' as const);
const rulesFrom = (venue: VenueRecord, sells: 'table_reservation' | 'event_ticket' = 'table_reservation') =>
  calendarOf(venue, sells, NOW.epochMilliseconds);
const isShutOn = ({ exceptions }: HoursRows, date: string) => {
  const rows = exceptions.filter((row) => row.date === date);
  return rows.length > 0 && rows.every(({ opens }) => opens === null);
};

test('on every day and at every time the rules of a listing say what its hours say', () => {
  fc.assert(
    fc.property(hours, capability, fc.constantFrom(...DAYS), (own, sells, date) => {
      const rules = rulesFrom(venueWith(own, [], []), sells);
      for (const at of QUARTERS)
        assert.equal(isOpen(rules, null, date, at), isTradingAt(own, date, at), `${at}`);
      const isTrading = QUARTERS.some((at) => isTradingAt(own, date, at));
      assert.equal(trades(rules, null, date), isTrading);
    }),
    { numRuns: 400 },
  );
});

/** A bookable as it is read: closed with the house, unless it has hours of its own for the date. */
const closingWith = (house: HoursRows, own: HoursRows): HoursRows => ({
  hours: own.hours,
  exceptions: [
    ...own.exceptions,
    ...house.exceptions.filter(
      (row) => row.opens === null && own.exceptions.every(({ date }) => date !== row.date),
    ),
  ],
});

test('the rules of a bookable say what its hours say, also where the house is shut', () => {
  const products = fc.tuple(hours, fc.option(hours)).map(([own, other]) => [other ?? own, own]);
  fc.assert(
    fc.property(hours, products, fc.constantFrom(...DAYS), (house, kept, date) => {
      const each = kept.map((own) => closingWith(house, own));
      const rules = rulesFrom(venueWith(house, each, []));
      for (const at of QUARTERS) {
        for (const [index, own] of each.entries())
          assert.equal(
            isOpen(rules, PRODUCTS[index] as string, date, at),
            isTradingAt(own, date, at),
            `${at}`,
          );
        const isSold = isShutOn(house, date) && each.some((own) => isTradingAt(own, date, at));
        assert.equal(isOpen(rules, null, date, at), isTradingAt(house, date, at) || isSold, `${at}`);
      }
    }),
    { numRuns: 400 },
  );
});

test('what operators take out of sale is black in the calendar, at the same times', () => {
  const open: HoursRows = {
    hours: [1, 2, 3, 4, 5, 6, 7].map((on) => ({ weekday: on, opens: 0, closes: 1440 })),
    exceptions: [],
  };
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.constantFrom(...DAYS), (given, date) => {
      const rules = rulesFrom(venueWith(open, [open, open], given));
      const compiled = compileRules(given);
      for (const productId of PRODUCTS) {
        for (const at of QUARTERS.filter((quarter) => quarter < 1440)) {
          const start = { productId, date, weekday: weekdayOf(date), minute: at, audience: NOBODY };
          assert.equal(isOpen(rules, productId, date, at), judge(compiled, start) === undefined, `${at}`);
        }
      }
    }),
    { numRuns: 400 },
  );
});

test('weekdays with equal hours share a rule', () => {
  const own = {
    hours: [1, 2, 3].flatMap((on) => [
      { weekday: on, opens: 720, closes: 900 },
      { weekday: on, opens: 1080, closes: on === 3 ? 1500 : 1380 },
    ]),
    exceptions: [],
  };
  assert.deepEqual(
    rulesFrom(venueWith(own, [], [])).map(({ weekdays: on, startTime, endTime }) => [on, startTime, endTime]),
    [
      [[1, 2, 3], '12:00', '15:00'],
      [[1, 2], '18:00', '23:00'],
      [[3], '18:00', '01:00'],
    ],
  );
});

test('dates before yesterday are left out, on the clock of the venue', () => {
  const dated = [-2, -1, 0].map((days) => addDays(TODAY, days));
  const own = {
    hours: [],
    exceptions: dated.map((date) => ({ date, opens: 600, closes: 900, reason: 'An act' })),
  };
  const over: RuleRecord = {
    id: 'a',
    type: 'specific_dates',
    productId: null,
    spaceId: null,
    partnerIds: null,
    categoryIds: null,
    scope: null,
    effect: 'disable',
    definition: { dates: dated },
  };
  const startDates = (venue: VenueRecord) =>
    rulesFrom(venue, 'event_ticket').map(({ startDate }) => startDate);
  const venue = venueWith(own, [], [over]);
  assert.deepEqual(startDates(venue), [...dated.slice(1), ...dated.slice(1)]);
  // Where it is already the twenty-first, yesterday is the twentieth.
  const ahead = { ...venue, timeZone: 'Pacific/Kiritimati' };
  assert.deepEqual(startDates(ahead), [TODAY, TODAY]);
});

test('a bookable with the hours of its listing has no rules of its own, one without any is never to be had', () => {
  const own = { hours: [{ weekday: 1, opens: 600, closes: 900 }], exceptions: [] };
  const rules = rulesFrom(venueWith(own, [own, { hours: [], exceptions: [] }], []));
  assert.deepEqual(
    rules.map(({ kind, compositeId }) => [kind, compositeId]),
    [
      ['opening_hours', null],
      ['blackout', PRODUCTS[1]],
    ],
  );
});
