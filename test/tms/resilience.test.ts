import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { type Outcome, ok } from '../../src/tms/contract.ts';
import type { RemoteConnector } from '../../src/tms/remote.ts';
import { retryBudget, withResilience } from '../../src/tms/resilience.ts';
import { patiently, perform } from '../support/remote-tms/calls.ts';
import { createRemote } from '../support/remote-tms/connector.ts';
import { startRemoteBistro } from '../support/remote-tms/harness.ts';
import type { RemoteTms } from '../support/remote-tms/server.ts';

const OPERATIONS = ['availability', 'find', 'book', 'amend', 'cancel'] as const;
const NEVER_BREAKS = { threshold: 0.99, size: 10_000, minimum: 10_000 };
const DOWN = { kind: 'status', status: 503 } as const;
const FOREVER = Number.MAX_SAFE_INTEGER;

/** A connector that does `work` whatever it is asked. */
function doing(work: () => Promise<Outcome<never>>): RemoteConnector {
  const { capabilities } = createRemote('http://127.0.0.1:1');
  const operations = { availability: work, book: work, amend: work, cancel: work, find: work };
  return { flavour: 'remote', slug: 'stub', capabilities, ...operations };
}

const kinds = (outcomes: Outcome<unknown>[]) => outcomes.map(({ kind }) => kind);

