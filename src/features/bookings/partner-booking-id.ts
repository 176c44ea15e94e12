import type { Tx } from '../../db/database.ts';
import { problem } from '../../kernel/problem.ts';
import { hasUsed } from './store.ts';

/** A partner uses an id of its own once. */
export async function assertUnused(
  tx: Tx,
  partnerId: number,
  partnerBookingId: string | null | undefined,
): Promise<void> {
  if (partnerBookingId == null) return;
  if (await hasUsed(tx, partnerId, partnerBookingId)) throw alreadyUsed(partnerBookingId);
}

export const alreadyUsed = (partnerBookingId: string | null | undefined) =>
  problem('BOOK-N-002', { detail: `You have a booking ${partnerBookingId} already.` });
