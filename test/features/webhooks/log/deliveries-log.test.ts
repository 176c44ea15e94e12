import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { nowOf, timestampOf } from '../../../../src/kernel/clock.ts';
import { type Answer, assertProblem, type CallOptions } from '../../../support/app.ts';
import { emptyEventLog } from '../../../support/databases/empty-event-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { answer, hang, reset } from '../../../support/peers/receiver.ts';
import { callNow } from '../../bookings/amend/amending.ts';
import { deliveringApp, freePath, happen, subscribe, unsubscribe } from '../delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });
beforeEach(async () => {
  await maitred().sql`delete from webhook`;
  await emptyEventLog(maitred().sql);
});

async function read(path: string, options: CallOptions = {}): Promise<Answer['json']> {
  const { status, text, json } = await callNow(maitred(), `/webhooks/deliveries${path}`, options);
  assert.equal(status, 200, text);
  return json;
}

type Delivery = Answer['json'];

/** The only delivery to a subscription, once there are so many attempts. */
async function attempted(webhookId: string, attempts: number): Promise<Delivery> {
  let delivery: Delivery;
  await eventually(async () => {
    [delivery] = (await read(`?webhookId=${webhookId}`)).data;
    return delivery.attempts.length === attempts;
  });
  return delivery;
}

const happenNow = (mark: string | number) => happen(maitred(), time.clock, mark);
const now = () => timestampOf(nowOf(time.clock));

test('a delivery is shown with every attempt, from the first failure to the end', async () => {
  const path = freePath();
  const { webhookId, posts } = await subscribe(maitred(), receiver(), { path });
  receiver().behave(answer(503), path);
  const createdAt = now();
  await happenNow('told');
  const failed = await attempted(webhookId, 1);
  const { id, eventId, attempts, ...rest } = failed;
  assert.deepEqual(rest, {
    eventType: 'booking.updated',
    webhookId,
    status: 'pending',
    isReplay: false,
    createdAt,
    nextAttemptAt: timestampOf(Temporal.Instant.from(createdAt).add({ minutes: 1 })),
    finishedAt: null,
  });
  assert.equal(eventId, posts()[0]?.headers['webhook-id']);
  const { durationMs, ...attempt } = attempts[0];
  assert.ok(Number.isInteger(durationMs));
  assert.deepEqual(attempt, { number: 1, startedAt: createdAt, statusCode: 503, error: 'status' });

  receiver().behave(reset, path);
  time.move({ minutes: 1 });
  const again = await attempted(webhookId, 2);
  assert.deepEqual([again.attempts[1].statusCode, again.attempts[1].error], [null, 'refused']);
  receiver().behave(answer(204), path);
  time.move({ minutes: 2 });
  const finishedAt = now();
  const delivered = await attempted(webhookId, 3);
  assert.equal(delivered.status, 'delivered');
  assert.deepEqual([delivered.nextAttemptAt, delivered.finishedAt], [null, finishedAt]);
  assert.deepEqual(delivered.attempts[0], attempts[0]);
  assert.deepEqual([delivered.attempts[2].statusCode, delivered.attempts[2].error], [204, null]);
  assert.deepEqual(await read(`/${id}`), delivered);
});

test('one that was given up keeps its seven attempts and is found as dropped', async () => {
  const path = freePath();
  const { webhookId } = await subscribe(maitred(), receiver(), { path });
  receiver().behave(answer(500), path);
  await happenNow('given up');
  for (let attempts = 1; attempts <= 7; attempts += 1) {
    time.move({ minutes: 32 });
    await attempted(webhookId, attempts);
  }
  const { data } = await read('?status=dropped');
  assert.equal(data.length, 1);
  assert.equal(data[0].status, 'dropped');
  assert.deepEqual(
    data[0].attempts.map(({ number }: Delivery) => number),
    [1, 2, 3, 4, 5, 6, 7],
  );
  assert.deepEqual([data[0].nextAttemptAt, data[0].finishedAt], [null, now()]);
});

