import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { callNow } from '../amend/amending.ts';
import { type Body, booked, freeDay } from '../support.ts';
import { deskApp, edit, move, ok, taken } from './desk-support.ts';

const { maitred, time, tableFor } = deskApp();

const as = 'demo-operator';
const pathOf = (id: string) => `/manage/operators/1/bookings/${id}`;
async function history(id: string): Promise<Body[]> {
  return (await ok(callNow(maitred(), `${pathOf(id)}/history`, { as }))).data;
}
const later = () => time.moveTo(time.clock().add({ seconds: 1 }));
const briefly = (entries: Body[]) => entries.map(({ by, action }) => `${by.kind} ${action}`);
const fields = ({ changes }: Body) => changes.map(({ field }: Body) => field).sort();

test('the history of a booking has what the partner did and what the house did, in order', async () => {
  const date = freeDay();
  const { id } = await booked(maitred(), { date, time: '19:00', lastName: 'Turing' });
  later();
  const patch = [
    { op: 'replace', path: '/time', value: '20:00' },
    { op: 'replace', path: '/lastName', value: 'Hopper' },
  ];
  const patched = await callNow(maitred(), `/venues/bookings/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: patch,
  });
  assert.equal(patched.status, 200, patched.text);
  later();
  const { id: tableId, name } = await tableFor(6);
  await ok(move(maitred(), id, { tableIds: [tableId], overrides: ['covers'] }));
  later();
  const told = await callNow(maitred(), `${pathOf(id)}/messages`, {
    as,
    method: 'POST',
    body: { text: 'You have a window table.', replyTo: null },
  });
  assert.equal(told.status, 201, told.text);
  later();
  assert.equal((await callNow(maitred(), `/venues/bookings/${id}`, { method: 'DELETE' })).status, 204);

  const entries = await history(id);
  assert.deepEqual(briefly(entries), [
    'partner create',
    'partner amend',
    'client move',
    'client message',
    'partner cancel',
  ]);
  const [made, amended, moved, message] = entries as [Body, Body, Body, Body];
  assert.equal(made.by.name, 'Demo Partner');
  assert.deepEqual(fields(made), ['date', 'duration', 'partySize', 'status', 'time']);
  assert.deepEqual(
    amended.changes.map(({ field, before, after }: Body) => [field, before, after]),
    [
      ['time', '19:00', '20:00'],
      ['lastName', 'Turing', 'Hopper'],
    ],
  );
  assert.equal(moved.by.name, 'demo-operator');
  assert.deepEqual(moved.changes.find(({ field }: Body) => field === 'tables').after, [name]);
  assert.deepEqual(message.changes, []);
  assert.doesNotMatch(JSON.stringify(entries), /window table/);
});

test('a booking of the house was made by its people, and edits show the guest before and after', async () => {
  const { id } = await taken(maitred(), { date: freeDay() });
  later();
  await ok(edit(maitred(), id, { partySize: 3, guest: { phone: '+44 20 7946 0001' } }));
  const [made, edited] = (await history(id)) as [Body, Body];
  assert.deepEqual(briefly([made, edited]), ['client create', 'client edit']);
  assert.ok(fields(made).includes('origin'));
  const phone = edited.changes.find(({ field }: Body) => field === 'phone');
  assert.deepEqual([phone.before, phone.after], ['+44 20 7946 0999', '+44 20 7946 0001']);
  assert.ok(fields(edited).includes('guests'));
});

test('of a forgotten guest the history has nothing, and what happened stays', async () => {
  const { id } = await taken(maitred(), { date: freeDay() });
  later();
  await ok(edit(maitred(), id, { time: '20:00', guest: { lastName: 'Bell' } }));
  later();
  await ok(callNow(maitred(), `${pathOf(id)}/forget-guest`, { as, method: 'POST' }));
  const entries = await history(id);
  assert.deepEqual(briefly(entries), ['client create', 'client edit', 'client forget-guest']);
  assert.doesNotMatch(JSON.stringify(entries), /Hopper|Bell|7946/);
  assert.ok(fields(entries[1] as Body).includes('time'));
});

test('a booking that is not there, or of another operator, has no history', async () => {
  const missing = pathOf('019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1');
  assertProblem(await callNow(maitred(), `${missing}/history`, { as }), 404, 'BOOK-N-006');
});
