import { inContestedTransaction } from '../../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../../http/auth/caller.ts';
import { newId } from '../../../kernel/crypto.ts';
import { type ProductId, venueOfProduct } from '../../../kernel/ids.ts';
import { Problem, problem } from '../../../kernel/problem.ts';
import { traced } from '../../../kernel/tracing.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import { fingerprintOf, type Keep } from '../../idempotency/service.ts';
import { partnerOf } from '../access.ts';
import { assertAllowed, assertOffered, assertOpen, getBookableProduct } from '../bookable.ts';
import type { Context } from '../context.ts';
import { bookUnpaid } from '../deposit-first.ts';
import { assertStillHeld, planHeldBooking, sayingItEnded } from '../holds/take.ts';
import { type BookingRecord, type BookingSource, NOT_PLACED } from '../record.ts';
import { othersAtWork, type RemoteOrder } from '../remote/claim.ts';
import type { RemoteContext } from '../remote/remote.ts';
import { type Ruled, ruleOn } from '../ruling.ts';
import type { Booking } from '../schema.ts';
import { detailsOf } from '../system-request.ts';
import type { BookLocally } from './batch.ts';
import { assertSameNotes, type BookingBody } from './body.ts';
import { type BookableProduct, readBookingDraft, readStay } from './draft.ts';
import { assertMandatedStay, judgeMandated } from './mandated.ts';
import { assertAdmitted, confirmed, newRecord, type Plan, plannedRequest, writeOne } from './new-booking.ts';
import { assertUnused, sayingItExists } from './partner-booking-id.ts';
import { type AskedStay, namingAlternatives, timeFirst } from './time-first.ts';
import { retryOnStaleVenue } from './version-check.ts';

export interface CreateContext extends RemoteContext {
  bookLocally: BookLocally;
}

export interface NewBooking {
  productId: ProductId;
  body: BookingBody;
  source: BookingSource;
  idempotencyKey?: string | undefined;
  /** The place is kept for it already, under its id. */
  isHeld?: boolean;
  /** It is confirmed or not made: no deposit can be paid first. */
  mustConfirm?: boolean;
  /** The guest has said yes to it: the client's mandate asks for no further confirmation. */
  isConfirmedByGuest?: boolean;
  /** It is made only if its `confirmationToken` is for just this. */
  needsToken?: boolean;
}

/** With its future id, the same at every attempt: no system ever gets two bookings. */
export interface NamedBooking extends NewBooking {
  id: string;
}

export function createBooking(context: CreateContext, caller: Caller, asked: NewBooking): Promise<Booking> {
  assertSameNotes(asked.body);
  const { idempotencyKey: key } = asked;
  const content = contentOf(partnerOf(caller), asked);
  const id = asked.body.holdId?.toLowerCase() ?? newId(context.clock);
  return context.idempotency.once<Booking>({ clientId: caller.clientId, key, content }, (keep) =>
    placeBooking(context, caller, { ...asked, id }, keep),
  );
}

/** Books or enquires; `keep` is called in the transaction that writes the booking. */
export function placeBooking(
  context: CreateContext,
  caller: Caller,
  asked: NamedBooking,
  keep: Keep<Booking>,
): Promise<Booking> {
  return sayingItExists(context, caller, asked.body, () =>
    retryOnStaleVenue(context, [venueOfProduct(asked.productId)], async () => {
      const plan = await traced('bookings.plan', () => planBooking(context, caller, asked));
      if (asked.mustConfirm) assertNotPaidFirst(plan);
      if (plan.draft.type === 'request') {
        const record = await enquiryOf(context, plan);
        return inContestedTransaction(context.sql, async (tx) => {
          await assertAdmitted(tx, context, [plan]);
          return writeOne(tx, context, { plan, record, keep });
        });
      }
      return namingAlternatives(context, caller, askedOf(plan), () =>
        bookPlanned(context, plan, { ...asked, content: contentOf(partnerOf(caller), asked) }, keep),
      );
    }),
  );
}

/** All decisions that need no lock: the venue and the right to book there, the time, the rules, blocked spaces. */
export async function planBooking(context: Context, caller: Caller, asked: NamedBooking): Promise<Plan> {
  const { id, productId, body, source } = asked;
  const partner = partnerOf(caller);
  if (body.holdId != null) {
    const held = await planHeldBooking(context, caller, asked, body.holdId);
    const mandate = await judgePlanned(context, caller, { ...asked, isHeld: true }, held);
    return { ...held, id, caller, partner, source, blockedSpaceIds: [], mandate };
  }
  const bookable = await getBookableProduct(context, caller, productId);
  const stay = readStay(body, bookable);
  await assertMandatedStay(context, caller, bookable, stay);
  const planned = await timeFirst(context, caller, { bookable, stay, type: body.type }, async () => {
    await assertOpen(context, caller, bookable, stay);
    const ruled = await ruleOn(context, caller, {
      bookable,
      draft: readBookingDraft(body, bookable, stay),
      source,
    });
    const blockedSpaceIds = assertAllowed(context, caller, bookable, ruled.draft);
    return { ...ruled, id, caller, partner, bookable, source, blockedSpaceIds };
  });
  return { ...planned, mandate: await judgePlanned(context, caller, asked, planned) };
}

