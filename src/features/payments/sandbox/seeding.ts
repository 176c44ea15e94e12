import type { Tx } from '../../../db/database.ts';
import type { BookingRecord, PaymentRecord } from '../../bookings/service.ts';
import { type DemoPayment, insertDemoPayments } from './seeding-store.ts';

/** Payments of the demo's bookings. Each has succeeded; what was refunded of it has gone back. */
export const writeDemoPayments = (tx: Tx, bookings: readonly BookingRecord[]): Promise<void> =>
  insertDemoPayments(
    tx,
    bookings.flatMap((booking) => booking.payments.map((payment) => rowOf(booking, payment))),
  );

const rowOf = (
  { id, operatorId, clientId, lastUpdate }: BookingRecord,
  payment: PaymentRecord,
): DemoPayment => ({
  id: payment.id,
  reference: `sandbox-${payment.id}`,
  booking_id: id,
  operator_id: operatorId,
  client_id: clientId,
  option: payment.option,
  amount: payment.amountPence,
  refunded: payment.refundedPence,
  currency: payment.currency,
  method: payment.method,
  at: payment.createdAt.toString(),
  refunded_at: lastUpdate.toString(),
});
