/** Our OCTO connector and our OCTO channel, two gateways that talk to each other over real sockets. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../src/db/database.ts';
import { mapVenue } from '../../src/features/venues/service.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { jazzDay, STANDARD } from '../features/bookings/support.ts';
import { type Answer, startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

let supplier: TestApp;
let gateway: TestApp;
before(async () => {
  supplier = await startTestApp();
  const address = await supplier.app.listen({ host: '127.0.0.1', port: 0 });
  gateway = await startTestApp();
  await managed('PUT', '/manage/systems/sister', {
    protocol: 'octo',
    name: 'A sister gateway',
    settings: { url: `${address}/octo` },
  });
  await managed('PUT', SYSTEM, {});
  await managed(
    'POST',
    `${SYSTEM}/credentials`,
    { fields: { apiKey: await supplier.token('demo-partner') } },
    201,
  );
});
after(async () => {
  await gateway.close();
  await supplier.close();
});

const SYSTEM = '/manage/operators/1/systems/sister';

async function managed(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, status = 200) {
  const answer = await gateway.call(path, { method, as: 'demo-admin', ...(body && { body }) });
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  return answer.json;
}

/** Reads the catalogue, and applies it after it was looked at. */
async function readCatalogue(path: string, body: object) {
  const { id } = await managed('POST', path, body, 202);
  const run = async () => managed('GET', `${SYSTEM}/catalogue/${id}`);
  await gateway.services.systemCatalogue.workDue();
  await eventually(async () => (await run()).state !== 'running');
  const done = await run();
  assert.equal(done.state, 'done', JSON.stringify(done));
  return done;
}

/** What the gateway calls the jazz night of its sister. */
async function jazz(): Promise<string> {
  const { data } = await managed('GET', '/manage/operators/1/venues?pageSize=100');
  const venue = data.find(({ id }: { id: string }) => id.startsWith('1|sister|'));
  assert.ok(venue, 'the catalogue has a venue of the sister');
  return `${venue.id}|${STANDARD.replaceAll('|', '_7c')}~DEFAULT`;
}

test('the account works, and the catalogue of the other becomes ours', async () => {
  const tried = await managed('POST', `${SYSTEM}/test`, {});
  assert.equal(tried.ok, true, JSON.stringify(tried));
  const seen = await readCatalogue(`${SYSTEM}/catalogue?dryRun=true`, {});
  assert.ok(seen.added > 0, JSON.stringify(seen));
  await readCatalogue(`${SYSTEM}/catalogue`, { reviewedRunId: seen.id });
  const productId = parseProductId(await jazz());
  await inTransaction(gateway.sql, (tx) =>
    mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(productId), productIds: [productId] }),
  );
});

const book = async (body: object = {}): Promise<Answer> =>
  gateway.call(`/venues/${encodeURIComponent(await jazz())}/booking`, {
    method: 'POST',
    body: {
      type: 'book',
      partySize: 2,
      date: jazzDay(),
      time: '20:00',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      ...body,
    },
  });
const there = async (id: string) =>
  (await supplier.call(`/octo/bookings/${id}`, { as: 'demo-partner' })).json;

test('a booking here is one there, under the same id, and is amended and cancelled with it', async () => {
  const made = await book();
  assert.equal(made.status, 201, made.text);
  const { id } = made.json;
  assert.equal((await there(id)).status, 'CONFIRMED');
  assert.equal((await there(id)).contact.emailAddress, 'ada@example.com');
  const smaller = await gateway.call(`/venues/bookings/${id}`, {
    method: 'PATCH',
    body: [{ op: 'replace', path: '/partySize', value: 1 }],
    headers: { 'content-type': 'application/json-patch+json' },
  });
  assert.equal(smaller.status, 200, smaller.text);
  assert.equal((await there(id)).unitItems.length, 1);
  const gone = await gateway.call(`/venues/bookings/${id}`, { method: 'DELETE' });
  assert.equal(gone.status, 204, gone.text);
  assert.equal((await there(id)).status, 'CANCELLED');
});

test('an atomic order holds there and here, and confirms both', async () => {
  const items = [
    { compositeId: await jazz(), quantity: 2, date: jazzDay(), time: '20:00' },
    { compositeId: STANDARD, quantity: 2, date: jazzDay(), time: '20:00' },
  ];
  const body = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', atomic: true, items };
  const ordered = await gateway.call('/v1/orders', { method: 'POST', body });
  assert.equal(ordered.status, 200, ordered.text);
  assert.equal(ordered.json.status, 'complete', ordered.text);
  assert.equal((await there(ordered.json.items[0].bookingId)).status, 'CONFIRMED');
});

test('what the other cancels is cancelled here, although OCTO tells nothing', async () => {
  const { id } = (await book()).json;
  const cancelled = await supplier.call(`/octo/bookings/${id}/cancel`, { method: 'POST', body: {} });
  assert.equal(cancelled.status, 200, cancelled.text);
  const status = async () => (await gateway.call(`/venues/bookings/${id}`)).json.status;
  await eventually(async () => {
    await gateway.services.systemChanges.workDue();
    return (await status()) === 'cancelled';
  });
});

test('while the other is away nothing is booked, and the code says so', async () => {
  await supplier.app.close();
  const refused = await book();
  assert.equal(refused.status, 503, refused.text);
  assert.equal(refused.json.code, 'BOOK-R-002');
});
