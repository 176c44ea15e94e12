import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { type Body, book, bookingsApp } from '../bookings/support.ts';
import { SOHO } from './support.ts';

/** What the list says of each rule. */

interface Case {
  draft: Body;
  whenApplied: string[];
  consequence: string;
  errorCode?: string;
  /** With what the draft leaves out. */
  params: Body;
}

const BOTH = ['booking_create', 'booking_amend'];
const window = (params: Body) => ({ effect: 'booking_window', params });
const shownWindow = (params: Body) => ({
  action: 'book',
  minNoticeHours: null,
  maxHorizonDays: null,
  ...params,
});
const onHook = (hook: string, ...actions: Body[]) => ({
  effect: 'expression',
  hook,
  when: true,
  then: actions,
});
const reject = { reject: { message: 'No.' } };
const becomesEnquiry = { set: { fact: 'booking.type', value: 'request' } };

const cases: Record<string, Case> = {
  'an enquiry': {
    draft: { effect: 'route_to_enquiry' },
    whenApplied: BOTH,
    consequence: 'turns_booking_into_enquiry',
    params: {},
  },
  'a deposit': {
    draft: { effect: 'require_deposit', params: { amount: 5000 } },
    whenApplied: ['booking_create'],
    consequence: 'requires_deposit',
    errorCode: 'BKRUL-N-001',
    params: { amount: 5000, per: 'booking' },
  },
  'one package': {
    draft: { effect: 'same_package' },
    whenApplied: BOTH,
    consequence: 'rejects_booking',
    errorCode: 'BKRUL-N-002',
    params: {},
  },
  'a notice': {
    draft: window({ minNoticeHours: 24, maxHorizonDays: 60 }),
    whenApplied: ['booking_create'],
    consequence: 'rejects_booking',
    errorCode: 'AVAIL-N-007',
    params: shownWindow({ minNoticeHours: 24, maxHorizonDays: 60 }),
  },
  'a horizon': {
    draft: window({ maxHorizonDays: 60 }),
    whenApplied: ['booking_create'],
    consequence: 'rejects_booking',
    errorCode: 'AVAIL-N-008',
    params: shownWindow({ maxHorizonDays: 60 }),
  },
  'a notice of changes': {
    draft: window({ action: 'amend', minNoticeHours: 24 }),
    whenApplied: ['booking_amend'],
    consequence: 'rejects_booking',
    errorCode: 'BKRUL-N-003',
    params: shownWindow({ action: 'amend', minNoticeHours: 24 }),
  },
  'a horizon of cancelling': {
    draft: window({ action: 'cancel', maxHorizonDays: 9 }),
    whenApplied: ['booking_cancel'],
    consequence: 'rejects_booking',
    errorCode: 'BKRUL-N-004',
    params: shownWindow({ action: 'cancel', maxHorizonDays: 9 }),
  },
  'a party size': {
    draft: { effect: 'party_size_limit', params: { max: 8 } },
    whenApplied: BOTH,
    consequence: 'rejects_booking',
    errorCode: 'BKRUL-N-005',
    params: { min: 1, max: 8 },
  },
  'a pre-order': {
    draft: { effect: 'require_preorder' },
    whenApplied: BOTH,
    consequence: 'rejects_booking',
    errorCode: 'BKRUL-N-006',
    params: { from: 1, kind: 'any' },
  },
  'no mail': {
    draft: { effect: 'suppress_preorder_email', params: { threshold: 4 } },
    whenApplied: ['booking_create'],
    consequence: 'skips_preorder_email',
    params: { threshold: 4 },
  },
  'an expression that refuses': {
    draft: onHook('booking.create', reject, becomesEnquiry),
    whenApplied: ['booking_create'],
    consequence: 'conditional',
    errorCode: 'BKRUL-N-100',
    params: {},
  },
  'an expression that does not': {
    draft: onHook('booking.amend', becomesEnquiry),
    whenApplied: ['booking_amend'],
    consequence: 'conditional',
    params: {},
  },
  'an expression about money': {
    draft: onHook(
      'payment',
      { set: { fact: 'payment.finalBalance', value: 5 } },
      { flag: { name: 'cheap' } },
    ),
    whenApplied: ['booking_payment'],
    consequence: 'conditional',
    params: {},
  },
};

const app = bookingsApp({}, async (maitred: TestApp) => {
  const { sql } = maitred;
  const storage = storageOf(maitred);
  await sql`delete from booking_rule`;
  for (const [name, { draft }] of Object.entries(cases)) await storage.create(1, { name, ...draft });
  await storage.create(2, asWritten);
  for (const [name, priority] of [
    ['third', 5],
    ['first', -5],
    ['second', 0],
  ] as const) {
    await storage.create(4, { name: `fixed ${name}`, effect: 'route_to_enquiry', priority });
    await storage.create(4, { name: `expression ${name}`, priority, ...onHook('booking.create', reject) });
  }
});

