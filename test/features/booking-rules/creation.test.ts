import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../../src/features/booking-rules/engine/rule.ts';
import { storageOf } from '../../support/rule-storage.ts';
import {
  assertRefused,
  BOOTH,
  type Body,
  BRUNCH,
  book,
  booked,
  COMPANY,
  COPPER_ROOM,
  freeDay,
  PRIVATE,
} from '../bookings/support.ts';
import { expression, partner, rulesApp, underRules } from './support.ts';

/** What rules do to bookings that partners make. */

const app = rulesApp();

interface Case {
  what: string;
  rule: Body;
  /** Met by this, and not by that. */
  breach: Body;
  fine: Body;
  code: string;
  productId?: string;
}

const room = { type: 'request', partySize: 12, spaceId: COPPER_ROOM };
const feast = { id: 101, quantity: 12 };
const wine = { id: 102, quantity: 12 };
const cake = { id: 103, quantity: 1 };

const inDays = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();

const cases: Case[] = [
  {
    what: 'a deposit for the booking',
    rule: { effect: 'require_deposit', params: { amount: 5000 } },
    breach: { depositAmount: 4999 },
    fine: { depositAmount: 5000 },
    code: 'BKRUL-N-001',
  },
  {
    what: 'a deposit per guest, children too',
    rule: { effect: 'require_deposit', params: { amount: 1000, per: 'guest' } },
    breach: { partySize: 2, children: 1, depositAmount: 2999 },
    fine: { partySize: 2, children: 1, depositAmount: 3000 },
    code: 'BKRUL-N-001',
  },
  {
    what: 'one package for everybody',
    rule: { effect: 'same_package' },
    breach: { ...room, preorders: { packages: [feast, wine] } },
    fine: { ...room, preorders: { packages: [feast] } },
    code: 'BKRUL-N-002',
    productId: PRIVATE,
  },
  {
    what: 'one of several packages for everybody, and leave others alone',
    rule: { effect: 'same_package', items: ['grill-feast', 'cellar-flight'] },
    breach: { ...room, preorders: { packages: [feast, wine] } },
    fine: { ...room, preorders: { packages: [feast, cake] } },
    code: 'BKRUL-N-002',
    productId: PRIVATE,
  },
  {
    what: 'notice in hours',
    rule: { effect: 'booking_window', params: { minNoticeHours: 200 } },
    breach: { date: inDays(7), time: '17:00' },
    fine: { date: inDays(10), time: '19:00' },
    code: 'AVAIL-N-007',
  },
  {
    what: 'a horizon in days',
    rule: { effect: 'booking_window', params: { maxHorizonDays: 20 } },
    breach: { date: inDays(21), time: '19:00' },
    fine: { date: inDays(20), time: '19:00' },
    code: 'AVAIL-N-008',
  },
  {
    what: 'a least party',
    rule: { effect: 'party_size_limit', params: { min: 3 } },
    breach: { partySize: 2 },
    fine: { partySize: 2, children: 1 },
    code: 'BKRUL-N-005',
  },
  {
    what: 'a largest party',
    rule: { effect: 'party_size_limit', params: { max: 4 } },
    breach: { partySize: 4, children: 1 },
    fine: { partySize: 4 },
    code: 'BKRUL-N-005',
  },
  {
    what: 'something ordered ahead',
    rule: { effect: 'require_preorder', params: { from: 12 } },
    breach: room,
    fine: { ...room, preorders: { packages: [feast] } },
    code: 'BKRUL-N-006',
    productId: PRIVATE,
  },
  {
    what: 'a certain package ordered ahead',
    rule: { effect: 'require_preorder', params: { kind: 'package' }, items: ['grill-feast'] },
    breach: { ...room, preorders: { packages: [cake] } },
    fine: { ...room, preorders: { packages: [cake, feast] } },
    code: 'BKRUL-N-006',
    productId: PRIVATE,
  },
  {
    what: 'whatever an expression says',
    rule: expression(
      { and: [{ '>=': [{ var: 'booking.partySize' }, 5] }, { '==': [{ var: 'product.slug' }, 'dinner'] }] },
      { reject: { message: 'Please ring us.' } },
    ),
    breach: { partySize: 5 },
    fine: { partySize: 4, children: 2 },
    code: 'BKRUL-N-100',
  },
];

