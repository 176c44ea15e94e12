import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { bodyOf, deskOf, idIn, lastEntry, newOperator, newPartner, tagOf } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const desk = deskOf(() => maitred);
const DAY = Temporal.Now.plainDateISO('Europe/London').add({ days: 9 }).toString();

/** A new operator's sources, and two partners to link them to. */
async function start() {
  const operatorId = await newOperator(desk);
  const path = `/manage/operators/${operatorId}/sources`;
  const add = async (name: string, partnerId: number | null) =>
    bodyOf(await desk.post(path, { name, partnerId }), 201);
  return { operatorId, path, add, one: await newPartner(desk), two: await newPartner(desk) };
}

test('a source is added for a partner or for nobody yet, and resolved once', async () => {
  const { operatorId, path, add, one, two } = await start();
  const known = await add('ONE', one);
  const unknown = await add('MYSTERY', null);
  assert.deepEqual([known.partner.id, unknown.partner], [one, null]);
  assert.deepEqual(bodyOf(await desk.get(`${path}/${known.id}`)), known);
  assert.deepEqual(bodyOf(await desk.get(`${path}?isResolved=false`)).data, [unknown]);
  assert.deepEqual(bodyOf(await desk.get(`${path}?isResolved=true`)).data, [known]);

  const resolve = (id: number, partnerId: number) => desk.post(`${path}/${id}/resolve`, { partnerId });
  assertProblem(await resolve(unknown.id, 99_999), 404, 'PMAP-N-004');
  assertProblem(await resolve(unknown.id, one), 409, 'PMAP-N-008');
  const resolved = bodyOf(await resolve(unknown.id, two));
  assert.equal(resolved.partner.id, two);
  assertProblem(await resolve(unknown.id, two), 409, 'PMAP-N-012');
  assertProblem(await resolve(99_999, two), 404, 'PMAP-N-010');
  const entry = await lastEntry(desk, `source ${unknown.id}`);
  assert.deepEqual([entry.before, entry.after, entry.operatorId], [unknown, resolved, operatorId]);
});

test('a name is there once, and whose it is decides what is said about it', async () => {
  const { path, add, one, two } = await start();
  await add('ONE', one);
  await add('MYSTERY', null);
  const post = (name: string, partnerId: number | null) => desk.post(path, { name, partnerId });
  assertProblem(await post('ONE', one), 409, 'PMAP-N-008');
  assertProblem(await post('ONE', null), 409, 'PMAP-N-008');
  assertProblem(await post('MYSTERY', two), 409, 'PMAP-N-008');
  assertProblem(await post('ONE', two), 409, 'PMAP-N-009');
  assertProblem(await post('MORE', one), 409, 'PMAP-N-008');
  assertProblem(await post('X', 99_999), 404, 'PMAP-N-004');
  assertProblem(await post(' ', null), 400, 'VALID-N-001');
  assertProblem(
    await desk.post('/manage/operators/99999/sources', { name: 'X', partnerId: null }),
    404,
    'OPRTR-N-001',
  );
  assert.equal(bodyOf(await desk.get(path)).meta.totalItems, 2);
});

