import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openNotifications } from '../../src/db/notifications.ts';
import { bookingRules } from '../../src/demo/booking-rules.ts';
import { demoOperators } from '../../src/demo/operators.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { EFFECTS, HOOKS, type Rule } from '../../src/features/booking-rules/engine/rule.ts';
import { createRulebooks } from '../../src/features/booking-rules/engine/rulebooks.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';

const clock = () => Temporal.Instant.from('2026-03-14T09:30:00Z');

let database: TestDatabase;
let rules: Rule[];

before(async () => {
  database = await createTestDatabase();
  await seedDemo(database.sql, clock);
  const notifications = await openNotifications(database.url);
  const rulebooks = createRulebooks(database.sql, notifications);
  const operatorIds = demoOperators(clock().toZonedDateTimeISO('UTC').toPlainDate()).map(({ id }) => id);
  const books = await Promise.all(operatorIds.map((id) => rulebooks.get(id)));
  await notifications.close();
  rules = books.flatMap((book) => book.rules.map(({ rule }) => rule));
});
after(() => database.drop());

test('every rule of the demo is stored under its own id and can be carried out', () => {
  assert.deepEqual(
    new Set(rules.map(({ id, operatorId }) => `${operatorId} ${id}`)),
    new Set(bookingRules.map(({ id, operatorId }) => `${operatorId} ${id}`)),
  );
  assert.equal(new Set(rules.map(({ id }) => id)).size, bookingRules.length);
});

test('the ids stay as they are', () => {
  assert.deepEqual(
    bookingRules.map(({ id }) => id.slice(-3)),
    ['101', '102', '103', '201', '202', '203', '204', '401', '402', '403', '404', '405', '501', '502'],
  );
  assert.ok(bookingRules.every(({ id }) => id.startsWith('01990a6e-0000-7000-8000-000000000')));
});

test('there is a rule of every effect and of every hook', () => {
  assert.deepEqual(new Set(rules.map(({ effect }) => effect)), new Set(EFFECTS));
  const hooks = rules.flatMap((rule) => (rule.effect === 'expression' ? [rule.hook] : []));
  assert.deepEqual(new Set(hooks), new Set(HOOKS));
  const windows = rules.flatMap((rule) => (rule.effect === 'booking_window' ? [rule.params.action] : []));
  assert.deepEqual(new Set(windows), new Set(['book', 'amend', 'cancel']));
});

test('expression rules of creation refuse, and make enquiries; payment rules add up bands', () => {
  const texts = (hook: string) =>
    rules.flatMap((rule) =>
      rule.effect === 'expression' && rule.hook === hook ? [JSON.stringify(rule)] : [],
    );
  assert.ok(texts('booking.create').some((text) => text.includes('"reject"')));
  assert.ok(texts('booking.create').some((text) => text.includes('"request"')));
  assert.ok(texts('payment').some((text) => text.includes('"reduce"') && text.includes('payment.bands')));
});

test('rules name only products, packages and categories that there are', () => {
  const operators = demoOperators(Temporal.PlainDate.from('2026-03-14'));
  for (const { operatorId, productSlugs, items, name } of rules) {
    const venues = operators.find(({ id }) => id === operatorId)?.venues ?? [];
    const slugs = new Set(venues.flatMap(({ products }) => products.map(({ slug }) => slug)));
    const packages = new Set(venues.flatMap((venue) => (venue.packages ?? []).map(({ slug }) => slug)));
    for (const slug of productSlugs ?? []) assert.ok(slugs.has(slug), `${name}: ${slug}`);
    for (const item of items ?? []) assert.ok(packages.has(item), `${name}: ${item}`);
  }
});

test('no rule is about dinner at Soho Grill, so that examples confirm at once', () => {
  const concerned = rules.filter(
    ({ operatorId, venueIds, productSlugs }) =>
      operatorId === 1 &&
      (venueIds === null || venueIds.some((id) => id === '1|house|soho-grill')) &&
      (productSlugs === null || productSlugs.includes('dinner')),
  );
  assert.deepEqual(concerned, []);
});
