/** A batch is never older than its request: what was acknowledged by one node is known to the others, as it is to single questions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';

const ROUNDS = 15;

let first: TestApp;
let second: SecondNode;
before(async () => {
  first = await startTestApp();
  second = await startSecondNode(first);
});
after(async () => {
  await second.close();
  await first.close();
});

async function ask(node: Pick<TestApp, 'app'>, url: string, payload?: object) {
  const authorization = `Bearer ${await first.token('demo-partner')}`;
  const method = payload ? 'POST' : 'GET';
  const answer = await node.app.inject({
    method,
    url,
    headers: { authorization },
    ...(payload && { payload }),
  });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json();
}

test('the last table and the last ticket are gone from the next batch of every node', async () => {
  const starts = startsApart(ROUNDS);
  const products = [await addRoom(first.sql, 1), await addGig(first.sql, 1, starts)];
  for (const { date, time } of starts) {
    const asked = { date, quantity: 1, bookableProducts: products.map((compositeId) => ({ compositeId })) };
    const batches = () =>
      Promise.all(
        [first, second].map(async (node) => (await ask(node, '/v1/availabilities', asked)).results),
      );
    const bookable = (results: { availability: { times: { time: string; type: string }[] } }[]) =>
      results.map(({ availability: { times } }) =>
        times.some((slot) => slot.time === time && slot.type === 'book'),
      );
    for (const results of await batches()) assert.deepEqual(bookable(results), [true, true]);
    const guest = { type: 'book', partySize: 1, firstName: 'Ada', lastName: 'Lovelace' };
    for (const id of products)
      await ask(first, `/venues/${encodeURIComponent(id)}/booking`, { ...guest, date, time });
    const [here, there] = await batches();
    assert.deepEqual(bookable(here), [false, false]);
    assert.deepEqual(here, there);
    for (const [index, id] of products.entries()) {
      const alone = await ask(
        second,
        `/venues/${encodeURIComponent(id)}/availability?date=${date}&partySize=1`,
      );
      assert.deepEqual(there[index].availability, alone);
    }
  }
});
