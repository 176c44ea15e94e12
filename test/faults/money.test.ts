/** The short version of `npm run money`, and what it would say if a protection were missing. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runHistories } from '../../proof/money/histories.ts';
import type { Tampering } from '../../proof/money/world.ts';
import { newId } from '../../src/kernel/crypto.ts';
import { repeats } from '../support/repeats.ts';

const HISTORIES = repeats(300, 60);
/** A few histories can go well by luck. */
const MOST_OF_CONTROL = 60;

const seed = Number(process.env.MONEY_SEED ?? Date.now() % 1_000_000);

test('whatever becomes of calls and nodes, the ledger is what Stripe has, and nobody pays twice', async (t) => {
  const { contradictions, counts } = await runHistories({ seed, histories: HISTORIES });
  t.diagnostic(`MONEY_SEED=${seed}; ${JSON.stringify(counts)}`);
  assert.deepEqual(contradictions, [], `MONEY_SEED=${seed}`);
  assert.ok((counts.deaths ?? 0) > 0);
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
