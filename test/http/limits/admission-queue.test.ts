import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAdmissionQueue } from '../../../src/http/limits/admission-queue.ts';
import { eventually } from '../../support/eventually.ts';

/** A room whose clock stands still until told, and into which so many are let as there are places. */
function underHand() {
  let now = 1000;
  let places = 0;
  const entered: string[] = [];
  const refused: string[] = [];
  const room = createAdmissionQueue<string, string>({
    maxWaitMs: 30,
    nowMs: () => now,
    enter: (request) => {
      if (places === 0) return 'full';
      places -= 1;
      entered.push(request);
    },
    refuse: (request, reason) => void refused.push(`${request}: ${reason}`),
  });
  return {
    room,
    entered,
    refused,
    pass: (ms: number) => {
      now += ms;
    },
    makePlaces: (count: number) => {
      places += count;
    },
  };
}

test('those who wait come in when there are places, first come first', async (t) => {
  const { room, entered, refused, makePlaces } = underHand();
  t.after(() => room.close());
  for (const name of ['one', 'two', 'three']) room.add(name, 'full');
  makePlaces(2);
  await eventually(() => entered.length === 2);
  assert.deepEqual(entered, ['one', 'two']);
  makePlaces(1);
  await eventually(() => entered.length === 3);
  assert.deepEqual(refused, []);
});

test('who has waited for as long as one may is refused, with the reason that it was given', async () => {
  const { room, refused, entered, pass } = underHand();
  room.add('one', 'full');
  pass(29);
  room.refuseLate();
  assert.deepEqual(refused, []);
  pass(1);
  room.refuseLate();
  assert.deepEqual(refused, ['one: full']);
  room.add('two', 'slow');
  pass(100);
  await eventually(() => refused.length === 2);
  assert.deepEqual(refused, ['one: full', 'two: slow']);
  assert.deepEqual(entered, []);
});

test('what arrives may have been sent since the turn before, and waits for that much less', async (t) => {
  const { room, refused, pass } = underHand();
  t.after(() => room.close());
  room.add('one', 'full');
  await nextTurn();
  pass(20);
  room.add('two', 'full');
  pass(10);
  room.refuseLate();
  assert.deepEqual(refused, ['one: full', 'two: full']);
  await nextTurn();
  // Nobody was there for longer than a turn takes: this one has just been sent.
  pass(100);
  room.add('three', 'full');
  pass(29);
  room.refuseLate();
  assert.equal(refused.length, 2);
});

test('when the room is closed nobody is left in it', () => {
  const { room, refused } = underHand();
  room.add('one', 'full');
  room.add('two', 'full');
  room.close();
  assert.deepEqual(refused, ['one: full', 'two: full']);
});
