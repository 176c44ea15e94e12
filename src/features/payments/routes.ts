import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import { manageRoutes, operatorId } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { BODY_LIMIT_BYTES, installRawBody, rawBodyOf } from '../../http/validation/body-parsers.ts';
import { idempotencyKey } from '../../http/validation/schema-helpers.ts';
import { ACCESS, BookingPath, Payment } from '../bookings/service.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import {
  OfferedPayments,
  OwedRefund,
  owedRefundExample,
  PaymentBody,
  paymentExample,
  paymentOptionsExample,
  RefundBody,
} from './schema.ts';
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
          'What the booking costs, what is paid of it, and the ways to pay now. The deposit of 25 percent is of the final balance. Nothing can be paid for a booking that is cancelled or rejected, and nothing where `provider` is null.',
        params: BookingPath,
        response: { 200: OfferedPayments },
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
          ...(['BOOK-N-014', 'PAYM-N-001', 'PAYM-N-002', 'PAYM-N-003', 'PAYM-N-004'] as const),
          ...(['PAYM-R-001', 'VENUE-N-009', 'MANDT-N-001'] as const),
        ],
        isLive: true,
        example: paymentExample,
      },
      schema: {
        operationId: 'createPayment',
        tags: TAG,
        summary: 'Pay for a booking',
        description:
          'Takes one of the options that are offered now. With a `token` it is charged at once; without one it is `requires_action`, and the guest completes it at `nextActionUrl` or with `clientSecret` in the form of the provider, within 30 minutes. A payment that is open counts as paid until it fails, and the booking shows how it went.',
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

  app.register(async (scope) => notificationRoutes(scope as unknown as App, payments));
  const { sandbox } = payments;
  if (sandbox) app.register(async (scope) => sandboxRoutes(scope as unknown as App, sandbox));
}

/** Providers are known by their signatures. */
function notificationRoutes(app: App, payments: Payments): void {
  installRawBody(app);
  app.post<{ Params: { provider: string } }>('/payments/:provider', {
    config: { access: 'public', isCounted: true, problems: ['HTTP-N-404', 'PAYM-R-001', 'VALID-N-001'] },
    schema: { hide: true },
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async ({ params, headers, body }, reply) => {
      await payments.receiveNotification({ slug: params.provider, headers, body: rawBodyOf(body) });
      return reply.code(200).send();
    },
  });
}

/** For those who run the venue. */
export function operatorRefundRoutes(app: App, payments: Payments): void {
  manageRoutes(app, 'Manage: bookings').create('/manage/operators/:operatorId/bookings/:bookingId/refunds', {
    access: 'manage:manager',
    operationId: 'refundBooking',
    summary: 'Give money back',
    description:
      'Part of what was taken for the booking, or all of it, from the newest payment on. It is owed from now on and paid out within minutes; the partner gets `booking.updated`. Refunds by terms, and for changes, come about by themselves.',
    params: Type.Object({ operatorId, ...BookingPath.properties }),
    body: RefundBody,
    result: OwedRefund,
    example: owedRefundExample,
    isRepeatable: true,
    problems: ['BOOK-N-006', 'BOOK-N-014', 'OPRTR-N-002'],
    run: ({ actor, params, body, idempotencyKey: key }) => payments.refund({ actor, ...params, body }, key),
  });
}
