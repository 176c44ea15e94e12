import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inBatches } from '../../src/db/in-batches.ts';
import { noteWrite, type RequestScope, runInScope } from '../../src/kernel/request-scope.ts';

/** Work that ends when it is told to. */
function heldWork() {
  const batches: { items: readonly number[]; end(): void; fail(error: Error): void }[] = [];
  const work = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      batches.push({ items, end: () => resolve(items.map((item) => -item)), fail: reject });
    });
  return { batches, work };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('what comes up in one turn goes together, and each gets its own result', async () => {
  const { batches, work } = heldWork();
  const ask = inBatches(work, { underWay: 1, most: 10 });
  const answers = [1, 2, 3].map(ask);
  await turn();
  assert.deepEqual(
    batches.map(({ items }) => items),
    [[1, 2, 3]],
  );
  batches[0]?.end();
  assert.deepEqual(await Promise.all(answers), [-1, -2, -3]);
});

test('what comes while all are busy waits, and then goes together', async () => {
  const { batches, work } = heldWork();
  const ask = inBatches(work, { underWay: 2, most: 3 });
  const answers: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4, 5, 6, 7]) {
    answers.push(ask(item));
    await turn();
  }
  assert.deepEqual(
    batches.map(({ items }) => items),
    [[1], [2]],
  );
  batches[1]?.end();
  await turn();
  assert.deepEqual(batches[2]?.items, [3, 4, 5], 'no more than the most');
  for (let index = 0; index < 4; index += 1) {
    batches[index]?.end();
    await turn();
  }
  assert.deepEqual(await Promise.all(answers), [-1, -2, -3, -4, -5, -6, -7]);
});

test('a batch that fails fails those in it and no others', async () => {
  const { batches, work } = heldWork();
  const ask = inBatches(work, { underWay: 1, most: 10 });
  const [first, second] = [ask(1), ask(2)];
  await turn();
  const third = ask(3);
  batches[0]?.fail(new Error('no'));
  await assert.rejects(first, /no/);
  await assert.rejects(second, /no/);
  await turn();
  batches[1]?.end();
  assert.equal(await third, -3);
});

test('whenever they come and however long it takes, everybody is answered once and never too many are under way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3), { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (pauses, underWay, most) => {
        let running = 0;
        const seen: number[] = [];
        const ask = inBatches(
          async (items: readonly number[]) => {
            running += 1;
            assert.ok(running <= underWay && items.length <= most && items.length > 0);
            seen.push(...items);
            for (let pause = (items[0] ?? 0) % 4; pause > 0; pause -= 1) await turn();
            running -= 1;
            return items.map((item) => item * 2);
          },
          { underWay, most },
        );
        const answers: Promise<number>[] = [];
        for (const [item, pause] of pauses.entries()) {
          answers.push(ask(item));
          for (let left = pause; left > 0; left -= 1) await turn();
        }
        assert.deepEqual(
          await Promise.all(answers),
          pauses.map((_, item) => item * 2),
        );
        assert.deepEqual(seen, [...pauses.keys()], 'in the order in which they came');
      },
    ),
    { numRuns: 50 },
  );
});

test('a result that is a promise does not hold up the next batch', async () => {
  let release = (_: number) => {};
  const late = new Promise<number>((resolve) => {
    release = resolve;
  });
  const ask = inBatches(
    async (items: readonly number[]) => items.map((item) => (item === 1 ? late : -item)),
    {
      underWay: 1,
      most: 1,
    },
  );
  const first = ask(1);
  assert.equal(await ask(2), -2);
  release(-1);
  assert.equal(await first, -1);
});

test('work that has begun is told whose caller has gone since', async () => {
  let isOver = false;
  let release = () => {};
  const started = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ask = inBatches(
    async (items: readonly number[], isWanted) => {
      await started;
      return items.map((item) => (isWanted(item) ? item : 0));
    },
    { underWay: 1, most: 10 },
  );
  const scope: RequestScope = { isOver: () => isOver, leftMs: () => 1000, mayHaveWritten: false };
  const answers = [ask(1), runInScope(scope, () => ask(2))];
  await turn();
  isOver = true;
  release();
  assert.deepEqual(await Promise.all(answers), [1, 0]);
});

test('one whose caller has gone is left out, and what the others write is theirs', async () => {
  const { batches, work } = heldWork();
  const written: number[] = [];
  const ask = inBatches(
    (items: readonly number[]) => {
      noteWrite();
      return work(items);
    },
    { underWay: 1, most: 10 },
  );
  const scopeOf = (item: number, isOver: boolean): RequestScope => ({
    isOver: () => isOver,
    leftMs: () => 1000,
    get mayHaveWritten() {
      return false;
    },
    set mayHaveWritten(_) {
      written.push(item);
    },
  });
  const askFor = (item: number, isOver: boolean) => runInScope(scopeOf(item, isOver), () => ask(item));
  const gone = assert.rejects(askFor(1, true), /no longer waits/);
  const answers = [askFor(2, false), askFor(3, false)];
  await turn();
  await gone;
  assert.deepEqual(
    batches.map(({ items }) => items),
    [[2, 3]],
  );
  assert.deepEqual(written, [2, 3]);
  batches[0]?.end();
  assert.deepEqual(await Promise.all(answers), [-2, -3]);
});

test('background work, which has no caller, may write in a batch with others', async () => {
  const ask = inBatches(
    async (items: readonly number[]) => {
      noteWrite();
      return items;
    },
    { underWay: 1, most: 10 },
  );
  const scope: RequestScope = { isOver: () => false, leftMs: () => 1000, mayHaveWritten: false };
  assert.deepEqual(await Promise.all([ask(1), runInScope(scope, () => ask(2))]), [1, 2]);
  assert.equal(scope.mayHaveWritten, true);
});
