import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { createSender } from '../../../../src/features/webhooks/delivery/sender.ts';
import { reaches } from '../../../../src/features/webhooks/subscriptions/callback-url.ts';
import {
  createSafeConnector,
  failureReason,
  type Resolve,
  type SafeConnectorOptions,
} from '../../../../src/kernel/safe-connector.ts';
import { eventually } from '../../../support/eventually.ts';
import { answer, type Receiver, startRawReceiver, startReceiver } from '../../../support/peers/receiver.ts';
import { CERTIFICATE } from '../../../support/peers/receiver-certificate.ts';
import { type Dials, watchDials } from '../../../support/peers/receiver-dials.ts';

let plain: Receiver;
let secure: Receiver;
let dials: Dials;

before(async () => {
  // Whoever connects to 0.0.0.0 gets here as well: a forbidden address that really leads somewhere.
  plain = await startReceiver({ host: '0.0.0.0', behaviour: answer(204, { connection: 'close' }) });
  secure = await startReceiver({ isSecure: true });
  dials = watchDials();
});
afterEach(() => {
  dials.attempts.length = 0;
});
after(async () => {
  dials.stop();
  await plain.close();
  await secure.close();
});

const always =
  (...answers: string[]): Resolve =>
  async () =>
    answers;

/** The socket, or in a word why there is none. */
function dial(url: string, options: Partial<SafeConnectorOptions> = {}): Promise<Socket | string> {
  const { protocol, hostname, port } = new URL(url);
  const safeConnector = createSafeConnector({ allowLoopback: true, ...options });
  return new Promise((resolve) => {
    safeConnector.connect({ protocol, hostname: hostname.replace(/[[\]]/g, ''), port }, (error, socket) =>
      resolve(error ? failureReason(error) : socket),
    );
  });
}

async function assertDials(url: string, options?: Partial<SafeConnectorOptions>): Promise<void> {
  const socket = await dial(url, options);
  assert.ok(typeof socket !== 'string', `${url}: ${String(socket)}`);
  socket.destroy();
}

test('a name is resolved once, and its answer is what is dialled', async () => {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return ['127.0.0.1'];
  };
  await assertDials(`http://hooks.example:${plain.port}/`, { resolve });
  assert.deepEqual(asked, ['hooks.example']);
  assert.deepEqual(dials.attempts, ['127.0.0.1']);
});

test('a certificate has to be for the name, also when an address was dialled', async () => {
  const options = { resolve: always('127.0.0.1'), ca: CERTIFICATE };
  await assertDials(`https://hooks.receiver.example:${secure.port}/`, options);
  await assertDials(`https://127.0.0.1:${secure.port}/`, options);
  assert.equal(await dial(`https://hooks.other.example:${secure.port}/`, options), 'tls');
  assert.equal(await dial(`https://127.0.0.1:${plain.port}/`, options), 'tls');
});

test('a certificate that nobody vouches for is refused, whatever the environment says', async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    assert.equal(await dial(secure.url), 'tls');
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
});

test('one answer that is not allowed spoils the others, and none is dialled', async () => {
  const bad = ['10.0.0.1', '0.0.0.0', '::ffff:127.0.0.1', '::', 'fe80::1', '127.0.0.1%lo', 'localhost', ''];
  for (const address of bad) {
    const resolve = always('127.0.0.1', address, '127.0.0.2');
    assert.equal(await dial(`http://hooks.example:${plain.port}/`, { resolve }), 'refused', address);
  }
  assert.deepEqual(dials.attempts, []);
});

test('an address literal is judged like an answer', async () => {
  const literals = ['10.0.0.1', '0.0.0.0', '[::ffff:7f00:1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[::]'];
  for (const host of literals) assert.equal(await dial(`http://${host}:${plain.port}/`), 'refused', host);
  assert.equal(await dial(`https://127.0.0.1:${secure.port}/`, { allowLoopback: false }), 'refused');
  assert.deepEqual(dials.attempts, []);
});

test('without encryption only loopback is dialled', async () => {
  assert.equal(await dial('http://hooks.example/', { resolve: always('8.8.8.8') }), 'refused');
  assert.deepEqual(dials.attempts, []);
});

test('a name without an answer is a fault of names', async () => {
  const failing = async () => Promise.reject(new Error('SERVFAIL'));
  assert.equal(await dial('http://hooks.example/', { resolve: always() }), 'dns');
  assert.equal(await dial('http://hooks.example/', { resolve: failing }), 'dns');
});

test('the other end is judged again once it is connected', async () => {
  let isElsewhere = true;
  dials.onDial((socket) => {
    if (isElsewhere) Object.defineProperty(socket, 'remoteAddress', { value: '10.0.0.1' });
  });
  assert.equal(await dial(plain.url), 'refused');
  assert.equal(await dial(secure.url, { ca: CERTIFICATE }), 'refused');
  isElsewhere = false;
  await assertDials(plain.url);
});

