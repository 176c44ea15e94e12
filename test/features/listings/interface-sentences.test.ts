/** Sentences of the interface about listings and batch availability that no other test would miss. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator } from '../../../src/features/venues/service.ts';
import { assertProblem, type CallOptions, startTestApp } from '../../support/app.ts';
import { DINNER, freeDay, STANDARD, VIP } from '../bookings/support.ts';
import { JAZZ_NIGHT, listingsApp, plainVenue } from './support.ts';

const LIMIT = 1000;
const TWINS = ['a', 'b', 'c'].map((letter) => `920|house|twin-${letter}`);

const { app, get, ids, items } = listingsApp({ config: { rateLimit: LIMIT } }, async ({ sql }) => {
  // Not stored in the order in which they are to be listed.
  const venues = ['c', 'a', 'b'].map((letter) => plainVenue(`twin-${letter}`, { name: 'Twins' }));
  await inTransaction(sql, (tx) =>
    importOperator(tx, { id: 920, name: 'Twins', systems: ['house'], venues }),
  );
});

const BATCH = { date: freeDay(), quantity: 2, bookableProducts: [{ compositeId: DINNER }] };
const check = (options: CallOptions = {}) =>
  app().call('/v1/availabilities', { method: 'POST', body: BATCH, ...options });

test('a listing has three segments, and what is booked of it has the same three and a fourth', async () => {
  const listings = (await items()).flatMap(({ capabilities }) => capabilities);
  assert.ok(listings.length > 40);
  for (const { id, bookableProducts } of listings) {
    assert.equal(id.split('|').length, 3, id);
    for (const { compositeId } of bookableProducts)
      assert.deepEqual(compositeId.split('|').toSpliced(3, 1), id.split('|'), compositeId);
  }
});

test('an event is listed and read like a venue, with its ticket types for products', async () => {
  const productsOf = ({ products }: { products: { compositeId: string }[] }) =>
    products.map(({ compositeId }) => compositeId);
  const alone = await app().call(`/venues/${encodeURIComponent(JAZZ_NIGHT)}`);
  assert.deepEqual(productsOf(alone.json), [STANDARD, VIP]);
  const { data } = (await app().call('/venues?venueName=jazz%20night')).json;
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [JAZZ_NIGHT],
  );
  assert.deepEqual(productsOf(data[0]), [STANDARD, VIP]);
});

test('without a sort, items come by id', async () => {
  const listed = (await ids()).map(([head]) => String(head));
  assert.deepEqual(listed, listed.toSorted());
  assert.deepEqual(await ids('?sortBy=default'), await ids());
});

for (const sortBy of ['name', 'city', 'area'])
  test(`items that are equal by ${sortBy} and name come by id, and turn with the direction`, async () => {
    const listed = async (direction: string) =>
      (await ids(`?city=plainville&sortBy=${sortBy}&sortDirection=${direction}`, 'demo-admin')).flat();
    assert.deepEqual(await listed('ASC'), TWINS);
    assert.deepEqual(await listed('DESC'), TWINS.toReversed());
  });

for (const [query, field] of [
  [`?city=${'x'.repeat(101)}`, 'city'],
  ['?area=x', 'area'],
] as const)
  test(`${query.slice(0, 20)} is refused and names ${field}`, async () => {
    const { errors } = assertProblem(await get(query), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field]);
  });

test('two letters are enough for a query', async () => {
  assert.equal((await get('?query=qq')).status, 200);
});

test('an unknown ticket type is a problem of its entry alone', async () => {
  const bookableProducts = [{ compositeId: `${JAZZ_NIGHT}|balcony` }, { compositeId: DINNER }];
  const { results } = (await check({ body: { ...BATCH, bookableProducts } })).json;
  assert.deepEqual([results[0].error.code, results[0].error.status], ['AVAIL-N-001', 404]);
  assert.ok(results[1].availability.times.length > 0);
});

test('batches carry the correlation id and the limits, whatever they answer', async () => {
  const headers = { 'x-correlation-id': 'mine-1' };
  for (const [status, options] of [
    [200, {}],
    [400, { body: {} }],
    [401, { as: null }],
    [403, { as: 'demo-operator' }],
  ] as const) {
    const answer = await check({ ...options, headers });
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.headers['x-correlation-id'], 'mine-1');
    assert.equal(Number(answer.headers['x-ratelimit-limit']), LIMIT);
    for (const name of ['remaining', 'reset'])
      assert.match(String(answer.headers[`x-ratelimit-${name}`]), /^\d+$/, name);
  }
});

test('batches take the scope listing:read and no other', async () => {
  const callWith = async (scope: string) => {
    const body = {
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
      scope,
    };
    const { json } = await app().call('/oauth/token', { method: 'POST', as: null, body });
    return check({ as: null, headers: { authorization: `Bearer ${json.access_token}` } });
  };
  const verbs = ['create', 'read', 'update', 'delete'].map((verb) => `venue-booking:${verb}`);
  assertProblem(await callWith(['venue:read', 'partner:create', ...verbs].join(' ')), 403, 'USER-N-009');
  assert.equal((await callWith('listing:read')).status, 200);
});

test('an answer that is sent again counts too, and beyond the limit there is none', async (t) => {
  const small = await startTestApp({ config: { rateLimit: 2 } });
  t.after(() => small.close());
  for (const remaining of ['1', '0']) {
    const answer = await small.call('/v1/listings');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(String(answer.headers['x-ratelimit-remaining']), remaining);
  }
  for (const refused of [
    await small.call('/v1/listings'),
    await small.call('/v1/availabilities', { method: 'POST', body: BATCH }),
  ]) {
    assertProblem(refused, 429, 'RATE-R-001');
    assert.equal(String(refused.headers['x-ratelimit-limit']), '2');
    assert.equal(String(refused.headers['x-ratelimit-remaining']), '0');
    assert.match(String(refused.headers['x-ratelimit-reset']), /^\d+$/);
  }
});

const ORDER = '/v1/orders/019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e';

for (const [method, path, allowed] of [
  ['POST', '/v1/listings', ['GET', 'HEAD']],
  ['GET', '/v1/availabilities', ['POST']],
  ['GET', '/v1/orders', ['POST']],
  ['PUT', ORDER, ['DELETE', 'GET', 'HEAD', 'PATCH']],
] as const)
  test(`${method} ${path.slice(0, 20)} is refused within the statuses of this interface`, async () => {
    const answer = await app().call(path, { method });
    assertProblem(answer, 400, 'HTTP-N-405');
    assert.deepEqual(String(answer.headers.allow).split(', ').toSorted(), allowed);
  });

for (const accept of ['text/toon', 'application/vnd.service.toon+json'])
  test(`what fails is JSON, also for those who accept ${accept}`, async () => {
    const headers = { accept };
    assertProblem(await app().call('/v1/listings?pageSize=0', { headers }), 400, 'VALID-N-001');
    assertProblem(await check({ body: {}, headers }), 400, 'VALID-N-001');
    assertProblem(await app().call('/v1/orders', { method: 'POST', body: {}, headers }), 400, 'VALID-N-001');
    assertProblem(await app().call(ORDER, { method: 'DELETE', headers }), 400, 'BOOK-N-006');
  });