test('deliveries are narrowed by subscription, event and status, and those to a deleted subscription stay', async () => {
  const path = freePath();
  const good = await subscribe(maitred(), receiver());
  const stuck = await subscribe(maitred(), receiver(), { path });
  receiver().behave(hang, path);
  await happenNow('first');
  time.move({ seconds: 1 });
  await happenNow('second');
  time.move({ seconds: 1 });
  await eventually(async () => (await read('?status=delivered')).data.length === 2);
  const { data: all } = await read('');
  assert.equal(all.length, 4);
  const idsOf = async (query: string) => (await read(query)).data.map(({ id }: Delivery) => id);
  const those = (holds: (delivery: Delivery) => boolean) => all.filter(holds).map(({ id }: Delivery) => id);
  const { eventId } = all[0];
  assert.deepEqual(
    await idsOf(`?webhookId=${good.webhookId}`),
    those(({ webhookId }) => webhookId === good.webhookId),
  );
  assert.deepEqual(
    await idsOf(`?eventId=${eventId}`),
    those((delivery) => delivery.eventId === eventId),
  );
  assert.deepEqual(
    await idsOf('?status=pending'),
    those(({ webhookId }) => webhookId === stuck.webhookId),
  );
  assert.equal((await idsOf(`?eventId=${eventId}&webhookId=${stuck.webhookId}&status=pending`)).length, 1);
  assert.deepEqual(await idsOf(`?webhookId=${eventId}`), [], 'an event is no subscription');
  await unsubscribe(maitred(), stuck);
  const { data: dropped } = await read(`?webhookId=${stuck.webhookId}`);
  assert.deepEqual(
    dropped.map(({ status }: Delivery) => status),
    ['dropped', 'dropped'],
  );
});

test('pages join up to the whole list with the newest first, also while more is added', async () => {
  await subscribe(maitred(), receiver());
  for (let mark = 0; mark < 9; mark += 1) {
    await happenNow(mark);
    if (mark % 3 > 0) time.move({ seconds: 1 });
  }
  await eventually(async () => (await read('?status=delivered')).data.length === 9);
  const { data: whole, meta } = await read('');
  assert.equal(meta.nextCursor, null);
  const times = whole.map(({ createdAt }: Delivery) => createdAt);
  assert.deepEqual(times, times.toSorted().reverse());
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10 }), async (limit) => {
      const joined: Delivery[] = [];
      for (let cursor = '', isFirst = true; cursor || isFirst; isFirst = false) {
        const page = await read(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        joined.push(...page.data);
        cursor = page.meta.nextCursor ?? '';
      }
      assert.deepEqual(joined, whole);
    }),
    { numRuns: 10 },
  );
  const { meta: first } = await read('?limit=4');
  time.move({ seconds: 1 });
  await happenNow('newer');
  const { data: rest } = await read(`?limit=100&cursor=${first.nextCursor}`);
  assert.deepEqual(rest, whole.slice(4));
});

test('nobody sees a delivery of another partner, by its id, as a cursor or by any filter', async () => {
  const { webhookId } = await subscribe(maitred(), receiver());
  await happenNow('mine');
  const { id, eventId } = await attempted(webhookId, 1);
  const theirs = { as: 'other-partner' };
  const agent = { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };
  assert.equal((await read(`/${id}`, agent)).id, id);
  for (const query of ['', `?webhookId=${webhookId}`, `?eventId=${eventId}`, '?status=delivered'])
    assert.deepEqual((await read(query, theirs)).data, []);
  const seen = await callNow(maitred(), `/webhooks/deliveries/${id}`, theirs);
  const unknown = await callNow(maitred(), `/webhooks/deliveries/${eventId}`, theirs);
  const told = assertProblem(seen, 404, 'HTTP-N-404');
  assert.deepEqual(
    { ...assertProblem(unknown, 404, 'HTTP-N-404'), detail: '' },
    { ...told, detail: '' },
    'one that exists is refused like one that does not',
  );
  assertProblem(await callNow(maitred(), '/webhooks/deliveries/17'), 400, 'VALID-N-001');
  const cursor = await callNow(maitred(), `/webhooks/deliveries?cursor=${id}`, theirs);
  assert.deepEqual(assertProblem(cursor, 400, 'VALID-N-001').errors, {
    cursor: ['is none of your deliveries'],
  });
});
