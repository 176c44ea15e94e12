import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { type Body, CLOSED, DINNER, guest, HIDDEN, PRIVATE, traces } from '../../bookings/support.ts';
import { expression, partner, rulesApp, underRules } from '../support.ts';
import { ask, explained, large, room } from './explain-support.ts';

/** What a partner is told about a booking before it makes it. */

const app = rulesApp();

test('notice is counted in hours and never rounded up to what is wanted', async () => {
  const moment = Temporal.Now.instant().add({ hours: 30, minutes: 30 });
  const dateTime = moment.round({ smallestUnit: 'minute' }).toString();
  await underRules(app(), [{ effect: 'booking_window', params: { minNoticeHours: 48 } }], async () => {
    const { rules, errorCode } = await explained(app(), { date: undefined, time: undefined, dateTime });
    const [{ facts, change }] = rules;
    assert.equal(errorCode, 'AVAIL-N-007');
    assert.equal(facts[0].name, 'noticeHours');
    assert.ok(facts[0].value > 30 && facts[0].value < 31, String(facts[0].value));
    assert.equal(change.value, 48);
    assert.match(change.sentence, /requires a start at least 48 hours ahead\.$/);
  });
});

test('the answer sums up, in the order in which rules are carried out, and with what each of them saw', async () => {
  const isEnquiry = { '==': [{ var: 'booking.type' }, 'request'] };
  const drafts = [
    { ...expression(isEnquiry, { reject: { message: 'Not as an enquiry.' } }), priority: 1 },
    { effect: 'route_to_enquiry', priority: 9 },
    { effect: 'party_size_limit', params: { min: 4 }, priority: 3 },
  ];
  await underRules(app(), drafts, async (rejecting, routing, limiting) => {
    const answer = await explained(app(), { type: 'book' });
    const { generatedAt, rules, ...rest } = answer;
    assert.ok(Math.abs(Date.parse(generatedAt) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      compositeId: DINNER,
      operation: 'booking_create',
      outcome: 'rejected',
      type: 'request',
      errorCode: 'BKRUL-N-005',
      violations: [
        { ruleId: limiting?.id },
        {
          ruleId: rejecting?.id,
          analyticsRuleId: `${rejecting?.id}:1`,
          rejectMessages: ['Not as an enquiry.'],
        },
      ],
    });
    assert.deepEqual(
      rules.map(({ id, result }: Body) => [id, result]),
      [
        [limiting?.id, 'applied'],
        [routing?.id, 'applied'],
        [rejecting?.id, 'applied'],
      ],
    );
    assert.deepEqual(rules[2].facts, [{ name: 'booking.type', value: 'request' }]);
  });
});

test('without rules everything is accepted as it is', async () => {
  const { outcome, type, errorCode, violations, rules } = await explained(app(), { type: 'request' });
  assert.deepEqual([outcome, type, errorCode, violations, rules], ['accepted', 'request', null, [], []]);
});

test('the body of a booking is taken as it is, and the source with it', async () => {
  const rule = expression({ '==': [{ var: 'booking.source' }, 'phone'] }, { reject: { message: 'Write.' } });
  await underRules(app(), [rule], async () => {
    assert.equal((await explained(app(), { ...guest, partnerBookingId: 'x-1' })).outcome, 'accepted');
    assert.equal((await explained(app(), guest, { source: 'phone' })).outcome, 'rejected');
  });
});

test('asking leaves nothing behind', () =>
  underRules(app(), [{ effect: 'route_to_enquiry' }], async () => {
    const before = await traces(app().sql);
    await explained(app(), { ...guest, partnerBookingId: 'asked-only' });
    assert.deepEqual(await traces(app().sql), before);
  }));

