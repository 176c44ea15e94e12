/** Who and what there is in the predictions: partners, their categories, and bookings that only rules can refuse. */
import fc from 'fast-check';
import type { Sql } from '../../../../src/db/database.ts';
import { type Body, CELLAR, COPPER_ROOM, DINNER, guest, PRIVATE } from '../../bookings/support.ts';
import type { Attempt } from './prediction-client.ts';

/** The last one calls nobody; its number is long, so that it is recognised wherever it is told. */
export const SILENT_PARTNER = 770_077;
export const PARTNERS = [1, 2, SILENT_PARTNER];
/** `demo-partner` is in the first two, `other-partner` in the second, the silent one in the third. */
export const CATEGORIES = [881_001, 881_002, 881_003];
const MEMBERS: [category: number, partner: number][] = [
  [881_001, 1],
  [881_002, 1],
  [881_002, 2],
  [881_003, SILENT_PARTNER],
];

export async function people(sql: Sql): Promise<void> {
  await sql`delete from booking_rule`;
  await sql`insert into partner (id, reference, name) values (${SILENT_PARTNER}, 'silent', 'Silent Partner')`;
  for (const id of CATEGORIES)
    await sql`insert into partner_category (id, operator_id, slug, name) values (${id}, 1, ${`c${id}`}, 'Some')`;
  for (const [category, partner] of MEMBERS)
    await sql`insert into partner_category_member (category_id, partner_id) values (${category}, ${partner})`;
}

/** Distributed by `demo-partner` alone. */
export const GARDEN = '1|house|garden-room';

/** How far ahead is booked: few days, so that the limits of rules are met exactly now and then. */
export const DAYS = { min: 5, max: 30 };

export const CALLERS = ['demo-partner', 'other-partner', 'demo-agent'];
export const headersOf = (as: string): Record<string, string> =>
  as === 'demo-agent' ? { 'x-partner-reference': 'demo-partner' } : {};

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 1 });
const quarters = (from: number, to: number, step: number) =>
  fc.integer({ min: 0, max: (to - from) / step }).map((index) => from + index * step);
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const choice = (id: number, slug: string) => fc.constantFrom({ id }, { slug }, { id, slug });
const packages = fc
  .shuffledSubarray([
    [101, 'grill-feast'],
    [102, 'cellar-flight'],
    [103, 'celebration-cake'],
  ] as [number, string][])
  .chain((chosen) =>
    fc.tuple(...chosen.map(([id, slug]) => choice(id, slug).map((each) => ({ ...each, quantity: 3 })))),
  );
const menus = fc.oneof(
  fc.constant([]),
  choice(101, 'feasting-menu').map((each) => [{ ...each, items: [{ id: 10101, quantity: 2 }] }]),
);
const preorders = fc.record({ packages, menus }, { requiredKeys: [] });

const shared = {
  type: fc.constantFrom('book', 'book', 'book', 'request'),
  children: maybe(fc.integer({ min: 0, max: 2 })),
  depositAmount: maybe(fc.constantFrom(0, 499.5, 500, 2000, 2500, 5000, 7500, 10_000, 40_000)),
};
const products: Record<string, fc.Arbitrary<Body>> = {
  [DINNER]: fc.record({
    ...shared,
    partySize: fc.integer({ min: 1, max: 8 }),
    minutes: quarters(1020, 1140, 15),
    duration: maybe(quarters(60, 180, 15)),
  }),
  [PRIVATE]: fc.record({
    ...shared,
    partySize: fc.integer({ min: 10, max: 14 }),
    minutes: quarters(720, 1140, 30),
    duration: maybe(quarters(120, 240, 30)),
    spaceId: maybe(fc.constantFrom(COPPER_ROOM, CELLAR)),
    preorders: maybe(preorders),
  }),
};

const isHoliday = ({ month, day }: Temporal.PlainDate) => month === 12 && day >= 24;

/** Days, times and sizes that the venue takes, so that nothing but a rule says no. */
export const attempt: fc.Arbitrary<Attempt> = fc
  .record({
    as: fc.constantFrom(...CALLERS),
    productId: fc.constantFrom(DINNER, DINNER, PRIVATE),
    source: fc.option(fc.constantFrom('api', 'phone', 'portal', 'chatbot')),
    days: fc.noBias(fc.integer(DAYS)),
    form: fc.constantFrom('date', 'dateTime', 'both'),
  })
  .chain(({ as, productId, source, days, form }) =>
    (products[productId] as fc.Arbitrary<Body>).map(({ minutes, ...body }) => {
      const guests = body.partySize + (body.children ?? 0);
      const offered = productId === DINNER && guests <= 8 ? 'book' : 'request';
      return { as, productId, source, offered, body: { ...guest, ...body, ...startOf(days, minutes, form) } };
    }),
  );

function startOf(days: number, minutes: number, form: string): Body {
  let date = Temporal.Now.plainDateISO('Europe/London').add({ days });
  while (isHoliday(date)) date = date.add({ days: 1 });
  const time = clock(minutes);
  const start = date.toZonedDateTime({ timeZone: 'Europe/London', plainTime: time });
  const dateTime = start.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  if (form === 'date') return { date: date.toString(), time };
  return form === 'dateTime' ? { dateTime } : { date: date.toString(), time, dateTime };
}
