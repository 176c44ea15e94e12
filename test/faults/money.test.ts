/** The short version of `npm run money`, and what it would say if a protection were missing. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { contradictionsOf } from '../../proof/money/check.ts';
import { runHistories } from '../../proof/money/histories.ts';
import { book, comeToRest } from '../../proof/money/history.ts';
import {
  type Kind,
  type MoneyNode,
  type MoneyWorld,
  openMoneyWorld,
  type Tampering,
} from '../../proof/money/world.ts';
import { newId } from '../../src/kernel/crypto.ts';
import { repeats } from '../support/repeats.ts';
import { type Random, randomFrom } from './orders/order-random.ts';
import { LEASE_SECONDS } from './orders/order-story.ts';

const HISTORIES = repeats(300, 60);
/** A few histories can go well by luck. */
const MOST_OF_CONTROL = 600;

const seed = Number(process.env.MONEY_SEED ?? Date.now() % 1_000_000);

test('whatever becomes of calls and nodes, the ledger is what Stripe has, and nobody pays twice', async (t) => {
  const { contradictions, counts } = await runHistories({ seed, histories: HISTORIES });
  t.diagnostic(`MONEY_SEED=${seed}; ${JSON.stringify(counts)}`);
  assert.deepEqual(contradictions, [], `MONEY_SEED=${seed}`);
  assert.ok((counts.deaths ?? 0) > 0);
});

/** Pays with a card, perhaps takes the money back, and says how it went on a node that dies at the call. */
async function dieAtCall(scene: Scene, kind: Kind, diesAtCall: number): Promise<boolean> {
  const { world, living, mortal } = scene;
  world.calmDown();
  const bookingId = await book({ ...scene, kind });
  const request = {
    ...({ method: 'POST', path: `/venues/bookings/${bookingId}/payments`, key: bookingId } as const),
    body: { option: kind === 'paid first' ? 'deposit' : 'full', token: 'pm_card_visa' },
  };
  mortal.life.beReborn({ diesAtCall });
  const answer = await mortal.call(request);
  world.pass(LEASE_SECONDS);
  const again = await living[0]?.call(request);
  assert.equal(again?.status, 201, JSON.stringify(again));
  if (answer) assert.equal(answer.json.id, again?.json.id);
  if (diesAtCall % 2 === 0)
    await living[0]?.call({ method: 'DELETE', path: `/venues/bookings/${bookingId}` });
  const hasSurvivedPaying = !mortal.life.isDead();
  mortal.life.beReborn({ diesAtCall });
  world.pass(65);
  await mortal.runJobs();
  await comeToRest({ ...scene, bookingId });
  const succeeded = new Set([again?.json.id as string]);
  const told = { kind, bookingId, succeeded, clientSecrets: new Set<string>() };
  assert.deepEqual(await contradictionsOf(world, told), [], `dies at ${diesAtCall}`);
  return hasSurvivedPaying && !mortal.life.isDead();
}

interface Scene {
  world: MoneyWorld;
  random: Random;
  living: readonly MoneyNode[];
  mortal: MoneyNode;
}

for (const kind of ['paid afterwards', 'paid first'] as const)
  test(`a node that dies before or after any call to Stripe leaves no doubt: bookings ${kind}`, async (t) => {
    const world = await openMoneyWorld();
    t.after(() => world.close());
    const [first, mortal] = [await world.startNode(), await world.startNode()];
    const scene = { world, random: randomFrom(seed), living: [first], mortal };
    let moments = 1;
    while (!(await dieAtCall(scene, kind, moments))) moments += 1;
    t.diagnostic(`${moments - 1} moments to die at`);
    assert.ok(moments > 4);
    for (const node of [first, mortal]) await node.leave();
  });

async function contradictionsWith(t: TestContext, tampering: Tampering): Promise<string> {
  t.diagnostic(`MONEY_SEED=${seed}`);
  const { contradictions } = await runHistories({
    ...{ seed, histories: MOST_OF_CONTROL, tampering },
    isOver: (found) => found.length > 0,
  });
  return contradictions.join('\n');
}

test('refunds that are asked for under a new name each time are given twice', async (t) => {
  const found = await contradictionsWith(t, (provider) => ({
    ...provider,
    refund: (call, repayment) =>
      provider.refund(call, { ...repayment, refundId: newId(() => Temporal.Now.instant()) }),
  }));
  assert.match(found, /gave back \d+, and the ledger has undefined|is due at most/);
});

test('a payment whose answer is lost and passes for not begun is taken unknown to us', async (t) => {
  const found = await contradictionsWith(t, (provider) => ({
    ...provider,
    async authorise(call, authorisation) {
      const outcome = await provider.authorise(call, authorisation);
      return outcome.kind === 'unknown' ? { kind: 'unavailable' } : outcome;
    },
    movements: async () => ({ kind: 'unavailable' }),
    readNotification: () => ({ kind: 'other', id: newId(() => Temporal.Now.instant()) }),
  }));
  assert.match(found, /took \d+, and payment is failed/);
});