test('rules that are not aimed at the caller, the venue, the product or the creation are not spoken of', async () => {
  const other = await partner(app(), 'other-partner');
  const own = await partner(app(), 'demo-partner');
  const isPartner = (id: number) =>
    expression({ '==': [{ var: 'partner.id' }, id] }, { flag: { name: 'x' } });
  const drafts = [
    { effect: 'route_to_enquiry', partnerIds: [other] },
    isPartner(other),
    { effect: 'route_to_enquiry', venueIds: ['1|house|garden-room'] },
    { effect: 'route_to_enquiry', productSlugs: ['private-dining'] },
    { effect: 'booking_window', params: { action: 'amend', minNoticeHours: 1 } },
    { ...isPartner(own), hook: 'booking.amend' },
    { effect: 'party_size_limit', params: { max: 9 }, partnerIds: [own, other] },
    isPartner(own),
  ];
  await underRules(app(), drafts, async (...rules) => {
    const answer = await explained(app());
    assert.deepEqual(
      answer.rules.map(({ id }: Body) => id),
      rules.slice(6).map(({ id }) => id),
    );
    assert.equal(answer.rules[1].change, null);
    assert.deepEqual(answer.rules[1].facts, [{ name: 'partner.id', value: own }]);
  });
});

test('a rule is summed up as the list of rules does', () => {
  const drafts = [
    { effect: 'route_to_enquiry', conditions: [large] },
    {
      effect: 'party_size_limit',
      params: { max: 3 },
      venueIds: ['1|house|soho-grill', '1|house|garden-room'],
    },
  ];
  return underRules(app(), drafts, async () => {
    const { rules } = await explained(app());
    const listed = await app().call(`/booking-rules?venueId=${encodeURIComponent(DINNER)}`, {
      as: 'demo-partner',
    });
    const summaries = (said: Body[]) => said.map(({ id, summary }) => [id, summary]);
    assert.equal(rules.length, 2);
    assert.deepEqual(summaries(rules), summaries(listed.json.rules));
  });
});

test('an agent asks for its partner; who is no partner does not ask', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  assert.equal((await ask(app(), {}, { as: 'demo-agent', headers })).status, 200);
  assertProblem(await ask(app(), {}, { as: 'demo-agent' }), 403, 'IDENT-N-002');
  assertProblem(await ask(app(), {}, { as: 'demo-operator' }), 403, 'IDENT-N-002');
});

const refusals: [string, Body, Body, number, string][] = [
  ['a product that is not mapped', {}, { compositeId: HIDDEN }, 403, 'PMAP-N-001'],
  ['a product that does not exist', {}, { compositeId: '1|house|soho-grill|supper' }, 404, 'VENUE-N-002'],
  ['a venue that is closed', {}, { compositeId: CLOSED }, 409, 'VENUE-N-009'],
  ['no time at all', { date: undefined }, {}, 400, 'BOOK-N-019'],
  ['a time that is none', { time: '25:00' }, {}, 400, 'BOOK-N-020'],
  ['times that contradict each other', { dateTime: '2027-01-01T12:00:00Z' }, {}, 400, 'BOOK-N-018'],
  ['an operation on bookings that exist', {}, { operation: 'booking_amend' }, 400, 'VALID-N-001'],
  ['no party', { partySize: undefined }, {}, 400, 'VALID-N-001'],
];

for (const [what, booking, rest, status, code] of refusals) {
  test(`${what} is refused as in a creation`, async () => {
    assertProblem(await ask(app(), booking, rest), status, code);
  });
}

test('what the product does not have is named by its path', async () => {
  const preorders = {
    packages: [{ id: 101, quantity: 1 }, { slug: 'none', quantity: 1 }, { quantity: 1 }],
    menus: [{ id: 999, items: [] }],
  };
  const { errors } = assertProblem(
    await ask(app(), { spaceId: 1, preorders }, { compositeId: PRIVATE }),
    400,
    'VALID-N-001',
  );
  assert.deepEqual(Object.keys(errors).sort(), [
    'booking.preorders.menus.0.id',
    'booking.preorders.packages.1.slug',
    'booking.preorders.packages.2.id',
    'booking.spaceId',
  ]);
});

test('a menu of which nothing is ordered is no order', () =>
  underRules(app(), [{ effect: 'require_preorder', params: { kind: 'menu' } }], async () => {
    const order = (items: Body[]) => ({ ...room, preorders: { menus: [{ slug: 'feasting-menu', items }] } });
    assert.equal((await explained(app(), order([]), { compositeId: PRIVATE })).outcome, 'rejected');
    assert.equal(
      (await explained(app(), order([{ id: 10101, quantity: 1 }]), { compositeId: PRIVATE })).outcome,
      'accepted',
    );
  }));
