/** A planned booking gets its place and is written, alone or with others in one transaction. */

import type { Tx } from '../../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { partsOfVenueId } from '../../../kernel/ids.ts';
import type { Problem } from '../../../kernel/problem.ts';
import {
  type LocalConnector,
  type Outcome,
  type Override,
  type PlaceRequest,
  refused,
  type SystemBooking,
} from '../../../tms/contract.ts';
import { type Keep, saveAnswers } from '../../idempotency/service.ts';
import type { Judgement } from '../../mandates/service.ts';
import { announcementOf } from '../change.ts';
import type { Context } from '../context.ts';
import type { HoldRecord } from '../holds/record.ts';
import { endHolds } from '../holds/store.ts';
import { lockForUse, sayingItEnded } from '../holds/take.ts';
import { heldTermsOf } from '../holds/terms.ts';
import {
  type BookingRecord,
  type BookingSource,
  type NOT_PLACED,
  NOT_VISITED,
  type Origin,
  type Visit,
} from '../record.ts';
import { refusalOf } from '../refusals.ts';
import type { Ruled } from '../ruling.ts';
import type { Booking } from '../schema.ts';
import { placementOf, requestOf, stayOf } from '../system-request.ts';
import { bookingView } from '../view.ts';
import type { BookableProduct } from './draft.ts';
import { assertUnused } from './partner-booking-id.ts';
import { StaleVenue, venueVersionOf } from './version-check.ts';

/** A booking as far as it can be decided before anything is taken. */
export interface Plan extends Ruled {
  id: string;
  caller: Caller;
  /** Null: the house takes the booking itself. */
  partner: PartnerIdentity | null;
  house?: HouseTerms;
  bookable: BookableProduct;
  source: BookingSource;
  blockedSpaceIds: number[];
  /** The hold whose place and terms it takes over. */
  hold?: HoldRecord;
  /** What the mandate of the client says; null: the house takes the booking itself. */
  mandate: Judgement | null;
}

/** What only a booking of the house has. */
export interface HouseTerms {
  origin: Origin;
  /** A walk-in: the party is seated at once. */
  isHere: boolean;
  overrides: readonly Override[];
  /** Null: the system chooses. */
  tableIds: readonly number[] | null;
}

type Deps = Pick<Context, 'clock' | 'store' | 'events' | 'notices'>;

/** In the transaction that writes them, first of all: throws where the mandate of the client leaves no room for them. */
export const assertAdmitted = (
  tx: Tx,
  { mandates }: Pick<Context, 'mandates'>,
  plans: readonly Plan[],
): Promise<void> => mandates.assertAdmitted(tx, plans.map(admissionOf));

export const admissionOf = ({ id, mandate }: Plan) => ({ bookingId: id, judgement: mandate });

export function plannedRequest(
  { clock }: Pick<Context, 'clock'>,
  { id, bookable, draft, blockedSpaceIds, house }: Plan,
): PlaceRequest {
  const request = requestOf(id, bookable, draft, { blockedSpaceIds, nowMs: nowOf(clock).epochMilliseconds });
  return house ? { ...request, ...chosenBy(house) } : request;
}

/** The part of a request that only operators have. */
export const chosenBy = ({ overrides, tableIds }: Pick<HouseTerms, 'overrides' | 'tableIds'>) => ({
  isConfirmedByOperator: true,
  overrides,
  ...(tableIds && { tableIds }),
});

/** Takes the places in the transaction that then writes the bookings; for each its record, or why it got none. */
export async function takePlaces(
  tx: Tx,
  deps: Deps,
  connector: LocalConnector,
  plans: readonly Plan[],
): Promise<Placed[]> {
  const outcomes = await connector.book(
    tx,
    plans.map((plan) => plannedRequest(deps, plan)),
  );
  return plans.map((plan, index) =>
    placedBy(deps, connector, plan, outcomes[index] as (typeof outcomes)[number]),
  );
}

const placedBy = (
  deps: Deps,
  { capabilities }: LocalConnector,
  plan: Plan,
  outcome: Outcome<SystemBooking>,
): Placed =>
  outcome.kind === 'ok'
    ? { record: confirmed(deps, plan, plan.id, outcome.value) }
    : { refusal: refusalOf(outcome, capabilities.capability) };

/** The same with the places that are held under the ids of the bookings. */
export async function takeHeldPlaces(
  tx: Tx,
  deps: Deps,
  connector: LocalConnector,
  plans: readonly Plan[],
): Promise<Placed[]> {
  // Two bookings of one hold: the batch is rolled back, and each is tried alone.
  if (new Set(plans.map(({ id }) => id)).size < plans.length) throw new StaleVenue();
  const holdIds = plans.flatMap(({ hold }) => hold?.id ?? []);
  const ended = await lockForUse(tx, holdIds, nowOf(deps.clock));
  const usable = plans.filter(({ id }) => !ended.has(id));
  const requests = usable.map((plan) => plannedRequest(deps, plan));
  const outcomes = (await connector.holds?.confirmAll(tx, requests)) ?? [];
  const placed = new Map(
    usable.map((plan, index) => [
      plan.id,
      placedBy(deps, connector, plan, outcomes[index] ?? refused('hold-ended')),
    ]),
  );
  return plans.map(({ id, hold }): Placed => {
    const refusal = ended.get(id);
    const place = refusal ? { refusal } : (placed.get(id) as Placed);
    return hold && 'refusal' in place ? { refusal: sayingItEnded(place.refusal) } : place;
  });
}