for (const { what, rule, breach, fine, code, productId } of cases) {
  test(`a rule can demand ${what}`, () =>
    underRules(app(), [rule], async ({ id }) => {
      const place = productId ? { productId } : {};
      const problem = await assertRefused(app(), () => book(app(), breach, place), 400, code);
      assert.equal(problem.violations.length, 1);
      assert.equal(problem.violations[0].ruleId, id);
      await booked(app(), fine, place);
    }));
}

test('all violations are listed at once, fixed effects first, then by priority', async () => {
  const drafts = [
    expression(true, { reject: { message: 'Not today.' } }, { reject: { message: 'Nor tomorrow.' } }),
    { effect: 'require_deposit', params: { amount: 100 }, priority: 5, message: 'We ask for a pound.' },
    { effect: 'party_size_limit', params: { min: 4 }, priority: 1 },
    { effect: 'party_size_limit', params: { max: 8 } },
  ];
  await underRules(app(), drafts, async (rejecting, deposit, party) => {
    const problem = await assertRefused(app(), () => book(app()), 400, 'BKRUL-N-005');
    assert.deepEqual(problem.violations, [
      { ruleId: party?.id },
      { ruleId: deposit?.id },
      {
        ruleId: rejecting?.id,
        analyticsRuleId: `${rejecting?.id}:1`,
        rejectMessages: ['Not today.', 'Nor tomorrow.'],
      },
    ]);
    assert.match(
      problem.detail,
      /We ask for a pound\. Not today\. Nor tomorrow\. Send depositAmount of at least/,
    );
  });
});

test('a rule without a message says what it is, and never its name', async () => {
  const drafts = [
    { effect: 'party_size_limit', params: { max: 3 }, name: 'r2', productSlugs: ['dinner'] },
    { effect: 'booking_window', params: { action: 'book', maxHorizonDays: 1 }, name: 'r3' },
  ];
  await underRules(app(), drafts, async () => {
    const problem = await assertRefused(app(), () => book(app(), { partySize: 4 }), 400, 'BKRUL-N-005');
    assert.equal(
      problem.detail,
      'A booking of “dinner” must be for at most 3 guests. A booking must be made at most 1 day ahead.',
    );
    assert.deepEqual([problem.largestPartySize, problem.enquiryPossible], [3, false]);
  });
});

test('a deposit that is missing is named with its amount, its currency and the field for it', async () => {
  const perGuest = {
    effect: 'require_deposit',
    params: { amount: 1050, per: 'guest' },
    message: 'We ask for a deposit.',
  };
  const party = { partySize: 3, children: 1 };
  await underRules(app(), [perGuest], async () => {
    const problem = await assertRefused(app(), () => book(app(), party), 400, 'BKRUL-N-001');
    assert.deepEqual(problem.deposit, {
      field: 'depositAmount',
      amount: 1050,
      currency: 'GBP',
      per: 'guest',
      total: 4200,
    });
    assert.equal(
      problem.detail,
      'We ask for a deposit. Send depositAmount of at least 4200 pence (£42, £10.50 for each of 4 guests).',
    );
    const { field, total } = problem.deposit;
    await booked(app(), { ...party, [field]: total });
  });
  const smaller = { effect: 'require_deposit', params: { amount: 500 } };
  await underRules(app(), [smaller, perGuest], async () => {
    const { deposit } = await assertRefused(app(), () => book(app(), party), 400, 'BKRUL-N-001');
    assert.deepEqual([deposit.per, deposit.total], ['guest', 4200]);
  });
});

