import { nowOf } from '../../kernel/clock.ts';
import { newCall, type PaymentsContext } from './settling.ts';
import * as store from './store.ts';
/** Pays out refunds, which are owed from the moment they are stored. */

export interface Payout {
  done: number;
  failed: number;
  /** Of those that failed: tried so often that the platform should look into it. */
  stuck: number;
}

const AT_ONCE = 5;

export const MANY_ATTEMPTS = 10;

/** One attempt at each refund that is due. */
export async function settleRefunds(context: PaymentsContext, signal?: AbortSignal): Promise<Payout> {
  const { sql, clock, provider } = context;
  const payout: Payout = { done: 0, failed: 0, stuck: 0 };
  const dueBy = nowOf(clock);

  async function payOutNext(): Promise<boolean> {
    const due = await store.claimDueRefund(sql, { provider: provider.slug, now: nowOf(clock), dueBy });
    if (!due) return false;
    const { attempts, ...repayment } = due;
    const { kind } = await provider.refund(newCall(signal), repayment);
    payout[kind] += 1;
    if (kind === 'done') await store.markPaidOut(sql, due.refundId);
    else if (attempts >= MANY_ATTEMPTS) payout.stuck += 1;
    return true;
  }

  async function payOutAll(): Promise<void> {
    while (!signal?.aborted && (await payOutNext()));
  }

  await Promise.all(Array.from({ length: AT_ONCE }, payOutAll));
  return payout;
}
