import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSender } from '../../../../src/features/webhooks/delivery/sender.ts';
import { eventually } from '../../../support/eventually.ts';
import { patience } from '../../../support/patience.ts';
import { startRawReceiver } from '../../../support/peers/receiver.ts';
import { watchDials } from '../../../support/peers/receiver-dials.ts';

const ROUNDS = 10;
const PATIENCE_MS = patience(10_000);
const IMPATIENCE_MS = 400;

/** Says this as soon as it is spoken to, and then whatever comes after it. */
const says =
  (text: string, then: (socket: Socket) => void = () => {}) =>
  (socket: Socket) => {
    socket.once('data', () => {
      socket.write(text, 'latin1');
      then(socket);
    });
  };

async function repeat(socket: Socket, text: string): Promise<void> {
  while (!socket.destroyed) {
    socket.write(text);
    await sleep(5);
  }
}

const end = (socket: Socket) => socket.end();
const reset = (socket: Socket) => socket.resetAndDestroy();
const OK = 'HTTP/1.1 200 OK\r\n';

const REFUSING: Record<string, (socket: Socket) => void> = {
  'closes at once': (socket) => socket.destroy(),
  'resets at once': reset,
  'ends at once': end,
  'resets when spoken to': says('', reset),
  'talks nonsense': says('\x00\xff nonsense \r\n\r\n'),
  'talks another protocol': (socket) => socket.write('220 mail.example ESMTP\r\n'),
  'talks TLS': says('\x15\x03\x03\x00\x02\x02\x28', end),
  'answers as in 1991': says('<html>hello</html>', end),
  'ends in the head': says('HTTP/1.1 200 OK\r\nx-half', end),
  'has too long a head': says(`${OK}x-long: ${'a'.repeat(100_000)}\r\n\r\n`),
  'wants to continue': says('HTTP/1.1 100 Continue\r\n\r\n'),
  'wants another protocol': says(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
  ),
  'has a length that is none': says(`${OK}content-length: -5\r\n\r\n`),
  'has two lengths': says(`${OK}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`),
  'has no version': says('HTTP/9 200\r\n\r\n'),
};

const HANGING: Record<string, (socket: Socket) => void> = {
  'reads nothing': () => {},
  'says nothing': (socket) => socket.resume(),
  'is about to answer for ever': says('', (socket) =>
    repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'),
  ),
  'does not end its head': says(OK, (socket) => repeat(socket, 'x-more: a\r\n')),
};

const DELIVERING: Record<string, (socket: Socket) => void> = {
  'breaks a chunk': says(`${OK}transfer-encoding: chunked\r\n\r\nzzz\r\n`),
  'does not end': says(`${OK}\r\n`, (socket) => repeat(socket, 'a')),
  'does not end a chunk': says(`${OK}transfer-encoding: chunked\r\n\r\nfffff\r\n`, (socket) =>
    repeat(socket, 'a'),
  ),
  'stops in its body': says(`${OK}content-length: 10\r\n\r\nhello`, end),
  'resets in its body': says(`${OK}content-length: 10\r\n\r\nhello`, reset),
  'says more than it announced': says(`${OK}content-length: 2\r\n\r\nhello, I am more than two letters`),
  'answers twice': says(`${OK}content-length: 0\r\n\r\n${OK}content-length: 0\r\n\r\n`),
  'has a body where there is none': says('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'),
  'says it is packed': says(`${OK}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello`),
  'sets a cookie': says(`${OK}set-cookie: a=b\r\ncontent-length: 0\r\n\r\n`),
  'keeps alive for ever': says(`${OK}keep-alive: timeout=99999999\r\ncontent-length: 0\r\n\r\n`),
};

/** Whether the request or the answer is first, nobody can say. */
const RACING: Record<string, (socket: Socket) => void> = {
  'talks before it is asked': (socket) => socket.write(`${OK}content-length: 0\r\n\r\n`),
};

const ODDITIES = [
  ...Object.entries(REFUSING).map(([name, odd]) => ({ name, odd, expected: ['refused'] })),
  ...Object.entries(HANGING).map(([name, odd]) => ({ name, odd, expected: ['timeout'] })),
  ...Object.entries(DELIVERING).map(([name, odd]) => ({ name, odd, expected: ['delivered'] })),
  ...Object.entries(RACING).map(([name, odd]) => ({ name, odd, expected: ['delivered', 'refused'] })),
];

test('hundreds of odd receivers: each post has an outcome, and no socket is left', async (t) => {
  const dials = watchDials();
  const sender = createSender({ allowLoopback: true });
  const receivers: Awaited<ReturnType<typeof startRawReceiver>>[] = [];
  const visit = async ({ name, odd, expected }: (typeof ODDITIES)[number]) => {
    const receiver = await startRawReceiver(odd);
    receivers.push(receiver);
    const timeoutMs = expected.includes('timeout') ? IMPATIENCE_MS : PATIENCE_MS;
    const post = (url: string) => sender.post({ url, headers: {}, body: Buffer.alloc(100_000), timeoutMs });
    const { url } = receiver;
    for (const { error } of await Promise.all([post(url), post(url), post(`${url}/other`)]))
      assert.ok(expected.includes(error ?? 'delivered'), `${name}: ${error}, not ${expected.join(' or ')}`);
  };
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(ODDITIES.map(visit));
  t.diagnostic(`${receivers.length} receivers, ${dials.attempts.length} connections`);
  await sender.close();
  await eventually(() => dials.openSockets().length === 0);
  for (const receiver of receivers) await receiver.close();
  dials.stop();
});
