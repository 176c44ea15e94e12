/** The books: every movement once, here as at the provider; no deposit without a booking, and no booking without its deposit. */
import type { Evidence, MovementRow } from '../evidence.ts';

export function checkLedger(evidence: Evidence): string[] {
  return [...compareBooks(evidence), ...checkPayments(evidence), ...checkDeposits(evidence)];
}

const lineOf = ({ id, amountPence }: MovementRow) => `${id} over ${amountPence} pence`;

function compareBooks({ ledger, provider }: Evidence): string[] {
  const [ours, theirs] = [new Set(ledger.map(lineOf)), new Set(provider.map(lineOf))];
  return [
    ...[...ours.difference(theirs)].map((line) => `the ledger has ${line}, and the provider does not`),
    ...[...theirs.difference(ours)].map((line) => `the provider has ${line}, and the ledger does not`),
    ...(ours.size === ledger.length ? [] : ['the ledger has a movement twice']),
  ];
}

/** A payment that succeeded is in the ledger, and one that failed is not. */
function checkPayments({ payments, ledger }: Evidence): string[] {
  const booked = new Set(ledger.map(({ id }) => id));
  return payments.flatMap(({ id, status }) => {
    if (status !== 'succeeded' && status !== 'failed') return [`payment ${id} stays ${status}`];
    return (status === 'succeeded') === booked.has(id)
      ? []
      : [`payment ${id} is ${status}, unlike the ledger`];
  });
}

function checkDeposits({ bookings, ledger }: Evidence): string[] {
  const kept = new Map<string, number>();
  for (const { bookingId, amountPence } of ledger)
    if (bookingId !== null) kept.set(bookingId, (kept.get(bookingId) ?? 0) + amountPence);
  const taken = new Map<string, number>();
  for (const { bookingId, amountPence } of ledger)
    if (bookingId !== null && amountPence > 0)
      taken.set(bookingId, (taken.get(bookingId) ?? 0) + amountPence);
  return bookings.flatMap(({ id, status, depositDuePence, depositPence, isUnpaid }) => {
    const sum = kept.get(id) ?? 0;
    const isOff = status === 'cancelled' || status === 'rejected';
    return [
      ...(isOff && sum !== 0 ? [`${sum} pence of booking ${id}, which is ${status}, are kept`] : []),
      ...(isUnpaid && status !== 'pending' ? [`booking ${id} is ${status} and waits for its payment`] : []),
      ...(status === 'confirmed' && depositPence === null && (depositDuePence ?? 0) > (taken.get(id) ?? 0)
        ? [`booking ${id} is confirmed without its deposit of ${depositDuePence}`]
        : []),
    ];
  });
}
