/**
 * The codes of the interface that have to do with systems, each reached over HTTP at a venue whose system is a row in
 * the database and a server on loopback. Left out are codes that no system has a part in:
 *
 * - VENUE-N-003, 005, 008: zones. A system over the network keeps its own layout, so there are none here.
 * - VENUE-N-007, 010, 011, 012: windows of minimum spend, rules and pictures are ours alone.
 * - PMAP-N-007 to 015, OPRTR-N-003: sources, companies, names of partners and marketplaces are ours alone.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { bistroDocument, DAY, supper } from '../../support/remote-tms/bistros.ts';
import type { Fault, RemoteOperation } from '../../support/remote-tms/faults.ts';
import { REMOTE_ZONE, startRemoteBistro } from '../../support/remote-tms/harness.ts';
import { PROTOCOL_PATH, RIGHT_KEY } from '../../support/remote-tms/protocol.ts';
import type { RemoteTms } from '../../support/remote-tms/server.ts';
import { bodyOf, deskOf, idIn, newName, newOperator } from '../platform/support.ts';

const PRODUCT = '9|bookwell|bistro|supper';
const OTHER_PRODUCT = '9|bookwell|bistro|lunch';
const VENUE = '9|bookwell|bistro';
const SYSTEM = '/manage/systems/bookwell';
const ACCOUNT = '/manage/operators/9/systems/bookwell';

let system: RemoteTms;
let maitred: TestApp;
before(async () => {
  system = await startRemoteBistro({ product: PRODUCT });
  maitred = await startTestApp({ config: { connectors: [PROTOCOL_PATH] } });
  bodyOf(await desk.put(SYSTEM, draft()));
  const document = bistroDocument('bookwell');
  const [product] = document.products;
  assert.ok(product);
  const venues = [{ ...document, products: [product, { ...product, key: 'lunch', name: 'Lunch' }] }];
  await inTransaction(maitred.sql, async (tx) => {
    await importOperator(tx, { id: 9, name: 'Elsewhere', systems: ['bookwell'], venues });
    const productIds = [parseProductId(PRODUCT)];
    await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(parseProductId(PRODUCT)), productIds });
  });
});
after(async () => {
  await maitred.close();
  await system.close();
});

const desk = deskOf(() => maitred);
const draft = (baseUrl = system.url) => ({
  protocol: 'bistro',
  name: 'Bookwell',
  settings: { baseUrl, zone: REMOTE_ZONE },
});
const book = (product = PRODUCT, as = 'demo-partner') =>
  maitred.call(`/venues/${idIn(product)}/booking`, { method: 'POST', as, body: supper });
const look = () => maitred.call(`/venues/${idIn(PRODUCT)}/availability?date=${DAY}&partySize=2`);

/** The next call of this kind goes wrong, and nothing is left of it on either side. */
async function failing(operation: RemoteOperation, fault: Fault, status: number, code: string) {
  system.faults.plan(fault, { operations: [operation] });
  const answer = await (operation === 'availability' ? look() : book());
  assertProblem(answer, status, code);
  assert.equal(system.book.bookings.size, 0);
  const [{ count }] = await maitred.sql<[{ count: number }]>`
    select count(*)::int as count from booking where product_id = ${PRODUCT} and status = 'confirmed'`;
  assert.equal(count, 0);
  return answer;
}

test('BOOK-N-008 and BOOK-N-009: the system wants a card, or declines', async () => {
  await failing('book', { kind: 'refuse', reason: 'card-required' }, 422, 'BOOK-N-008');
  await failing('book', { kind: 'refuse', reason: 'The chef is ill' }, 422, 'BOOK-N-009');
});

test('BOOK-R-001, BOOK-R-002 and AVAIL-R-001: the system limits us, or is not there', async () => {
  const limited: Fault = { kind: 'rate-limit', retryAfterSeconds: 9 };
  for (const answer of [
    await failing('book', limited, 503, 'BOOK-R-001'),
    await failing('availability', limited, 503, 'AVAIL-R-001'),
  ])
    assert.equal(answer.headers['retry-after'], '9');
  await failing('book', { kind: 'status', status: 503 }, 503, 'BOOK-R-002');
});

