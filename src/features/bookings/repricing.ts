import type { Tx } from '../../db/database.ts';
import { oweRefund, refundOfSurplus } from '../payments/refunds.ts';
import type { Context } from './context.ts';
import type { BookingRecord } from './record.ts';
import { atRuledBalance } from './ruling.ts';

/**
 * A locked booking after a change, at what it costs then; what was paid beyond that is owed to the guest from here on.
 * Rules are asked again only about what somebody has begun to pay.
 */
export async function repriced(
  tx: Tx,
  context: Context,
  before: BookingRecord,
  changed: BookingRecord,
): Promise<BookingRecord> {
  const after = changed.ruledBalancePence === null ? changed : await atRuledBalance(tx, context, changed);
  const payments = await oweRefund(tx, context.clock, before, refundOfSurplus(before, after));
  return { ...after, payments };
}
