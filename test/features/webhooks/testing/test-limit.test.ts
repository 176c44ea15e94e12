import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Sql } from '../../../../src/db/database.ts';
import { countTestCall } from '../../../../src/features/webhooks/log/store.ts';
import { startSecondNode } from '../../../abuse/support/second-node.ts';
import { assertProblem, type CallOptions, startTestApp, type TestApp } from '../../../support/app.ts';
import { standingClock } from '../../bookings/amend/amending.ts';

const time = standingClock(Temporal.Instant.from(`${Temporal.Now.plainDateISO()}T12:00:00Z`));
let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ deps: { clock: time.clock } });
});
after(() => maitred.close());
beforeEach(() => maitred.sql`delete from webhook_test_window`);

const send = (options: CallOptions = {}) =>
  maitred.call('/webhooks/test', { method: 'POST', body: { eventType: 'webhook.ping' }, ...options });

async function spend(calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) assert.equal((await send()).status, 200);
}

test('the eleventh call within a minute is refused until the minute is over', async () => {
  await spend(3);
  time.move({ seconds: 20, milliseconds: 500 });
  await spend(7);
  for (const _ of [1, 2]) {
    const refused = await send();
    assertProblem(refused, 429, 'RATE-R-001');
    assert.equal(refused.headers['retry-after'], '40');
  }
  time.move({ seconds: 39, milliseconds: 499 });
  assert.equal((await send()).headers['retry-after'], '1');
  time.move({ milliseconds: 1 });
  await spend(10);
  assertProblem(await send(), 429, 'RATE-R-001');
});

test('what is refused for what it says counts, what cannot be read does not', async () => {
  for (const _ of [1, 2, 3, 4, 5]) assert.equal((await send({ body: {} })).status, 400);
  for (const body of [{ eventType: 'x' }, { eventType: 'webhook.ping', venueId: 'x' }])
    for (const _ of [1, 2, 3, 4, 5]) assert.ok((await send({ body })).status < 429);
  assertProblem(await send(), 429, 'RATE-R-001');
});

test('a partner and its agent share their calls, and another partner has its own', async () => {
  await spend(9);
  const asAgent = { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };
  assert.equal((await send(asAgent)).status, 200);
  for (const options of [asAgent, {}]) assertProblem(await send(options), 429, 'RATE-R-001');
  assert.equal((await send({ as: 'other-partner' })).status, 200);
});

test('a window that a wrong clock began far ahead is not waited for', async () => {
  await spend(10);
  time.move({ hours: -1 });
  await spend(10);
  assertProblem(await send(), 429, 'RATE-R-001');
});

test('of forty calls at once on two nodes ten are carried out', async () => {
  const second = await startSecondNode(maitred, { clock: time.clock });
  try {
    const authorization = `Bearer ${await maitred.token('demo-partner')}`;
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, call) => {
        const { app } = call % 2 === 0 ? maitred : second;
        const body = { eventType: 'webhook.ping' };
        const options = { method: 'POST', url: '/webhooks/test', headers: { authorization } } as const;
        return (await app.inject({ ...options, payload: body })).statusCode;
      }),
    );
    assert.deepEqual(statuses.sort(), [...Array(10).fill(200), ...Array(30).fill(429)]);
  } finally {
    await second.close();
  }
});

/** Reads and writes what the store does in one statement. */
async function countInTwoSteps(sql: Sql, partnerId: number): Promise<number> {
  const [row] = await sql<{ calls: number }[]>`
    select calls from webhook_test_window where partner_id = ${partnerId}`;
  const calls = (row?.calls ?? 0) + 1;
  await sql`insert into webhook_test_window (partner_id, began_at, calls) values (${partnerId}, now(), ${calls})
    on conflict (partner_id) do update set calls = ${calls}`;
  return calls;
}

test('calls that are counted at once are all counted; counted in two steps they are not', async () => {
  const now = time.clock();
  const times = [...Array(40).keys()];
  const counted = await Promise.all(
    times.map(() =>
      countTestCall(maitred.sql, { kind: 'partner', id: 1 }, { now, seconds: 60 }).then(({ calls }) => calls),
    ),
  );
  assert.deepEqual(
    counted.sort((a, b) => a - b),
    times.map((each) => each + 1),
  );
  await maitred.sql`delete from webhook_test_window`;
  const inTwoSteps = await Promise.all(times.map(() => countInTwoSteps(maitred.sql, 1)));
  assert.ok(Math.max(...inTwoSteps) < 40);
});
