import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { withResilience } from '../../src/tms/resilience.ts';
import { patiently, perform } from '../support/remote-tms/calls.ts';
import { createRemote } from '../support/remote-tms/connector.ts';
import type { BasicOperation, Fault } from '../support/remote-tms/faults.ts';
import { startRemoteBistro } from '../support/remote-tms/harness.ts';
import type { RemoteTms } from '../support/remote-tms/server.ts';
import { expectOk } from './conformance-harness.ts';

let remote: RemoteTms;
before(async () => {
  remote = await startRemoteBistro({ partiesPerStart: 100 });
});
after(() => remote.close());
beforeEach(() => remote.faults.clear());

const READS = ['availability', 'find'] as const;
const WRITES = ['book', 'amend', 'cancel'] as const;

/** A protection of its own for each call, so that none is remembered; no retries, so that each fault is seen. */
const connector = (timeoutMs = 30_000) =>
  withResilience(createRemote(remote.url), {
    readTimeoutMs: timeoutMs,
    writeTimeoutMs: timeoutMs,
    retryShare: 0,
  });

/** Only with a system that keeps us waiting is the wait kept short; the others may be slow for reasons of the machine. */
async function outcomeOf(operation: BasicOperation, fault: Fault, bookingId: string = randomUUID()) {
  remote.faults.plan(fault, { operations: [operation] });
  const outlastsUs = fault.kind === 'hang' || (fault.kind === 'slow' && fault.delayMs > 500);
  return perform(connector(outlastsUs ? 100 : undefined), operation, { bookingId });
}

const FAULTS: { fault: Fault; reads: string; writes: string }[] = [
  { fault: { kind: 'hang' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'slow', delayMs: 5 }, reads: 'ok', writes: 'ok' },
  { fault: { kind: 'slow', delayMs: 900 }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'cut-before-commit' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'cut-after-commit' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'garbage' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'garbage', body: '{"id": 7}' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'status', status: 500 }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'status', status: 502 }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'status', status: 503 }, reads: 'unavailable', writes: 'unavailable' },
  { fault: { kind: 'refuse', reason: 'taken' }, reads: 'refused', writes: 'refused' },
  { fault: { kind: 'rate-limit', retryAfterSeconds: 7 }, reads: 'rate-limited', writes: 'rate-limited' },
];

for (const { fault, reads, writes } of FAULTS) {
  test(`${JSON.stringify(fault)}: a look-up is ${reads}, a change is ${writes}`, async () => {
    for (const operation of [...READS, ...WRITES]) {
      const bookingId = randomUUID();
      if (operation !== 'book') expectOk(await perform(connector(), 'book', { bookingId }));
      const outcome = await outcomeOf(operation, fault, bookingId);
      const expected = (READS as readonly string[]).includes(operation) ? reads : writes;
      assert.equal(outcome.kind, expected, `${operation}: ${JSON.stringify(outcome)}`);
    }
  });
}

test('the wait that a system asks for is passed on', async () => {
  const outcome = await outcomeOf('availability', { kind: 'rate-limit', retryAfterSeconds: 7 });
  assert.deepEqual(outcome, { kind: 'rate-limited', retryAfterSeconds: 7 });
});

test('a reason we have no word for is still a refusal, with the words of the system', async () => {
  const outcome = await outcomeOf('book', { kind: 'refuse', reason: 'full moon' });
  assert.deepEqual(outcome, { kind: 'refused', reason: 'rejected', detail: 'full moon' });
});

test('a system where nobody listens has certainly not booked', async () => {
  const gone = await startRemoteBistro();
  await gone.close();
  const outcome = await perform(withResilience(createRemote(gone.url)), 'book');
  assert.equal(outcome.kind, 'unavailable', JSON.stringify(outcome));
});

test('after a cut the system can be asked what happened, and the same id may be sent again', async () => {
  for (const [kind, isThere] of [
    ['cut-before-commit', false],
    ['cut-after-commit', true],
  ] as const) {
    const bookingId = randomUUID();
    assert.equal((await outcomeOf('book', { kind }, bookingId)).kind, 'unknown');
    const found = expectOk(await connector().find(patiently(), bookingId));
    assert.equal(found !== undefined, isThere);
    expectOk(await perform(connector(), 'book', { bookingId }));
    const booked = [...remote.book.bookings.keys()].filter((id) => id === bookingId);
    assert.equal(booked.length, 1);
  }
});

test('a single request can carry its own fault', async () => {
  const answer = await fetch(`${remote.url}/bookings/${randomUUID()}`, {
    headers: { 'x-fault': JSON.stringify({ kind: 'status', status: 418 }) },
  });
  assert.equal(answer.status, 418);
});
