import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { type Body, book } from '../../bookings/support.ts';
import { expression, rulesApp } from '../support.ts';
import { ask, created, listed, trailOf } from './manage-support.ts';

const maitred = rulesApp();
beforeEach(() => maitred().sql`delete from booking_rule`);

const limit = (name: string) => ({ effect: 'party_size_limit', name, params: { max: 1 } });
const flag = (name: string) => ({ name, ...expression(true, { flag: { name } }) });
const ids = (rules: Body[]) => rules.map(({ id }) => id);
const order = (ruleIds: unknown, headers = {}) => ask(maitred(), ['PUT', '/order'], { ruleIds }, { headers });

async function threeAndOne(): Promise<[Body, Body, Body, Body]> {
  const fixed = [];
  for (const name of ['A', 'B', 'C']) fixed.push(await created(maitred(), limit(name)));
  const [a, b, c] = fixed as [Body, Body, Body];
  return [a, b, c, await created(maitred(), flag('D'))];
}

test('rules are carried out in the order that was asked for', async () => {
  const [a, b, c, d] = await threeAndOne();
  const answer = await order(ids([c, a, b, d]));
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, { ruleIds: ids([c, a, b, d]) });
  const rules = await listed(maitred());
  assert.deepEqual(
    rules.map(({ name, priority }) => [name, priority]),
    [
      ['C', 0],
      ['A', 1],
      ['B', 2],
      ['D', 3],
    ],
  );
  const refused = (await book(maitred())).json;
  assert.deepEqual(
    refused.violations.map(({ ruleId }: Body) => ruleId),
    ids([c, a, b]),
  );
});

test('a new order is written down, and only what has moved gets a new version', async () => {
  const [a, b, c, d] = await threeAndOne();
  await order(ids([a, b, c, d]));
  await order(ids([b, a, c, d]).map((id) => id.toUpperCase()));
  const [entry] = await trailOf(maitred(), 'booking-rules 1');
  assert.deepEqual(entry?.before, { ruleIds: ids([a, b, c, d]) });
  assert.deepEqual(entry?.after, { ruleIds: ids([b, a, c, d]) });
  const versions = (await listed(maitred())).map(({ name, version }) => [name, version]);
  assert.deepEqual(versions, [
    ['B', 3],
    ['A', 2],
    ['C', 2],
    ['D', 2],
  ]);
});

test('an order that is not one of all active rules is refused, and nothing moves', async () => {
  const [a, b, c, d] = await threeAndOne();
  const retired = await created(maitred(), limit('E'));
  await ask(maitred(), ['DELETE', `/${retired.id}`]);
  const others = await storageOf(maitred()).create(2, limit('F'));
  const before = await listed(maitred());
  for (const [ruleIds, field] of [
    [ids([a, b, c]), 'ruleIds'],
    [[], 'ruleIds'],
    [ids([a, b, c, d, retired]), 'ruleIds.4'],
    [[...ids([a, b, c, d]), others.id], 'ruleIds.4'],
    [ids([a, b, c, d, a]), 'ruleIds'],
    [[...ids([a, b, c, d]), a.id.toUpperCase()], 'ruleIds.4'],
    [ids([a, d, b, c]), 'ruleIds.2'],
    [['x'], 'ruleIds.0'],
    ['x', 'ruleIds'],
  ] as const) {
    const { errors } = assertProblem(await order(ruleIds), 400, 'VALID-N-001');
    assert.ok(field in errors, JSON.stringify(errors));
  }
  assert.deepEqual(await listed(maitred()), before);
});

test('an order that was decided on an older one is refused', async () => {
  const [a, b, c, d] = await threeAndOne();
  const read = await ask(maitred(), ['GET', '/order']);
  assert.deepEqual(read.json, { ruleIds: ids([a, b, c, d]) });
  const headers = { 'if-match': String(read.headers.etag) };
  assert.equal((await order(ids([b, a, c, d]), headers)).status, 200);
  assertProblem(await order(ids([c, a, b, d]), headers), 412, 'HTTP-N-412');
  assert.deepEqual(ids(await listed(maitred())), ids([b, a, c, d]));
});

test('nobody orders the rules of others, or those of nobody', async () => {
  const asking = { operatorId: 2 };
  assertProblem(await ask(maitred(), ['PUT', '/order'], { ruleIds: [] }, asking), 403, 'OPRTR-N-002');
  const nobody = { as: 'demo-admin', operatorId: 2_147_483_647 };
  assertProblem(await ask(maitred(), ['PUT', '/order'], { ruleIds: [] }, nobody), 404, 'OPRTR-N-001');
  assertProblem(await ask(maitred(), ['GET', '/order'], undefined, nobody), 404, 'OPRTR-N-001');
});
