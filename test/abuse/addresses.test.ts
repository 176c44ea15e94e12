import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listening, request } from './support/listening.ts';
import { answersIn } from './support/socket.ts';

const { answerTo, assertAnswers, send, withToken } = listening();

test('an address is found as it is written or not at all', async () => {
  const soho = '1%7Chouse%7Csoho-grill?fields=id';
  await assertAnswers({
    'percent-encoded pipes': [withToken(`GET /venues/${soho}`), 200],
    'raw pipes': [withToken('GET /venues/1|house|soho-grill?fields=id'), 200],
    'lower-case percent-encoding': [withToken('GET /venues/1%7chouse%7csoho-grill?fields=id'), 200],
    'pipes encoded twice': [withToken('GET /venues/1%257Chouse%257Csoho-grill'), 'VALID-N-001'],
    'the absolute form': [withToken('GET http://localhost/venues?pageSize=1&fields=id'), 200],
    'two slashes': [withToken('GET //venues'), 'HTTP-N-404'],
    'a slash at the end': [withToken('GET /venues/'), 'HTTP-N-404'],
    'a slash at the end, without a token': [request('GET /venues/'), 'HTTP-N-404'],
    'an empty segment': [withToken('GET /venues//availability?date=2026-12-05&partySize=2'), 'HTTP-N-404'],
    'an empty operator': [withToken('GET /manage/operators//bookings'), 'HTTP-N-404'],
    'another case': [withToken('GET /Venues'), 'HTTP-N-404'],
    'dots that lead out': [withToken('GET /venues/../metrics'), 'HTTP-N-404'],
    'encoded dots': [withToken('GET /venues/%2e%2e/metrics'), 'HTTP-N-404'],
    'encoded dots and slash': [withToken('GET /venues/..%2fmetrics'), 'VALID-N-001'],
    'a path parameter': [withToken('GET /venues;a=b'), 'HTTP-N-404'],
    backslashes: [withToken('GET /venues\\..\\metrics'), 'HTTP-N-404'],
    'an encoded question mark': [withToken('GET /venues%3fpageSize=1'), 'HTTP-N-404'],
    'U+0000 encoded': [withToken('GET /venues/1%7Chouse%7Csoho-grill%00'), 'VALID-N-001'],
    'bytes that are no UTF-8': [withToken('GET /venues/%ff%fe'), 'VALID-N-001'],
    'an overlong slash': [withToken('GET /venues/%c0%af'), 'VALID-N-001'],
    'half an encoding': [withToken('GET /venues/%'), 'VALID-N-001'],
    'an id of 10 KB': [withToken(`GET /venues/${'a'.repeat(10_000)}`), 'VALID-N-001'],
    'a query of 10 KB': [withToken(`GET /venues?query=${'a'.repeat(10_000)}`), 'VALID-N-001'],
    'an asterisk': [request('OPTIONS *'), 'HTTP-N-404'],
    'the front page': [request('GET /'), 200],
  });
});

test('a known address refuses every method it does not have with 405, an unknown one with 404', async () => {
  for (const method of [
    'PROPFIND',
    'OPTIONS',
    'TRACE',
    'POST',
    'DELETE',
    'LOCK',
    'QUERY',
    'M-SEARCH',
    'PURGE',
  ]) {
    const refused = await answerTo(withToken(`${method} /venues`, ['Content-Length: 0']));
    assert.equal(refused.status, 405, method);
    assert.deepEqual(String(refused.headers.allow).split(', ').sort(), ['GET', 'HEAD']);
    assert.equal((await answerTo(request(`${method} /nowhere`, ['Content-Length: 0']))).status, 404, method);
  }
});

test('a body that is sent nowhere is not looked at', async () => {
  const to = (body: string) => {
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    return request('POST /nowhere', headers, body);
  };
  await assertAnswers({
    'no JSON': [to('{'), 'HTTP-N-404'],
    'a forbidden key': [to('{"__proto__":1}'), 'HTTP-N-404'],
    'more than is ever read': [request('POST /nowhere', ['Content-Length: 999999999']), 'HTTP-N-404'],
  });
});

test('CONNECT makes no tunnel', async () => {
  assert.equal(await send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'), '');
});

test('HEAD says what GET would say, without the body', async () => {
  for (const path of [
    '/venues?pageSize=1',
    '/venues?pageSize=0',
    '/venues/%ff',
    '/nowhere',
    '/oauth/token',
    '/health/live',
  ]) {
    const got = await answerTo(withToken(`GET ${path}`));
    const text = await send(withToken(`HEAD ${path}`));
    const [headed, ...others] = answersIn(text, true);
    assert.deepEqual(others, []);
    assert.ok(headed && text.endsWith('\r\n\r\n'));
    assert.equal(headed.status, got.status, path);
    for (const name of ['content-type', 'content-length', 'etag']) {
      assert.equal(headed.headers[name], got.headers[name], `${path} ${name}`);
    }
  }
});
