/** Bookings as far as a caller may see them. */
import { inContestedTransaction, type Tx } from '../../db/database.ts';
import { type Caller, type PartnerIdentity, visibilityOf } from '../../http/auth/caller.ts';
import { isUuid } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import type { Context } from './context.ts';
import type { BookingRecord } from './record.ts';
import { exists } from './store.ts';

export async function getBooking(
  { store, sql, operatorAction }: Context,
  caller: Caller,
  id: string,
): Promise<BookingRecord> {
  if (!isUuid(id)) throw notFound(id);
  const record = await store.findShared(sql, visibilityOf(caller), id);
  if (!record) return refuseAccess(sql, caller, id);
  await operatorAction?.check(sql, record);
  return record;
}

export async function lockBooking(
  tx: Tx,
  { store }: Context,
  caller: Caller,
  id: string,
): Promise<BookingRecord> {
  if (!isUuid(id)) throw notFound(id);
  const record = await store.lock(tx, visibilityOf(caller), id);
  return record ?? refuseAccess(tx, caller, id);
}

const notFound = (id: string) => problem('BOOK-N-006', { detail: `There is no booking ${id}.` });

async function refuseAccess(tx: Tx, caller: Caller, id: string): Promise<never> {
  if (!(await exists(tx, id, visibilityOf(caller)))) throw notFound(id);
  throw caller.kind === 'operator'
    ? problem('OPRTR-N-002', { detail: `Booking ${id} is at a venue of another operator.` })
    : problem('PMAP-N-003', { detail: `Booking ${id} is not yours.` });
}

/** One booking, locked and changed. */
export function withLockedBooking<Result>(
  context: Context,
  caller: Caller,
  id: string,
  work: (tx: Tx, booking: BookingRecord) => Promise<Result>,
): Promise<Result> {
  return inContestedTransaction(context.sql, async (tx) => {
    const booking = await lockBooking(tx, context, caller, id);
    await context.operatorAction?.check(tx, booking);
    return work(tx, booking);
  });
}

/** Partners have no say in this; whose venues an operator may speak for is decided where the booking is read. */
export function assertOperator(caller: Caller): void {
  if (caller.kind === 'operator' || caller.kind === 'platform') return;
  throw problem('USER-N-009', { detail: 'This is for the operator of the venue.' });
}

/** Operators have no such scope; the platform may do everything, but books for no partner. */
export function partnerOf(caller: Caller): PartnerIdentity {
  if ('partner' in caller) return caller.partner;
  throw problem('IDENT-N-002', { detail: 'A booking is made for a partner, by itself or by an agent.' });
}
