import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Type } from 'typebox';
import { problemBody } from '../../src/http/problems/problem-body.ts';
import { Problem, problem } from '../../src/kernel/problem.ts';
import { problemCodes } from '../../src/kernel/problem-catalogue.ts';
import { recordSeen, seenCode } from '../support/seen-codes.ts';
import { smallApp } from './small-app.ts';

const config = { access: 'public' } as const;

const failing = (error: unknown, interfaceName: 'venue' | 'listings' = 'venue') =>
  smallApp((app) => {
    app.get('/fails', { config: { ...config, interface: interfaceName } }, () => {
      throw error;
    });
  });

test('a problem is answered with its code, its page and what is particular to the case', async () => {
  const { app } = failing(
    problem('BKRUL-N-005', { detail: 'At most eight.', extensions: { violations: [{ ruleId: 'r1' }] } }),
  );
  const answer = await app.inject('/fails');
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.deepEqual(answer.json(), {
    type: 'https://api.example.test/problems/BKRUL-N-005',
    title: 'Party size not taken',
    status: 400,
    detail: 'At most eight.',
    code: 'BKRUL-N-005',
    isRetryable: false,
    violations: [{ ruleId: 'r1' }],
  });
  assert.equal(answer.headers['retry-after'], undefined);
  assert.equal(answer.headers['cache-control'], 'no-store');
});

test('what may be retried says when', async () => {
  const retryAfter = async (error: Problem) =>
    (await failing(error).app.inject('/fails')).headers['retry-after'];
  assert.equal(await retryAfter(problem('VENUE-N-010')), '1');
  assert.equal(await retryAfter(problem('BOOK-R-002')), '5');
  assert.equal(await retryAfter(problem('BOOK-R-002', { retryAfterSeconds: 11.2 })), '12');
});

test('an unforeseen error tells the caller nothing of the inside', async () => {
  const { app, logText } = failing(new Error('connection to 10.0.0.7 refused'));
  const answer = await app.inject('/fails');
  assert.equal(answer.statusCode, 500);
  assert.equal(seenCode(answer), 'HTTP-R-500');
  assert.doesNotMatch(answer.body, /10\.0\.0\.7/);
  assert.match(logText(), /10\.0\.0\.7/);
});

test('things that are no errors can be thrown without harm', async () => {
  for (const thrown of ['a text', 42, { code: 'BOOK-N-001' }, { code: 'toString' }]) {
    assert.equal((await failing(thrown).app.inject('/fails')).json().code, 'HTTP-R-500');
  }
});

test('a failing query leaves no data of its row in the log', async () => {
  const error = Object.assign(new Error('invalid input syntax for type date: "Ada Lovelace"'), {
    name: 'PostgresError',
    code: '22007',
    severity: 'ERROR',
    routine: 'DateTimeParseError',
    table_name: 'booking',
    detail: 'Key (email)=(ada@example.test) already exists.',
    where: 'unnamed portal parameter $1 = ada@example.test',
    query: 'insert into booking …',
    parameters: ['ada@example.test'],
  });
  const wrapped = new Error('could not store', { cause: error });
  const { app, logText } = failing(wrapped);
  await app.inject('/fails');
  assert.doesNotMatch(logText(), /ada@|lovelace/i);
  assert.match(logText(), /"table_name":"booking"/);
  assert.match(logText(), /22007/);
});

test('no listing call fails with a status outside the list', () => {
  const statuses = new Set<number>();
  for (const code of problemCodes) {
    const listed = problemBody(new Problem(code), { publicUrl: '', interface: 'listings' });
    assert.equal(listed.code, code);
    statuses.add(listed.status);
  }
  assert.deepEqual([...statuses].sort(), [400, 401, 403, 429, 500, 503]);
});

test('the status line and the body of a listing problem agree', async () => {
  const answer = await failing(problem('VENUE-N-001'), 'listings').app.inject('/fails');
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.json().status, 400);
});

test('problems stay whole JSON whatever the route was about to send', async () => {
  const { app } = smallApp((routes) => {
    const schema = { response: { 409: Type.Object({ code: Type.String() }) } };
    routes.get('/toon', { config, schema }, (_request, reply) => {
      reply.serializer(() => 'toon').header('etag', '"1"');
      throw problem('BOOK-N-002');
    });
  });
  const answer = await app.inject('/toon');
  assert.equal(answer.json().title, 'Booking exists already');
  assert.equal(answer.headers.etag, undefined);
});

