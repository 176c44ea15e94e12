import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, deskOf, lastEntry, newOperator, tagOf } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const desk = deskOf(() => maitred);
const OPERATORS = '/manage/operators';
/** Somebody with a role there. */
async function addOwner(operatorId: number): Promise<void> {
  const body = {
    email: `owner${operatorId}@harbour.example`,
    name: 'Owner',
    password: 'a long way to the harbour',
    roles: [{ operatorId, role: 'owner' }],
  };
  bodyOf(await desk.post('/manage/users', body), 201);
}

const NO_SETTINGS = { contactEmail: null, bookingReplyTo: null, defaultTimeZone: null };

test('a new operator has a name, no settings, and the two systems that are built in', async () => {
  const created = bodyOf(await desk.post(OPERATORS, { name: 'Harbour Kitchens' }), 201);
  assert.equal(created.name, 'Harbour Kitchens');
  assert.deepEqual(created.settings, NO_SETTINGS);
  assert.deepEqual(bodyOf(await desk.get(`${OPERATORS}/${created.id}`)), created);
  const { data } = bodyOf(await desk.get(`${OPERATORS}/${created.id}/systems`));
  assert.deepEqual(
    data.map(({ tms, kind }: { tms: string; kind: string }) => [tms, kind]),
    [
      ['house', 'built-in'],
      ['tickets', 'built-in'],
    ],
  );
  const entry = await lastEntry(desk, `operator ${created.id}`);
  assert.deepEqual([entry.action, entry.before, entry.after], ['operator.create', null, created]);
  assert.equal(entry.operatorId, created.id);
});

test('an operator can be given a certain id once, and numbering goes on behind it', async () => {
  assert.equal(bodyOf(await desk.post(OPERATORS, { id: 4711, name: 'Certain' }), 201).id, 4711);
  assertProblem(await desk.post(OPERATORS, { id: 4711, name: 'Uncertain' }), 409, 'OPRTR-N-004');
  assert.equal(bodyOf(await desk.post(OPERATORS, { name: 'Following' }), 201).id, 4712);
});

test('the id of an operator that is gone is not given again, since its audit log is nobody else’s', async () => {
  bodyOf(await desk.post(OPERATORS, { id: 4700, name: 'Gone Inns' }), 201);
  assert.equal((await desk.remove(`${OPERATORS}/4700`)).status, 204);
  assertProblem(await desk.post(OPERATORS, { id: 4700, name: 'Quite Another' }), 409, 'OPRTR-N-004');
  assert.equal(bodyOf(await desk.get('/manage/audit?operatorId=4700')).meta.totalItems, 2);
});

test('an id that is chosen leaves numbers for those to come', async () => {
  for (const id of [0, 1_000_000_001, 2_147_483_647])
    assertProblem(await desk.post(OPERATORS, { id, name: 'Too High' }), 400, 'VALID-N-001');
  bodyOf(await desk.post(OPERATORS, { name: 'Not Too High' }), 201);
});

test('no two operators have the same name, in whatever case and however many ask at once', async () => {
  const answers = await Promise.all(
    ['Twin Inns', 'twin inns', 'TWIN INNS ', 'Twin inns'].map((name) => desk.post(OPERATORS, { name })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  for (const answer of answers) if (answer.status === 409) assertProblem(answer, 409, 'OPRTR-N-004');
  const other = await newOperator(desk);
  assertProblem(
    await desk.put(`${OPERATORS}/${other}`, { name: 'Twin INNS', settings: {} }),
    409,
    'OPRTR-N-004',
  );
});

test('operators are listed by name, a page at a time, and found by a part of it', async () => {
  const all = bodyOf(await desk.get(`${OPERATORS}?pageSize=2`));
  assert.equal(all.data.length, 2);
  assert.ok(all.meta.totalItems > 5);
  const { name } = bodyOf(await desk.get(`${OPERATORS}/1`));
  const found = bodyOf(
    await desk.get(`${OPERATORS}?name=${encodeURIComponent(name.slice(1).toUpperCase())}`),
  );
  assert.deepEqual(
    found.data.map((operator: { id: number }) => operator.id),
    [1],
  );
  assert.equal(bodyOf(await desk.get(`${OPERATORS}?name=%25`)).meta.totalItems, 0);
});

test('settings are replaced as a whole, and one that is unknown or impossible changes nothing', async () => {
  const path = `${OPERATORS}/${await newOperator(desk)}`;
  const { name } = bodyOf(await desk.get(path));
  const settings = {
    contactEmail: 'office@harbour.example',
    bookingReplyTo: 'tables@harbour.example',
    defaultTimeZone: 'Europe/Paris',
  };
  assert.deepEqual(bodyOf(await desk.put(path, { name, settings })).settings, settings);
  for (const wrong of [
    { colour: 'red' },
    { contactEmail: 'nobody' },
    { bookingReplyTo: 7 },
    { defaultTimeZone: 'Mars/Olympus' },
    { defaultTimeZone: '+01:00' },
    // No venue can have it so.
    { defaultTimeZone: 'europe/paris' },
    { defaultTimeZone: ['Europe/Paris'] },
  ]) {
    assertProblem(await desk.put(path, { name, settings: wrong }), 400, 'OPRTR-N-006');
    assertProblem(await desk.post(OPERATORS, { name: 'Never', settings: wrong }), 400, 'OPRTR-N-006');
  }
  assert.deepEqual(bodyOf(await desk.get(path)).settings, settings);
  const cleared = bodyOf(await desk.put(path, { name, settings: { defaultTimeZone: null } }));
  assert.deepEqual(cleared.settings, NO_SETTINGS);
});

test('what was set up for an operator goes with it, and its clients stop', async () => {
  const operatorId = await newOperator(desk);
  const path = `${OPERATORS}/${operatorId}`;
  bodyOf(await desk.put(`${path}/partners/1`, { isSuspended: false, source: 'GUIDE' }));
  bodyOf(
    await desk.post(`${path}/partner-categories`, { slug: 'all', name: 'All', partnerIds: [1, 2] }),
    201,
  );
  const { id } = bodyOf(await desk.post('/manage/clients', { kind: 'operator', operatorId }), 201);
  assert.equal((await desk.remove(path)).status, 204);
  assertProblem(await desk.get(`/manage/clients/${id}`), 404, 'HTTP-N-404');
  assertProblem(await desk.get(`/manage/partners/1/sources/${operatorId}`), 404, 'OPRTR-N-001');
});

test('a message that names no address is answered where the operator wants it', async () => {
  const product = encodeURIComponent('1|house|soho-grill|dinner');
  const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 9 }).toString();
  const body = { type: 'request', partySize: 2, date: day, time: '19:00', firstName: 'A', lastName: 'B' };
  const booked = bodyOf(await maitred.call(`/venues/${product}/booking`, { method: 'POST', body }), 201);
  const { name, settings } = bodyOf(await desk.get(`${OPERATORS}/1`));
  const bookingReplyTo = 'tables@lamp.example';
  bodyOf(await desk.put(`${OPERATORS}/1`, { name, settings: { ...settings, bookingReplyTo } }));
  const send = async (replyTo: string | null) =>
    bodyOf(
      await desk.post(`${OPERATORS}/1/bookings/${booked.id}/messages`, { text: 'Until then!', replyTo }),
      201,
    ).replyTo;
  assert.equal(await send(null), bookingReplyTo);
  assert.equal(await send('chef@lamp.example'), 'chef@lamp.example');
  bodyOf(await desk.put(`${OPERATORS}/1`, { name, settings }));
  assert.equal(await send(null), null);
});

