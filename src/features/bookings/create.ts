import { inTransaction, type Tx } from '../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../http/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../kernel/ids.ts';
import { Problem, problem } from '../../kernel/problem.ts';
import type { BookingRequest, LocalConnector, RemoteConnector, SystemBooking } from '../../tms/contract.ts';
import { fingerprintOf, type Keep } from '../idempotency/service.ts';
import type { BookingBody } from './body.ts';
import { assertAllowed, assertOffered, type BookableProduct, getBookableProduct } from './bookable.ts';
import { announce } from './change.ts';
import type { Context } from './context.ts';
import { basisOf, Outdated, onFreshVenue } from './freshness.ts';
import { assertUnused } from './partner-booking-id.ts';
import { type BookingRecord, type BookingSource, NOT_PLACED } from './record.ts';
import { refusalOf } from './refusals.ts';
import { type Ruled, ruleOn } from './ruling.ts';
import type { Booking } from './schema.ts';
import { placementOf, requestOf, stayOf } from './system-request.ts';
import { bookingView } from './view.ts';
import { readWish } from './wish.ts';

export interface NewBooking {
  productId: ProductId;
  body: BookingBody;
  source: BookingSource;
  idempotencyKey: string | undefined;
}

/** One request to book, as far as it has been understood. */
interface Order extends Ruled {
  /** The same however often it is tried, so that a system is never asked for two. */
  bookingId: string;
  caller: Caller;
  partner: PartnerIdentity;
  bookable: BookableProduct;
  source: BookingSource;
  idempotencyKey: string | undefined;
  /** Of the whole request; only a system that is called over the network needs it. */
  fingerprint: () => Buffer;
  blockedSpaceIds: number[];
  keep: Keep<Booking>;
}

export function createBooking(context: Context, caller: Caller, asked: NewBooking): Promise<Booking> {
  const partner = partnerOf(caller);
  const { productId, body, source, idempotencyKey } = asked;
  const bookingId = newId(context.clock);
  const content = { create: productId, partner: partner.id, source, body };
  return context.idempotency.once<Booking>(
    { clientId: caller.clientId, key: idempotencyKey, content },
    (keep) =>
      sayingItExists(context, partner.id, body.partnerBookingId ?? null, () =>
        onFreshVenue(context, venueOfProduct(productId), async () => {
          const bookable = await getBookableProduct(context, caller, productId);
          const asked = { bookable, wish: readWish(body, bookable), source };
          const ruled = await ruleOn(context, caller, asked);
          const blockedSpaceIds = assertAllowed(context, caller, bookable, ruled.wish);
          const fingerprint = () => fingerprintOf(content);
          const order = {
            ...ruled,
            bookingId,
            caller,
            partner,
            bookable,
            source,
            idempotencyKey,
            fingerprint,
            blockedSpaceIds,
            keep,
          };
          return order.wish.type === 'request' ? enquire(context, order) : book(context, order);
        }),
      ),
  );
}

/** Operators have no such scope; the platform may do everything, but books for nobody. */
function partnerOf(caller: Caller): PartnerIdentity {
  if ('partner' in caller) return caller.partner;
  throw problem('IDENT-N-002', { detail: 'A booking is made for a partner, by itself or by an agent.' });
}

/**
 * A partner that sends a booking again, because it never saw the answer, learns that it exists, and not that its own
 * table is taken.
 */
async function sayingItExists<Result>(
  { sql }: Context,
  partnerId: number,
  partnerBookingId: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.status < 500) await assertUnused(sql, partnerId, partnerBookingId);
    throw error;
  }
}

function book(context: Context, order: Order): Promise<Booking> {
  const { connector } = order.bookable;
  return connector.flavour === 'local'
    ? bookLocally(context, order, connector)
    : bookRemotely(context, order, connector);
}

function orderedRequest({ clock }: Context, order: Order): BookingRequest {
  const { bookingId, bookable, wish, blockedSpaceIds } = order;
  return requestOf(bookingId, bookable, wish, { blockedSpaceIds, nowMs: nowOf(clock).epochMilliseconds });
}