test('BOOK-N-001 and BOOK-N-003: the operator has no system, or not the one in the id', async () => {
  assertProblem(await book('9|elsewhere|bistro|supper'), 404, 'BOOK-N-003');
  const operatorId = await newOperator(desk);
  for (const tms of ['house', 'tickets'])
    assert.equal((await desk.remove(`/manage/operators/${operatorId}/systems/${tms}`)).status, 204);
  const { photos: _, hours: __, products: ___, ...venue } = bistroDocument('bookwell');
  assertProblem(await desk.post(`/manage/operators/${operatorId}/venues`, venue), 404, 'BOOK-N-001');
  bodyOf(await desk.put(`/manage/operators/${operatorId}/systems/house`, {}));
  assertProblem(await desk.post(`/manage/operators/${operatorId}/venues`, venue), 404, 'BOOK-N-003');
});

test('VENUE-N-001, 002, 004, 006 and 009: what the id names is not there, or has closed', async () => {
  assertProblem(await book('9|bookwell|nowhere|supper'), 404, 'VENUE-N-001');
  assertProblem(await book('9|bookwell|bistro|brunch'), 404, 'VENUE-N-002');
  assertProblem(await desk.get(`/manage/venues/${idIn(VENUE)}/spaces/99999`), 404, 'VENUE-N-004');
  const hours = { weekly: [{ weekdays: [1], periods: [{ opens: '18:00', closes: '18:00' }] }] };
  assertProblem(await desk.put(`/manage/venues/${idIn(VENUE)}/hours`, hours), 400, 'VENUE-N-006');
  await maitred.sql`update venue set closed_at = now() where id = ${VENUE}`;
  assertProblem(await book(), 409, 'VENUE-N-009');
  await maitred.sql`update venue set closed_at = null where id = ${VENUE}`;
});

test('PMAP-N-001 to 006: what a partner may sell of it', async () => {
  assertProblem(await book(PRODUCT, 'other-partner'), 403, 'PMAP-N-001');
  assertProblem(await book(OTHER_PRODUCT), 403, 'PMAP-N-002');
  const booking = bodyOf(await book(), 201);
  assertProblem(
    await maitred.call(`/venues/bookings/${booking.id}`, { as: 'other-partner' }),
    403,
    'PMAP-N-003',
  );
  assert.equal((await maitred.call(`/venues/bookings/${booking.id}`, { method: 'DELETE' })).status, 204);
  const products = (partnerId: number) => `/manage/partners/${partnerId}/mappings/${idIn(VENUE)}/products`;
  assertProblem(await desk.post(products(99_999), { productKey: 'lunch' }), 404, 'PMAP-N-004');
  assertProblem(await desk.remove(`${products(1)}/lunch`), 404, 'PMAP-N-005');
  assertProblem(await desk.post(products(1), { productKey: 'supper' }), 409, 'PMAP-N-006');
});

test('OPRTR-N-001 to 009 and SBOX-N-001: the accounts of operators', async () => {
  assertProblem(await desk.get('/manage/operators/99999/systems'), 404, 'OPRTR-N-001');
  assertProblem(await deskOf(() => maitred, 'demo-operator').get(ACCOUNT), 403, 'OPRTR-N-002');
  const name = newName();
  bodyOf(await desk.post('/manage/operators', { name }), 201);
  assertProblem(await desk.post('/manage/operators', { name }), 409, 'OPRTR-N-004');
  assertProblem(await desk.remove(SYSTEM), 409, 'OPRTR-N-005');
  assertProblem(await desk.remove(ACCOUNT), 409, 'OPRTR-N-005');
  assertProblem(await desk.put(ACCOUNT, { settings: { group: 'x' } }), 400, 'OPRTR-N-006');
  const credentials = `${ACCOUNT}/credentials`;
  assertProblem(await desk.get(credentials), 404, 'OPRTR-N-008');
  assertProblem(await desk.post(credentials, { fields: { key: 'wrong' } }), 400, 'OPRTR-N-009');
  bodyOf(await desk.post(credentials, { fields: { key: RIGHT_KEY } }), 201);
  assertProblem(await desk.post(credentials, { fields: { key: RIGHT_KEY } }), 409, 'OPRTR-N-007');
  assertProblem(await desk.put(SYSTEM, draft('https://api.bookwell.example')), 403, 'SBOX-N-001');
});
