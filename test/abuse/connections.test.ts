import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listening, request } from './support/listening.ts';
import { answersIn } from './support/socket.ts';

const { answerTo, authorization, converse, send, withToken } = listening();

const CREDENTIALS = JSON.stringify({
  grant_type: 'client_credentials',
  client_id: 'demo-partner',
  client_secret: 'demo-partner-secret',
  audience: 'maitred',
});
const tokenRequest = (length: number, headers: string[] = []) =>
  [
    'POST /oauth/token HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

test('a body sent after 100 Continue is read, and an unknown expectation is passed over', async () => {
  const patient = converse();
  patient.socket.write(tokenRequest(CREDENTIALS.length, ['Expect: 100-continue', 'Connection: close']));
  await patient.said(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  patient.socket.write(CREDENTIALS);
  const [, answer] = answersIn(await patient.ended());
  assert.equal(answer?.status, 200);
  const curious = await answerTo(
    tokenRequest(CREDENTIALS.length, ['Expect: a-miracle', 'Connection: close']) + CREDENTIALS,
  );
  assert.equal(curious.status, 200);
});

test('no 100 Continue is sent for a body that will not be read', async () => {
  const expecting = (line: string, length: number, headers: string[] = []) =>
    [
      `${line} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      'Expect: 100-continue',
      ...headers,
      '',
      '',
    ].join('\r\n');
  const booking = 'POST /venues/1%7Chouse%7Csoho-grill%7Cdinner/booking';
  const refused: [bytes: string, status: number][] = [
    [expecting('POST /oauth/token', 20_000), 400],
    [expecting(booking, 70_000, [authorization()]), 413],
    [expecting(booking, 100), 401],
    [expecting('POST /nowhere', 100), 404],
  ];
  for (const [bytes, status] of refused) {
    const answer = await answerTo(bytes);
    assert.equal(answer.status, status, bytes);
    assert.equal(answer.headers.connection, 'close');
  }
});

/** The head of a booking. */
const booking = (headers: string[]) =>
  [
    'POST /venues/1%7Chouse%7Csoho-grill%7Cdinner/booking HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    authorization(),
    ...headers,
    '',
    '',
  ].join('\r\n');

test('a body that is too large is refused and read to its end, on a connection that stays', async () => {
  const part = Buffer.alloc(1024 * 1024, '[');
  const parts = 20;
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), part, Buffer.from('\r\n')]);
  const forms: [head: string, part: Buffer, end: string][] = [
    [booking([`Content-Length: ${parts * part.length}`]), part, ''],
    [booking(['Transfer-Encoding: chunked']), chunk, '0\r\n\r\n'],
  ];
  for (const [head, bytes, end] of forms) {
    const { socket, said, ended } = converse();
    socket.write(head);
    for (let count = 0; count < parts; count += 1) {
      socket.write(bytes);
      if (count === 0) await said(/^HTTP\/1\.1 413 /);
    }
    socket.write(`${end}${request('GET /health/live')}`);
    assert.deepEqual(
      answersIn(await ended()).map(({ status }) => status),
      [413, 200],
    );
  }
});

test('what is malformed in the rest of a refused body ends the connection without another answer', async () => {
  const { socket, said, ended } = converse();
  socket.write(`${booking(['Transfer-Encoding: chunked'])}100000\r\n${'['.repeat(0x100000)}`);
  await said(/^HTTP\/1\.1 413 /);
  socket.write('\r\nno length\r\n');
  assert.deepEqual(
    answersIn(await ended()).map(({ status }) => status),
    [413],
  );
});

test('a request that was carried out gets its own answer, although garbage follows it', async () => {
  const tooLong = answersIn(await send(`${tokenRequest(CREDENTIALS.length)}${CREDENTIALS}}}`));
  assert.equal(tooLong.length, 1);
  assert.ok(JSON.parse(tooLong[0]?.text ?? '').access_token);

  const list = `GET /venues?pageSize=1&fields=id HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`;
  for (const count of [1, 2, 5]) {
    const answers = answersIn(await send(`${list.repeat(count)}\x16\x03garbage\r\n\r\n`));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(count).fill(200),
    );
  }
});

test('a second request cannot be hidden in the body of a first', async () => {
  const hidden = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
  const both = ['Transfer-Encoding: chunked', 'Connection: keep-alive'];
  const refused = answersIn(await send(`${tokenRequest(5, both)}0\r\n\r\n${hidden}`));
  assert.deepEqual(
    refused.map(({ status }) => status),
    [400],
  );
  // A read has no use for a body, but what is announced as one is never taken for a request.
  const carried = answersIn(
    await send(request('GET /health/live', [`Content-Length: ${hidden.length}`], hidden)),
  );
  assert.deepEqual(
    carried.map(({ text }) => text),
    ['{"status":"ok"}'],
  );
});

test('a chunked body on a read is passed over', async () => {
  const body = '5\r\nhello\r\n0\r\n\r\n';
  const answer = await answerTo(
    request('GET /venues?pageSize=1&fields=id', [authorization(), 'Transfer-Encoding: chunked'], body),
  );
  assert.equal(answer.status, 200);
});

test('an upgrade to another protocol is declined by answering in this one', async () => {
  for (const protocol of ['websocket', 'h2c']) {
    const upgrade = `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
    assert.equal((await answerTo(upgrade)).status, 200);
  }
});

test('callers who are slow or hang up half-way keep nobody else waiting', async () => {
  const beginnings = ['', 'G', 'GET /venues HTTP/1.1\r\nHo', `${tokenRequest(500)}{"grant_type":`];
  const slow = beginnings.flatMap((beginning) =>
    Array.from({ length: 25 }, () => {
      const { socket } = converse();
      socket.write(beginning);
      return socket;
    }),
  );
  assert.equal((await answerTo(withToken('GET /venues?pageSize=1&fields=id'))).status, 200);
  for (const [at, socket] of slow.entries()) at % 2 === 0 ? socket.destroy() : socket.resetAndDestroy();
  const impatient = converse();
  impatient.socket.write(withToken('GET /venues?pageSize=100'));
  impatient.socket.destroy();
  assert.equal((await answerTo(withToken('GET /venues?pageSize=1&fields=id'))).status, 200);
});
