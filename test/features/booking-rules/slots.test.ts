import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, book, DINNER, freeDay } from '../bookings/support.ts';
import { expression, partner, rulesApp, SOHO, underRules } from './support.ts';

/** What rules do to live availability. */

const app = rulesApp();

async function available(date: string, query: string, as = 'demo-partner') {
  const path = `/venues/${encodeURIComponent(DINNER)}/availability?date=${date}&${query}`;
  const answer = await app().call(path, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const kindsOf = ({ times }: Body) =>
  new Set(times.map(({ type, requestReason }: Body) => requestReason ?? type));

test('a rule that routes shows as a request by operator rule, for those starts alone', () => {
  const conditions = [{ field: 'time', operator: 'gte', value: '20:00' }];
  return underRules(app(), [{ effect: 'route_to_enquiry', conditions }], async () => {
    const { times } = await available(freeDay(), 'partySize=2');
    for (const { time, type, requestReason } of times) {
      assert.equal(type, time >= '20:00' ? 'request' : 'book', time);
      assert.equal(requestReason, time >= '20:00' ? 'operator_rule' : undefined, time);
    }
    assert.ok(
      times.some(({ time }: Body) => time >= '20:00') && times.some(({ time }: Body) => time < '20:00'),
    );
  });
});

const emptying: [string, Body, string][] = [
  ['a window', { effect: 'booking_window', params: { maxHorizonDays: 3 } }, 'AVAIL-N-008'],
  ['notice', { effect: 'booking_window', params: { minNoticeHours: 24 * 400 } }, 'AVAIL-N-007'],
  ['a party size limit', { effect: 'party_size_limit', params: { min: 3 } }, 'BKRUL-N-005'],
  [
    'an expression',
    expression({ '<': [{ var: 'booking.partySize' }, 3] }, { reject: { message: 'No.' } }),
    'BKRUL-N-100',
  ],
];

for (const [what, rule, code] of emptying) {
  test(`${what} takes starts away, and says so`, () =>
    underRules(app(), [rule], async () => {
      const date = freeDay();
      const empty = await available(date, 'partySize=2');
      assert.deepEqual([empty.times, empty.noAvailabilityCode], [[], 'FILTERED_BY_OPERATOR_RULES']);
      const { times } = await available(date, 'partySize=2&includeUnavailable=true');
      assert.ok(times.length > 0);
      for (const { unavailableReasons } of times) assert.deepEqual(unavailableReasons, [code]);
      assert.equal((await book(app(), { date, time: '19:00' })).json.code, code);
    }));
}

test('what may not be booked but asked about is offered as a request', () => {
  const isBooked = { '==': [{ var: 'booking.type' }, 'book'] };
  const rule = expression(isBooked, { reject: { message: 'Ask us first.' } });
  return underRules(app(), [rule], async () => {
    const date = freeDay();
    assert.deepEqual([...kindsOf(await available(date, 'partySize=2'))], ['operator_rule']);
    assert.equal((await book(app(), { date, time: '19:00', type: 'request' })).status, 201);
  });
});

test('rules that need to know more than a slot tells leave it alone', () => {
  const reject = { reject: { message: 'No.' } };
  const rules = [
    { effect: 'require_deposit', params: { amount: 100 } },
    expression({ '<': [{ var: 'booking.depositAmount' }, 100] }, reject),
    expression({ '<': [{ var: ['booking.duration', 0] }, 100] }, reject),
    expression({ missing: ['space.id'] }, reject),
  ];
  return underRules(app(), rules, async () => {
    assert.deepEqual([...kindsOf(await available(freeDay(), 'partySize=2'))], ['book']);
  });
});

test('only whom a rule names sees what it does, and operators see the house as it is', async () => {
  const other = await partner(app(), 'other-partner');
  await underRules(app(), [{ effect: 'route_to_enquiry', partnerIds: [other] }], async () => {
    const date = freeDay();
    assert.deepEqual([...kindsOf(await available(date, 'partySize=2'))], ['book']);
    assert.deepEqual([...kindsOf(await available(date, 'partySize=2', 'other-partner'))], ['operator_rule']);
    assert.deepEqual([...kindsOf(await available(date, 'partySize=2', 'demo-operator'))], ['book']);
  });
});

test('children count in a condition on the party', () => {
  const conditions = [{ field: 'partySize', operator: 'gte', value: 4 }];
  return underRules(app(), [{ effect: 'route_to_enquiry', conditions }], async () => {
    const date = freeDay();
    assert.deepEqual([...kindsOf(await available(date, 'partySize=3'))], ['book']);
    assert.deepEqual([...kindsOf(await available(date, 'partySize=3&children=1'))], ['operator_rule']);
  });
});

test('a channel that can only enquire is not offered what the rules refuse to enquiries', async () => {
  const isAsked = { '==': [{ var: 'booking.type' }, 'request'] };
  const rule = expression(isAsked, { reject: { message: 'Book it, or leave it.' } });
  await app().sql`update venue_mapping set is_request_only = true
    where partner_id = ${await partner(app(), 'other-partner')} and venue_id = ${SOHO}`;
  await underRules(app(), [rule], async () => {
    const date = freeDay();
    const empty = await available(date, 'partySize=2', 'other-partner');
    assert.deepEqual([empty.times, empty.noAvailabilityCode], [[], 'FILTERED_BY_OPERATOR_RULES']);
    const asked = await book(app(), { date, time: '19:00', type: 'request' }, { as: 'other-partner' });
    assert.equal(asked.json.code, 'BKRUL-N-100');
    assert.deepEqual([...kindsOf(await available(date, 'partySize=2'))], ['book']);
  });
});