test('a change on what somebody else has changed meanwhile is refused', async () => {
  const id = await newOperator(desk);
  const path = `${OPERATORS}/${id}`;
  const read = await tagOf(desk, path);
  const before = bodyOf(await desk.get(path));
  const after = bodyOf(await desk.put(path, { name: 'First', settings: {} }, read));
  assertProblem(await desk.put(path, { name: 'Second', settings: {} }, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(path, read), 412, 'HTTP-N-412');
  assert.equal(bodyOf(await desk.get(path)).name, 'First');
  const entry = await lastEntry(desk, `operator ${id}`);
  assert.deepEqual([entry.action, entry.before, entry.after], ['operator.change', before, after]);
});

test('an operator without venues, bookings and users can go, one with any of them cannot', async () => {
  const id = await newOperator(desk);
  assert.equal((await desk.remove(`${OPERATORS}/${id}`)).status, 204);
  assertProblem(await desk.get(`${OPERATORS}/${id}`), 404, 'OPRTR-N-001');
  assertProblem(await desk.remove(`${OPERATORS}/${id}`), 404, 'OPRTR-N-001');
  assertProblem(await desk.put(`${OPERATORS}/${id}`, { name: 'Ghost', settings: {} }), 404, 'OPRTR-N-001');
  const { detail } = assertProblem(await desk.remove(`${OPERATORS}/1`), 409, 'OPRTR-N-005');
  assert.match(detail, /venues/);
  const peopled = await newOperator(desk);
  await addOwner(peopled);
  assertProblem(await desk.remove(`${OPERATORS}/${peopled}`), 409, 'OPRTR-N-005');
});

test('a new name shows in what partners read', async () => {
  const { name, settings } = bodyOf(await desk.get(`${OPERATORS}/1`));
  const venue = '/venues/1%7Chouse%7Csoho-grill';
  assert.ok(bodyOf(await maitred.call(venue)).name);
  bodyOf(await desk.put(`${OPERATORS}/1`, { name: `${name} & Daughters`, settings }));
  await eventually(async () => (await maitred.call(venue)).text.includes('& Daughters'));
  bodyOf(await desk.put(`${OPERATORS}/1`, { name, settings }));
});

test('an operator reads itself, and everything else here is for the platform', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  assert.equal((await own.get(`${OPERATORS}/1`)).status, 200);
  assertProblem(await own.get(`${OPERATORS}/2`), 403, 'OPRTR-N-002');
  assertProblem(await own.get(OPERATORS), 403, 'USER-N-009');
  assertProblem(await own.post(OPERATORS, { name: 'Mine' }), 403, 'USER-N-009');
  assertProblem(await own.put(`${OPERATORS}/1`, { name: 'Mine', settings: {} }), 403, 'USER-N-009');
  assertProblem(await own.remove(`${OPERATORS}/1`), 403, 'USER-N-009');
});

test('what is no operator is refused field by field', async () => {
  for (const body of [
    {},
    { name: '  ' },
    { name: 'x'.repeat(151) },
    { name: 'A', id: 0 },
    { name: 'A', x: 1 },
  ])
    assertProblem(await desk.post(OPERATORS, body), 400, 'VALID-N-001');
  assertProblem(await desk.post(OPERATORS, { name: 'A', id: 2_147_483_648 }), 400, 'VALID-N-001');
});
