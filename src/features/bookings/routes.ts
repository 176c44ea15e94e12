import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { compileFieldset } from '../../http/format/fieldset.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../http/validation/paging.ts';
import { CommaList } from '../../http/validation/query-schema.ts';
import { oneOf } from '../../http/validation/schema-helpers.ts';
import { parseProductId, parseVenueId } from '../../kernel/ids.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { AmendmentBody, BookingBody, PatchBody } from './create/body.ts';
import { BOOKING_STATUSES } from './record.ts';
import {
  ACCESS,
  Booking,
  BookingPath,
  bookingExample,
  CREATING,
  CreationHeaders,
  ListedBooking,
  listedBookingExample,
  MANDATED,
  PLACING,
  ProductPath,
  RULED,
} from './schema.ts';
import type { Bookings } from './service.ts';

const OneBookingQuery = Type.Object({
  fields: Type.Optional(
    Type.String({ description: 'What to return, for example `id,status,preorders(menus(submitted))`' }),
  ),
});

const MOST_IDS = 100;

const BookingQuery = Type.Object({
  ...pageQuery,
  compositeId: Type.Optional(Type.String({ description: 'Only bookings of this product' })),
  operatorBookingId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The number that the system of the venue gave',
    }),
  ),
  partnerBookingId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The id that the partner gave' }),
  ),
  id: CommaList(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: MOST_IDS,
    description: 'Only these bookings, as far as they are yours',
  }),
  venueId: Type.Optional(Type.String({ description: 'Only bookings of this venue' })),
  status: CommaList(oneOf(BOOKING_STATUSES), {
    minItems: 1,
    maxItems: BOOKING_STATUSES.length,
    description: 'Any of these',
  }),
  dateFrom: Type.Optional(Type.String({ format: 'date', description: 'Trading day; from this one on' })),
  dateTo: Type.Optional(
    Type.String({ format: 'date', description: 'Trading day; up to and including this one' }),
  ),
  updatedSince: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only bookings whose `lastUpdate` is this or later' }),
  ),
  fields: Type.Optional(Type.String({ description: 'What to return of each booking' })),
});

const AMENDING: readonly ProblemCode[] = [
  ...ACCESS,
  ...PLACING,
  ...RULED,
  ...MANDATED,
  ...(['BKRUL-N-003', 'BOOK-N-013', 'BOOK-N-014'] as const),
];

const USING_HOLD: readonly ProblemCode[] = ['HOLD-N-001', 'HOLD-N-002', 'HOLD-N-003'];
/** Of a booking whose place is kept until its deposit is paid. */
const PAID_FIRST: readonly ProblemCode[] = ['HOLD-N-004', 'HOLD-N-005', 'PAYM-N-003'];

const TAG = ['Bookings'];

