import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callNow } from '../amend/amending.ts';
import { type Body, bookingsApp, DINNER, freeDay, guest, traces } from '../support.ts';

let now = Temporal.Now.instant();
const app = bookingsApp({ deps: { clock: () => now } });

const send = (body: Body, key: string) =>
  callNow(app(), `/venues/${encodeURIComponent(DINNER)}/booking`, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: { ...guest, ...body },
  });

test('a key is remembered for a day, and then begins anew', async () => {
  const body = { date: freeDay(), time: '19:00' };
  const first = await send(body, 'daily');
  assert.equal(first.status, 201, first.text);

  now = now.add({ hours: 23, minutes: 59 });
  assert.equal((await send(body, 'daily')).text, first.text);
  assert.equal((await send({ ...body, partySize: 3 }, 'daily')).status, 400);

  now = now.add({ minutes: 2 });
  const other = await send({ ...body, partySize: 3 }, 'daily');
  assert.equal(other.status, 201, other.text);
  assert.notEqual(other.json.id, first.json.id);
  assert.equal((await send({ ...body, partySize: 3 }, 'daily')).json.id, other.json.id);
});

test('forgotten keys are removed, and no others', async () => {
  const body = { date: freeDay(), time: '19:00' };
  await send(body, 'old');
  now = now.add({ hours: 23 });
  const young = await send(body, 'young');
  now = now.add({ hours: 2 });
  await app().services.idempotency.forgetOld();
  const kept = await app().sql<
    { key: string }[]
  >`select key from idempotency_key where key in ('old', 'young')`;
  assert.deepEqual(
    kept.map(({ key }) => key),
    ['young'],
  );
  const before = await traces(app().sql);
  assert.equal((await send(body, 'young')).text, young.text);
  assert.deepEqual(await traces(app().sql), before);
});
