import type { Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { Problem, problem } from '../../../kernel/problem.ts';
import { partnerOf } from '../access.ts';
import type { Context } from '../context.ts';
import { findIdOf } from '../store.ts';
import type { BookingBody } from './body.ts';

/** A partner uses an id of its own once; a booking of the house has none. */
export async function assertUnused(
  tx: Tx,
  partnerId: number | null,
  partnerBookingId: string | null | undefined,
): Promise<void> {
  if (partnerId === null || partnerBookingId == null) return;
  const bookingId = await findIdOf(tx, partnerId, partnerBookingId);
  if (bookingId !== undefined) throw alreadyUsed(partnerBookingId, bookingId);
}

/** `bookingId`: the booking that has it, where it was found; always one of the same partner. */
export const alreadyUsed = (partnerBookingId: string | null | undefined, bookingId?: string) =>
  problem('BOOK-N-002', {
    detail: `You have a booking ${partnerBookingId} already.`,
    ...(bookingId !== undefined && { extensions: { bookingId } }),
  });

/**
 * A partner that repeats a booking, because the answer was lost, learns that it exists, and not that its own table is
 * taken.
 */
export async function sayingItExists<Result>(
  { sql }: Context,
  caller: Caller,
  { partnerBookingId }: Pick<BookingBody, 'partnerBookingId'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.status < 500)
      await assertUnused(sql, partnerOf(caller).id, partnerBookingId);
    throw error;
  }
}
