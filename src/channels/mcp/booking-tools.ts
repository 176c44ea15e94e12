/** Tools that hold, book, change, cancel and read. */
import { type Static, Type } from 'typebox';
import {
  BOOKING_STATUSES,
  type Booking,
  BookingBody,
  DEFAULT_TTL_SECONDS,
  HoldBody,
} from '../../features/bookings/service.ts';
import { idempotencyKey, oneOf, text } from '../../http/validation/schema-helpers.ts';
import { parseProductId, parseVenueId } from '../../kernel/ids.ts';
import { invalid, Problem } from '../../kernel/problem.ts';
import { closed, defineTool, goesOn, money, nextPage, page, type ToolCall, told } from './tool.ts';

const BOOKINGS_PER_PAGE = 10;

const BookingFacts = Type.Object({
  bookingId: Type.String(),
  status: oneOf(BOOKING_STATUSES),
  venue: Type.String(),
  compositeId: Type.String(),
  date: Type.String(),
  time: Type.String(),
  partySize: Type.Integer(),
  children: Type.Optional(Type.Integer()),
  guest: Type.Optional(Type.String()),
  reference: Type.Optional(text('Of the venue')),
  payBy: Type.Optional(text('Unpaid, the place is lost then')),
  payAmount: Type.Optional(Type.Integer()),
});

function factsOf(booking: Booking): Static<typeof BookingFacts> {
  const { children, firstName, lastName, operatorBookingId, paymentDue } = booking;
  return {
    bookingId: booking.id,
    status: booking.status,
    venue: booking.venueName,
    compositeId: booking.compositeId,
    date: booking.date,
    time: booking.time,
    partySize: booking.partySize,
    ...(children > 0 && { children }),
    ...(lastName !== null && { guest: `${firstName} ${lastName}` }),
    ...(operatorBookingId !== null && { reference: operatorBookingId }),
    ...(paymentDue && { payBy: paymentDue.until, payAmount: paymentDue.amount }),
  };
}

function sentenceOf(booking: Booking): string {
  const { status, venueName, date, time, partySize, children, id, paymentDue } = booking;
  const due = paymentDue
    ? ` The guest has to pay ${money(paymentDue.amount, paymentDue.currency)} until ${paymentDue.until}.`
    : '';
  return `${status}: ${venueName}, ${date} ${time}, party of ${partySize + children}, booking ${id}.${due}`;
}

const answerOf = (booking: Booking) => ({ text: sentenceOf(booking), data: factsOf(booking) });

const fields = BookingBody.properties;
const productId = text('From find_tables or get_venues');
const confirmationToken = told(fields.confirmationToken, 'From MANDT-N-002, once the user agreed');

const preorders = told(fields.preorders, '{packages:[{id,quantity}],menus:[{id,items:[{id,quantity}]}]}');

const guest = {
  email: told(fields.email),
  phone: told(fields.phone),
  notes: told(fields.notes, 'Wishes of the guest'),
};

export const holdTable = defineTool({
  name: 'hold_table',
  description: 'Keep a place for some minutes while the guest decides; book it with holdId.',
  scope: 'venue-booking:create',
  hints: 'create',
  input: Type.Object(
    {
      compositeId: productId,
      partySize: HoldBody.properties.partySize,
      children: told(HoldBody.properties.children),
      date: Type.String({ format: 'date' }),
      time: text('HH:MM'),
      spaceId: told(HoldBody.properties.spaceId),
      ttlSeconds: told(HoldBody.properties.ttlSeconds, `${DEFAULT_TTL_SECONDS} unless given`),
      idempotencyKey: told(idempotencyKey, 'Repeated, it holds once'),
      confirmationToken,
    },
    closed,
  ),
  output: Type.Object({
    holdId: Type.String(),
    expiresAt: Type.String(),
    deposit: Type.Integer(),
    currency: Type.String(),
    preorder: Type.String(),
    companyRequired: Type.Boolean(),
  }),
  async run({ bookings, caller }, { compositeId, ttlSeconds, idempotencyKey: key, ...body }) {
    const { id, expiresAt, slot, offer } = await bookings.makeHold(caller, {
      productId: parseProductId(compositeId),
      body,
      ttlSeconds: ttlSeconds ?? DEFAULT_TTL_SECONDS,
      idempotencyKey: key,
    });
    const { deposit, currency, preorder, companyRequired } = offer;
    return {
      text: `Held until ${expiresAt}: ${slot.date} ${slot.time}, hold ${id}.`,
      data: { holdId: id, expiresAt, deposit, currency, preorder: preorder.required, companyRequired },
    };
  },
});

export const createVenueBooking = defineTool({
  name: 'create_venue_booking',
  description:
    'Book, or with type `request` ask the venue. Repeated with the same partnerBookingId, it books once.',
  scope: 'venue-booking:create',
  hints: 'create',
  input: Type.Object(
    {
      compositeId: productId,
      type: Type.Optional(told(fields.type, 'As found; `book` unless given')),
      partySize: fields.partySize,
      children: told(fields.children),
      date: Type.String({ format: 'date' }),
      time: text('HH:MM'),
      spaceId: told(fields.spaceId),
      firstName: told(fields.firstName),
      lastName: told(fields.lastName),
      ...guest,
      company: told(fields.company, 'Where the venue requires one'),
      depositAmount: told(fields.depositAmount, 'Pence that you have taken'),
      preorders,
      partnerBookingId: told(fields.partnerBookingId, 'An id of yours'),
      holdId: told(fields.holdId, 'From hold_table'),
      confirmationToken,
    },
    closed,
  ),
  output: BookingFacts,
  async run(call, { compositeId, type = 'book', ...body }) {
    const productId = parseProductId(compositeId);
    const asked = { productId, body: { ...body, type }, source: 'api' as const };
    try {
      return answerOf(await call.bookings.create(call.caller, asked));
    } catch (error) {
      const made = await findMade(call, error, { ...body, compositeId });
      if (made) return answerOf(made);
      throw error;
    }
  },
});

