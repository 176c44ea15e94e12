import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import type { Sender } from '../../../../src/features/webhooks/delivery/attempt.ts';
import { createSender } from '../../../../src/features/webhooks/delivery/sender.ts';
import { createSafeConnector } from '../../../../src/kernel/safe-connector.ts';
import { answer, type Receiver, startReceiver } from '../../../support/peers/receiver.ts';
import { type Dials, watchDials } from '../../../support/peers/receiver-dials.ts';
import { repeats } from '../../../support/repeats.ts';
import { insideAddress, literalSpelling, urlAround } from './spellings.ts';

/** Some come up twice. */
const SPELLINGS = repeats(14_000, 2000);
const DIFFERENT = repeats(10_000, 1400);
const LOOPBACK = '127.0.0.1';
const PUBLIC = '93.184.215.14';

let receiver: Receiver;
let dials: Dials;

before(async () => {
  receiver = await startReceiver({ host: '0.0.0.0', behaviour: answer(204, { connection: 'close' }) });
  dials = watchDials();
});
beforeEach(() => {
  dials.attempts.length = 0;
});
after(async () => {
  dials.stop();
  await receiver.close();
});

const send = (sender: Sender, url: string) =>
  sender.post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 });

interface Spelt {
  host: string;
  /** What the host is resolved to, if it is taken for a name. */
  answers: string[];
}

/** A name that means something inside, alone or in good company. */
const nameOf = (inside: string): fc.Arbitrary<Spelt> =>
  fc.record({
    host: fc.constantFrom(
      'hooks.example',
      'HOOKS.example',
      'hooks.example.',
      '10.0.0.1.nip.example',
      'localhost',
    ),
    answers: fc.constantFrom<string[]>(
      [inside],
      [PUBLIC, inside],
      [inside, PUBLIC],
      [`::ffff:${inside}`],
      [],
    ),
  });

const literalOf = (inside: string): fc.Arbitrary<Spelt> =>
  literalSpelling(inside).map((host) => ({ host, answers: [inside] }));

const spelling = (inside: string) =>
  fc
    .oneof({ weight: 4, arbitrary: literalOf(inside) }, { weight: 1, arbitrary: nameOf(inside) })
    .chain(({ host, answers }) => urlAround(host, receiver.port).map((url) => ({ url, answers })));

/** Tries all of them, and reports how many different ones led to how many connections. */
async function tryAll(
  inside: fc.Arbitrary<string>,
  attempt: (url: string, answers: string[]) => Promise<void>,
): Promise<string> {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(inside.chain(spelling), async ({ url, answers }) => {
      seen.add(url);
      await attempt(url, answers);
      assert.deepEqual(dials.attempts, []);
    }),
    { numRuns: SPELLINGS },
  );
  assert.equal(receiver.connections(), 0);
  assert.ok(seen.size >= DIFFERENT, `Only ${seen.size} were different.`);
  return `${seen.size} different spellings, ${dials.attempts.length} connections`;
}

const anythingInside = fc.oneof(
  { weight: 9, arbitrary: insideAddress },
  { weight: 1, arbitrary: fc.constant(LOOPBACK) },
);

test('10,000 spellings of what is inside lead to no connection at all', async (t) => {
  let resolved: string[] = [];
  const sender = createSender({ allowLoopback: false, resolve: async () => resolved });
  const report = await tryAll(anythingInside, async (url, answers) => {
    resolved = answers;
    const { isDelivered, error } = await send(sender, url);
    assert.equal(isDelivered, false);
    assert.ok(error === 'refused' || error === 'dns', String(error));
  });
  t.diagnostic(report);
  await sender.close();
});

test('they lead nowhere even where nobody reads the address before it is dialled', async (t) => {
  let resolved: string[] = [];
  const safeConnector = createSafeConnector({ allowLoopback: false, resolve: async () => resolved });
  const dispatcher = new Agent({ connect: safeConnector.connect });
  const report = await tryAll(anythingInside, async (url, answers) => {
    resolved = answers;
    if (URL.canParse(url)) await assert.rejects(request(url, { method: 'POST', body: '{}', dispatcher }));
  });
  t.diagnostic(report);
  await dispatcher.destroy();
});

test('where loopback is allowed, 10,000 spellings of anything else inside lead nowhere', async (t) => {
  let resolved: string[] = [];
  const sender = createSender({ allowLoopback: true, resolve: async () => resolved });
  const report = await tryAll(insideAddress, async (url, answers) => {
    resolved = answers;
    await send(sender, url);
  });
  t.diagnostic(report);
  assert.equal((await send(sender, receiver.url)).isDelivered, true);
  assert.deepEqual(dials.attempts, [LOOPBACK]);
  await sender.close();
});

test('control: the same spellings lead a plain client inside', async () => {
  const dispatcher = new Agent();
  const spellings = fc.sample(
    literalSpelling(LOOPBACK).chain((host) => urlAround(host, receiver.port)),
    2_000,
  );
  const reached = new Set<string>();
  for (const text of spellings) {
    const url = URL.parse(text);
    if (url?.protocol !== 'http:' || url.hostname !== LOOPBACK) continue;
    const { statusCode } = await request(url, { method: 'POST', body: '{}', dispatcher });
    assert.equal(statusCode, 204);
    reached.add(text);
  }
  assert.ok(reached.size > 100, `Only ${reached.size} got there.`);
  await dispatcher.destroy();
});
