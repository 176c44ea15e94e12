import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { assertAccepted, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { OPTIONAL_BODY } from '../../http/validation/validation.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { octoForm } from './errors.ts';
import {
  availabilityExample,
  calendarExample,
  cancelledExample,
  confirmedExample,
  productExample,
  reservationExample,
  supplierExample,
} from './examples.ts';
import {
  AvailabilityBody,
  BookingsQuery,
  CalendarBody,
  CancellationBody,
  ConfirmationBody,
  ExtensionBody,
  RequestHeaders,
  ReservationBody,
  UpdateBody,
} from './request-schema.ts';
import {
  Availability,
  CAPABILITIES,
  CalendarDay,
  Capability,
  type CapabilityId,
  OctoBooking,
  Product,
  Supplier,
} from './schema.ts';
import type { Octo, OctoCaller } from './service.ts';

const ProductPath = Type.Object({
  id: Type.String({ description: 'Product id', examples: [productExample.id] }),
});
const BookingPath = Type.Object({
  uuid: Type.String({ description: 'The uuid of the booking', examples: [reservationExample.uuid] }),
});

/** What can be wrong with a product, or with the right to sell it. */
const READING: readonly ProblemCode[] = [
  ...(['AVAIL-N-001', 'AVAIL-N-002', 'AVAIL-N-003', 'AVAIL-R-001', 'BOOK-N-003', 'OPRTR-N-002'] as const),
  ...(['PMAP-N-001', 'PMAP-N-002', 'VENUE-N-001', 'VENUE-N-009'] as const),
];
const PLACING: readonly ProblemCode[] = [
  ...READING,
  ...(['AVAIL-N-004', 'AVAIL-N-005', 'AVAIL-N-006', 'AVAIL-N-007', 'AVAIL-N-008', 'BOOK-N-001'] as const),
  ...(['BOOK-N-002', 'BOOK-N-004', 'BOOK-N-005', 'BOOK-N-008', 'BOOK-N-009', 'BOOK-N-020'] as const),
  ...(['BOOK-R-001', 'BOOK-R-002', 'EVENT-N-001', 'EVENT-N-002', 'HOLD-N-004', 'VENUE-N-002'] as const),
  ...(['BKRUL-N-001', 'BKRUL-N-002', 'BKRUL-N-005', 'BKRUL-N-006', 'BKRUL-N-100'] as const),
  ...(['OPRUL-N-001', 'OPRUL-N-002', 'OPRUL-N-003', 'OPRUL-N-004', 'OPRUL-N-008', 'OPRUL-N-009'] as const),
  ...(['MANDT-N-001', 'MANDT-N-002'] as const),
];
const CHANGING: readonly ProblemCode[] = [
  ...PLACING,
  ...(['BKRUL-N-003', 'BKRUL-N-004', 'BOOK-N-006', 'BOOK-N-013', 'BOOK-N-014'] as const),
];

const common = { problemForm: octoForm, isLive: true } as const;
const described = (path: string) => `See [OCTO](https://docs.octo.travel) for what the members mean. ${path}`;
const TAG = { tags: ['OCTO'], headers: RequestHeaders };
const optionalBody = <Schema extends object>(schema: Schema): Schema => ({
  ...schema,
  [OPTIONAL_BODY]: true,
});

/** The capabilities that the request names and we know. */
function capabilitiesOf(request: FastifyRequest): Set<CapabilityId> {
  const named = String(request.headers['octo-capabilities'] ?? '').split(',');
  const wanted = new Set(named.map((name) => name.trim()));
  return new Set(CAPABILITIES.filter((id) => wanted.has(id)));
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (by: OctoCaller) => object | Promise<object>,
): Promise<void> {
  assertAccepted(request, 'application/json');
  const capabilities = capabilitiesOf(request);
  const value = await work({ caller: callerOf(request), capabilities });
  reply.header('octo-capabilities', [...capabilities].join(', '));
  sendLive(reply, value, 'json');
}

export function octoRoutes(app: App, octo: Octo): void {
  catalogueRoutes(app, octo);
  bookingRoutes(app, octo);
}

function catalogueRoutes(app: App, octo: Octo): void {
  app.get(
    '/octo/supplier',
    {
      config: { ...common, access: 'venue:read', example: supplierExample },
      schema: {
        ...TAG,
        operationId: 'octoGetSupplier',
        summary: 'Get the supplier',
        description: described('All venues that are mapped to you are sold by one supplier.'),
        response: { 200: Supplier },
      },
    },
    (request, reply) => answer(request, reply, () => octo.supplier()),
  );

  app.get(
    '/octo/capabilities',
    {
      config: { ...common, access: 'venue:read', example: [CAPABILITY] },
      schema: {
        ...TAG,
        operationId: 'octoListCapabilities',
        summary: 'List capabilities',
        description: described('Name them in `Octo-Capabilities`.'),
        response: { 200: Type.Array(Capability) },
      },
    },
    (request, reply) => answer(request, reply, () => [CAPABILITY]),
  );

  app.get(
    '/octo/products',
    {
      config: { ...common, access: 'venue:read', example: [productExample] },
      schema: {
        ...TAG,
        operationId: 'octoListProducts',
        summary: 'List products',
        description: described('The products that are mapped to you and can be reserved through OCTO.'),
        response: { 200: Type.Array(Product) },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.listProducts(by)),
  );

  app.get(
    '/octo/products/:id',
    {
      config: { ...common, access: 'venue:read', problems: READING, example: productExample },
      schema: {
        ...TAG,
        operationId: 'octoGetProduct',
        summary: 'Get a product',
        description: described('The pipes of the id may be percent-encoded or sent as they are.'),
        params: ProductPath,
        response: { 200: Product },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.getProduct(by, request.params.id)),
  );

  app.post(
    '/octo/availability',
    {
      config: { ...common, access: 'venue:read', problems: READING, example: [availabilityExample] },
      schema: {
        ...TAG,
        operationId: 'octoCheckAvailability',
        summary: 'Check availability',
        description: described('Starts of at most 100 days, or those that are named by their ids.'),
        body: AvailabilityBody,
        response: { 200: Type.Array(Availability) },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.checkAvailability(by, request.body)),
  );

  app.post(
    '/octo/availability/calendar',
    {
      config: { ...common, access: 'venue:read', problems: READING, example: [calendarExample] },
      schema: {
        ...TAG,
        operationId: 'octoCheckCalendar',
        summary: 'Check availability by day',
        description: described('At most 100 days.'),
        body: CalendarBody,
        response: { 200: Type.Array(CalendarDay) },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.checkCalendar(by, request.body)),
  );
}

const CAPABILITY = {
  id: 'octo/pricing',
  revision: 1,
  required: false,
  dependencies: [],
  docs: 'https://docs.octo.travel/capabilities/pricing',
};

function bookingRoutes(app: App, octo: Octo): void {
  app.post(
    '/octo/bookings',
    {
      config: { ...common, access: 'venue-booking:create', problems: PLACING, example: reservationExample },
      schema: {
        ...TAG,
        operationId: 'octoReserve',
        summary: 'Hold a place',
        description: described('With the same `uuid` and body again, nothing is done twice.'),
        body: ReservationBody,
        response: { 200: OctoBooking },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.reserve(by, request.body)),
  );

  app.get(
    '/octo/bookings',
    {
      config: { ...common, access: 'venue-booking:read', example: [confirmedExample] },
      schema: {
        ...TAG,
        operationId: 'octoListBookings',
        summary: 'List bookings',
        description: described('At least one filter is needed. The newest 500, of those made through OCTO.'),
        querystring: BookingsQuery,
        response: { 200: Type.Array(OctoBooking) },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.list(by, request.query)),
  );

  app.get(
    '/octo/bookings/:uuid',
    {
      config: {
        ...common,
        access: 'venue-booking:read',
        problems: ['BOOK-N-006'],
        example: confirmedExample,
      },
      schema: {
        ...TAG,
        operationId: 'octoGetBooking',
        summary: 'Get a booking',
        description: described('One that was made through OCTO.'),
        params: BookingPath,
        response: { 200: OctoBooking },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.get(by, request.params.uuid)),
  );

  app.patch(
    '/octo/bookings/:uuid',
    {
      config: { ...common, access: 'venue-booking:update', problems: CHANGING, example: reservationExample },
      schema: {
        ...TAG,
        operationId: 'octoUpdateBooking',
        summary: 'Change a booking',
        description: described(
          'Refused, everything stays as it was. Confirmed tickets can only become fewer.',
        ),
        params: BookingPath,
        body: UpdateBody,
        response: { 200: OctoBooking },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.update(by, request.params.uuid, request.body)),
  );

  app.post(
    '/octo/bookings/:uuid/confirm',
    {
      config: { ...common, access: 'venue-booking:create', problems: CHANGING, example: confirmedExample },
      schema: {
        ...TAG,
        operationId: 'octoConfirmBooking',
        summary: 'Confirm a booking',
        description: described('Needs the name of a guest. Confirming twice changes nothing.'),
        params: BookingPath,
        body: ConfirmationBody,
        response: { 200: OctoBooking },
      },
    },
    (request, reply) => answer(request, reply, (by) => octo.confirm(by, request.params.uuid, request.body)),
  );

  app.post(
    '/octo/bookings/:uuid/extend',
    {
      config: { ...common, access: 'venue-booking:create', problems: CHANGING, example: reservationExample },
      schema: {
        ...TAG,
        operationId: 'octoExtendReservation',
        summary: 'Hold a place for longer',
        description: described('At most an hour from now on, and four hours in all.'),
        params: BookingPath,
        body: optionalBody(ExtensionBody),
        response: { 200: OctoBooking },
      },
    },
    (request, reply) =>
      answer(request, reply, (by) => octo.extend(by, request.params.uuid, request.body?.expirationMinutes)),
  );

  app.post(
    '/octo/bookings/:uuid/cancel',
    {
      config: { ...common, access: 'venue-booking:delete', problems: CHANGING, example: cancelledExample },
      schema: {
        ...TAG,
        operationId: 'octoCancelBooking',
        summary: 'Cancel a booking',
        description: described(
          'Releases a hold, or cancels by the terms of the venue. Cancelling twice is no mistake.',
        ),
        params: BookingPath,
        body: optionalBody(CancellationBody),
        response: { 200: OctoBooking },
      },
    },
    (request, reply) =>
      answer(request, reply, (by) => octo.cancel(by, request.params.uuid, request.body?.reason || null)),
  );
}
