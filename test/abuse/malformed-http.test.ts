import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listening, request } from './support/listening.ts';
import { answersIn } from './support/socket.ts';
import { assertSound } from './support/target.ts';

const { answerTo, assertAnswers, authorization, send, token, withToken } = listening();

test('what is not HTTP is refused as a problem', async () => {
  const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const post = (...headers: string[]) =>
    request('POST /oauth/token', ['Content-Type: application/json', ...headers], '{}');
  await assertAnswers({
    'control characters': ['\x00\x01\x02garbage\r\n\r\n', 'VALID-N-001'],
    'the beginning of TLS': [Buffer.from('16030102000100010003', 'hex'), 'VALID-N-001'],
    'HTTP/2 without TLS': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'VALID-N-001'],
    'a version that does not exist': ['GET /health/live HTTP/3.7\r\nHost: x\r\n\r\n', 'VALID-N-001'],
    'no version': ['GET /health/live HTTP\r\nHost: x\r\n\r\n', 'VALID-N-001'],
    'an unknown word for a method': [request('FETCH /venues'), 'VALID-N-001'],
    'a method in lower case': [request('get /venues'), 'VALID-N-001'],
    'a path without a slash': [request('GET venues'), 'VALID-N-001'],
    'a space in the path': [request('GET /venues/a b'), 'VALID-N-001'],
    'U+0000 in the path': [request('GET /venues/\0'), 'VALID-N-001'],
    'bytes above ASCII in the path': [request('GET /venues/\xe9'), 'VALID-N-001'],
    'U+0000 in a header': [request('GET /venues', ['X-A: a\0b']), 'VALID-N-001'],
    'a header without a colon': [request('GET /venues', ['nonsense']), 'VALID-N-001'],
    'a space before the colon': [request('GET /venues', ['X-A : b']), 'VALID-N-001'],
    'a folded header': [request('GET /venues', ['X-A: a\r\n b']), 'VALID-N-001'],
    'line feeds alone': ['GET /venues HTTP/1.1\nHost: x\n\n', 'VALID-N-001'],
    'a chunk of no length': [
      request('POST /oauth/token', chunked, 'zz\r\nhello\r\n0\r\n\r\n'),
      'VALID-N-001',
    ],
    'two lengths': [post('Content-Length: 2', 'Content-Length: 3'), 'VALID-N-001'],
    'a negative length': [post('Content-Length: -2'), 'VALID-N-001'],
    'a length beyond counting': [post(`Content-Length: ${'9'.repeat(30)}`), 'VALID-N-001'],
    'a length and chunks': [post('Content-Length: 2', 'Transfer-Encoding: chunked'), 'VALID-N-001'],
    'an unknown transfer encoding': [post('Transfer-Encoding: chunked, identity'), 'VALID-N-001'],
    'a header of 40 KB': [request('GET /venues', [`X-A: ${'a'.repeat(40_000)}`]), 'HTTP-N-431'],
    'a token of 40 KB': [
      request('GET /venues', [`Authorization: Bearer ${'a'.repeat(40_000)}`]),
      'HTTP-N-431',
    ],
    'three thousand headers': [request('GET /venues', Array(3000).fill('X-A: b')), 'HTTP-N-431'],
    'ten thousand headers': [request('GET /venues', Array(10_000).fill('X-A: b')), 'HTTP-N-431'],
    'a query of 20 KB': [withToken(`GET /venues?query=${'a'.repeat(20_000)}`), 'HTTP-N-414'],
    'a path of 20 KB': [withToken(`GET /venues/${'a'.repeat(20_000)}`), 'HTTP-N-414'],
    'an address of 50 KB': [withToken(`GET /venues?query=${'a'.repeat(50_000)}`), 'HTTP-N-414'],
    'an address of 500 KB': [withToken(`GET /venues?query=${'a'.repeat(500_000)}`), 'HTTP-N-414'],
  });
});

test('a request names exactly one host', async () => {
  const to = (version: string, ...hosts: string[]) =>
    [
      `GET /health/live HTTP/${version}`,
      ...hosts.map((host) => `Host: ${host}`),
      'Connection: close',
      '',
      '',
    ].join('\r\n');
  await assertAnswers({
    'HTTP/1.1 without': [to('1.1'), 'VALID-N-001'],
    two: [to('1.1', 'a.example', 'b.example'), 'VALID-N-001'],
    'the same twice': [to('1.1', 'a.example', 'a.example'), 'VALID-N-001'],
    'an empty one': [to('1.1', ''), 'VALID-N-001'],
    'with a path': [to('1.1', 'a.example/b'), 'VALID-N-001'],
    'with a user': [to('1.1', 'user@a.example'), 'VALID-N-001'],
    'with a port that is none': [to('1.1', 'a.example:99999'), 'VALID-N-001'],
    'no host at all': [to('1.1', 'ðŸ´'), 'VALID-N-001'],
    'HTTP/1.0 without': [to('1.0'), 200],
    'with a port': [to('1.1', 'a.example:8080'), 200],
    'an IPv6 address': [to('1.1', '[::1]:3000'), 200],
    'a name with an underscore': [to('1.1', 'maitred_node.local'), 200],
  });
});

test('pages do not fail over a host that cannot be an address', async () => {
  for (const page of ['/docs', '/docs/', '/problems', '/openapi.json']) {
    for (const host of [
      'Host: a b',
      'Host: []',
      'Host: 256.256.256.256',
      'Host: a:b',
      'Host:',
      'X-Nothing: 1',
    ]) {
      for (const version of ['1.0', '1.1']) {
        const [answer] = answersIn(
          await send(`GET ${page} HTTP/${version}\r\n${host}\r\nConnection: close\r\n\r\n`),
        );
        assert.ok(answer);
        assertSound(answer);
      }
    }
  }
});

test('two Authorization headers are no identity, whichever of them is good', async () => {
  const junk = 'Authorization: Bearer junk';
  for (const headers of [
    [authorization(), junk],
    [junk, authorization()],
    [authorization(), authorization()],
  ]) {
    const answer = await answerTo(request('GET /venues', headers));
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
  }
});

test('two X-Partner-Reference headers are no partner', async () => {
  const agent = `Authorization: Bearer ${await token('demo-agent')}`;
  const naming = (...references: string[]) =>
    request('GET /venues?pageSize=1&fields=id', [
      agent,
      ...references.map((name) => `X-Partner-Reference: ${name}`),
    ]);
  await assertAnswers({
    one: [naming('demo-partner'), 200],
    'the same twice': [naming('demo-partner', 'demo-partner'), 'IDENT-N-002'],
    'the allowed one first': [naming('demo-partner', 'other-partner'), 'IDENT-N-002'],
    'the allowed one last': [naming('other-partner', 'demo-partner'), 'IDENT-N-002'],
  });
});
