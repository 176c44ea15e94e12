import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { changing, dismiss, say, toasts, undo, undoLast } from '../../src/console/browser/app/toasts.ts';

afterEach(() => {
  for (const { id } of toasts.peek()) dismiss(id);
});

/** Says that something was done; `undone` gets its name when it is taken back. */
const done = (name: string, undone: string[]) => say(name, async () => undone.push(name));

test('the button of a message takes back what that message is about', async () => {
  const undone: string[] = [];
  done('first', undone);
  done('second', undone);
  const [first] = toasts.peek();
  assert.ok(first);
  await undo(first);
  assert.deepEqual(undone, ['first']);
  await undoLast();
  assert.deepEqual(undone, ['first', 'second']);
  assert.deepEqual(toasts.peek(), []);
});

test('the key means the change that was made last, also while its answer is on its way', async () => {
  const undone: string[] = [];
  done('arrived', undone);
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  const seating = changing(answer.then(() => done('seated', undone)));
  const taking = undoLast();
  resolve();
  await Promise.all([seating, taking]);
  assert.deepEqual(undone, ['seated']);
});

test('a way back that is refused says so', async () => {
  say('moved', () => Promise.reject(new TypeError('no connection')));
  await undoLast();
  assert.equal(toasts.peek().length, 1);
  assert.notEqual(toasts.peek()[0]?.problem, undefined);
});