test('a changed rule has another analyticsRuleId and the same id', async () => {
  const draft = expression(true, { reject: { message: 'No.' } });
  await underRules(app(), [draft], async ({ id }: Rule) => {
    await storageOf(app()).change(1, id, { ...draft, name: 'The same', venueIds: null });
    const { violations } = await assertRefused(app(), () => book(app()), 400, 'BKRUL-N-100');
    assert.deepEqual(violations, [{ ruleId: id, analyticsRuleId: `${id}:2`, rejectMessages: ['No.'] }]);
  });
});

const instantly: [string, Body][] = [
  [
    'route_to_enquiry',
    { effect: 'route_to_enquiry', conditions: [{ field: 'partySize', operator: 'gte', value: 4 }] },
  ],
  [
    'an expression that sets booking.type',
    expression({ '>=': [{ var: 'booking.guests' }, 4] }, { set: { fact: 'booking.type', value: 'request' } }),
  ],
];

for (const [what, rule] of instantly) {
  test(`${what} turns a booking into an enquiry that holds no table`, () =>
    underRules(app(), [rule], async () => {
      const routed = await booked(app(), { partySize: 2, children: 2 });
      assert.deepEqual([routed.type, routed.status, routed.operatorBookingId], ['request', 'pending', null]);
      const plain = await booked(app(), { partySize: 3 });
      assert.deepEqual([plain.type, plain.status], ['book', 'confirmed']);
    }));
}

test('expressions see what rules before them have written', () => {
  const isEnquiry = { '==': [{ var: 'booking.type' }, 'request'] };
  const route = { set: { fact: 'booking.type', value: 'request' } };
  const drafts = [
    { ...expression(isEnquiry, { reject: { message: 'Too early.' } }), priority: -1 },
    { ...expression({ '>': [{ var: 'booking.partySize' }, 1] }, route), priority: 0 },
    { ...expression(isEnquiry, { reject: { message: 'Seen.' } }), priority: 1 },
  ];
  return underRules(app(), drafts, async (_before, _route, after) => {
    const { violations } = await assertRefused(app(), () => book(app()), 400, 'BKRUL-N-100');
    assert.deepEqual(
      violations.map(({ ruleId }: Body) => ruleId),
      [after?.id],
    );
  });
});

test('a fact that is missing or of another type skips the rule and never the booking', () => {
  const reject = { reject: { message: 'Never.' } };
  const drafts = [
    expression({ '>': [{ var: 'booking.duration' }, 0] }, reject),
    expression({ '==': [{ var: 'booking.partySize' }, '2'] }, reject),
    expression({ '==': [{ var: 'space.id' }, 101] }, reject),
    expression({ '<': [{ var: 'partner.categoryIds' }, 5] }, reject),
  ];
  return underRules(app(), drafts, async () => {
    await booked(app());
  });
});

test('a condition about what is not said does not hold', () => {
  const rule = {
    effect: 'party_size_limit',
    params: { max: 1 },
    conditions: [{ field: 'duration', operator: 'lte', value: 120 }],
  };
  return underRules(app(), [rule], async () => {
    await booked(app());
    await assertRefused(app(), () => book(app(), { duration: 120 }), 400, 'BKRUL-N-005');
  });
});

test('every condition must hold', () => {
  const friday = freeDay(5);
  const rule = {
    effect: 'party_size_limit',
    params: { max: 1 },
    conditions: [
      { field: 'weekday', operator: 'in', value: [5, 6] },
      { field: 'time', operator: 'between', value: ['19:00', '02:00'] },
      { field: 'category', operator: 'eq', value: 'dinner' },
      { field: 'daysAhead', operator: 'gt', value: 3 },
    ],
  };
  return underRules(app(), [rule], async () => {
    await booked(app(), { date: friday, time: '18:45' });
    await booked(app(), { date: freeDay(4), time: '19:00' });
    await assertRefused(app(), () => book(app(), { date: friday, time: '19:00' }), 400, 'BKRUL-N-005');
  });
});

