import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { type Answer, assertProblem, type CallOptions, startTestApp } from '../../support/app.ts';
import { type Body, bookingsApp } from '../bookings/support.ts';
import { ada, cancel, change, dinner, done, ordered, read, tickets } from './support.ts';

const app = bookingsApp({
  config: { rateLimit: 1000 },
  deps: { resolve: async () => ['93.184.215.14'] },
});

const SCOPES = {
  POST: 'venue-booking:create',
  GET: 'venue-booking:read',
  PATCH: 'venue-booking:update',
  DELETE: 'venue-booking:delete',
} as const;
type Verb = keyof typeof SCOPES;
const VERBS = Object.keys(SCOPES) as Verb[];

/** A call of each kind that works, on an order of its own. */
async function working(method: Verb): Promise<{ path: string; options: CallOptions }> {
  if (method === 'POST')
    return {
      path: '/v1/orders',
      options: { method, body: { ...ada, items: [dinner(), dinner({ quantity: 900 })] } },
    };
  const made = await ordered(app(), [dinner(), tickets()]);
  const [{ bookingId }] = made.items;
  const body = { PATCH: { items: [{ bookingId, firstName: 'Grace' }] }, DELETE: undefined, GET: undefined }[
    method
  ];
  return { path: `/v1/orders/${made.orderId}`, options: { method, body } };
}

async function call(
  method: Verb,
  headers: Record<string, string> = {},
  more: CallOptions = {},
): Promise<Answer> {
  const { path, options } = await working(method);
  return app().call(path, { ...options, ...more, headers });
}