test('an unknown path is a problem with the headers of every answer', async () => {
  const { app } = smallApp(() => {});
  const answer = await app.inject({
    method: 'POST',
    url: '/nowhere?email=ada@example.test',
    payload: { a: 1 },
  });
  assert.equal(answer.statusCode, 404);
  assert.equal(seenCode(answer), 'HTTP-N-404');
  assert.ok(answer.headers['x-correlation-id']);
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
});

test('a path that cannot be decoded and one that is too long are refused in the same shape', async () => {
  const { app } = smallApp((routes) => {
    routes.get('/venues/:id', { config }, () => ({}));
  });
  for (const url of ['/venues/%E0%A4%A', `/venues/${'x'.repeat(2000)}`]) {
    const answer = await app.inject({ url, headers: { 'x-correlation-id': 'mine' } });
    assert.equal(answer.statusCode, 400);
    assert.equal(seenCode(answer), 'VALID-N-001');
    assert.ok(answer.json().errors.path);
    assert.equal(answer.headers['x-correlation-id'], 'mine');
    assert.equal(answer.headers['x-frame-options'], 'DENY');
  }
});

test('a method that a path does not have is refused with those it has, before the body is read', async (t) => {
  const { app } = smallApp((routes) => {
    routes.get('/things/:id', { config }, () => ({}));
    routes.put('/things/:thingId', { config }, () => ({}));
    routes.post('/v1/orders', { config: { ...config, interface: 'listings' } }, () => ({}));
    routes.get('/files/*', { config }, () => ({}));
  });
  const answer = await app.inject({
    method: 'DELETE',
    url: '/things/1',
    headers: { 'content-type': 'text/xml' },
    payload: '<',
  });
  assert.equal(answer.statusCode, 405);
  assert.equal(seenCode(answer), 'HTTP-N-405');
  assert.equal(answer.headers.allow, 'GET, HEAD, PUT');
  assert.equal((await app.inject({ method: 'PUT', url: '/things/1' })).statusCode, 200);
  assert.equal((await app.inject({ method: 'HEAD', url: '/things/1' })).statusCode, 200);
  assert.equal((await app.inject({ method: 'OPTIONS', url: '/files/a/b' })).headers.allow, 'GET, HEAD');

  const address = await app.listen({ port: 0 });
  t.after(() => app.close());
  const head = await fetch(`${address}/v1/orders`, { method: 'HEAD' });
  assert.equal(head.status, 400);
  assert.equal(head.headers.get('allow'), 'POST');
  assert.equal(await head.text(), '');
});

test('answers without a body have none', async () => {
  const { app } = smallApp((routes) => {
    routes.delete('/thing', { config }, (_request, reply) => reply.code(204).send());
    routes.get('/thing', { config }, (_request, reply) => reply.code(304).send());
  });
  for (const method of ['DELETE', 'GET', 'HEAD'] as const) {
    const answer = await app.inject({ method, url: '/thing' });
    assert.equal(answer.body, '');
    assert.equal(answer.headers['content-type'], undefined);
  }
});

/** Everything the server says to these bytes until it closes the connection. */
async function say(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  await once(socket, 'close');
  return heard;
}

test('what is not HTTP is answered with a problem too', async (t) => {
  const { app } = smallApp(() => {});
  await app.listen({ port: 0 });
  t.after(() => app.close());
  const port = (app.server.address() as { port: number }).port;
  const [head, body] = (await say(port, 'NOT HTTP AT ALL\r\n\r\n')).split('\r\n\r\n') as [string, string];
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(head, /content-type: application\/problem\+json/);
  assert.match(head, /x-correlation-id: [0-9a-f-]{36}/);
  assert.equal(JSON.parse(body).code, 'VALID-N-001');
  recordSeen('VALID-N-001');
  const long = await say(port, `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`);
  assert.match(long, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  assert.match(long, /HTTP-N-431/);
});

test('a caller who hangs up within a body is no error of ours', async (t) => {
  const small = smallApp((routes) => {
    routes.post('/things', { config }, () => ({}));
  });
  await small.app.listen({ port: 0 });
  t.after(() => small.app.close());
  const socket = connect((small.app.server.address() as { port: number }).port, '127.0.0.1');
  socket.write(
    'POST /things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
  );
  await once(small.app.server, 'request');
  socket.destroy();
  while (!small.logText().includes('caller went away')) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    small.log().filter((line) => Number(line.level) >= 50),
    [],
  );
});