test('a rule binds the partners, venues and products that it names', async () => {
  const max = { effect: 'party_size_limit', params: { max: 1 } };
  const other = await partner(app(), 'other-partner');
  await underRules(app(), [{ ...max, partnerIds: [other] }], async () => {
    await booked(app());
    await assertRefused(app(), () => book(app(), {}, { as: 'other-partner' }), 400, 'BKRUL-N-005');
  });
  await underRules(app(), [{ ...max, venueIds: ['1|house|garden-room'] }], async () => {
    await booked(app());
  });
  await underRules(app(), [{ ...max, productSlugs: ['private-dining', 'brunch'] }], async () => {
    await booked(app());
  });
  await underRules(app(), [{ ...max, venueIds: null }], async () => {
    await assertRefused(app(), () => book(app()), 400, 'BKRUL-N-005');
    const brunch = { productId: BRUNCH };
    const asked = { company: COMPANY, date: freeDay(6), time: '11:00', preorders: { packages: [] } };
    assert.notEqual((await book(app(), asked, brunch)).status, 201);
    await booked(app(), { time: '22:00', date: freeDay(6) }, { productId: BOOTH });
  });
});

test('an agent is bound like the partner that it acts for', () =>
  underRules(app(), [{ effect: 'party_size_limit', params: { max: 1 } }], async () => {
    const as = 'demo-agent';
    const headers = { 'x-partner-reference': 'demo-partner' };
    await assertRefused(app(), () => book(app(), {}, { as, headers }), 400, 'BKRUL-N-005');
  }));

test('small parties get no mail about pre-orders, and only the operator is told', () =>
  underRules(app(), [{ effect: 'suppress_preorder_email', params: { threshold: 3 } }], async () => {
    const seenBy = async (as: string, id: string) =>
      (await app().call(`/venues/bookings/${id}`, { as })).json;
    const small = await booked(app());
    const large = await booked(app(), { partySize: 2, children: 1 });
    assert.equal('skipsPreorderEmail' in small, false);
    assert.equal((await seenBy('demo-operator', small.id)).skipsPreorderEmail, true);
    assert.equal((await seenBy('demo-operator', large.id)).skipsPreorderEmail, false);
    assert.equal('skipsPreorderEmail' in (await seenBy('demo-partner', small.id)), false);
  }));

test('flags go to the operator', () => {
  const rule = expression({ in: ['celebration', { var: 'venue.id' }] }, { flag: { name: 'party' } });
  const always = expression(true, { flag: { name: 'vip' } }, { flag: { name: 'call back' } });
  return underRules(app(), [rule, always], async () => {
    const { id, flags } = await booked(app());
    assert.equal(flags, undefined);
    const seen = await app().call(`/venues/bookings/${id}`, { as: 'demo-operator' });
    assert.deepEqual(seen.json.flags, ['vip', 'call back']);
  });
});

test('a rule that routes also takes what the slot offers only as an enquiry', () =>
  underRules(app(), [{ effect: 'route_to_enquiry' }], async () => {
    const { status } = await booked(app(), { ...room, type: 'book' }, { productId: PRIVATE });
    assert.equal(status, 'pending');
  }));

test('rules that a node has not heard of yet decide all the same', async () => {
  await booked(app());
  await underRules(app(), [{ effect: 'party_size_limit', params: { max: 9 } }], async ({ id }) => {
    await booked(app());
    await app().sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update booking_rule set params = '{"min": 1, "max": 1}' where id = ${id}`;
      await tx`update rulebook set version = version + 1 where operator_id = 1`;
    });
    await assertRefused(app(), () => book(app()), 400, 'BKRUL-N-005');
  });
  await booked(app());
});
