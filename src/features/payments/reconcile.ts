/**
 * Compares our ledger with the books of the provider. What succeeded there and is open here is settled, refunds that
 * were made there are booked; what cannot be mended is kept as a difference for people to look at.
 */
import { inTransaction, type Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { type BookingRecord, OURSELVES, takenOf } from '../bookings/service.ts';
import { insertRefundEntry } from './ledger-store.ts';
import { resolve } from './open-payments.ts';
import { recordRefund } from './payout.ts';
import type { Movement, PaymentProvider } from './provider.ts';
import * as books from './reconcile-store.ts';
import { newCall, type PaymentsContext, withPayment } from './settling.ts';
import { findByReference, type OpenPayment } from './store.ts';

export interface Reconciliation {
  /** Movements that were compared. */
  compared: number;
  differences: number;
  /** False: the provider did not show all of its books. */
  isComplete: boolean;
}

const DAYS = 7;
/** What was made without us is older there than here, by as long as it took to be noticed. */
const NOTICED_HOURS = 24;
/** Clocks differ, and movements reach the books of a provider with some delay. */
const SKEW_MINUTES = 10;

export async function reconcile(context: PaymentsContext, signal?: AbortSignal): Promise<Reconciliation> {
  const { sql, clock, provider } = context;
  if (!provider) return { compared: 0, differences: 0, isComplete: true };
  const now = nowOf(clock);
  const from = now.subtract({ hours: 24 * DAYS });
  const differences: books.Difference[] = [];
  const compared: books.Compared[] = [];
  let moved = 0;
  let isComplete = true;
  for (const account of await books.listAccounts(sql, { provider: provider.slug, from })) {
    const period = { account, from: from.subtract({ hours: NOTICED_HOURS }), now };
    const booked = await books.listBooked(sql, { provider: provider.slug, ...period });
    const movements = await readMovements(provider, period, signal);
    if (!movements) {
      isComplete = false;
      continue;
    }
    moved += movements.length;
    for (const pair of pairsOf(booked, movements, { from, before: skewed(now, -1) })) {
      compared.push(...namesOf(pair));
      differences.push(...differencesOf(pair));
    }
    compared.push(...movements.map(({ reference }) => ({ kind: 'not_here' as const, reference })));
    differences.push(...(await missingHere(context, provider, booked, movements)));
  }
  await inTransaction(sql, (tx) =>
    books.saveDifferences(tx, differences, { provider: provider.slug, now, compared }),
  );
  return { compared: moved, differences: differences.length, isComplete };
}

const skewed = (at: Temporal.Instant, direction: 1 | -1) => at.add({ minutes: direction * SKEW_MINUTES });

async function readMovements(
  provider: PaymentProvider,
  { account, from, now }: { account: string | null; from: Temporal.Instant; now: Temporal.Instant },
  signal: AbortSignal | undefined,
): Promise<Movement[] | undefined> {
  const movements: Movement[] = [];
  let after: string | null = null;
  do {
    if (signal?.aborted) return undefined;
    const period = { account, from: skewed(from, -1), to: skewed(now, 1), after };
    const page = await provider.movements(newCall(signal), period);
    if (page.kind === 'unavailable') return undefined;
    movements.push(...page.movements);
    after = page.next;
  } while (after !== null);
  return movements;
}

interface Pair {
  entry: books.BookedEntry;
  /** Undefined: the provider has none. */
  movement: Movement | undefined;
}

/**
 * What can be compared: what was booked a moment ago may not be in the books of the provider yet, and a movement of
 * what was begun before may be older than those that were read.
 */
function pairsOf(
  booked: readonly books.BookedEntry[],
  movements: readonly Movement[],
  { from, before }: { from: Temporal.Instant; before: Temporal.Instant },
): Pair[] {
  const there = new Map(movements.flatMap((movement) => keysOf(movement).map((key) => [key, movement])));
  return booked
    .filter(({ at }) => Temporal.Instant.compare(at, before) < 0)
    .map((entry) => ({ entry, movement: there.get(entry.reference ?? '') ?? there.get(entry.id) }))
    .filter(({ entry, movement }) => movement || Temporal.Instant.compare(entry.begunAt, from) >= 0);
}

const nameOf = ({ reference, id }: books.BookedEntry) => reference ?? id;
const namesOf = ({ entry }: Pair): books.Compared[] =>
  (['not_there', 'amount'] as const).map((kind) => ({ kind, reference: nameOf(entry) }));

/** Books what is missing here; what cannot be booked is a difference. */
async function missingHere(
  context: PaymentsContext,
  provider: PaymentProvider,
  booked: readonly books.BookedEntry[],
  movements: readonly Movement[],
): Promise<books.Difference[]> {
  const here = new Set(booked.flatMap(({ id, reference }) => (reference === null ? [id] : [id, reference])));
  const differences: books.Difference[] = [];
  for (const movement of movements) {
    if (keysOf(movement).some((key) => here.has(key))) continue;
    differences.push(...(await mend(context, provider, movement)));
  }
  return differences;
}

const keysOf = ({ reference, intentReference, kind, ourId }: Movement): string[] =>
  kind === 'payment' ? [intentReference] : [reference, ...(ourId === null ? [] : [ourId])];

const signedOf = ({ kind, amountPence }: Movement) => (kind === 'payment' ? amountPence : -amountPence);

const notHere = (movement: Movement, payment?: OpenPayment): books.Difference => ({
  kind: 'not_here',
  reference: movement.reference,
  operatorId: payment?.operatorId ?? null,
  paymentId: payment?.id ?? null,
  ledgerPence: null,
  providerPence: signedOf(movement),
  currency: movement.currency,
});

/** One at most. */
function differencesOf({ entry, movement }: Pair): books.Difference[] {
  const { operatorId, paymentId, amountPence, currency } = entry;
  const providerPence = movement ? signedOf(movement) : null;
  if (movement && providerPence === amountPence && movement.currency === currency) return [];
  const kind = movement ? 'amount' : 'not_there';
  const known = { operatorId, paymentId, ledgerPence: amountPence, providerPence, currency };
  return [{ kind, reference: nameOf(entry), ...known }];
}

/** What is ours and cannot be booked. Movements that others made with the same account are none of ours. */
async function mend(
  context: PaymentsContext,
  provider: PaymentProvider,
  movement: Movement,
): Promise<books.Difference[]> {
  const { sql, clock } = context;
  const { intentReference: reference, kind, ourId } = movement;
  const named = { provider: provider.slug, reference, now: nowOf(clock) };
  const payment = await findByReference(sql, named);
  if (!payment) return ourId === null ? [] : [notHere(movement)];
  if (payment.status !== 'succeeded') {
    const resolution = await resolve(context, provider, payment, { isAbandoned: false });
    if (resolution !== 'over') return [notHere(movement, payment)];
  }
  if (kind === 'refund') await bookRefund(context, payment, movement);
  return [];
}

function bookRefund(context: PaymentsContext, payment: OpenPayment, movement: Movement): Promise<void> {
  const { id: paymentId, bookingId } = payment;
  const { ourId, reference } = movement;
  return context.bookings.inBooking(OURSELVES, bookingId, async (tx, booking) => {
    const known = await books.findRefund(tx, { ourId, paymentId, reference });
    if (!known) return bookForeignRefund(tx, context, booking, { ...movement, paymentId });
    if (known.status === 'due') await recordRefund(tx, context, booking, { ...known, reference });
  });
}

async function bookForeignRefund(
  tx: Tx,
  { clock, bookings }: PaymentsContext,
  booking: BookingRecord,
  { paymentId, amountPence, reference }: Movement & { paymentId: string },
): Promise<void> {
  const payment = booking.payments.find(({ id }) => id === paymentId);
  if (!payment) return;
  const at = nowOf(clock);
  const refund = { id: newId(clock), paymentId, bookingId: booking.id, amountPence, reference, at };
  if (amountPence > takenOf([payment])) return books.insertCorrection(tx, refund);
  await books.insertForeignRefund(tx, refund);
  await insertRefundEntry(tx, { refundId: refund.id, at });
  const returned = {
    ...payment,
    refundedPence: payment.refundedPence + amountPence,
    returnedPence: payment.returnedPence + amountPence,
  };
  await bookings.change(tx, booking, { payments: withPayment(booking, returned) });
}
