/** Payments: each as it was told, once, and nobody's money kept without a reason. */
import type { BookingRow, Evidence, PaymentRow } from '../evidence.ts';
import { isDone } from '../journal.ts';
import { TICKET_PENCE } from '../world.ts';

const PAY = 'POST /venues/bookings/{bookingId}/payments';

export function checkMoney({ entries, payments, bookings }: Evidence): string[] {
  const byId = new Map(payments.map((row) => [row.id, row]));
  const byBooking = Map.groupBy(payments, ({ bookingId }) => bookingId);
  const told = entries.filter((entry) => entry.route === PAY && isDone(entry));
  const rows = new Map(bookings.map((row) => [row.id, row]));
  return [
    ...told.flatMap(({ answer, actor }) => {
      const row = byId.get(answer.id);
      const isThere =
        row?.amountPence === answer.amount && (answer.status !== 'succeeded' || row?.status === 'succeeded');
      return isThere
        ? []
        : [`payment ${answer.id} of ${actor} was acknowledged: ${JSON.stringify(row ?? null)}`];
    }),
    ...[...Map.groupBy(told, ({ client, key }) => `${client} ${key}`)]
      .filter(([, each]) => new Set(each.map(({ answer }) => answer.id)).size > 1)
      .map(([key]) => `key ${key} has paid twice`),
    ...[...byBooking].flatMap(([id, paid]) => checkBalance(rows.get(id), paid)),
  ];
}

/** So long before the start, whoever cancels gets everything back. */
function checkBalance(row: BookingRow | undefined, payments: readonly PaymentRow[]): string[] {
  const name = `booking ${row?.id}`;
  const taken = payments.filter(({ status }) => status === 'succeeded');
  const kept = taken.reduce((sum, { amountPence, refundedPence }) => sum + amountPence - refundedPence, 0);
  const isOver = row?.status === 'cancelled' || row?.status === 'rejected';
  const most = row && !isOver ? TICKET_PENCE * (row.partySize + row.children) : 0;
  return [
    ...(kept > most ? [`${kept} pence of ${name} are kept, ${most} are owed`] : []),
    ...taken
      .filter(({ amountPence, refundedPence }) => refundedPence > amountPence)
      .map(({ id }) => `more of payment ${id} was given back than was taken`),
  ];
}
