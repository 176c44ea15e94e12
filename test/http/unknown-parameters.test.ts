import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operatorDocumentExample } from '../../src/features/transfer/examples.ts';
import { assertProblem, type CallOptions, startTestApp, type TestApp } from '../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const AVAILABILITY = `/venues/${encodeURIComponent('1|house|soho-grill|dinner')}/availability`;

async function errorsOf(path: string, options: CallOptions = {}): Promise<Record<string, string[]>> {
  return assertProblem(await maitred.call(path, options), 400, 'VALID-N-001').errors;
}

test('an unknown query parameter is refused, and the nearest known one named', async () => {
  const refused: [path: string, name: string, nearest: string][] = [
    ['/venues?citty=London', 'citty', 'city'],
    ['/venues?City=London', 'City', 'city'],
    ['/venues?page=2', 'page', 'pageNumber'],
    ['/venues?limit=5', 'limit', 'pageSize'],
    ['/venues?per_page=5', 'per_page', 'pageSize'],
    ['/venues?q=grill', 'q', 'query'],
    ['/webhooks/events?pageSize=5', 'pageSize', 'limit'],
    [`${AVAILABILITY}?date=2026-12-05&covers=2`, 'covers', 'partySize'],
    [`${AVAILABILITY}?date=2026-12-05&guests=2`, 'guests', 'partySize'],
    [`${AVAILABILITY}?date=2026-12-05&party_size=2`, 'party_size', 'partySize'],
  ];
  for (const [path, name, nearest] of refused) {
    const errors = await errorsOf(path);
    assert.deepEqual(errors[name], [`is not a parameter of this address; the nearest is ${nearest}`], path);
  }
});

test('covers is named as unknown beside the partySize that is then missing', async () => {
  const errors = await errorsOf(`${AVAILABILITY}?date=2026-12-05&covers=2`);
  assert.deepEqual(Object.keys(errors).sort(), ['covers', 'partySize']);
});

test('an unknown parameter that is like none is answered with those that there are', async () => {
  const one = await errorsOf('/venues/1%7Chouse%7Csoho-grill?utm_source=mail');
  assert.deepEqual(one.utm_source, ['is not a parameter of this address, which takes fields']);
  const none = await errorsOf('/venues/category?x=1');
  assert.deepEqual(none.x, ['is not a parameter of this address, which takes none']);
});

test('twenty unknown parameters are named, and the others counted', async () => {
  const many = Array.from({ length: 50 }, (_, index) => `unheard${index}=1`).join('&');
  const errors = await errorsOf(`/venues?${many}`);
  assert.equal(Object.keys(errors).length, 21);
  assert.deepEqual(errors.query, ['has 30 more unknown parameters']);
});

test('an import with ?dryrun=true imports nothing', async () => {
  const count = async () => (await maitred.sql`select count(*)::int as n from operator`)[0]?.n;
  const before = await count();
  const options = { method: 'POST', as: 'demo-admin', body: operatorDocumentExample } as const;
  const errors = await errorsOf('/manage/imports?dryrun=true', options);
  assert.deepEqual(errors.dryrun, ['is not a parameter of this address; the nearest is dryRun']);
  assert.equal(await count(), before);
});

test('the token endpoint says it in the form of OAuth', async () => {
  const answer = await maitred.call('/oauth/token?client_id=demo-partner', {
    method: 'POST',
    as: null,
    body: { grant_type: 'client_credentials' },
  });
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.json.error, 'invalid_request');
  assert.match(answer.json.error_description, /^client_id is not a parameter of this address/);
});

test('public pages and files pass over what browsers and caches add', async () => {
  for (const path of ['/problems', '/problems/VALID-N-001', '/health/live', '/.well-known/jwks.json']) {
    const answer = await maitred.call(`${path}?utm_source=mail&x=%ff`, { as: null });
    assert.equal(answer.status, 200, path);
  }
});

test('a query that is not UTF-8 is refused by the name of its parameter', async () => {
  for (const query of ['city=%ff', 'city=%c3%28', 'city=%ed%a0%80', 'city=100%', 'pageSize=5&city=%F0%9F']) {
    const errors = await errorsOf(`/venues?${query}`);
    assert.deepEqual(errors, { city: ['is not UTF-8 in percent-encoding'] }, query);
  }
  assert.deepEqual(Object.keys(await errorsOf('/venues?%ff=1')), ['query']);
  assert.equal((await maitred.call('/venues?city=K%C3%B6ln')).status, 200);
});