/** The place is taken and the booking written in one transaction. */
async function bookLocally(context: Context, order: Order, connector: LocalConnector): Promise<Booking> {
  const request = orderedRequest(context, order);
  return inTransaction(context.sql, async (tx) => {
    const outcome = await connector.book(tx, request);
    if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
    return write(tx, context, order, confirmed(context, order, request.bookingId, outcome.value));
  });
}

function bookRemotely(context: Context, order: Order, connector: RemoteConnector): Promise<Booking> {
  const request = orderedRequest(context, order);
  const { caller, partner, wish, idempotencyKey = null, fingerprint } = order;
  const { partnerBookingId } = wish;
  return context.desk.place(
    {
      connector,
      bookingId: request.bookingId,
      partnerId: partner.id,
      partnerBookingId,
      clientId: caller.clientId,
      idempotencyKey,
      fingerprint: fingerprint(),
      check: (tx) => assertUnused(tx, partner.id, partnerBookingId),
    },
    request,
    (tx, held, bookingId) => write(tx, context, order, confirmed(context, order, bookingId, held)),
  );
}

/** An enquiry takes nothing, but it must be about a start that somebody could have. */
async function enquire(context: Context, order: Order): Promise<Booking> {
  const durationMinutes = await assertOffered(context, order.caller, order.bookable, order.wish);
  const record: BookingRecord = {
    ...newRecord(context, order, order.bookingId),
    ...NOT_PLACED,
    status: 'pending',
    durationMinutes,
    isAutoConfirmed: false,
  };
  return inTransaction(context.sql, (tx) => write(tx, context, order, record));
}

function confirmed(context: Context, order: Order, id: string, held: SystemBooking): BookingRecord {
  const record = newRecord(context, order, id);
  return { ...record, ...placementOf(held, record.createdAt), status: 'confirmed', isAutoConfirmed: true };
}

type NewRecord = Omit<
  BookingRecord,
  keyof typeof NOT_PLACED | 'status' | 'durationMinutes' | 'isAutoConfirmed'
>;

function newRecord({ clock }: Context, order: Order, id: string): NewRecord {
  const { caller, partner, wish, flags, skipsPreorderEmail, source, bookable } = order;
  const { venue, product } = bookable;
  const now = nowOf(clock);
  const { lat, lng, address, area, city, postcode, countryCode } = venue;
  return {
    id,
    partnerId: partner.id,
    clientId: caller.clientId,
    operatorId: partsOfVenueId(venue.id).operatorId,
    venueId: venue.id,
    productId: product.id,
    partnerBookingId: wish.partnerBookingId,
    source,
    partnerSource: venue.channel?.source ?? partner.reference,
    type: wish.type,
    ...stayOf(wish),
    preorders: wish.preorders,
    depositPence: wish.depositPence,
    guest: wish.guest,
    wasPlaced: false,
    refundTerms: product.refundTerms,
    flags: [...flags],
    skipsPreorderEmail,
    ruledBalancePence: null,
    actualGuests: null,
    actualSpendPence: null,
    createdAt: now,
    lastUpdate: now,
    venue: {
      name: venue.name,
      operatorName: venue.operatorName,
      productName: product.name,
      timeZone: venue.timeZone,
      isClosed: venue.isClosed,
      paymentRules: product.paymentRules,
      location: { lat, lng, address, area, city, postcode, countryCode },
    },
    payments: [],
  };
}

/** Sent together, answered together: one way to the database for all of it. */
async function write(tx: Tx, context: Context, order: Order, record: BookingRecord): Promise<Booking> {
  const { caller, partner, keep } = order;
  const booking = bookingView(record, caller);
  const [isWritten] = await Promise.all([
    context.store.insert(tx, record, basisOf(order, partner.id)),
    announce(tx, context, record),
    keep(tx, booking),
  ]);
  if (isWritten) return booking;
  await assertUnused(tx, partner.id, record.partnerBookingId);
  throw new Outdated();
}