/** Last of all: a person is asked to confirm only what can be had otherwise. */
const judgePlanned = (
  context: Context,
  caller: Caller,
  { id, body, isHeld, isConfirmedByGuest, needsToken }: NamedBooking,
  {
    bookable,
    draft,
    depositDuePence,
  }: Pick<Ruled, 'draft' | 'depositDuePence'> & { bookable: BookableProduct },
) =>
  judgeMandated(context, caller, {
    ...{ bookingId: id, bookable, draft, stay: draft, depositPence: depositDuePence },
    confirmationToken: body.confirmationToken,
    isHeld: isHeld ?? false,
    needsNoConfirmation: isConfirmedByGuest ?? false,
    needsToken: needsToken ?? false,
  });

/** Takes the place for a plan and writes the booking. */
export async function bookPlanned(
  context: CreateContext,
  plan: Plan,
  request: Pick<RemoteBooking, 'idempotencyKey' | 'content' | 'isHeld'>,
  keep: Keep<Booking>,
): Promise<Booking> {
  const { connector } = plan.bookable;
  const isHeld = request.isHeld ?? plan.hold !== undefined;
  const booking = await traced('bookings.place', place);
  if (plan.hold) context.holdCounts.add('used');
  return booking;

  function place(): Promise<Booking> {
    if (plan.depositDuePence !== null) return bookUnpaid(context, plan, { isHeld, keep });
    return connector.flavour === 'remote'
      ? bookRemotely(context, { ...request, isHeld, plan, connector }, keep)
      : context.bookLocally({ plan, connector, keep, isHeld });
  }
}

/** Where a booking has to be confirmed at once, one that waits for a payment cannot be made. */
export function assertNotPaidFirst({ depositDuePence, bookable }: Plan): void {
  if (depositDuePence === null) return;
  throw problem('BOOK-N-008', {
    detail: `${bookable.venue.name} requires the deposit before it confirms; make this booking by itself.`,
    extensions: { depositDue: depositDuePence },
  });
}

export const askedOf = ({ bookable, draft }: Plan): AskedStay => ({
  bookable,
  stay: draft,
  type: draft.type,
});

/** Whatever makes one request for a booking another one than the next. */
export const contentOf = (partner: PartnerIdentity, { productId, source, body }: NewBooking) => ({
  create: productId,
  partner: partner.id,
  source,
  body,
});

interface RemoteBooking {
  plan: Plan;
  idempotencyKey?: string | undefined;
  /** All that makes one request another one than the next. */
  content: unknown;
  connector: RemoteConnector;
  isHeld?: boolean | undefined;
}

async function bookRemotely(
  context: CreateContext,
  booking: RemoteBooking,
  keep: Keep<Booking>,
): Promise<Booking> {
  const { plan } = booking;
  const order = remoteOrder(context, booking);
  try {
    return await context.desk.place(order, plannedRequest(context, plan), async (tx, held, id) => {
      await assertStillHeld(tx, plan.hold, null);
      await context.mandates.useConfirmation(tx, plan.mandate, id);
      const record = confirmed(context, plan, id, held);
      return writeOne(tx, context, { plan, record, keep });
    });
  } catch (error) {
    throw plan.hold && error instanceof Problem ? sayingItEnded(error) : error;
  }
}

export function remoteOrder(
  context: CreateContext,
  { plan, idempotencyKey, content, connector, isHeld = false }: RemoteBooking,
): RemoteOrder {
  const { id: bookingId, caller, draft } = plan;
  const partnerId = plan.partner?.id ?? null;
  const { partnerBookingId } = draft;
  return {
    connector,
    isHeld,
    details: detailsOf(newRecord(context, plan, bookingId)),
    bookingId,
    partnerId,
    partnerBookingId,
    clientId: caller.clientId,
    idempotencyKey: idempotencyKey ?? null,
    fingerprint: fingerprintOf(content),
    isByOperator: plan.partner === null,
    async check(tx, id) {
      await assertAdmitted(tx, context, [{ ...plan, id }]);
      await assertUnused(tx, partnerId, partnerBookingId);
      await assertStillHeld(tx, plan.hold, null);
      // A booking that a concurrent request has already made must not be undone as a failed one.
      if (await context.store.find(tx, { kind: 'platform' }, bookingId)) throw othersAtWork();
    },
  };
}

/** An enquiry occupies nothing, but its start must be on offer. */
export async function enquiryOf(context: Context, plan: Plan): Promise<BookingRecord> {
  const durationMinutes = await assertOffered(context, plan.caller, plan.bookable, plan.draft);
  return {
    ...newRecord(context, plan, plan.id),
    ...NOT_PLACED,
    status: 'pending',
    durationMinutes,
    isAutoConfirmed: false,
  };
}
