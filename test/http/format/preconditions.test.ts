import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const VENUE = '/venues/1%7Chouse%7Csoho-grill';

test('a read whose If-Match does not hold is 412, fresh or kept', async () => {
  const { etag } = (await maitred.call(VENUE)).headers;
  for (const stale of ['"another"', `W/${etag}`, '"a", "b"', '']) {
    assertProblem(await maitred.call(VENUE, { headers: { 'if-match': stale } }), 412, 'HTTP-N-412');
    const headers = { 'if-match': stale, 'if-none-match': String(etag) };
    assertProblem(await maitred.call(VENUE, { headers }), 412, 'HTTP-N-412');
  }
  for (const good of [String(etag), '*', `"another", ${etag}`]) {
    assert.equal((await maitred.call(VENUE, { headers: { 'if-match': good } })).status, 200);
    const headers = { 'if-match': good, 'if-none-match': String(etag) };
    assert.equal((await maitred.call(VENUE, { headers })).status, 304);
  }
});

test('If-Match holds whichever encoding the tag came with, and a refusal is not marked as encoded', async () => {
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const ask = (encoding: string, tag?: unknown) =>
    maitred.app.inject({
      url: VENUE,
      headers: {
        authorization,
        'accept-encoding': encoding,
        ...(tag !== undefined && { 'if-match': String(tag) }),
      },
    });
  const encoded = await ask('gzip');
  assert.equal(encoded.headers['content-encoding'], 'gzip');
  for (const { etag } of [encoded.headers, (await ask('identity')).headers])
    for (const encoding of ['gzip', 'identity'])
      assert.equal((await ask(encoding, etag)).statusCode, 200, `${etag} ${encoding}`);
  const refused = await ask('gzip', '"another"');
  assert.equal(refused.statusCode, 412);
  assert.equal(refused.headers['content-encoding'], undefined);
  assert.equal(refused.json().code, 'HTTP-N-412');
});

test('an answer without a tag matches no tag, and one without a date no date', async () => {
  const headers = { 'if-match': '"json-1"' };
  assertProblem(await maitred.call('/venues/bookings', { headers }), 412, 'HTTP-N-412');
  const since = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' };
  assert.equal((await maitred.call(VENUE, { headers: since })).status, 200);
});

test('what is refused for another reason is refused for that', async () => {
  const headers = { 'if-match': '"another"' };
  assertProblem(await maitred.call(VENUE, { headers, as: null }), 401, 'IDENT-N-001');
  assertProblem(await maitred.call('/venues/1%7Chouse%7Cnowhere', { headers }), 404, 'VENUE-N-001');
});

test('under /manage a read with the tag of an older state is 412', async () => {
  const path = '/manage/operators/1';
  const read = (etag: string) => maitred.call(path, { as: 'demo-admin', headers: { 'if-match': etag } });
  const { etag } = (await maitred.call(path, { as: 'demo-admin' })).headers;
  assert.equal((await read(String(etag))).status, 200);
  assertProblem(await read('"doc-1"'), 412, 'HTTP-N-412');
});
