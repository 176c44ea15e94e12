import { inContestedTransaction, type Tx } from '../../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../../kernel/ids.ts';
import { codeOf } from '../../../kernel/problem.ts';
import type {
  BookingRequest,
  LocalConnector,
  RemoteConnector,
  SystemBooking,
} from '../../../tms/contract.ts';
import { fingerprintOf, type Keep } from '../../idempotency/service.ts';
import { partnerOf } from '../access.ts';
import { assertAllowed, assertOffered, type BookableProduct, getBookableProduct } from '../bookable.ts';
import { announce, announcementOf } from '../change.ts';
import type { Context } from '../context.ts';
import { type BookingRecord, type BookingSource, NOT_PLACED } from '../record.ts';
import { refusalOf } from '../refusals.ts';
import { othersAtWork } from '../remote/remote.ts';
import { type Ruled, ruleOn } from '../ruling.ts';
import type { Booking } from '../schema.ts';
import { placementOf, requestOf, stayOf } from '../system-request.ts';
import { bookingView } from '../view.ts';
import { assertSameNotes, type BookingBody } from './body.ts';
import { readStay, readWish } from './draft.ts';
import { assertUnused, sayingItExists } from './partner-booking-id.ts';
import { type AskedStay, namingAlternatives, timeFirst } from './time-first.ts';
import { basisOf, Outdated, onFreshVenues } from './version-check.ts';

export interface NewBooking {
  productId: ProductId;
  body: BookingBody;
  source: BookingSource;
  idempotencyKey?: string | undefined;
}

/** With the id that it will have, the same however often it is tried: no system is ever asked for two. */
export interface NamedBooking extends NewBooking {
  id: string;
}

/** A booking as far as it can be decided before anything is taken. */
export interface Plan extends Ruled {
  id: string;
  caller: Caller;
  partner: PartnerIdentity;
  bookable: BookableProduct;
  source: BookingSource;
  blockedSpaceIds: number[];
}

export function createBooking(context: Context, caller: Caller, asked: NewBooking): Promise<Booking> {
  assertSameNotes(asked.body);
  const { idempotencyKey: key } = asked;
  const content = contentOf(partnerOf(caller), asked);
  const id = newId(context.clock);
  return context.idempotency.once<Booking>({ clientId: caller.clientId, key, content }, (keep) =>
    placeBooking(context, caller, { ...asked, id }, keep),
  );
}

/** Books or enquires; `keep` is called in the transaction that writes the booking. */
export function placeBooking(
  context: Context,
  caller: Caller,
  asked: NamedBooking,
  keep: Keep<Booking>,
): Promise<Booking> {
  return sayingItExists(context, caller, asked.body, () =>
    onFreshVenues(context, [venueOfProduct(asked.productId)], async () => {
      const plan = await planBooking(context, caller, asked);
      if (plan.wish.type === 'request') {
        const record = await enquiryOf(context, plan);
        return inContestedTransaction(context.sql, (tx) => write(tx, context, plan, record, keep));
      }
      return namingAlternatives(context, caller, askedOf(plan), () =>
        bookPlanned(context, plan, asked, keep),
      );
    }),
  );
}

async function bookPlanned(
  context: Context,
  plan: Plan,
  asked: NamedBooking,
  keep: Keep<Booking>,
): Promise<Booking> {
  const { connector } = plan.bookable;
  if (connector.flavour === 'remote') return bookRemotely(context, { plan, asked, connector }, keep);
  const booked = await bookAtOnce(context, plan, connector, keep);
  if (booked) return booked;
  return inContestedTransaction(context.sql, async (tx) => {
    const record = await takePlace(tx, context, plan, connector);
    return write(tx, context, plan, record, keep);
  });
}

export const askedOf = ({ bookable, wish }: Plan): AskedStay => ({ bookable, stay: wish, type: wish.type });

/** Whatever makes one request for a booking another one than the next. */
const contentOf = (partner: PartnerIdentity, { productId, source, body }: NewBooking) => ({
  create: productId,
  partner: partner.id,
  source,
  body,
});

export async function planBooking(context: Context, caller: Caller, asked: NamedBooking): Promise<Plan> {
  const { id, productId, body, source } = asked;
  const partner = partnerOf(caller);
  const bookable = await getBookableProduct(context, caller, productId);
  const stay = readStay(body, bookable);
  return timeFirst(context, caller, { bookable, stay, type: body.type }, async () => {
    const ruled = await ruleOn(context, caller, { bookable, wish: readWish(body, bookable, stay), source });
    const blockedSpaceIds = assertAllowed(context, caller, bookable, ruled.wish);
    return { ...ruled, id, caller, partner, bookable, source, blockedSpaceIds };
  });
}

