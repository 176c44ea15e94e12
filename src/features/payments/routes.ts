import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { idempotencyKey } from '../../http/validation/schema-helpers.ts';
import { ACCESS, BookingPath, Payment, PaymentOptions } from '../bookings/service.ts';
import { PaymentBody, paymentExample, paymentOptionsExample } from './schema.ts';
import type { Payments } from './service.ts';

const PaymentHeaders = Type.Object({ 'idempotency-key': idempotencyKey });

const TAG = ['Bookings'];

export function paymentRoutes(app: App, payments: Payments): void {
  app.get(
    '/venues/bookings/:bookingId/payment-options',
    {
      config: {
        access: 'venue-booking:update',
        problems: ACCESS,
        isLive: true,
        example: paymentOptionsExample,
      },
      schema: {
        operationId: 'getPaymentOptions',
        tags: TAG,
        summary: 'Read what can be paid',
        description:
          'What the booking costs, what is paid of it, and the ways to pay now. The deposit of 25 percent is of the final balance. Nothing can be paid for a booking that is cancelled or rejected.',
        params: BookingPath,
        response: { 200: PaymentOptions },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await payments.options(callerOf(request), request.params.bookingId), format);
    },
  );

  app.post(
    '/venues/bookings/:bookingId/payments',
    {
      config: {
        access: 'venue-booking:update',
        problems: [
          ...ACCESS,
          ...(['BOOK-N-008', 'BOOK-N-009', 'BOOK-N-014', 'BOOK-R-002', 'VENUE-N-009'] as const),
        ],
        isLive: true,
        example: paymentExample,
      },
      schema: {
        operationId: 'createPayment',
        tags: TAG,
        summary: 'Pay for a booking',
        description:
          'Takes one of the options that are offered now. A payment that is `pending` counts as paid until it fails, and the booking shows how it went; a payment that the provider declines is `BOOK-N-009`.',
        params: BookingPath,
        headers: PaymentHeaders,
        body: PaymentBody,
        response: { 201: Payment },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const headers = request.headers as Static<typeof PaymentHeaders>;
      const { bookingId } = request.params;
      const key = headers['idempotency-key'];
      const payment = await payments.pay(callerOf(request), bookingId, request.body, key);
      sendLive(reply.code(201), payment, format);
    },
  );
}
