import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createQueues } from '../../../src/features/webhooks/queues.ts';

interface Item {
  key: string;
  number: number;
}

const AT_ONCE = 8;
const AT_ONCE_EACH = 3;

/** Queues whose work ends when the test says so. */
function heldQueues({ atOnce = AT_ONCE, atOnceEach = AT_ONCE_EACH } = {}) {
  const open: { item: Item; end: () => void }[] = [];
  const begun: Item[] = [];
  const queues = createQueues<Item>({
    atOnce,
    atOnceEach,
    onDone: () => {},
    work(item) {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(item);
      open.push({ item, end: resolve });
      return promise;
    },
  });
  return {
    queues,
    begun,
    open,
    async end(index: number): Promise<void> {
      const [ended] = open.splice(index % open.length, 1);
      ended?.end();
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
            queues.add(step.add, { key: step.add, number });
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

/** With a place free, whoever waits has something at work already; with half of them free, as much as it may. */
function assertNobodyWaitsForNothing(lengths: Map<string, number>, atWork: readonly string[]): void {
  if (atWork.length === AT_ONCE) return;
  for (const [key, length] of lengths) {
    const own = atWork.filter((each) => each === key).length;
    const wanted = Math.min(length, atWork.length < AT_ONCE / 2 ? AT_ONCE_EACH : 1);
    assert.ok(own >= wanted, `${key} has ${own} of ${length} at work, beside ${atWork.length}`);
  }
}

test('queues that are stuck leave places for others, as long as there are fewer of them than half of the places', async () => {
  const { queues, begun, end, open } = heldQueues({ atOnce: 64, atOnceEach: 16 });
  for (let stuck = 0; stuck < 32; stuck += 1)
    for (let number = 0; number < 64; number += 1)
      queues.add(`stuck ${stuck}`, { key: `stuck ${stuck}`, number });
  for (let number = 0; number < 100; number += 1) {
    queues.add('lively', { key: 'lively', number });
    const index = open.findIndex(({ item }) => item.key === 'lively');
    assert.ok(index >= 0, 'it waits for those that are stuck');
    await end(index);
  }
  assert.equal(begun.filter(({ key }) => key === 'lively').length, 100);
});

test('in one queue for all, a few that are stuck keep everybody waiting', async () => {
  const { queues, open } = heldQueues({ atOnce: 64, atOnceEach: 16 });
  for (let number = 0; number < 16; number += 1) queues.add('all', { key: 'stuck', number });
  queues.add('all', { key: 'lively', number: 0 });
  assert.ok(!open.some(({ item }) => item.key === 'lively'));
});