/** Without what differs from one order to the next. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
};

for (const method of VERBS) {
  test(`${method} answers in JSON, in TOON and in TOON wrapped in JSON`, async () => {
    const json = await call(method);
    const toon = await call(method, { accept: 'text/toon' });
    const wrapped = await call(method, { accept: 'application/vnd.service.toon+json' });
    for (const answer of [json, toon, wrapped]) assert.equal(answer.status, 200, answer.text);
    assert.match(String(json.headers['content-type']), /^application\/json/);
    assert.match(String(toon.headers['content-type']), /^text\/toon/);
    assert.match(String(wrapped.headers['content-type']), /^application\/vnd\.service\.toon\+json/);
    assert.deepEqual(shapeOf(decode(toon.text)), shapeOf(json.json));
    assert.deepEqual(Object.keys(wrapped.json), ['toon']);
    assert.deepEqual(shapeOf(decode(wrapped.json.toon)), shapeOf(json.json));
    for (const answer of [json, toon, wrapped]) {
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers.etag, undefined);
    }
  });

  test(`${method} refuses other forms before it does anything, and within the statuses of the interface`, async () => {
    const { path, options } = await working(method);
    const [before] = await app().sql`select count(*) from event`;
    const refused = await app().call(path, { ...options, headers: { accept: 'image/png' } });
    assertProblem(refused, 400, 'HTTP-N-406');
    assert.deepEqual((await app().sql`select count(*) from event`)[0], before);
  });

  test(`${method} carries the correlation id and the limits, whatever it answers`, async () => {
    const id = { 'x-correlation-id': 'mine-1' };
    const answers = [
      [await call(method, id), 200],
      [await call(method, { ...id, accept: 'image/png' }), 400],
      [await call(method, id, { as: 'demo-operator' }), 403],
    ] as const;
    for (const [answer, status] of answers) {
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers['x-correlation-id'], 'mine-1');
      assert.equal(answer.headers['x-ratelimit-limit'], '1000');
      for (const name of ['remaining', 'reset'])
        assert.match(String(answer.headers[`x-ratelimit-${name}`]), /^\d+$/);
    }
    const unknown = await call(method, id, { as: null });
    assertProblem(unknown, 401, 'IDENT-N-001');
    assert.equal(unknown.headers['x-correlation-id'], 'mine-1');
  });

  test(`${method} needs ${SCOPES[method]} and no other scope`, async () => {
    const tokenWith = async (scopes: string[]) => {
      const body = {
        grant_type: 'client_credentials',
        client_id: 'demo-partner',
        client_secret: 'demo-partner-secret',
        audience: 'maitred',
        scope: scopes.join(' '),
      };
      const { json } = await app().call('/oauth/token', { method: 'POST', as: null, body });
      return { authorization: `Bearer ${json.access_token}` };
    };
    const others = ['venue:read', 'listing:read', ...Object.values(SCOPES)].filter(
      (scope) => scope !== SCOPES[method],
    );
    assertProblem(await call(method, await tokenWith(others)), 403, 'USER-N-009');
    const own = await call(method, await tokenWith([SCOPES[method]]));
    assert.equal(own.status, 200, own.text);
  });
}

test('an operator may neither read nor make orders, and the platform neither', async () => {
  const made = await ordered(app(), [dinner()]);
  for (const as of ['demo-operator', 'demo-admin'])
    assertProblem(await read(app(), made.orderId, { as }), 403, 'IDENT-N-002');
});

test('problems outside an item have the statuses of this interface, and in one their own', async () => {
  const missing = '019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e';
  for (const answer of [
    await read(app(), missing),
    await cancel(app(), missing),
    await change(app(), missing, [{ bookingId: missing }]),
  ])
    assertProblem(answer, 400, 'BOOK-N-006');
  const made = await ordered(app(), [dinner({ quantity: 900 }), { ...dinner(), compositeId: '1|house|x|y' }]);
  assert.deepEqual(
    made.items.map(({ error }: Body) => error.status),
    [409, 404],
  );
});

test('bodies that are too large or not JSON keep to the statuses of this interface', async () => {
  const notes = 'x'.repeat(2_000_000);
  const large = await app().call('/v1/orders', {
    method: 'POST',
    body: { ...ada, notes, items: [dinner()] },
  });
  assertProblem(large, 400, 'HTTP-N-413');
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    const { path } = await working(method);
    const form = {
      method,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'items=1',
    };
    assertProblem(await app().call(path, form), 400, 'HTTP-N-415');
    const broken = { method, headers: { 'content-type': 'application/json' }, body: '{"items":' };
    assertProblem(await app().call(path, broken), 400, 'VALID-N-001');
  }
});

test('every booking is told of once when it is made, changed and cancelled, and what fails is not', async () => {
  const events = async () =>
    (
      await app().sql<
        { bookingId: string }[]
      >`select booking_id as "bookingId" from event order by occurred_at, id`
    ).map(({ bookingId }) => bookingId);
  const toldOf = async (work: () => Promise<unknown>) => {
    const past = (await events()).length;
    await work();
    return (await events()).slice(past).toSorted();
  };
  let made: Body = {};
  const created = await toldOf(async () => {
    made = await ordered(app(), [dinner(), tickets(), dinner({ quantity: 900 })]);
  });
  const [one, two] = made.items.map(({ bookingId }: Body) => bookingId);
  assert.deepEqual(created, [one, two].toSorted());
  const changes = [
    { bookingId: one, firstName: 'Grace' },
    { bookingId: two, quantity: 3 },
  ];
  assert.deepEqual(await toldOf(() => done(change(app(), made.orderId, changes))), [one]);
  assert.deepEqual(await toldOf(() => done(cancel(app(), made.orderId))), [one, two].toSorted());
});

test('a subscription gets one delivery for each booking of an order', async () => {
  const body = { callbackUrl: 'https://receiver.example/hook', eventTypes: ['booking.updated'] };
  const webhook = await app().call('/webhooks/subscriptions', { method: 'POST', body });
  assert.equal(webhook.status, 201, webhook.text);
  const { items } = await ordered(app(), [dinner(), tickets(), dinner({ quantity: 900 })], { atomic: false });
  const ids = items.flatMap(({ bookingId }: Body) => bookingId ?? []);
  const deliveries = await app().sql<{ id: string }[]>`
    select e.booking_id as id from delivery d join event e on e.id = d.event_id where e.booking_id = any(${ids}::uuid[])`;
  assert.deepEqual(deliveries.map(({ id }) => id).toSorted(), ids.toSorted());
});

test('too many calls are refused with the limits', async (t) => {
  const small = await startTestApp({ config: { rateLimit: 1 } });
  t.after(() => small.close());
  const path = '/v1/orders/019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e';
  assertProblem(await small.call(path), 400, 'BOOK-N-006');
  const refused = await small.call(path);
  assertProblem(refused, 429, 'RATE-R-001');
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
});