/** Waits for what the test has set going; only the runner's time limit ends it otherwise. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

const mapped = ['unavailable', 'unavailable', 'unknown', 'unknown', 'unknown'];

test('what a connector throws, at once or later, becomes an outcome', async () => {
  const later = doing(async () => {
    throw new Error('a bug');
  });
  const atOnce = doing(() => {
    throw new Error('a bug');
  });
  for (const broken of [later, atOnce]) {
    const outcomes = await Promise.all(OPERATIONS.map((each) => perform(withResilience(broken), each)));
    assert.deepEqual(kinds(outcomes), mapped);
  }
});

test('a connector that ignores its deadline is not waited for, and its place is free again', async () => {
  const deaf = doing(() => new Promise(() => {}));
  const limits = { readTimeoutMs: 10, writeTimeoutMs: 10, maxConcurrent: 1, breaker: NEVER_BREAKS };
  for (const [index, operation] of OPERATIONS.entries()) {
    const connector = withResilience(deaf, limits);
    const outcomes = [await perform(connector, operation), await perform(connector, operation)];
    assert.deepEqual(kinds(outcomes), [mapped[index], mapped[index]]);
  }
});

test('pages of a catalogue and of changes may take as long as a booking, and no longer', async () => {
  const deaf = doing(() => new Promise(() => {}));
  const paged = { ...deaf, catalogue: deaf.find, changes: deaf.find } as RemoteConnector;
  const limits = { readTimeoutMs: 10, writeTimeoutMs: 120, breaker: NEVER_BREAKS };
  for (const operation of ['catalogue', 'changes'] as const) {
    const startedMs = performance.now();
    const outcome = await withResilience(paged, limits)[operation]?.(patiently(), null);
    assert.equal(outcome?.kind, 'unavailable');
    assert.ok(performance.now() - startedMs >= 110, `${operation} was given up on too early`);
  }
});

test('a caller in a greater hurry than the limit gets its answer by its own deadline', async () => {
  const deaf = withResilience(
    doing(() => new Promise(() => {})),
    { writeTimeoutMs: 2 ** 31 - 1 },
  );
  const call = { ...patiently(), deadlineMs: 5 };
  assert.equal((await perform(deaf, 'book', { call })).kind, 'unknown');
});

test('a caller that hangs up gets an honest outcome, and the system is not blamed', async () => {
  let answer: Outcome<never> | undefined;
  const stub = doing(async () => answer ?? new Promise<never>(() => {}));
  const connector = withResilience(stub, { breaker: { threshold: 0.5, size: 10, minimum: 1 } });
  for (let round = 0; round < 10; round += 1) {
    const caller = new AbortController();
    const pending = perform(connector, 'cancel', { call: patiently(caller.signal) });
    await nextTurn();
    caller.abort();
    assert.equal((await pending).kind, 'unknown');
  }
  assert.equal(
    (await perform(connector, 'cancel', { call: patiently(AbortSignal.abort()) })).kind,
    'unavailable',
  );
  answer = ok(undefined as never);
  assert.equal((await perform(connector, 'cancel')).kind, 'ok');
});

test('retries never exceed their share of the calls', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 500 }),
      fc.constantFrom(0, 0.05, 0.1, 0.5),
      (calls, share) => {
        const budget = retryBudget(share);
        let retries = 0;
        for (const [index, fails] of calls.entries()) {
          budget.earn();
          if (fails && budget.take()) retries += 1;
          assert.ok(retries <= (index + 1) * share + 1e-6);
        }
      },
    ),
  );
});

describe('in front of a system that fails', () => {
  let remote: RemoteTms;
  before(async () => {
    remote = await startRemoteBistro();
  });
  after(() => remote.close());
  beforeEach(() => remote.faults.clear());
  const plain = () => createRemote(remote.url);

  test('one look-up in ten is tried once more, a change never', async () => {
    for (const operation of OPERATIONS) {
      const connector = withResilience(plain(), { breaker: NEVER_BREAKS });
      remote.faults.plan(DOWN, { times: FOREVER, operations: [operation] });
      const before = remote.calls(operation);
      for (let call = 0; call < 100; call += 1) await perform(connector, operation);
      const isRead = operation === 'availability' || operation === 'find';
      assert.equal(remote.calls(operation) - before, isRead ? 110 : 100, operation);
    }
  });

  test('a retry that succeeds is all the caller sees', async () => {
    const connector = withResilience(plain(), { retryShare: 1 });
    remote.faults.plan(DOWN);
    assert.equal((await perform(connector, 'availability')).kind, 'ok');
  });

  test('the breaker opens, spares the system, lets one call try, and closes', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const connector = withResilience(plain(), {
      breaker: { threshold: 0.5, size: 10, minimum: 4 },
      halfOpenAfterMs: 5000,
      readTimeoutMs: 2 ** 31 - 1,
      retryShare: 0,
    });
    remote.faults.plan(DOWN, { times: 4 });
    for (let call = 0; call < 4; call += 1) await perform(connector, 'find');
    const reached = () => OPERATIONS.reduce((sum, operation) => sum + remote.calls(operation), 0);
    const whenOpened = reached();
    const spared = await Promise.all(OPERATIONS.map((operation) => perform(connector, operation)));
    assert.deepEqual(new Set(kinds(spared)), new Set(['unavailable']));
    assert.equal(reached(), whenOpened);

    t.mock.timers.setTime(5000);
    const caller = new AbortController();
    remote.faults.plan({ kind: 'hang' });
    const trial = perform(connector, 'find', { call: patiently(caller.signal) });
    await until(() => reached() === whenOpened + 1);
    assert.equal((await perform(connector, 'find')).kind, 'unavailable');
    assert.equal(reached(), whenOpened + 1);
    caller.abort();
    assert.equal((await trial).kind, 'unavailable');
    assert.equal((await perform(connector, 'find')).kind, 'unavailable', 'the trial proved nothing');

    t.mock.timers.setTime(10_000);
    assert.equal((await perform(connector, 'find')).kind, 'ok');
    assert.equal((await perform(connector, 'book')).kind, 'ok');
  });

  test('a system that refuses or asks for a pause is alive, and the breaker stays closed', async () => {
    const connector = withResilience(plain(), { breaker: { threshold: 0.1, size: 10, minimum: 1 } });
    remote.faults.plan({ kind: 'rate-limit', retryAfterSeconds: 1 }, { times: 5 });
    remote.faults.plan({ kind: 'refuse', reason: 'taken' }, { times: 5 });
    for (let call = 0; call < 10; call += 1) await perform(connector, 'book');
    assert.equal((await perform(connector, 'availability')).kind, 'ok');
  });

  test('calls beyond the limit wait in a short queue, and beyond that are refused at once', async () => {
    const connector = withResilience(plain(), {
      maxConcurrent: 2,
      maxQueued: 1,
      writeTimeoutMs: 2 ** 31 - 1,
      breaker: NEVER_BREAKS,
    });
    remote.faults.plan({ kind: 'hang' }, { times: FOREVER, operations: ['book'] });
    const before = remote.calls('book');
    const caller = new AbortController();
    const pending = [1, 2, 3].map(() => perform(connector, 'book', { call: patiently(caller.signal) }));
    await until(() => remote.calls('book') === before + 2);
    assert.equal((await perform(connector, 'book')).kind, 'unavailable');
    assert.equal((await perform(connector, 'availability')).kind, 'ok', 'shopping has places of its own');
    caller.abort();
    // The third never left the queue, so it is certain that it was not applied.
    assert.deepEqual(kinds(await Promise.all(pending)), ['unknown', 'unknown', 'unavailable']);
    assert.equal(remote.calls('book'), before + 2);
  });
});

describe('beside a system that hangs', () => {
  let hanging: RemoteTms;
  let healthy: RemoteTms;
  before(async () => {
    [hanging, healthy] = await Promise.all([startRemoteBistro(), startRemoteBistro()]);
    hanging.faults.plan({ kind: 'hang' }, { times: FOREVER });
  });
  after(() => Promise.all([hanging.close(), healthy.close()]));

  /** 200 calls go to the hanging system and none of those that reached it has come back when the other one is asked. */
  async function healthyKindsDuringHang(toHanging: RemoteConnector, toHealthy: RemoteConnector) {
    const caller = new AbortController();
    let returned = 0;
    const stuck = Array.from({ length: 200 }, async () => {
      await perform(toHanging, 'availability', { call: patiently(caller.signal) });
      returned += 1;
    });
    const before = hanging.calls('availability');
    await until(() => hanging.calls('availability') >= before + 20);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => perform(toHealthy, 'availability')));
    assert.ok(returned <= 170, 'what reached the system or its queue is still waiting');
    caller.abort();
    await Promise.all(stuck);
    return new Set(kinds(outcomes));
  }

  const limits = { readTimeoutMs: 2 ** 31 - 1, breaker: NEVER_BREAKS };

  test('two hundred calls to it take nothing from another system', async () => {
    const answers = await healthyKindsDuringHang(
      withResilience(createRemote(hanging.url), limits),
      withResilience(createRemote(healthy.url), limits),
    );
    assert.deepEqual(answers, new Set(['ok']));
  });

  test('with one protection for both, the other system would be shut out', async () => {
    const [bad, good] = [createRemote(hanging.url), createRemote(healthy.url)];
    let target = bad;
    const shared = withResilience(
      { ...bad, availability: (call, query) => target.availability(call, query) },
      limits,
    );
    const toHealthy: RemoteConnector = {
      ...shared,
      availability(call, query) {
        target = good;
        return shared.availability(call, query);
      },
    };
    assert.deepEqual(await healthyKindsDuringHang(shared, toHealthy), new Set(['unavailable']));
  });
});
