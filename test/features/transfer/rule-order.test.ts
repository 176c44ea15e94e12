import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { exportFrom, importInto } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const LIMIT = { effect: 'party_size_limit', params: { max: 6 } };
const ruleIds = ['1', '2', '3'].map((digit) => `019a8a11-0000-7000-8000-00000000010${digit}`);
const named = (names: string[]) => names.map((name, index) => ({ ...LIMIT, id: ruleIds[index], name }));

async function imported(bookingRules: object[]): Promise<number> {
  const answer = await importInto(maitred, tavernOperator({ bookingRules: bookingRules as never[] }));
  assert.equal(answer.status, 201, answer.text);
  return answer.json.operatorId;
}

async function namesOf(operatorId: number): Promise<unknown[]> {
  const { bookingRules = [] } = await exportFrom(maitred, operatorId);
  return bookingRules.map(({ name }) => name);
}

test('rules stay in their order when their ids are taken', async () => {
  const first = await imported(named(['first', 'second', 'third']));
  // A rule that has been changed lies elsewhere in its table.
  await maitred.sql`update booking_rule set message = 'Call us' where id = ${ruleIds[0] ?? ''}`;
  const { bookingRules = [] } = await exportFrom(maitred, first);
  assert.deepEqual(await namesOf(await imported(bookingRules)), ['first', 'second', 'third']);
});

test('rules stay in their order when only one of their ids is taken', async () => {
  await imported([{ ...LIMIT, id: '019a8a11-0000-7000-8000-000000000201', name: 'elsewhere' }]);
  const rules = named(['first', 'second']).map((rule, index) => ({
    ...rule,
    id: `019a8a11-0000-7000-8000-00000000020${index + 1}`,
  }));
  assert.deepEqual(await namesOf(await imported(rules)), ['first', 'second']);
});

test('rules that are written in another order than that of their ids stay in that of their ids', async () => {
  const rules = named(['first', 'second', 'third']).map((rule, index) => ({
    ...rule,
    id: `019a8a11-0000-7000-8000-00000000030${index + 1}`,
  }));
  for (const _time of ['while their ids are free', 'when they are taken']) {
    assert.deepEqual(await namesOf(await imported(rules.toReversed())), ['first', 'second', 'third']);
  }
});
