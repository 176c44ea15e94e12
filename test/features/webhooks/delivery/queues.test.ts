import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createQueues, type Reply } from '../../../../src/features/webhooks/delivery/queues.ts';

interface Item {
  key: string;
  number: number;
}

/** Two queues of one partner, two of another, one of a third. */
const PARTNERS: Record<string, number> = { a: 1, b: 1, c: 2, d: 2, e: 3 };

const AT_ONCE = 8;
const AT_ONCE_EACH = 3;

/** Queues whose work ends when the test says so. */
function heldQueues({ concurrency = AT_ONCE, concurrencyEach = AT_ONCE_EACH } = {}) {
  const open: { item: Item; end: (reply: Reply) => void }[] = [];
  const begun: Item[] = [];
  const queues = createQueues<Item>({
    concurrency,
    concurrencyEach,
    onDone: () => {},
    work(item) {
      const { promise, resolve } = Promise.withResolvers<Reply>();
      begun.push(item);
      open.push({ item, end: resolve });
      return promise;
    },
  });
  return {
    queues,
    begun,
    open,
    atWork: (key: string) => open.filter(({ item }) => item.key === key).length,
    async end(index: number, reply: Reply = 'answered'): Promise<void> {
      const [ended] = open.splice(index % open.length, 1);
      ended?.end(reply);
      await new Promise(setImmediate);
    },
  };
}

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const adding = fc.record({ add: keys });
const ending = fc.record({ end: fc.nat(100) });
const emptying = fc.record({ empty: keys });

test('everything is worked on once or given back, in the order of its queue, and never more at once than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(adding, adding, ending, emptying), { maxLength: 80 }),
      async (steps) => {
        const { queues, begun, open, end } = heldQueues();
        const added: Item[] = [];
        const back: Item[] = [];
        for (const [number, step] of steps.entries()) {
          if ('add' in step) {
            added.push({ key: step.add, number });
            queues.add(step.add, `partner ${PARTNERS[step.add] ?? 0}`, { key: step.add, number });
          } else if ('empty' in step) back.push(...queues.empty(step.empty));
          else if (open.length > 0) await end(step.end);
          assert.ok(open.length <= AT_ONCE);
          for (const [, ofOne] of Map.groupBy(open, ({ item }) => item.key))
            assert.ok(ofOne.length <= AT_ONCE_EACH);
          const waiting = added.length - begun.length - back.length;
          const lengths = [...queues.lengths().values()].reduce((sum, length) => sum + length, 0);
          assert.equal(lengths, waiting + open.length);
          assertNobodyWaitsForNothing(
            queues.lengths(),
            open.map(({ item }) => item.key),
          );
        }
        while (open.length > 0) await end(0);
        await queues.settled();
        assert.deepEqual(new Set([...begun, ...back]), new Set(added));
        assert.equal(begun.length + back.length, added.length);
        for (const [, ofOne] of Map.groupBy(begun, ({ key }) => key))
          assert.deepEqual(
            ofOne,
            ofOne.toSorted((a, b) => a.number - b.number),
          );
      },
    ),
    { numRuns: 300 },
  );
});

/** With a place free, every partner that waits has one, every queue one beside it, and as many as its partner may hold. */
function assertNobodyWaitsForNothing(lengths: Map<string, number>, atWork: readonly string[]): void {
  const free = AT_ONCE - atWork.length;
  if (free === 0) return;
  for (const [key, length] of lengths) {
    const own = atWork.filter((each) => each === key).length;
    const ofPartner = atWork.filter((each) => PARTNERS[each] === PARTNERS[key]).length;
    const wanted = Math.min(length, Math.max(1, Math.min(AT_ONCE_EACH, free - ofPartner)));
    assert.ok(own >= wanted, `${key} has ${own} of ${length} at work, beside ${atWork.length}`);
  }
}

const MANY = { concurrency: 256, concurrencyEach: 16 };
const LIVELY = 'lively';

/** Ten queues of partner 1 that have all their places and are stuck, and one more that is not. */
async function tenStuck(livelyPartner: number) {
  const held = heldQueues(MANY);
  const { queues, open, end } = held;
  const stuck = Array.from({ length: 10 }, (_, index) => `stuck ${index}`);
  for (const key of [...stuck, LIVELY]) {
    const partnerId = key === LIVELY ? livelyPartner : 1;
    for (let number = 0; number < 16; number += 1) queues.add(key, `partner ${partnerId}`, { key, number });
    while (open.length > 0) await end(0);
  }
  for (const key of stuck)
    for (let number = 0; number < 64; number += 1) queues.add(key, 'partner 1', { key, number });
  for (let number = 0; number < 80; number += 1)
    queues.add(LIVELY, `partner ${livelyPartner}`, { key: LIVELY, number });
  return held;
}

test('ten stuck queues of a partner leave another one all the places of a subscription', async () => {
  const { atWork, open } = await tenStuck(2);
  assert.equal(atWork(LIVELY), MANY.concurrencyEach);
  assert.ok(open.length > 100, 'and they do have many');
});

test('ten stuck queues of the same partner leave it few places', async () => {
  const { atWork } = await tenStuck(1);
  assert.ok(atWork(LIVELY) > 0 && atWork(LIVELY) < MANY.concurrencyEach / 4);
});

test('partners whose queues never end hold equal shares once they had to wait for places', async () => {
  const { queues, open, end, atWork } = heldQueues(MANY);
  const keys = Array.from({ length: 30 }, (_, index) => `${index}`);
  const add = (key: string, number: number) => queues.add(key, `partner ${Number(key) % 3}`, { key, number });
  for (let number = 0; number < 500; number += 1) for (const key of keys) add(key, number);
  for (let count = 0; count < 2000; count += 1) await end(count * 7);
  const shares = [0, 1, 2].map((partner) =>
    keys.filter((key) => Number(key) % 3 === partner).reduce((sum, key) => sum + atWork(key), 0),
  );
  assert.ok(open.length > 150);
  assert.ok(Math.max(...shares) - Math.min(...shares) <= 10, shares.join());
});

test('a queue that timed out has one place until it answers', async () => {
  const { queues, open, end, atWork } = heldQueues(MANY);
  for (let number = 0; number < 100; number += 1) queues.add('slow', 'partner 1', { key: 'slow', number });
  const first = open.length;
  for (let count = 0; count < first; count += 1) await end(0, 'timed out');
  for (let count = 0; count < 5; count += 1) {
    assert.equal(atWork('slow'), 1);
    assert.deepEqual(queues.slow(), new Set(['slow']));
    await end(0, count % 2 === 0 ? 'timed out' : 'unknown');
  }
  for (let count = 0; count < 20; count += 1) await end(0);
  assert.equal(atWork('slow'), MANY.concurrencyEach);
  assert.deepEqual(queues.slow(), new Set());
});

test('with more stuck partners than places, each gets its turn', async () => {
  const { queues, begun, end } = heldQueues({ concurrency: 16, concurrencyEach: 4 });
  for (let partner = 0; partner < 40; partner += 1)
    for (let number = 0; number < 50; number += 1)
      queues.add(`${partner}`, `partner ${partner}`, { key: `${partner}`, number });
  for (let count = 0; count < 80; count += 1) await end(0, 'timed out');
  assert.equal(new Set(begun.map(({ key }) => key)).size, 40);
});
