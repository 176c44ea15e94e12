import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AdmissionLimits, createAdmission } from '../../../src/http/limits/admission.ts';
import { eventually } from '../../support/eventually.ts';

const limits: AdmissionLimits = {
  alwaysTaken: 2,
  maxTickMs: 10,
  maxWaitMs: 30,
  maxDelayMs: 50,
  probeEveryMs: 1,
  longestWorkMs: 250,
};

/** An admission whose clock stands still until told, and whose database answers when told. */
function underHand() {
  let now = 1000;
  let answer = () => {};
  let isHeldUp = false;
  let eachMs = 0;
  const begun: object[] = [];
  const admission = createAdmission<object>({
    limits,
    nowMs: () => now,
    begin: (request) => {
      begun.push(request);
      now += eachMs;
    },
    probe: () =>
      isHeldUp
        ? new Promise<void>((resolve) => {
            answer = resolve;
          })
        : Promise.resolve(),
  });
  return {
    admission,
    begun,
    /** How long each keeps the loop that is begun from now on. */
    keepLoopFor: (ms: number) => {
      eachMs = ms;
    },
    pass: (ms: number) => {
      now += ms;
    },
    holdUp: () => {
      isHeldUp = true;
    },
    letGo: () => {
      isHeldUp = false;
      answer();
    },
  };
}

/** So many that arrive at once; they have left by the time the loop turns, whatever has become of them. */
function arrive(count: number, { admission }: ReturnType<typeof underHand>) {
  const requests = Array.from({ length: count }, () => ({}));
  const refusals = requests.map((request) => {
    const refusal = admission.enter(request);
    admission.leave(request);
    return refusal;
  });
  return { requests, refused: refusals.filter((refusal) => refusal === 'tick').length };
}

test('a turn begins requests for so long; the others follow in the next ones, first come first', async () => {
  const hand = underHand();
  hand.keepLoopFor(6);
  const { requests, refused } = arrive(5, hand);
  assert.deepEqual([refused, hand.begun.length], [0, 2]);
  const late = arrive(1, hand);
  await nextTurn();
  assert.equal(hand.begun.length, 4);
  await nextTurn();
  assert.deepEqual(hand.begun, [...requests, ...late.requests]);
});

test('a turn that had much else to do leaves the next one less time to begin requests', async () => {
  const hand = underHand();
  hand.keepLoopFor(1);
  assert.equal(arrive(15, hand).refused, 0);
  assert.equal(hand.begun.length, 7);
  hand.pass(8);
  await nextTurn();
  assert.equal(hand.begun.length, 10);
  await nextTurn();
  assert.equal(hand.begun.length, 15);
});

test('what piled up in a standstill waits for its turn, up to a limit', async () => {
  const hand = underHand();
  hand.keepLoopFor(11);
  assert.equal(arrive(12, hand).refused, 3);
  assert.equal(hand.begun.length, 1);
  await nextTurn();
  assert.equal(arrive(2, hand).refused, 1);
  for (let turn = 0; turn < 8; turn += 1) await nextTurn();
  assert.equal(hand.begun.length, 10);
  assert.equal(arrive(8, hand).refused, 0);
});

test('while the database answers, any number may wait for somebody else', async (t) => {
  const { admission, pass } = underHand();
  t.after(() => admission.stop());
  let taken = 0;
  await eventually(async () => {
    for (let count = 0; count < 4; count += 1) if (admission.enter({}) === undefined) taken += 1;
    pass(1);
    return taken > 200;
  });
});

test('while the database keeps everybody waiting, no more is taken on than always', async (t) => {
  const { admission, pass, holdUp, letGo } = underHand();
  t.after(() => admission.stop());
  holdUp();
  const first = [{}, {}];
  for (const request of first) assert.equal(admission.enter(request), undefined);
  await eventually(() => {
    pass(100);
    const request = {};
    const result = admission.enter(request);
    admission.leave(request);
    return result === 'queue';
  });
  for (const request of first) admission.leave(request);
  assert.equal(admission.enter({}), undefined);
  assert.equal(admission.enter({}), undefined);
  assert.equal(admission.enter({}), 'queue');
  letGo();
  await eventually(() => admission.enter({}) === undefined);
});

test('what waits for a database that is held up is not taken for waiting elsewhere', async (t) => {
  const { admission, pass, holdUp } = underHand();
  t.after(() => admission.stop());
  holdUp();
  let taken = 0;
  for (let count = 0; count < 100; count += 1) {
    if (admission.enter({}) === undefined) taken += 1;
    pass(100);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.ok(taken <= 8, `${taken} were taken on`);
});

test('so it is from the first question on, however slowly requests arrive', async (t) => {
  const { admission, pass, holdUp } = underHand();
  t.after(() => admission.stop());
  holdUp();
  let taken = 0;
  for (let count = 0; count < 100; count += 1) {
    if (admission.enter({}) === undefined) taken += 1;
    pass(limits.longestWorkMs + 50);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(taken <= 8, `${taken} were taken on`);
});

test('busy is half of what is always taken', () => {
  const { admission } = underHand();
  assert.equal(admission.isBusy(), false);
  const request = {};
  admission.enter(request);
  assert.equal(admission.isBusy(), true);
  admission.stop();
});
