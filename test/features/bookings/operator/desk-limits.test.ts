import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { callNow } from '../amend/amending.ts';
import { assertRefused, DINNER, freeDay } from '../support.ts';
import { deskApp, edit, ok, take, taken } from './desk-support.ts';

/** The limits that bind the house, each until it is set aside. */

const { maitred, time } = deskApp();

test('pacing binds the house until it is set aside', async () => {
  const { sql } = maitred();
  await sql`update house_product set covers_per_start = 4 where product_id = ${DINNER}`;
  try {
    const date = freeDay();
    await taken(maitred(), { date, partySize: 3 });
    await assertRefused(maitred(), () => take(maitred(), { date, partySize: 2 }), 409, 'AVAIL-N-005');
    await taken(maitred(), { date, partySize: 2, overrides: ['pacing'] });
  } finally {
    await sql`update house_product set covers_per_start = null where product_id = ${DINNER}`;
  }
});

test('a rule for all binds the house until it is set aside; one for a partner does not, nor one for amendments', async () => {
  const rules = storageOf(maitred());
  const limit = { effect: 'party_size_limit', params: { min: 1, max: 3 }, name: 'Small parties' } as const;
  const date = freeDay();
  const aimed = await rules.create(1, { ...limit, partnerIds: [1] });
  const { id } = await taken(maitred(), { date, partySize: 4 });
  await rules.retire(1, aimed.id);
  const general = await rules.create(1, limit);
  try {
    const refused = () => take(maitred(), { date, time: '20:00', partySize: 4 });
    await assertRefused(maitred(), refused, 400, 'BKRUL-N-005');
    await taken(maitred(), { date, time: '20:00', partySize: 4, overrides: ['rules'] });
    assert.equal((await ok(edit(maitred(), id, { partySize: 5 }))).partySize, 5);
  } finally {
    await rules.retire(1, general.id);
  }
});

test('a walk-in finds the next start where clocks skip an hour or show one twice', async () => {
  const { sql } = maitred();
  const before = time.clock();
  await sql`update product_hours set closes_minute = 1440 + 300 where product_id = ${DINNER}`;
  try {
    const cases: [now: string, start: string][] = [
      ['2027-03-28T00:50:00Z', '2027-03-28T02:00:00+01:00'],
      ['2027-10-31T00:50:00Z', '2027-10-31T01:00:00+00:00'],
    ];
    for (const [now, start] of cases) {
      time.moveTo(now);
      const body = { origin: 'walk_in', guest: undefined, time: undefined, duration: 60 };
      assert.equal((await taken(maitred(), body)).dateTime, start);
    }
  } finally {
    time.moveTo(before);
    await sql`update product_hours set closes_minute = 1380 where product_id = ${DINNER}`;
  }
});

test('a change says what becomes due and what goes back', async () => {
  const { sql } = maitred();
  const rule = {
    amount: 1000,
    currency: 'GBP',
    per: 'guest',
    minPartySize: null,
    maxPartySize: null,
    weekdays: null,
  };
  await sql`update product set payment_rules = ${sql.json([rule])} where id = ${DINNER}`;
  const { id } = await taken(maitred(), { date: freeDay(), partySize: 2 });
  const tried = await ok(edit(maitred(), id, { partySize: 4 }, {}, '?dryRun=true'));
  assert.deepEqual([tried.change.duePence, tried.change.refundPence], [4000, 0]);
  const read = await callNow(maitred(), `/manage/operators/1/bookings/${id}`, { as: 'demo-operator' });
  assert.equal(read.json.partySize, 2);
  assertProblem(await edit(maitred(), id, { partySize: 0 }), 400, 'VALID-N-001');
});