test('of several sources of one name that are added at once, one is', async () => {
  const { path, one, two } = await start();
  const answers = await Promise.all(
    [one, two, null].map((partnerId) => desk.post(path, { name: 'RUSH', partnerId })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test('a source is renamed, relinked and unlinked as a whole', async () => {
  const { path, add, one, two } = await start();
  const known = await add('ONE', one);
  const other = await add('TWO', two);
  const unknown = await add('MYSTERY', null);
  const put = (id: number, name: string, partnerId: number | null) =>
    desk.put(`${path}/${id}`, { name, partnerId });
  assertProblem(await put(unknown.id, 'MYSTERY', one), 422, 'PMAP-N-011');
  assert.equal(bodyOf(await put(unknown.id, 'RIDDLE', null)).name, 'RIDDLE');
  assertProblem(await put(known.id, 'ONE', two), 409, 'PMAP-N-009');
  assertProblem(await put(known.id, 'TWO', one), 409, 'PMAP-N-009');
  assertProblem(await put(known.id, 'RIDDLE', one), 409, 'PMAP-N-008');
  assertProblem(await put(known.id, 'ONE', 99_999), 404, 'PMAP-N-004');
  assert.equal((await desk.remove(`${path}/${other.id}`)).status, 204);
  const relinked = bodyOf(await put(known.id, 'UNO', two));
  assert.deepEqual([relinked.id, relinked.name, relinked.partner.id], [known.id, 'UNO', two]);
  assert.equal(bodyOf(await put(known.id, 'UNO', null)).partner, null);
});

test('a change on what somebody else has changed meanwhile is refused', async () => {
  const { path, add, one } = await start();
  const { id } = await add('ONE', one);
  const read = await tagOf(desk, `${path}/${id}`);
  bodyOf(await desk.put(`${path}/${id}`, { name: 'UNO', partnerId: one }, read));
  assertProblem(await desk.put(`${path}/${id}`, { name: 'EINS', partnerId: one }, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(`${path}/${id}`, read), 412, 'HTTP-N-412');
  assert.equal(bodyOf(await desk.get(`${path}/${id}`)).name, 'UNO');
});

test('a source of another operator is not found', async () => {
  const [mine, others] = [await start(), await start()];
  const { id } = await others.add('OTHERS', null);
  const path = `${mine.path}/${id}`;
  assertProblem(await desk.get(path), 404, 'PMAP-N-010');
  assertProblem(await desk.put(path, { name: 'MINE', partnerId: null }), 404, 'PMAP-N-010');
  assertProblem(await desk.remove(path), 404, 'PMAP-N-010');
  assert.equal((await desk.get(`${others.path}/${id}`)).status, 200);
});

test('seen from the partner, its source at an operator is read and given up', async () => {
  const { operatorId, path, add, one } = await start();
  const ofPartner = `/manage/partners/${one}/sources/${operatorId}`;
  assertProblem(await desk.get(ofPartner), 404, 'PMAP-N-007');
  assertProblem(await desk.remove(ofPartner), 404, 'PMAP-N-007');
  const source = await add('ONE', one);
  assert.deepEqual(bodyOf(await desk.get(ofPartner)), source);
  assert.equal((await desk.remove(ofPartner, await tagOf(desk, ofPartner))).status, 204);
  const left = bodyOf(await desk.get(`${path}/${source.id}`));
  assert.deepEqual(left, { ...source, partnerId: null, partner: null });
  const entry = await lastEntry(desk, `source ${source.id}`);
  assert.deepEqual([entry.action, entry.before, entry.after], ['source.unlink', source, left]);
  assertProblem(await desk.get('/manage/partners/99999/sources/1'), 404, 'PMAP-N-004');
  assertProblem(await desk.get('/manage/partners/1/sources/99999'), 404, 'OPRTR-N-001');
});

test('without its source a partner cannot book, and with a new one bookings carry the new name', async () => {
  const venue = bodyOf(await maitred.call(`/venues/${idIn('1|house|soho-grill')}`));
  const address = `/venues/${idIn(venue.products[0].compositeId)}/booking`;
  const draft = {
    type: 'request',
    partySize: 2,
    date: DAY,
    time: '19:00',
    firstName: 'Ada',
    lastName: 'Lovelace',
  };
  const book = () => maitred.call(address, { method: 'POST', body: draft });
  assert.equal((await book()).status, 201);
  const ofPartner = '/manage/partners/1/sources/1';
  const { id } = bodyOf(await desk.get(ofPartner));
  assert.equal((await desk.remove(ofPartner)).status, 204);
  // At once, not once the news has arrived: what a node remembers of a source is looked at again.
  assertProblem(await book(), 422, 'BOOK-N-004');
  const sources = '/manage/operators/1/sources';
  bodyOf(await desk.post(`${sources}/${id}/resolve`, { partnerId: 1 }));
  bodyOf(await desk.put(`${sources}/${id}`, { name: 'WEB-1', partnerId: 1 }));
  const booked = bodyOf(await book(), 201);
  const [row] = await maitred.sql`select partner_source from booking where id = ${booked.id}`;
  assert.equal(row?.partner_source, 'WEB-1');
});

test('an operator reads its own sources, and the rest is for the platform', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  const { data } = bodyOf(await own.get('/manage/operators/1/sources'));
  const path = `/manage/operators/1/sources/${data[0].id}`;
  assert.equal((await own.get(path)).status, 200);
  assertProblem(await own.get('/manage/operators/2/sources'), 403, 'OPRTR-N-002');
  assertProblem(await own.post(`${path}/resolve`, { partnerId: 1 }), 403, 'USER-N-009');
  assertProblem(await own.remove(path), 403, 'USER-N-009');
  assertProblem(await own.get('/manage/partners/1/sources/1'), 403, 'USER-N-009');
});