type Stay = Pick<Booking, 'compositeId' | 'date' | 'time' | 'partySize'> & { children?: number | null };

/** For a model that repeats itself: what it has booked under this id, as it is now; undefined: it asks for another. */
async function findMade({ bookings, caller }: ToolCall, error: unknown, asked: Stay) {
  if (!(error instanceof Problem) || error.code !== 'BOOK-N-002') return undefined;
  const { bookingId } = error.options.extensions ?? {};
  if (typeof bookingId !== 'string') return undefined;
  const made = await bookings.get(caller, bookingId);
  const isSame =
    made.compositeId === asked.compositeId &&
    made.date === asked.date &&
    made.time === asked.time &&
    made.partySize === asked.partySize &&
    made.children === (asked.children ?? 0);
  return isSame ? made : undefined;
}

export const updateVenueBooking = defineTool({
  name: 'update_venue_booking',
  description: 'Change a booking: only what is sent changes, all of it or nothing.',
  scope: 'venue-booking:update',
  hints: 'change',
  input: Type.Object(
    {
      bookingId: Type.String(),
      partySize: Type.Optional(fields.partySize),
      children: told(fields.children),
      date: Type.Optional(Type.String({ format: 'date' })),
      time: Type.Optional(text('HH:MM')),
      firstName: Type.Optional(told(fields.firstName)),
      lastName: Type.Optional(told(fields.lastName)),
      ...guest,
      preorders,
      confirmationToken,
    },
    closed,
  ),
  output: BookingFacts,
  async run({ bookings, caller }, { bookingId, ...changes }) {
    if (Object.keys(changes).length === 0) throw invalid('arguments', 'change nothing');
    return answerOf(await bookings.amend(caller, bookingId, (current) => ({ ...current, ...changes })));
  },
});

export const cancelVenueBooking = defineTool({
  name: 'cancel_venue_booking',
  description: 'Cancel a booking and give its place back. Cannot be undone; repeated, it changes nothing.',
  scope: 'venue-booking:delete',
  hints: 'change',
  input: Type.Object({ bookingId: Type.String() }, closed),
  output: Type.Object({ bookingId: Type.String(), status: oneOf(['cancelled'] as const) }),
  async run({ bookings, caller }, { bookingId }) {
    await bookings.cancel(caller, bookingId);
    return { text: `Booking ${bookingId} is cancelled.`, data: { bookingId, status: 'cancelled' as const } };
  },
});

export const getVenueBookings = defineTool({
  name: 'get_venue_bookings',
  description: 'List your bookings, the newest first.',
  scope: 'venue-booking:read',
  hints: 'read',
  input: Type.Object(
    {
      status: Type.Optional(
        Type.Array(oneOf(BOOKING_STATUSES), { minItems: 1, maxItems: BOOKING_STATUSES.length }),
      ),
      dateFrom: Type.Optional(Type.String({ format: 'date' })),
      dateTo: Type.Optional(Type.String({ format: 'date' })),
      venueId: Type.Optional(Type.String()),
      partnerBookingId: told(fields.partnerBookingId),
      page,
    },
    closed,
  ),
  output: Type.Object({ bookings: Type.Array(BookingFacts), nextPage }),
  async run({ bookings, caller }, { page: pageNumber = 1, venueId, partnerBookingId, ...filter }) {
    const found = await bookings.list(caller, {
      ...filter,
      ...(venueId !== undefined && { venueId: parseVenueId(venueId) }),
      ...(partnerBookingId != null && { partnerBookingId }),
      pageNumber,
      pageSize: BOOKINGS_PER_PAGE,
    });
    const next = pageNumber * BOOKINGS_PER_PAGE < found.total ? pageNumber + 1 : undefined;
    return {
      text: [`${found.total} bookings.`, ...found.bookings.map(sentenceOf), ...goesOn(next)].join('\n'),
      data: { bookings: found.bookings.map(factsOf), ...(next && { nextPage: next }) },
    };
  },
});

export const getVenueBookingById = defineTool({
  name: 'get_venue_booking_by_id',
  description: 'Read one booking, with the guest.',
  scope: 'venue-booking:read',
  hints: 'read',
  input: Type.Object({ bookingId: Type.String() }, closed),
  output: Type.Object({
    ...BookingFacts.properties,
    product: Type.String(),
    duration: Type.Integer(),
    email: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    notes: Type.Optional(Type.String()),
    partnerBookingId: Type.Optional(Type.String()),
  }),
  async run({ bookings, caller }, { bookingId }) {
    const booking = await bookings.get(caller, bookingId);
    const { email, phone, notes, partnerBookingId } = booking;
    const data = {
      ...factsOf(booking),
      product: booking.productName,
      duration: booking.duration,
      ...(email !== null && { email }),
      ...(phone !== null && { phone }),
      ...(notes !== null && { notes }),
      ...(partnerBookingId !== null && { partnerBookingId }),
    };
    return { text: sentenceOf(booking), data };
  },
});