test('the next address is tried when one does not answer', async () => {
  const onlyHere = await startReceiver();
  await assertDials(`http://hooks.example:${onlyHere.port}/`, { resolve: always('127.0.0.9', '127.0.0.1') });
  assert.deepEqual(dials.attempts, ['127.0.0.9', '127.0.0.1']);
  await onlyHere.close();
});

test('localhost is this machine without asking anybody', async () => {
  await assertDials(`http://localhost:${plain.port}/`);
  await assertDials(`http://hooks.localhost:${plain.port}/`);
  assert.equal(await reaches('https://localhost/', { allowLoopback: false }), false);
});

test('what is being dialled is given up when it is closed', async () => {
  const silent = await startRawReceiver((socket) => socket.resume());
  const safeConnector = createSafeConnector({ allowLoopback: true, resolve: () => new Promise(() => {}) });
  const outcomes: string[] = [];
  const note = (...[error]: Parameters<Parameters<typeof safeConnector.connect>[1]>) => {
    outcomes.push(failureReason(error));
  };
  safeConnector.connect({ protocol: 'https:', hostname: '127.0.0.1', port: String(silent.port) }, note);
  safeConnector.connect({ protocol: 'https:', hostname: 'hooks.example', port: '1' }, note);
  await eventually(() => silent.openConnections() === 1);
  safeConnector.close();
  await eventually(() => outcomes.length === 2 && silent.openConnections() === 0);
  assert.deepEqual(outcomes, ['refused', 'refused']);
  await silent.close();
});

test('whether an address can be reached is told without dialling it', async () => {
  const ask = (url: string, resolve: Resolve, allowLoopback = false) =>
    reaches(url, { allowLoopback, resolve });
  assert.equal(await ask('https://hooks.example/', always('8.8.8.8', '2606:4700::1111')), true);
  assert.equal(await ask('https://hooks.example/', always('8.8.8.8', '10.0.0.1')), false);
  assert.equal(await ask('https://hooks.example/', always()), false);
  assert.equal(await ask('https://[2606:4700::1111]/', always()), true);
  assert.equal(await ask('https://user@hooks.example/', always('8.8.8.8')), false);
  assert.equal(await ask('http://hooks.example/', always('127.0.0.1'), true), true);
  assert.equal(await ask('http://hooks.example/', always('8.8.8.8'), true), false);
  assert.deepEqual(dials.attempts, []);
});

const ROUNDS = 1_000;
const ALLOWED = ['127.0.0.1', '127.0.0.2', '127.77.0.1'];
const FORBIDDEN = [
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '::',
  '::ffff:127.0.0.1',
  'fe80::1',
];

/** Another answer at every call: the script from its beginning, again and again. */
function changing(script: string[][]): Resolve & { last(): string[] } {
  let calls = 0;
  const next = async () => script[calls++ % script.length] ?? [];
  return Object.assign(next, { last: () => script[(calls - 1) % script.length] ?? [] });
}

const scripts = (forbidden: string[]) =>
  fc.array(fc.array(fc.constantFrom(...ALLOWED, ...forbidden), { minLength: 1, maxLength: 3 }), {
    minLength: 2,
    maxLength: 5,
  });

test('a name that changes between check and use leads nowhere else, in 1,000 rounds', async (t) => {
  let delivered = 0;
  let fooled = 0;
  for (const script of fc.sample(scripts(FORBIDDEN), ROUNDS)) {
    const resolve = changing(script);
    const sender = createSender({ allowLoopback: true, resolve });
    const url = `http://hooks.example:${plain.port}/`;
    const wasReachable = await reaches(url, { allowLoopback: true, resolve });
    const outcome = await sender.post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 });
    const isAllowed = resolve.last().every((address) => ALLOWED.includes(address));
    assert.equal(outcome.isDelivered, isAllowed, JSON.stringify(script));
    delivered += isAllowed ? 1 : 0;
    fooled += wasReachable && !isAllowed ? 1 : 0;
    await sender.close();
  }
  t.diagnostic(
    `${ROUNDS} rounds, ${delivered} delivered, ${fooled} changed to something forbidden after the check`,
  );
  assert.ok(delivered > 0 && fooled > 0);
  assert.ok(dials.attempts.length >= delivered);
  assert.deepEqual(
    [...new Set(dials.attempts)].filter((address) => !ALLOWED.includes(address)),
    [],
  );
});

test('control: checked first and resolved again to connect, a name that changes leads elsewhere', async () => {
  for (const script of fc.sample(scripts(['0.0.0.0']), 100)) {
    const resolve = changing(script);
    const url = `http://hooks.example:${plain.port}/`;
    if (!(await reaches(url, { allowLoopback: true, resolve }))) continue;
    const dispatcher = new Agent({
      connect: {
        lookup: (hostname, _options, answer) =>
          resolve(hostname).then((found) =>
            answer(
              null,
              found.map((address) => ({ address, family: 4 })),
            ),
          ),
      },
    });
    await request(url, { method: 'POST', body: '{}', dispatcher });
    await dispatcher.destroy();
  }
  assert.ok(dials.attempts.includes('0.0.0.0'));
});
