import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AdmissionLimits, createAdmission } from '../../src/http/admission.ts';
import { eventually } from '../support/eventually.ts';

const limits: AdmissionLimits = {
  alwaysTaken: 2,
  maxTurnMs: 10,
  maxBurstMs: 50,
  maxDelayMs: 50,
  probeEveryMs: 1,
  longestWorkMs: 250,
};

/** An admission whose clock stands still until told, and whose database answers when told. */
function underHand() {
  let now = 1000;
  let answer = () => {};
  let isHeldUp = false;
  const admission = createAdmission({
    limits,
    nowMs: () => now,
    probe: () =>
      isHeldUp
        ? new Promise<void>((resolve) => {
            answer = resolve;
          })
        : Promise.resolve(),
  });
  return {
    admission,
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

/** A turn that takes on three, each of which keeps the loop for so long. */
async function turnOf(eachMs: number, { admission, pass }: ReturnType<typeof underHand>) {
  const results = [1, 2, 3].map(() => {
    const request = {};
    const result = admission.enter(request);
    pass(eachMs);
    admission.leave(request);
    return result;
  });
  await nextTurn();
  return results;
}

test('a turn that goes on for too long takes on no more than always, and the next one begins afresh', async () => {
  const hand = underHand();
  assert.deepEqual(await turnOf(26, hand), [undefined, undefined, 'turn']);
  assert.deepEqual(await turnOf(1, hand), [undefined, undefined, undefined]);
});

test('one long turn is worked off; after several in a row less is taken on, until one is short', async () => {
  const hand = underHand();
  for (let count = 0; count < 2; count += 1) {
    assert.deepEqual(await turnOf(20, hand), [undefined, undefined, undefined]);
  }
  assert.deepEqual(await turnOf(20, hand), [undefined, undefined, 'turn']);
  assert.deepEqual(await turnOf(1, hand), [undefined, undefined, undefined]);
  assert.deepEqual(await turnOf(20, hand), [undefined, undefined, undefined]);
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

test('busy is half of what is always taken', () => {
  const { admission } = underHand();
  assert.equal(admission.isBusy(), false);
  const request = {};
  admission.enter(request);
  assert.equal(admission.isBusy(), true);
  admission.stop();
});
