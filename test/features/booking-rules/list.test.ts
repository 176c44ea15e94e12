import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { type Body, bookingsApp } from '../bookings/support.ts';
import { partner, SOHO } from './support.ts';

/** Whom the list shows which rules. */

const app = bookingsApp({}, prepare);
const GARDEN = '1|house|garden-room';
const HIDDEN_KITCHEN = '3|house|hidden-kitchen';

interface Asking {
  query?: string;
  as?: string;
  headers?: Record<string, string>;
}

async function list({ query = '', as = 'demo-partner', headers = {} }: Asking = {}) {
  const answer = await app().call(`/booking-rules${query}`, { as, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const namesIn = ({ rules }: { rules: Body[] }) => rules.map(({ name }) => name);
const names = async (asking?: Asking) => namesIn(await list(asking)).sort();

const expression = (when: unknown, hook = 'booking.create') => ({
  effect: 'expression',
  hook,
  when,
  then: [{ flag: { name: 'seen' } }],
});

/** The names of rules say for whom they are, so that a list of names says what was shown. */
let demo = 0;
let other = 0;

async function prepare(maitred: TestApp) {
  const { sql } = maitred;
  const create = (operatorId: number, name: string, draft: Body = {}) =>
    storageOf(maitred).create(operatorId, { name, effect: 'route_to_enquiry', ...draft });
  demo = await partner(maitred, 'demo-partner');
  other = await partner(maitred, 'other-partner');
  await sql`delete from booking_rule`;
  await sql`insert into partner_category (id, operator_id, slug, name) values
    (901, 1, 'friends', 'Friends'), (902, 1, 'strangers', 'Strangers')`;
  await sql`insert into partner_category_member (category_id, partner_id) values (901, ${demo}), (902, ${other})`;
  await create(1, 'everybody');
  await create(1, 'demo', { partnerIds: [demo] });
  await create(1, 'other', { partnerIds: [other] });
  await create(1, 'friends', { categoryIds: [901] });
  await create(1, 'strangers', { categoryIds: [902] });
  await create(1, 'demo or strangers', { partnerIds: [demo], categoryIds: [902] });
  await create(1, 'soho', { venueIds: [SOHO] });
  await create(1, 'garden', { venueIds: [GARDEN] });
  await create(1, 'soho and garden', { venueIds: [SOHO, GARDEN] });
  await create(1, 'dinner', { productSlugs: ['dinner'] });
  await create(2, 'of two');
  await create(3, 'hidden', { venueIds: [HIDDEN_KITCHEN] });
  await create(1, 'when demo', expression({ in: [{ var: 'partner.id' }, [demo]] }));
  await create(1, 'when other', expression({ '===': [{ var: 'partner.id' }, other] }));
  await create(
    1,
    'when friend',
    expression({ and: [{ in: [901, { var: 'partner.categoryIds' }] }, { '>': [{ var: 'daysAhead' }, 3] }] }),
  );
  await create(1, 'when paid', expression({ '>': [{ var: 'payment.finalBalance' }, 3] }, 'payment'));
}

const FOR_EVERYBODY = ['dinner', 'everybody', 'garden', 'soho', 'soho and garden', 'when paid'];

test('a partner sees the rules for everybody, for itself and for its categories, and no others', async () => {
  assert.deepEqual(
    await names(),
    [...FOR_EVERYBODY, 'of two', 'demo', 'demo or strangers', 'friends', 'when demo', 'when friend'].sort(),
  );
});

test('another partner sees its own, at the venues that it has', async () => {
  assert.deepEqual(
    await names({ as: 'other-partner' }),
    [
      ...['dinner', 'everybody', 'soho', 'soho and garden', 'when paid'],
      ...['demo or strangers', 'hidden', 'other', 'strangers', 'when other'],
    ].sort(),
  );
});

test('an agent sees what its partner sees', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  const [agents, partners] = [await list({ as: 'demo-agent', headers }), await list()];
  assert.deepEqual(agents.rules, partners.rules);
  assert.deepEqual(agents.caller, partners.caller);
});

test('the reason why a rule concerns a partner is told, and of several the nearest', async () => {
  const { rules } = await list();
  const scopes = Object.fromEntries(rules.map(({ name, appliesTo }: Body) => [name, appliesTo.partnerScope]));
  assert.equal(scopes.everybody, 'all_partners');
  assert.equal(scopes.demo, 'you');
  assert.equal(scopes.friends, 'your_categories');
  assert.equal(scopes['demo or strangers'], 'you');
  const others = await list({ as: 'other-partner' });
  const seen = others.rules.find(({ name }: Body) => name === 'demo or strangers');
  assert.equal(seen.appliesTo.partnerScope, 'your_categories');
});

test('nothing tells whom else a rule is for', async () => {
  const { rules } = await list({ as: 'other-partner' });
  const { id: _, ...shared } = rules.find(({ name }: Body) => name === 'demo or strangers');
  assert.doesNotMatch(JSON.stringify(shared), /partnerIds|categoryIds|901|902/);
});

test('of the venues of a rule only those that the caller has are shown', async () => {
  const of = ({ rules }: Body) => rules.find(({ name }: Body) => name === 'soho and garden').appliesTo;
  assert.deepEqual(of(await list()).venues, [{ id: SOHO }, { id: GARDEN }]);
  const cut = of(await list({ as: 'other-partner' }));
  assert.deepEqual(cut.venues, [{ id: SOHO }]);
  assert.equal(cut.allVenues, false);
});

test('operators and the platform see what is for everybody', async () => {
  const own = await list({ as: 'demo-operator' });
  assert.deepEqual(namesIn(own).sort(), [...FOR_EVERYBODY, 'when demo', 'when friend', 'when other'].sort());
  assert.deepEqual(own.caller, { partnerId: null, partnerCategoryIds: [], categoryIdsByOperator: {} });
  const all = await list({ as: 'demo-admin' });
  assert.deepEqual(namesIn(all).sort(), [...namesIn(own), 'hidden', 'of two'].sort());
  assert.deepEqual(all.caller, own.caller);
});

test('callers read how rules see them, with every operator whose venues they have', async () => {
  const { caller, generatedAt } = await list();
  assert.deepEqual(caller, {
    partnerId: demo,
    partnerCategoryIds: [402, 901],
    categoryIdsByOperator: { 1: [901], 2: [], 4: [402], 5: [] },
  });
  assert.ok(Math.abs(Date.parse(generatedAt) - Date.now()) < 60_000);
});

test('filters narrow the list, each by itself', async () => {
  assert.deepEqual(await names({ query: '?operatorId=2' }), ['of two']);
  assert.deepEqual(await names({ query: '?hook=payment' }), ['when paid']);
  assert.deepEqual(await names({ query: '?effect=expression' }), ['when demo', 'when friend', 'when paid']);
  const atGarden = await names({ query: `?venueId=${GARDEN}` });
  assert.ok(
    atGarden.includes('garden') && atGarden.includes('soho and garden') && atGarden.includes('everybody'),
  );
  assert.ok(!atGarden.includes('soho') && !atGarden.includes('of two'));
});

test('filters hold together', async () => {
  assert.deepEqual(await names({ query: '?effect=expression&hook=booking.create&operatorId=1' }), [
    'when demo',
    'when friend',
  ]);
  assert.deepEqual(await names({ query: '?effect=route_to_enquiry&hook=payment' }), []);
  assert.deepEqual(await names({ query: `?operatorId=2&venueId=${SOHO}` }), []);
});

test('a product id finds what concerns the product, with its pipes encoded or not', async () => {
  const dinner = await names({ query: `?venueId=${SOHO}|dinner` });
  assert.ok(dinner.includes('dinner') && dinner.includes('soho') && !dinner.includes('garden'));
  assert.deepEqual(await names({ query: `?venueId=${encodeURIComponent(`${SOHO}|dinner`)}` }), dinner);
  const room = await names({ query: `?venueId=${SOHO}|private-dining` });
  assert.deepEqual(
    room,
    dinner.filter((name) => name !== 'dinner'),
  );
});

test('a product without a slug is in no list of products', async () => {
  await app().sql`update product set slug = null where id = ${`${SOHO}|private-dining`}`;
  const room = await names({ query: `?venueId=${SOHO}|private-dining` });
  assert.ok(room.includes('soho') && !room.includes('dinner'));
});

test('where a caller sees nothing there are no rules', async () => {
  const places = [HIDDEN_KITCHEN, `${HIDDEN_KITCHEN}|dinner`, '1|house|nowhere', `${SOHO}|nothing`];
  for (const place of places) assert.deepEqual(await names({ query: `?venueId=${place}` }), [], place);
  assert.deepEqual(await names({ query: `?venueId=${GARDEN}`, as: 'other-partner' }), []);
  assert.deepEqual(await names({ query: '?operatorId=3' }), []);
  assert.deepEqual(await names({ query: '?operatorId=77' }), []);
  await app()
    .sql`delete from product_mapping where partner_id = ${demo} and product_id = ${`${SOHO}|dinner`}`;
  assert.deepEqual(await names({ query: `?venueId=${SOHO}|dinner` }), [], 'a product that is not mapped');
});

for (const [query, field] of [
  ['venueId=soho-grill', 'venueId'],
  ['venueId=', 'venueId'],
  ['venueId=1%7Chouse', 'venueId'],
  ['venueId=1|house|soho-grill|dinner|late', 'venueId'],
  ['effect=refuse', 'effect'],
  ['hook=booking.cancel', 'hook'],
  ['operatorId=one', 'operatorId'],
  ['operatorId=1.5', 'operatorId'],
] as const) {
  test(`${query} is not a filter`, async () => {
    const { errors } = assertProblem(await app().call(`/booking-rules?${query}`), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field]);
  });
}

test('nobody may keep the answer, and there is nothing to ask after it with', async () => {
  const { headers } = await app().call('/booking-rules');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.etag, undefined);
  assert.equal(headers['last-modified'], undefined);
});

test('TOON says the same', async () => {
  const toon = await app().call('/booking-rules', { headers: { accept: 'text/toon' } });
  assert.match(String(toon.headers['content-type']), /^text\/toon/);
  const { generatedAt: _, ...decoded } = decode(toon.text) as Body;
  const { generatedAt: __, ...json } = await list();
  assert.deepEqual(decoded, json);
});

test('a rule that is changed or retired is so in the list', async () => {
  const storage = storageOf(app());
  const draft = { name: 'for a while', effect: 'route_to_enquiry' };
  const { id } = await storage.create(1, draft);
  await eventually(async () => (await names()).includes('for a while'));
  await storage.change(1, id, { ...draft, name: 'for a while longer' });
  await eventually(async () => (await names()).includes('for a while longer'));
  assert.ok(!(await names()).includes('for a while'));
  await storage.retire(1, id);
  await eventually(async () => !(await names()).includes('for a while longer'));
});