/** With everything that an operator can say, in an order of its own. */
const asWritten = {
  name: '  A name with   spaces ',
  description: 'Ünïcode — “quotes”\nand lines',
  message: 'Sorry <b>no</b>',
  effect: 'expression',
  hook: 'booking.create',
  priority: 7,
  productSlugs: ['booth', 'nothing-yet'],
  conditions: [{ field: 'time', operator: 'between', value: ['22:00', '02:00'] }],
  when: { or: [{ '>': [{ var: ['booking.children', 0] }, 1] }, { in: ['z', ['z', 'a']] }] },
  then: [
    { flag: { name: 'kids' } },
    { reject: { message: 'Not with children.' } },
    { flag: { name: 'kids' } },
    becomesEnquiry,
    { reject: { message: 'Nor without.' } },
  ],
};

async function rules(query = '?operatorId=1'): Promise<Body[]> {
  const answer = await app().call(`/booking-rules${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.rules;
}

for (const [name, { whenApplied, consequence, errorCode, params }] of Object.entries(cases)) {
  test(`${name}: when it is asked, what it does and how it refuses`, async () => {
    const rule = (await rules()).find((each) => each.name === name);
    assert.ok(rule);
    assert.deepEqual(rule.whenApplied, whenApplied);
    assert.equal(rule.consequence, consequence);
    assert.equal(rule.errorCode, errorCode);
    assert.equal('errorCode' in rule, errorCode !== undefined);
    assert.deepEqual(rule.params, params);
    assert.equal('hook' in rule, rule.effect === 'expression');
    assert.ok(rule.summary.length > 10);
  });
}

test('what an operator has written comes back as it was stored, in its own order', async () => {
  const [rule] = await rules('?operatorId=2');
  assert.ok(rule);
  for (const member of ['name', 'description', 'message', 'hook', 'priority', 'when', 'then'] as const)
    assert.equal(JSON.stringify(rule[member]), JSON.stringify(asWritten[member]), member);
  assert.deepEqual(rule.appliesTo, {
    partnerScope: 'all_partners',
    allVenues: true,
    venues: [],
    allProducts: false,
    products: [{ slug: 'booth' }, { slug: 'nothing-yet' }],
    conditions: asWritten.conditions,
    items: null,
  });
  assert.deepEqual(rule.outcomes, { rejects: true, writes: ['booking.type'], flags: ['kids'] });
  assert.deepEqual(rule.params, {});
  assert.equal(rule.operatorId, 2);
});

test('a rule without texts, for some packages and one venue', async () => {
  const { id } = await storageOf(app()).create(5, {
    name: 'Packages',
    effect: 'same_package',
    items: ['one', 'two'],
  });
  await eventually(async () => (await rules('?operatorId=5')).length > 0);
  const [rule] = await rules('?operatorId=5&effect=same_package');
  assert.equal(rule?.id, id);
  assert.equal(rule?.description, null);
  assert.equal(rule?.message, null);
  assert.deepEqual(rule?.appliesTo.items, ['one', 'two']);
  assert.equal(rule?.appliesTo.allProducts, true);
});

test('rules stand in the order of operators, fixed effects first, then by priority and id', async () => {
  const names = (await rules('?operatorId=4')).map(({ name }) => name);
  const inOrder = ['first', 'second', 'third'];
  assert.deepEqual(names, [
    ...inOrder.map((name) => `fixed ${name}`),
    ...inOrder.map((name) => `expression ${name}`),
  ]);
  const all = await rules('');
  const keys = all.map(({ operatorId, effect, priority, id }) => [
    operatorId,
    effect === 'expression' ? 1 : 0,
    priority,
    id,
  ]);
  const sorted = keys.toSorted((a, b) => {
    const at = a.findIndex((key, index) => key !== b[index]);
    return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
  });
  assert.deepEqual(keys, sorted);
});

test('the rule that refuses a booking is the one in the list, with its code', async () => {
  const storage = storageOf(app());
  const { id } = await storage.create(1, {
    name: 'Nobody on their own',
    effect: 'party_size_limit',
    params: { min: 3 },
    venueIds: [SOHO],
  });
  await eventually(async () => (await rules()).some((rule) => rule.id === id));
  const refused = await book(app(), { partySize: 1 });
  const violated = refused.json.violations.map(({ ruleId }: Body) => ruleId);
  assert.ok(violated.includes(id), refused.text);
  const listed = await rules(`?venueId=${SOHO}|dinner`);
  const codes = violated.map((ruleId: string) => listed.find((rule) => rule.id === ruleId)?.errorCode);
  assert.equal(codes[0], refused.json.code);
  assert.ok(codes.every((code: string | undefined) => code !== undefined));
});