export async function takeHeldPlace(
  tx: Tx,
  deps: Deps,
  connector: LocalConnector,
  plan: Plan,
): Promise<Placed> {
  const [place] = await takeHeldPlaces(tx, deps, connector, [plan]);
  return place as Placed;
}

export type Placed = { record: BookingRecord } | { refusal: Problem };

export function confirmed(
  deps: Pick<Context, 'clock'>,
  plan: Plan,
  id: string,
  held: SystemBooking,
): BookingRecord {
  const record = newRecord(deps, plan, id);
  const isAutoConfirmed = plan.partner !== null;
  return { ...record, ...placementOf(held, record.createdAt), status: 'confirmed', isAutoConfirmed };
}

type NewRecord = Omit<
  BookingRecord,
  keyof typeof NOT_PLACED | 'status' | 'durationMinutes' | 'isAutoConfirmed'
>;

export function newRecord({ clock }: Pick<Context, 'clock'>, plan: Plan, id: string): NewRecord {
  const { caller, partner, house, draft, flags, skipsPreorderEmail, source, bookable } = plan;
  const { venue, product } = bookable;
  const now = nowOf(clock);
  const { lat, lng, address, area, city, postcode, countryCode } = venue;
  return {
    id,
    partnerId: partner?.id ?? null,
    origin: house?.origin ?? null,
    visit: house?.isHere ? seatedAt(now) : NOT_VISITED,
    clientId: caller.clientId,
    operatorId: partsOfVenueId(venue.id).operatorId,
    venueId: venue.id,
    productId: product.id,
    partnerBookingId: draft.partnerBookingId,
    source,
    partnerSource: venue.channel?.source ?? partner?.reference ?? venue.operatorName,
    type: draft.type,
    ...stayOf(draft),
    preorders: draft.preorders,
    depositPence: draft.depositPence,
    depositDuePence: plan.depositDuePence,
    paymentUntil: null,
    guest: draft.guest,
    wasPlaced: false,
    refundTerms: product.refundTerms,
    flags: [...flags],
    skipsPreorderEmail,
    ruledBalancePence: null,
    actualGuests: null,
    actualSpendPence: null,
    createdAt: now,
    lastUpdate: now,
    heldTerms: plan.hold ? heldTermsOf(plan.hold) : null,
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

const seatedAt = (now: Temporal.Instant): Visit => ({
  state: 'seated',
  arrivedAt: now,
  seatedAt: now,
  leftAt: null,
});

/** What is written of a booking in one transaction. */
export interface NewBookingParts {
  plan: Plan;
  record: BookingRecord;
  keep: Keep<Booking>;
  /** Of the request, where several share the transaction; null: it has none. */
  traceparent?: string | null | undefined;
}

/**
 * Rows, events, kept answers and mails of all of them, in one statement each; holds that they use are used. Throws when
 * one cannot be written.
 */
export async function writeAll(
  tx: Tx,
  { store, events, notices, clock }: Deps,
  parts: readonly NewBookingParts[],
): Promise<Booking[]> {
  if (parts.length === 0) return [];
  const bookings = parts.map(({ plan, record }) => bookingView(record, plan.caller));
  const rows = parts.map(({ plan, record }) => ({
    record,
    version: venueVersionOf(plan, plan.partner?.id ?? null),
  }));
  // Sent together, answered together.
  const [written] = await Promise.all([
    store.insert(tx, rows),
    events.append(
      tx,
      ...parts.map(({ record, traceparent }) => ({ ...announcementOf(record), traceparent })),
    ),
    keepAll(tx, parts, bookings),
    endHolds(
      tx,
      parts.flatMap(({ plan }) => plan.hold?.id ?? []),
      'used',
      nowOf(clock),
    ),
  ]);
  const missing = parts.find(({ record }) => !written.has(record.id));
  if (!missing) {
    await notices.tell(tx, parts.map(newsOf));
    return bookings;
  }
  await assertUnused(tx, missing.record.partnerId, missing.record.partnerBookingId);
  throw new StaleVenue();
}

const newsOf = ({ plan, record }: NewBookingParts) =>
  ({
    before: null,
    after: record,
    guestMails: record.partnerId === null ? 'venue' : (plan.bookable.venue.channel?.guestMails ?? 'partner'),
    madeBy: record.clientId,
  }) as const;

export async function writeOne(tx: Tx, deps: Deps, part: NewBookingParts): Promise<Booking> {
  const [booking] = await writeAll(tx, deps, [part]);
  return booking as Booking;
}

async function keepAll(
  tx: Tx,
  parts: readonly NewBookingParts[],
  bookings: readonly Booking[],
): Promise<void> {
  const pairs = parts.map(({ keep }, index) => ({ keep, booking: bookings[index] as Booking }));
  const answers = pairs.flatMap(({ keep, booking }) => keep.answerOf?.(booking) ?? []);
  const others = pairs.filter(({ keep }) => keep.answerOf === undefined);
  await Promise.all([saveAnswers(tx, answers), ...others.map(({ keep, booking }) => keep(tx, booking))]);
}
