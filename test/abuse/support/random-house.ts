/** Venues of the house, and questions about them, in every shape the papers allow; those of every run are alike. */
import fc from 'fast-check';
import type { Hours, Period } from '../../../src/features/venues/hours/hours.ts';
import type {
  AvailabilityRuleDefinition,
  AvailabilityRuleDocument,
  AvailabilityRuleType,
  PaymentRule,
  ProductDocument,
  SpaceDocument,
} from '../../../src/features/venues/transfer/document.ts';
import type { Weekday } from '../../../src/kernel/zone-time.ts';
import type { CombinationDocument, HouseProductDocument, TurnTime } from '../../../src/tms/house/document.ts';

/** Zones and the days around their clock changes after the first of March 2030; two change by half an hour or at midnight. */
const ZONES: Record<string, string[]> = {
  'Europe/London': ['2030-03-30', '2030-03-31', '2030-10-26', '2030-10-27'],
  'America/New_York': ['2030-03-09', '2030-03-10', '2030-11-02', '2030-11-03'],
  'Australia/Lord_Howe': ['2030-04-06', '2030-04-07', '2030-10-05', '2030-10-06'],
  'America/Havana': ['2030-03-09', '2030-03-10', '2030-11-02', '2030-11-03'],
  'Asia/Kathmandu': ['2030-03-08'],
  'Pacific/Chatham': ['2030-04-06', '2030-04-07', '2030-09-28', '2030-09-29'],
};
const ORDINARY_DAYS = ['2030-02-28', '2030-03-01', '2030-03-02', '2030-03-03', '2030-12-31'];

export const zone = fc.constantFrom(...Object.keys(ZONES));
export const dayIn = (name: string) => fc.constantFrom(...ORDINARY_DAYS, ...(ZONES[name] ?? []));

/** Left out so many times for each time that it is there. */
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>, absences = 1) =>
  fc.oneof({ weight: absences, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Leaves out what is undefined, so that a document looks as one written by hand. */
export function sparse<Shape extends object>(shape: { [Key in keyof Shape]: Shape[Key] | undefined }): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape;
}

const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const quarter = fc.integer({ min: 0, max: 95 }).map((index) => clockText(index * 15));
export const clock = fc.oneof(
  { weight: 4, arbitrary: quarter },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1439 }).map(clockText) },
);
const weekdays = fc
  .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 })
  .map((days) => days as Weekday[]);
const everyDay: Weekday[] = [1, 2, 3, 4, 5, 6, 7];

const period = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ['18:00', '23:00'],
      ['12:00', '15:00'],
      ['18:00', '03:00'],
      ['22:00', '05:00'],
    ),
  },
  { weight: 1, arbitrary: fc.tuple(quarter, quarter) },
);
/** No two periods of a day open at the same minute: the book could not hold them. */
const periods = fc
  .uniqueArray(period, { minLength: 1, maxLength: 2, selector: ([opens]) => opens })
  .map((all) => all.map(([opens, closes]) => ({ opens: opens ?? '', closes: closes ?? '' })));

const hoursIn = (name: string): fc.Arbitrary<Hours> =>
  fc.record({
    weekly: fc.oneof(
      { weight: 4, arbitrary: periods.map((all) => [{ weekdays: everyDay, periods: all }]) },
      {
        weight: 1,
        arbitrary: fc.tuple(weekdays, periods).map(([days, all]) => [{ weekdays: days, periods: all }]),
      },
    ),
    exceptions: fc.uniqueArray(
      fc.record({ date: dayIn(name), periods: fc.oneof(periods, fc.constant<Period[]>([])) }),
      { maxLength: 2, selector: ({ date }) => date },
    ),
  });