export function bookingRoutes(app: App, bookings: Bookings): void {
  app.post(
    '/venues/:compositeId/booking',
    {
      config: {
        access: 'venue-booking:create',
        problems: [...CREATING, ...USING_HOLD, ...PAID_FIRST],
        isLive: true,
        example: bookingExample,
      },
      schema: {
        operationId: 'createBooking',
        tags: TAG,
        summary: 'Book, or request a booking',
        description:
          'Checks everything against the system of the venue at this moment. `type` comes from live availability: `book` is confirmed at once, `request` waits for the operator. With `holdId`, the held place is booked on the terms that were offered with it. Where your mapping says that deposits are paid before the confirmation, the booking is `pending` with `paymentDue` until the guest has paid.',
        params: ProductPath,
        headers: CreationHeaders,
        body: BookingBody,
        response: { 201: Booking },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const headers = request.headers as Static<typeof CreationHeaders>;
      const booking = await bookings.create(callerOf(request), {
        productId: parseProductId(request.params.compositeId),
        body: request.body,
        source: headers['x-booking-source'] ?? 'api',
        idempotencyKey: headers['idempotency-key'],
      });
      sendLive(reply.code(201), booking, format);
    },
  );

  app.get(
    '/venues/bookings',
    {
      config: {
        access: 'venue-booking:read',
        problems: ['FSEL-N-001'],
        isLive: true,
        example: pageOf([listedBookingExample], 1, { pageNumber: 1, pageSize: 20 }),
      },
      schema: {
        operationId: 'listBookings',
        tags: TAG,
        summary: 'List bookings',
        description:
          'Your own bookings, the newest first; operators see those of their venues. All filters given must hold. To follow changes, repeat the request with `updatedSince`: the latest `lastUpdate` that you have seen, less one minute. A booking that you have seen with the same `lastUpdate` has not changed.',
        querystring: BookingQuery,
        response: { 200: Page(ListedBooking) },
      },
    },
    async (request, reply) => {
      const { compositeId, venueId, updatedSince, fields, ...query } = request.query;
      const format = formatOf(request);
      const select = compileFieldset(ListedBooking, fields);
      const { bookings: found, total } = await bookings.list(callerOf(request), {
        ...query,
        productId: compositeId === undefined ? undefined : parseProductId(compositeId),
        venueId: venueId === undefined ? undefined : parseVenueId(venueId),
        updatedSince: updatedSince === undefined ? undefined : instantOf(updatedSince),
      });
      sendLive(
        reply,
        pageOf(
          found.map((booking) => select(booking)),
          total,
          query,
        ),
        format,
      );
    },
  );

  app.get(
    '/venues/bookings/:bookingId',
    {
      config: {
        access: 'venue-booking:read',
        problems: ['FSEL-N-001', ...ACCESS],
        isLive: true,
        example: bookingExample,
      },
      schema: {
        operationId: 'getBooking',
        tags: TAG,
        summary: 'Read one booking',
        description: 'A booking of yours; operators read those of their venues.',
        params: BookingPath,
        querystring: OneBookingQuery,
        response: { 200: Booking },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const select = compileFieldset(Booking, request.query.fields);
      const booking = await bookings.get(callerOf(request), request.params.bookingId);
      sendLive(reply, select(booking) as object, format);
    },
  );

  app.put(
    '/venues/bookings/:bookingId',
    {
      config: {
        access: 'venue-booking:update',
        problems: AMENDING,
        isLive: true,
        example: bookingExample,
        readCurrent: (request) =>
          bookings.get(callerOf(request), (request.params as Static<typeof BookingPath>).bookingId),
      },
      schema: {
        operationId: 'replaceBooking',
        tags: TAG,
        summary: 'Amend a booking as a whole',
        description:
          'The booking becomes what the body says; fields that it leaves out are cleared, except `partnerBookingId` and what you are not shown. What you have read can be sent back as it is. Checked like a new booking; refused, everything stays as it was.',
        params: BookingPath,
        body: AmendmentBody,
        response: { 200: Booking },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const { bookingId } = request.params;
      sendLive(reply, await bookings.replace(callerOf(request), bookingId, request.body), format);
    },
  );

  app.patch(
    '/venues/bookings/:bookingId',
    {
      config: {
        access: 'venue-booking:update',
        problems: AMENDING,
        isLive: true,
        example: bookingExample,
      },
      schema: {
        operationId: 'patchBooking',
        tags: TAG,
        summary: 'Amend parts of a booking',
        description:
          'A JSON Patch (RFC 6902: `add`, `remove`, `replace`) of the document that PUT takes. All operations are applied or none is.',
        params: BookingPath,
        body: PatchBody,
        response: { 200: Booking },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const { bookingId } = request.params;
      sendLive(reply, await bookings.patch(callerOf(request), bookingId, request.body), format);
    },
  );

  app.delete(
    '/venues/bookings/:bookingId',
    {
      config: {
        access: 'venue-booking:delete',
        problems: [
          ...ACCESS,
          ...(['BKRUL-N-004', 'BOOK-N-003', 'BOOK-N-009', 'BOOK-N-014'] as const),
          ...(['BOOK-R-001', 'BOOK-R-002'] as const),
          // It needs no body, but what is sent is read.
          ...(['HTTP-N-413', 'HTTP-N-415'] as const),
        ],
      },
      schema: {
        operationId: 'cancelBooking',
        tags: TAG,
        summary: 'Cancel a booking',
        description:
          'Gives the place back and refunds what the terms of the product say. Done again, it answers the same.',
        params: BookingPath,
        response: { 204: Type.Null({ description: 'Cancelled' }) },
      },
    },
    async (request, reply) => {
      await bookings.cancel(callerOf(request), request.params.bookingId);
      return reply.code(204).send(null);
    },
  );
}
