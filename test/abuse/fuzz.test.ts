/** A short run of what `npm run abuse` does at length, on an application in this process. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type FuzzOutcome, fuzz } from '../../proof/abuse/fuzz.ts';
import { shareOf } from '../../proof/abuse/results.ts';
import { connectTo, type Wire } from '../../proof/abuse/wire.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Receiver, startReceiver } from '../support/peers/receiver.ts';

const SEED = 20_261_115;
const REQUESTS = 1200;
const IN_FLIGHT = 8;

let maitred: TestApp;
let receiver: Receiver;
let wire: Wire;
let outcome: FuzzOutcome;
const dataDir = mkdtempSync(join(tmpdir(), 'maitred-fuzz-'));
before(async () => {
  receiver = await startReceiver();
  maitred = await startTestApp({
    config: { dataDir, webhookAllowLoopback: true, trustedProxies: 1, rateLimit: 1_000_000 },
  });
  await maitred.app.listen({ host: '127.0.0.1', port: 0 });
  wire = connectTo(String(maitred.app.listeningOrigin), IN_FLIGHT);
  const mailbox = {
    folder: join(dataDir, 'mail'),
    deliver: async () => {
      await maitred.services.mailing.sendDue();
    },
  };
  const progress = () => {};
  const { send, open } = wire;
  const requests = REQUESTS;
  const receiverUrl = receiver.url;
  const [seed, inFlight, surroundings] = [SEED, IN_FLIGHT, {}];
  outcome = await fuzz({
    send,
    open,
    mailbox,
    receiverUrl,
    surroundings,
    seed,
    requests,
    inFlight,
    progress,
  });
});
after(async () => {
  await wire.close();
  await maitred.close();
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('whatever is made of the document, no answer breaks a promise of it or shows a guest of others', () => {
  const findings = [...outcome.results.findings.values()];
  assert.deepEqual(findings, []);
});

test('enough of it goes through that the inside of the program is reached, and enough is refused', () => {
  assert.ok(shareOf(outcome.results, 200, 300) > 0.2);
  assert.ok(shareOf(outcome.results, 400, 500) > 0.2);
});
