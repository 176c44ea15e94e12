/** Random venues that three partners distribute, each on terms of its own, under random rules of their operators. */
import fc from 'fast-check';
import type { Sql } from '../../../src/db/database.ts';
import { operationsOf } from '../../../src/features/booking-rules/engine/rule.ts';
import { mapVenue } from '../../../src/features/venues/service.ts';
import { parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import { dayAfter } from '../../abuse/support/naive-days.ts';
import * as random from '../../abuse/support/random-house.ts';
import { addStays, KEYS, scenario, staysOf, storeWorld, worldOf } from '../../abuse/support/random-world.ts';
import type { TestApp } from '../../support/app.ts';
import { storageOf } from '../../support/rule-storage.ts';
import type { Draft } from '../booking-rules/manage/drafts.ts';
import { PARTNER_IDS, rules } from '../booking-rules/random-rules.ts';
import { expression } from '../booking-rules/support.ts';

/** How each of them calls; an agent calls for the third. */
export const PARTNERS = [
  { id: 1, as: 'demo-partner', headers: {} },
  { id: 2, as: 'other-partner', headers: {} },
  { id: 3, as: 'demo-agent', headers: { 'x-partner-reference': 'third-partner' } },
];

export async function addThirdPartner({ sql }: TestApp): Promise<void> {
  await sql`insert into partner (id, reference, name) values (3, 'third-partner', 'Third Partner')`;
  await sql`insert into agent_partner (client_id, partner_id) values ('demo-agent', 3)`;
}

/** By day and in the night, before the clock changes of spring and before those of autumn. */
const MOMENTS = [
  '2030-02-28T10:20:00Z',
  '2030-03-01T10:20:00Z',
  '2030-03-10T03:59:30Z',
  '2030-03-31T00:45:00Z',
  '2030-08-20T23:10:00Z',
  '2030-10-26T14:15:00Z',
];

const fact = (name: string) => ({ var: name });
/** Stands for the operator's category of partners until it is known. */
const CATEGORY = 900_003;

const sensible = fc.constantFrom<unknown>(
  { '===': [fact('partner.id'), 1] },
  { in: [CATEGORY, fact('partner.categoryIds')] },
  { '<': [fact('daysAhead'), 3] },
  { '>': [fact('daysAhead'), 60] },
  { '>=': [fact('booking.guests'), 4] },
  { '>': [fact('booking.time'), '20:00'] },
  { '===': [fact('booking.type'), 'request'] },
  { and: [{ '===': [fact('booking.weekday'), 6] }, { '!==': [fact('partner.id'), 2] }] },
  { '===': [fact('product.category'), 'dinner'] },
);
const plainDraft = fc
  .tuple(
    sensible,
    fc.constantFrom<Draft>(
      { reject: { message: 'No.' } },
      { set: { fact: 'booking.type', value: 'request' } },
    ),
  )
  .map(([when, action]): Draft => expression(when, action));

const window = fc.record({
  effect: fc.constant('booking_window'),
  params: fc.record({
    action: fc.constant('book'),
    minNoticeHours: fc.constantFrom(null, 1, 30, 50),
    maxHorizonDays: fc.constantFrom(0, 2, 30, 170),
  }),
});

const anyDraft = rules
  .filter((rule) => operationsOf(rule).includes('booking_create'))
  .map((rule): Draft => {
    const { id: _, operatorId, version, priority, items, partnerIds, categoryIds, venueIds, ...draft } = rule;
    return draft;
  });

const aim = fc.constantFrom<Draft>(
  {},
  {},
  { partnerIds: [1] },
  { partnerIds: [2, 3] },
  { categoryIds: [CATEGORY] },
);
const conditions = fc.constantFrom<Draft[]>(
  [],
  [],
  [{ field: 'partySize', operator: 'gte', value: 3 }],
  [{ field: 'daysAhead', operator: 'lt', value: 10 }],
  [{ field: 'time', operator: 'between', value: ['22:00', '01:00'] }],
  [{ field: 'category', operator: 'eq', value: 'dinner' }],
);
const fixedDraft = fc
  .tuple(
    fc.oneof(
      window,
      fc.constant<Draft>({ effect: 'route_to_enquiry' }),
      fc.constant<Draft>({ effect: 'party_size_limit', params: { min: 2, max: 5 } }),
    ),
    conditions,
  )
  .map(([draft, held]): Draft => ({ ...draft, conditions: held }));

const draft = fc
  .tuple(fc.oneof(plainDraft, fixedDraft, anyDraft), aim)
  .map(([rule, whom]): Draft => ({ name: 'Rule', ...rule, ...whom, productSlugs: null, venueIds: null }));

/** What availability rules are narrowed by, in their order; null: nothing. */
const scope = fc.constantFrom<unknown>(
  null,
  { '!==': [fact('partner.id'), 2] },
  { in: [CATEGORY, fact('partner.categoryIds')] },
  { '===': [fact('product.category'), 'dinner'] },
  { or: [{ '===': [fact('partner.id'), 3] }, { '!': { missing: ['product.category'] } }] },
  { '>': [fact('product.slug'), 3] },
);

/** What the system of the venue hides from the second partner, which is a marketplace then. */
const hidden = fc.record({
  productKey: fc.constantFrom(null, ...KEYS),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
});

export const situation = fc.record({
  scenario,
  moment: fc.constantFrom(...MOMENTS),
  channels: fc.tuple(random.channel, random.channel),
  drafts: fc.array(draft, { maxLength: 4 }),
  scopes: fc.array(scope, { maxLength: 6 }),
  hidden: fc.option(fc.array(hidden, { maxLength: 2 })),
  sharesZone: fc.boolean(),
  preOrder: fc.constantFrom('none', 'package' as const),
  sizes: fc.tuple(
    fc.integer({ min: 3, max: 6 }),
    fc.integer({ min: 5, max: 10 }),
    fc.integer({ min: 11, max: 20 }),
  ),
});
export type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never;

export interface Place {
  venueId: string;
  productIds: string[];
  zone: string;
  now: Temporal.Instant;
  /** Days on which something may be different from the day before. */
  days: string[];
}

export async function settle(app: TestApp, made: Situation): Promise<Place> {
  const { sql } = app;
  const world = worldOf(made.scenario);
  const { venue } = world;
  venue.products = venue.products.map((product, index) => ({
    ...product,
    preOrderRequiredType: made.preOrder as 'none',
    ...(index === 0 && { slug: 'dinner', category: 'dinner' }),
  }));
  const [first] = venue.house?.zones ?? [];
  if (venue.house && first && made.sharesZone)
    venue.house.spaceZones = (venue.spaces ?? []).map(({ id }) => ({ spaceId: id, zoneId: first.id }));
  const operatorId = await storeWorld(sql, world);
  const venueId = parseVenueId(`${operatorId}|house|random`);
  const productIds = KEYS.map((key) => parseProductId(`${venueId}|${key}`));
  for (const [index, channel] of made.channels.entries())
    await mapVenue(sql, { partnerId: index + 2, venueId, productIds, ...channel });
  const [{ id: categoryId }] = await sql<[{ id: number }]>`
    select id from partner_category where operator_id = ${operatorId}`;
  for (const each of made.drafts) await storageOf(app).create(operatorId, meant(each, categoryId));
  await narrowRules(sql, venueId, { ...made, categoryId });
  const stays = staysOf(made.scenario.stays, made.scenario, world);
  await addStays(sql, operatorId, stays);
  const now = Temporal.Instant.from(made.moment);
  return { venueId, productIds, zone: venue.timeZone, now, days: daysOf(made, now) };
}

async function narrowRules(
  sql: Sql,
  venueId: string,
  { scopes, hidden: managed, categoryId }: Pick<Situation, 'scopes' | 'hidden'> & { categoryId: number },
): Promise<void> {
  const stored = await sql<
    { id: string }[]
  >`select id from availability_rule where venue_id = ${venueId} order by id`;
  for (const [index, { id }] of stored.entries()) {
    const text = JSON.stringify(scopes[index] ?? null).replaceAll(String(CATEGORY), String(categoryId));
    await sql`update availability_rule set scope = nullif(${text}, 'null')::text::json where id = ${id}`;
  }
  if (managed === null) return;
  await sql`insert into venue_marketplace (venue_id, partner_id, listing_id, is_enabled, managed)
    values (${venueId}, 2, 'x', true, ${sql.json(managed as never)})`;
  await sql`insert into availability_rule (venue_id, type, channel, definition)
    values (${venueId}, 'recurring', 'marketplace', '{"weekdays": [6]}')`;
}

/** The numbers that random rules have for partners become those of partners here. */
function meant(each: Draft, categoryId: number): Draft {
  const [first, second] = PARTNER_IDS;
  const text = JSON.stringify(each)
    .replaceAll(String(first), '1')
    .replaceAll(String(second), '2')
    .replaceAll(String(CATEGORY), String(categoryId));
  return JSON.parse(text);
}

function daysOf(
  { scenario: { zone, stayDay, products, rules: taking } }: Situation,
  now: Temporal.Instant,
): string[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const ahead = (days: number) => today.add({ days }).toString();
  const change = now.toZonedDateTimeISO(zone).getTimeZoneTransition('next')?.toPlainDate().toString();
  const edges = products.flatMap(({ house: { noticeMinutes = 0, horizonDays = 0 } }) => [
    Math.floor(noticeMinutes / 1440),
    Math.ceil(noticeMinutes / 1440),
    horizonDays,
    horizonDays + 1,
  ]);
  const around = [stayDay, ...(change ? [change] : [])].flatMap((day) =>
    [-1, 0, 1].map((by) => dayAfter(day, by)),
  );
  const ruled = taking.flatMap(({ definition }) => definition.startDate ?? definition.dates?.[0] ?? []);
  const days = [...[0, 1, 2, 30, 31, 61, 178, 179, ...edges].map(ahead), ...around, ...ruled];
  const last = ahead(179);
  return [...new Set(days)].filter((day) => ahead(0) <= day && day <= last).sort();
}
