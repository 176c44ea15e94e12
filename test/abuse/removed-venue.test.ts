import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../src/db/database.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { someoneWaits } from '../support/databases/lock-waits.ts';
import { eventually } from '../support/eventually.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const RULE = { effect: 'party_size_limit', name: 'Large parties call us', params: { max: 8 } };

test('a rule that is made while a venue of its operator is removed is stored, and the venue is gone', async () => {
  const { sql, call } = maitred;
  const id = '1|house|closed-cafe';
  const answers: ReturnType<typeof call>[] = [];
  await inTransaction(sql, async (tx) => {
    await tx`delete from venue where id = ${id}`;
    answers.push(call('/manage/operators/1/booking-rules', { method: 'POST', as: 'demo-admin', body: RULE }));
    await eventually(() => someoneWaits(sql));
  });
  for (const made of await Promise.all(answers)) assert.equal(made.status, 201, made.text);
  assert.equal(answers.length, 1);
  assert.deepEqual([...(await sql`select from feed_venue where venue_id = ${id}`)], []);
});