/** Tables by zone of the room, as covers; ids are given when the venue is built. */
export const layout = fc.array(
  fc.array(fc.record({ minCovers: fc.integer({ min: 1, max: 2 }), more: fc.integer({ min: 0, max: 5 }) }), {
    minLength: 0,
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 3 },
);

export const combinationBounds: fc.Arbitrary<Pick<CombinationDocument, 'minCovers' | 'maxCovers'>> = fc.oneof(
  fc.constant({}),
  fc.record({ minCovers: fc.integer({ min: 1, max: 4 }), maxCovers: fc.integer({ min: 4, max: 9 }) }),
);

const TURN_TIMES: TurnTime[] = [
  { upTo: 3, minutes: 45 },
  { upTo: 4, minutes: 105 },
];

export const houseProduct = fc
  .record({
    bounds: fc.constantFrom(
      {},
      {},
      { minGuests: 2, maxGuests: 6 },
      { maxGuests: 4 },
      { minGuests: 3, maxGuests: 9 },
    ),
    turnTimes: maybe(fc.constant(TURN_TIMES)),
    duration: fc.constant({ minMinutes: 45, maxMinutes: 240, stepMinutes: 15 }),
    coversPerStart: maybe(fc.integer({ min: 2, max: 8 }), 2),
    instantLimit: maybe(fc.integer({ min: 1, max: 6 })),
    isRequestOnly: maybe(fc.constant(true), 6),
    takesEnquiries: fc.boolean(),
    noticeMinutes: maybe(fc.constantFrom(0, 90, 600, 2880), 2),
    horizonDays: maybe(fc.constantFrom(0, 1, 2, 240, 400), 3),
  })
  .map(({ bounds, ...shape }) => sparse<Omit<HouseProductDocument, 'key'>>({ ...shape, ...bounds }));

const paymentRule: fc.Arbitrary<PaymentRule> = fc.record({
  amount: fc.integer({ min: 1, max: 5000 }),
  currency: fc.constant('GBP'),
  per: fc.constantFrom('booking', 'guest', 'adult', 'child'),
  minPartySize: fc.option(fc.integer({ min: 1, max: 5 })),
  maxPartySize: fc.option(fc.integer({ min: 2, max: 8 })),
  weekdays: fc.option(weekdays),
});

export const catalogueProduct = (name: string) =>
  fc.record({
    timeIntervalMinutes: fc.constantFrom(15, 30, 45, 60),
    hours: hoursIn(name),
    paymentRules: fc.array(paymentRule, { maxLength: 2 }),
  }) satisfies fc.Arbitrary<Partial<ProductDocument>>;

export const policies: fc.Arbitrary<SpaceDocument['policies']> = fc.record({
  minimumSpend: fc.array(
    fc.record({ weekdays, startTime: quarter, endTime: quarter, amount: fc.integer({ min: 1, max: 999 }) }),
    { maxLength: 3 },
  ),
  occasionTypes: fc.subarray(['birthday', 'wake']),
  under18s: fc.boolean(),
  promotedEvents: fc.boolean(),
  accessibility: fc.boolean(),
  servesFood: fc.boolean(),
});

const definitionOf = (name: string, type: AvailabilityRuleType): fc.Arbitrary<AvailabilityRuleDefinition> => {
  const day = dayIn(name);
  const range = fc
    .tuple(day, day)
    .map(([a, b]) => (a < b ? { startDate: a, endDate: b } : { startDate: b, endDate: a }));
  const times = fc.record({ startTime: quarter, endTime: quarter });
  const none = fc.constant({});
  const days = type.startsWith('date_range')
    ? range
    : type.startsWith('specific')
      ? fc.uniqueArray(day, { minLength: 1, maxLength: 3 }).map((dates) => ({ dates }))
      : type.startsWith('recurring')
        ? fc.tuple(weekdays, fc.oneof(range, none)).map(([each, within]) => ({ weekdays: each, ...within }))
        : none;
  return fc.tuple(days, type.includes('time') ? times : none).map(([on, at]) => ({ ...on, ...at }));
};

const RULE_TYPES: AvailabilityRuleType[] = [
  'date_range',
  'recurring',
  'time_based',
  'specific_dates',
  'specific_dates_with_time',
  'date_range_with_time',
  'recurring_with_time',
];

/** `space` is the place of a space in the venue, for rules that take one away. */
export const rule = (name: string): fc.Arbitrary<AvailabilityRuleDocument & { space?: number }> =>
  fc.constantFrom(...RULE_TYPES).chain((type) =>
    fc
      .record({
        definition: definitionOf(name, type),
        aim: fc.constantFrom<Pick<AvailabilityRuleDocument, 'partners' | 'partnerCategories'>>(
          {},
          { partners: ['demo-partner'] },
          { partners: ['other-partner'] },
          { partners: ['other-partner', 'demo-partner'] },
          { partners: ['other-partner'], partnerCategories: ['chosen'] },
          { partnerCategories: ['chosen'] },
        ),
        isReserved: fc.boolean(),
        space: maybe(fc.integer({ min: 0, max: 2 }), 2),
      })
      .map(({ definition, aim, isReserved, space }) => ({
        type,
        definition,
        ...aim,
        ...(isReserved && Object.keys(aim).length > 0 && { effect: 'reserve' as const }),
        ...(space !== undefined && { space }),
      })),
  );

export const stayRequest = fc.record({
  table: fc.nat({ max: 20 }),
  isJoined: fc.boolean(),
  day: fc.integer({ min: 0, max: 2 }),
  quarterHour: fc.oneof(fc.integer({ min: 0, max: 119 }), fc.integer({ min: 68, max: 104 })),
  minutes: fc.constantFrom(30, 45, 90, 120, 240),
  guests: fc.integer({ min: 1, max: 5 }),
  product: fc.nat({ max: 1 }),
});

/** `offset` is how the instants are written; it changes nothing. */
export const question = (days: fc.Arbitrary<string>) =>
  fc.record({
    product: fc.nat({ max: 1 }),
    partySize: fc.integer({ min: 1, max: 6 }),
    children: fc.constantFrom(0, 0, 0, 1, 2),
    day: days,
    window: maybe(
      fc.record({
        quarterHour: fc.integer({ min: 0, max: 95 }),
        hours: maybe(fc.constantFrom(0, 1, 5, 24, 48)),
        offset: fc.constantFrom('Z', '+05:45', '-03:30'),
      }),
      2,
    ),
    time: maybe(clock, 6),
    startTime: maybe(clock, 5),
    endTime: maybe(clock, 5),
    duration: maybe(fc.constantFrom(45, 60, 90, 120, 180, 240, 241, 30, 50), 4),
    minimumSpend: maybe(fc.integer({ min: 0, max: 2000 }), 10),
    under18s: maybe(fc.boolean(), 10),
    accessibility: maybe(fc.boolean(), 10),
    occasionTypes: maybe(fc.subarray(['birthday', 'wake'], { minLength: 1 }), 10),
    includeUnavailable: fc.boolean(),
  });

export const channel = fc
  .record({
    maxPartySize: maybe(fc.integer({ min: 2, max: 6 }), 3),
    isRequestOnly: maybe(fc.constant(true), 5),
  })
  .map((shape) => sparse<{ maxPartySize?: number; isRequestOnly?: boolean }>(shape));
