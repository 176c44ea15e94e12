import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { listingsApp } from './support.ts';

const { app, get } = listingsApp({ config: { rateLimit: 1000 } });
const call = (headers: Record<string, string>, query = '') => app().call(`/v1/listings${query}`, { headers });

test('JSON, TOON and TOON wrapped in JSON say the same', async () => {
  const json = await get('?city=london');
  const toon = await call({ accept: 'text/toon' }, '?city=london');
  const wrapped = await call({ accept: 'application/vnd.service.toon+json' }, '?city=london');
  assert.match(String(json.headers['content-type']), /^application\/json/);
  assert.match(String(toon.headers['content-type']), /^text\/toon/);
  assert.match(String(wrapped.headers['content-type']), /^application\/vnd\.service\.toon\+json/);
  assert.deepEqual(decode(toon.text), json.json);
  assert.deepEqual(Object.keys(wrapped.json), ['toon']);
  assert.equal(wrapped.json.toon, toon.text);
});

test('fields are selected inside each group, and the page is always described', async () => {
  const { meta, listings } = (
    await get('?pageSize=5&fields=items(name,capabilities(id,bookableProducts(compositeId)))')
  ).json;
  assert.equal(meta.pageSize, 5);
  for (const group of listings) {
    assert.deepEqual(Object.keys(group), ['items']);
    for (const item of group.items) {
      assert.deepEqual(Object.keys(item), ['name', 'capabilities']);
      for (const listing of item.capabilities) {
        assert.deepEqual(Object.keys(listing), ['id', 'bookableProducts']);
        for (const bookable of listing.bookableProducts)
          assert.deepEqual(Object.keys(bookable), ['compositeId']);
      }
    }
  }
});

for (const fields of ['nonsense', 'items(nonsense)', 'groupName(length)', 'items(', 'meta']) {
  test(`fields=${fields} is refused`, async () => {
    assertProblem(await get(`?fields=${fields}`), 400, 'FSEL-N-001');
  });
}

test('the correlation id comes back, and calls are counted, with every kind of answer', async () => {
  const etag = String((await get()).headers.etag);
  const calls = [
    [await call({ 'x-correlation-id': 'mine-1' }), 200],
    [await call({ 'x-correlation-id': 'mine-1', 'if-none-match': etag }), 304],
    [await call({ 'x-correlation-id': 'mine-1' }, '?pageSize=0'), 400],
  ] as const;
  for (const [answer, status] of calls) {
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.headers['x-correlation-id'], 'mine-1');
    for (const name of ['limit', 'remaining', 'reset']) {
      assert.match(String(answer.headers[`x-ratelimit-${name}`]), /^\d+$/, name);
    }
  }
  assert.match(String((await get()).headers['x-correlation-id']), /./);
});

test('a caller that has the answer is not sent it again, until something changes', async () => {
  const etag = String((await get('?city=bristol')).headers.etag);
  const again = await call({ 'if-none-match': etag }, '?city=bristol');
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
  await app().sql`update venue set website = 'https://new.example' where city = 'Bristol'`;
  await eventually(async () => (await get('?city=bristol')).headers.etag !== etag);
  assert.match((await get('?city=bristol')).text, /new\.example/);
});

test('failures keep to the statuses of the listings interface', async () => {
  assertProblem(await call({ accept: 'image/png' }), 400, 'HTTP-N-406');
  assert.equal((await app().call('/v1/listings', { as: null })).status, 401);
  assert.equal(
    (await app().call('/v1/listings', { as: 'demo-agent' })).status,
    403,
    'an agent names its partner',
  );
});

test('it takes the scope listing:read', async () => {
  const tokenFor = async (scope: string) => {
    const answer = await app().call('/oauth/token', {
      method: 'POST',
      as: null,
      body: {
        grant_type: 'client_credentials',
        client_id: 'demo-partner',
        client_secret: 'demo-partner-secret',
        audience: 'maitred',
        scope,
      },
    });
    return { authorization: `Bearer ${answer.json.access_token}` };
  };
  const without = await app().call('/v1/listings', { as: null, headers: await tokenFor('venue:read') });
  assertProblem(without, 403, 'USER-N-009');
  const allowed = await app().call('/v1/listings', { as: null, headers: await tokenFor('listing:read') });
  assert.equal(allowed.status, 200);
});