function plannedRequest({ clock }: Context, { id, bookable, wish, blockedSpaceIds }: Plan): BookingRequest {
  return requestOf(id, bookable, wish, { blockedSpaceIds, nowMs: nowOf(clock).epochMilliseconds });
}

const ABANDONED = 'MT001';
const DEADLOCK = '40P01';
/** Where the place is, is known when the statement has taken it. */
const SOMEWHERE = { tables: [], areaId: null, areaName: null };

/**
 * One statement instead of a transaction of several. Undefined, and nothing done, where it does not come to that: the
 * longer way then books after all, or says why not.
 */
async function bookAtOnce(
  context: Context,
  plan: Plan,
  connector: LocalConnector,
  keep: Keep<Booking>,
): Promise<Booking | undefined> {
  const { documentOf } = keep;
  const taking = documentOf && connector.taking?.(plannedRequest(context, plan));
  if (!taking) return undefined;
  const { store, events, takeAtOnce } = context;
  const record = confirmed(context, plan, plan.id, { ...taking.held, ...SOMEWHERE });
  const booking = bookingView(record, plan.caller);
  const documents = {
    place: taking.document,
    row: store.rowOf(record),
    basis: basisOf(plan, plan.partner.id),
    event: events.documentOf(announcementOf(record)),
    kept: documentOf(booking),
  };
  try {
    const { isTaken, answer } = await takeAtOnce({ taking, booking: documents });
    if (isTaken) return booking;
    const refusal = taking.refusal(answer);
    if (refusal) throw refusalOf(refusal, connector.capabilities.capability);
    return undefined;
  } catch (error) {
    if ([ABANDONED, DEADLOCK].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The place is taken in the transaction that then writes the booking. */
export async function takePlace(
  tx: Tx,
  context: Context,
  plan: Plan,
  connector: LocalConnector,
): Promise<BookingRecord> {
  const outcome = await connector.book(tx, plannedRequest(context, plan));
  if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
  return confirmed(context, plan, plan.id, outcome.value);
}

interface RemoteBooking {
  plan: Plan;
  asked: NamedBooking;
  connector: RemoteConnector;
}

function bookRemotely(
  context: Context,
  { plan, asked, connector }: RemoteBooking,
  keep: Keep<Booking>,
): Promise<Booking> {
  const { id: bookingId, caller, partner, wish } = plan;
  const { partnerBookingId } = wish;
  return context.desk.place(
    {
      connector,
      bookingId,
      partnerId: partner.id,
      partnerBookingId,
      clientId: caller.clientId,
      idempotencyKey: asked.idempotencyKey ?? null,
      fingerprint: fingerprintOf(contentOf(partner, asked)),
      isByOperator: false,
      async check(tx) {
        await assertUnused(tx, partner.id, partnerBookingId);
        // A booking that is there already, made by somebody who was faster, must not be undone as one that failed.
        if (await context.store.find(tx, { kind: 'platform' }, bookingId)) throw othersAtWork();
      },
    },
    plannedRequest(context, plan),
    (tx, held, id) => write(tx, context, plan, confirmed(context, plan, id, held), keep),
  );
}

/** An enquiry takes nothing, but it must be about a start that somebody could have. */
export async function enquiryOf(context: Context, plan: Plan): Promise<BookingRecord> {
  const durationMinutes = await assertOffered(context, plan.caller, plan.bookable, plan.wish);
  return {
    ...newRecord(context, plan, plan.id),
    ...NOT_PLACED,
    status: 'pending',
    durationMinutes,
    isAutoConfirmed: false,
  };
}

function confirmed(context: Context, plan: Plan, id: string, held: SystemBooking): BookingRecord {
  const record = newRecord(context, plan, id);
  return { ...record, ...placementOf(held, record.createdAt), status: 'confirmed', isAutoConfirmed: true };
}

type NewRecord = Omit<
  BookingRecord,
  keyof typeof NOT_PLACED | 'status' | 'durationMinutes' | 'isAutoConfirmed'
>;

function newRecord({ clock }: Context, plan: Plan, id: string): NewRecord {
  const { caller, partner, wish, flags, skipsPreorderEmail, source, bookable } = plan;
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
export async function write(
  tx: Tx,
  context: Context,
  plan: Plan,
  record: BookingRecord,
  keep: Keep<Booking>,
): Promise<Booking> {
  const { caller, partner } = plan;
  const booking = bookingView(record, caller);
  const [isWritten] = await Promise.all([
    context.store.insert(tx, record, basisOf(plan, partner.id)),
    announce(tx, context, record),
    keep(tx, booking),
  ]);
  if (isWritten) return booking;
  await assertUnused(tx, partner.id, record.partnerBookingId);
  throw new Outdated();
}
