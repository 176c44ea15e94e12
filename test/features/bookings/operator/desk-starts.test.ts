import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { callNow } from '../amend/amending.ts';
import { type Body, DINNER, freeDay, jazzDay, STANDARD, traces } from '../support.ts';
import { deskApp, edit, SOHO, take, taken } from './desk-support.ts';

/** What the house is shown as free, and what it can book. */

const { maitred, at } = deskApp();

interface Asked {
  venueId?: string;
  as?: string;
}

const ask = (query: Body, { venueId = SOHO, as = 'demo-operator' }: Asked = {}) => {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return callNow(maitred(), `/manage/venues/${encodeURIComponent(venueId)}/starts?${parameters}`, { as });
};

async function starts(query: Body, asked?: Asked): Promise<Body[]> {
  const answer = await ask({ productKey: 'dinner', ...query }, asked);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data[0].starts;
}

const at7 = (all: Body[]) => all.find(({ time }) => time === '19:00') as Body;

/** Each start is booked where it is free and gives the same code where it is not; then the booking is undone. */
async function assertTrue(query: Body, all: Body[]): Promise<void> {
  const { sql } = maitred();
  for (const { time, isFree, refusal, tableIds } of all) {
    const answer = await take(maitred(), { ...query, time });
    assert.equal(answer.status === 201, isFree, `${time}: ${answer.text}`);
    if (!isFree) assert.equal(answer.json.code, refusal.code, `${time}: ${answer.text}`);
    else {
      const seats = await sql`
        select array_agg(table_id order by table_id) as ids from house_allocation
        where reservation_id = ${answer.json.id}`;
      assert.deepEqual(seats[0]?.ids, tableIds);
      await callNow(maitred(), `/manage/operators/1/bookings/${answer.json.id}/cancel`, {
        as: 'demo-operator',
        method: 'POST',
      });
    }
  }
}

test('what is shown as free is booked, at the tables that were proposed, and nothing else is', async () => {
  const date = freeDay();
  for (const time of ['18:00', '19:00', '19:30', '20:15'])
    await taken(maitred(), { date, time, partySize: 5 });
  for (const partySize of [2, 5, 40]) {
    const all = await starts({ date, partySize });
    assert.ok(all.length > 10);
    await assertTrue({ date, partySize }, all);
  }
});

test('a start says why it is not free, and which limit would have to be set aside', async () => {
  const { sql } = maitred();
  const date = freeDay();
  const why = async (query: Body = {}) => at7(await starts({ date, partySize: 2, ...query })).refusal;
  assert.deepEqual(await why(), null);
  const late = (await starts({ date, partySize: 2 })).at(-1);
  assert.equal(late?.refusal.reason, 'hours');
  assert.equal(late?.refusal.override, 'hours');
  assert.equal((await why({ partySize: 60 })).reason, 'party_size');
  await at(date, '18:55', async () => assert.equal((await why()).reason, 'notice'));
  await at(date, '20:55', async () => assert.equal((await why()).override, null));

  await sql`update house_product set covers_per_start = 4 where product_id = ${DINNER}`;
  try {
    await taken(maitred(), { date, partySize: 3 });
    const paced = await why();
    assert.deepEqual([paced.reason, paced.override, paced.code], ['pacing', 'pacing', 'AVAIL-N-005']);
    assert.match(paced.detail, /pacing/);
    assert.equal((await take(maitred(), { date, partySize: 2 })).json.detail, paced.detail);
  } finally {
    await sql`update house_product set covers_per_start = null where product_id = ${DINNER}`;
  }

  const rules = storageOf(maitred());
  const rule = await rules.create(1, {
    effect: 'party_size_limit',
    params: { min: 1, max: 1 },
    name: 'Alone',
  });
  try {
    const ruled = await why();
    assert.deepEqual([ruled.reason, ruled.override, ruled.code], ['rule', 'rules', 'BKRUL-N-005']);
  } finally {
    await rules.retire(1, rule.id);
  }
});

test('a closed day has no starts and says so; a closure of some hours takes those', async () => {
  const close = (body: Body) =>
    callNow(maitred(), `/manage/venues/${encodeURIComponent(SOHO)}/closures`, {
      as: 'demo-operator',
      method: 'POST',
      body: { bookings: 'keep', ...body },
    });
  const [day, other] = [freeDay(), freeDay()];
  assert.equal((await close({ from: day, to: day })).status, 202);
  await eventually(async () => (await starts({ date: day, partySize: 2 })).length === 0);
  const { json } = await ask({ date: day, partySize: 2 });
  for (const { starts: none, refusal } of json.data) {
    assert.deepEqual(none, []);
    assert.deepEqual([refusal.reason, refusal.code], ['closed', 'AVAIL-N-004']);
  }
  assert.equal((await close({ from: `${other}T18:00`, to: `${other}T20:00` })).status, 202);
  // What is shown may be as old as a notification takes.
  const query = { date: other, partySize: 2 };
  await eventually(async () => at7(await starts(query)).refusal?.reason === 'closed');
  const all = await starts(query);
  await assertTrue({ date: other, partySize: 2 }, all);
});

test('a booking that is moved does not stand in its own way', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date, partySize: 6 });
  const own = at7(await starts({ date, partySize: 6, bookingId: id }));
  const [seat] = await maitred().sql`select array_agg(table_id order by table_id) as ids from house_allocation
    where reservation_id = ${id}`;
  assert.deepEqual(own.tableIds, seat?.ids);
  const before = await traces(maitred().sql);
  for (const { time, isFree, refusal } of await starts({ date, partySize: 8, bookingId: id })) {
    const tried = await edit(maitred(), id, { date, time, partySize: 8 }, {}, '?dryRun=true');
    assert.equal(tried.status === 200, isFree, `${time}: ${tried.text}`);
    if (!isFree) assert.equal(tried.json.code, refusal.code);
  }
  assert.deepEqual(await traces(maitred().sql), before);
  assertProblem(await ask({ date, partySize: 2, bookingId: id, productKey: 'lunch' }), 400, 'VALID-N-001');
});

test('tickets have their occurrences as starts', async () => {
  const venueId = STANDARD.split('|').slice(0, 3).join('|');
  const answer = await ask({ date: jazzDay(), partySize: 2 }, { venueId, as: 'demo-admin' });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.json.data.some((product: Body) => product.starts[0]?.isFree));
});

test('only people of the venue ask', async () => {
  const date = freeDay();
  assertProblem(await ask({ date, partySize: 2 }, { venueId: '1|house|nowhere' }), 404, 'VENUE-N-001');
  assertProblem(await ask({ date: '2026-02-30', partySize: 2 }), 400, 'VALID-N-001');
  assertProblem(await ask({ date, partySize: 2 }, { as: 'demo-partner' }), 403, 'USER-N-009');
});
