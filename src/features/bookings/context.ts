/** What the parts of this feature share, and the steps that more than one of them takes. */
import { inTransaction, type Sql, type Tx } from '../../db/database.ts';
import { type Caller, type Visibility, visibilityOf } from '../../http/caller.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { type ProductId, partsOfVenueId, type VenueId, venueOfProduct } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import type { BookingRequest, Connector, SystemBooking } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AvailabilityService } from '../availability/service.ts';
import type { Events } from '../events/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import type { Bookable, Venues } from '../venues/service.ts';
import type { BookingRecord, Placement } from './record.ts';
import type { RemoteDesk } from './remote.ts';
import { type BookingStore, exists, isStillTrue } from './store.ts';
import { notificationView } from './view.ts';
import type { Wish } from './wish.ts';

export interface Context {
  sql: Sql;
  clock: Clock;
  encryptionKey: Buffer;
  venues: Venues;
  availability: AvailabilityService;
  registry: Registry;
  events: Events;
  idempotency: Idempotency;
  store: BookingStore;
  desk: RemoteDesk;
}

/** A product with its venue and the system behind it. */
export interface BookableProduct extends Bookable {
  connector: Connector;
}

export async function getBookableProduct(
  { venues, registry }: Context,
  caller: Caller,
  productId: ProductId,
): Promise<BookableProduct> {
  const { tms } = partsOfVenueId(venueOfProduct(productId));
  const connector = registry.get(tms);
  const isEvent = connector?.capabilities.capability === 'event_ticket';
  const bookable = await venues.getBookable(caller, productId, {
    notAssociated: 'BOOK-N-005',
    noSuchProduct: isEvent ? 'EVENT-N-002' : 'VENUE-N-002',
  });
  const { systems, channel, operatorName } = bookable.venue;
  if (systems.length === 0)
    throw problem('BOOK-N-001', { detail: `${operatorName} has no system that takes bookings.` });
  if (!connector || !systems.includes(tms))
    throw problem(isEvent ? 'EVENT-N-001' : 'BOOK-N-003', { detail: `${operatorName} does not use ${tms}.` });
  if (channel?.source === null)
    throw problem('BOOK-N-004', {
      detail: `${operatorName} has not said under which name to enter your bookings.`,
    });
  return { ...bookable, connector };
}

/** What the operator's rules, and what it has arranged with the caller's channel, allow; says which spaces are out. */
export function assertAllowed(
  { availability }: Context,
  caller: Caller,
  bookable: Bookable,
  wish: Pick<Wish, 'start' | 'spaceId' | 'adults' | 'children' | 'type'>,
): number[] {
  const { venue, product } = bookable;
  const { verdict, blocked } = availability.judge(caller, bookable, wish.start);
  const isSpaceless = product.spaceIds.length > 0 && product.spaceIds.every((id) => blocked.has(id));
  const rule =
    verdict ??
    (wish.spaceId === null ? isSpaceless && blocked.values().next().value : blocked.get(wish.spaceId));
  if (rule) throw problem(rule.code, rule.reason === null ? {} : { detail: rule.reason });
  const { maxPartySize = null, isRequestOnly = false } = venue.channel ?? {};
  if (maxPartySize !== null && wish.adults + wish.children > maxPartySize)
    throw problem('AVAIL-N-005', {
      detail: `${venue.name} takes parties of up to ${maxPartySize} from you.`,
    });
  if (isRequestOnly && wish.type === 'book')
    throw problem('AVAIL-N-005', { detail: `${venue.name} takes only enquiries from you.` });
  return [...blocked.keys()];
}

export function requestOf(
  bookingId: string,
  { venue, product }: Bookable,
  { start, adults, children, durationMinutes, spaceId }: Wish,
  { blockedSpaceIds, nowMs }: { blockedSpaceIds: readonly number[]; nowMs: number },
): BookingRequest {
  return {
    bookingId,
    productId: product.id,
    venueId: venue.id,
    zone: venue.timeZone,
    ...start,
    adults,
    children,
    durationMinutes,
    spaceId,
    blockedSpaceIds,
    nowMs,
  };
}

/** The request that would make a booking again as it stands. */
export function standingRequest(record: BookingRecord, nowMs: number): BookingRequest {
  return {
    bookingId: record.id,
    productId: record.productId,
    venueId: record.venueId,
    zone: record.venue.timeZone,
    date: record.date,
    minute: record.minute,
    startMs: record.startsAt.epochMilliseconds,
    adults: record.adults,
    children: record.children,
    durationMinutes: record.wishedDurationMinutes,
    spaceId: record.spaceId,
    nowMs,
    isConfirmedByOperator: true,
  };
}

export function placementOf(
  held: SystemBooking,
  now: Temporal.Instant,
): Placement & { durationMinutes: number } {
  const { reference, areaId, areaName, tables, durationMinutes, pricePerGuestPence } = held;
  return {
    operatorBookingId: reference,
    tmsCreatedAt: now,
    area: areaId === null ? null : { id: areaId, name: areaName ?? '' },
    tables,
    durationMinutes,
    pricePerGuestPence,
  };
}

/** The venue, or the partner's right to it, has changed since it was read. */
class Outdated extends Error {}

const ATTEMPTS = 4;

/** What a partner decides on may have come from memory; the transaction that acts on it finds out. */
export async function onFreshVenue<Result>(
  { venues }: Context,
  venueId: VenueId,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (count === ATTEMPTS)
        throw problem('BOOK-R-002', { detail: 'The venue is being changed; try again.' });
      venues.forget(venueId);
    }
  }
}

export async function assertCurrent(
  tx: Tx,
  { venue, product }: Bookable,
  visibility: Visibility,
): Promise<void> {
  if (visibility.kind !== 'partner') return;
  const basis = { venueId: venue.id, productId: product.id, venueUpdatedAt: venue.updatedAt };
  if (!(await isStillTrue(tx, { ...basis, partnerId: visibility.partnerId }))) throw new Outdated();
}

export async function announce(tx: Tx, { events }: Context, record: BookingRecord): Promise<void> {
  await events.append(tx, {
    type: 'booking.updated',
    partnerId: record.partnerId,
    venueId: record.venueId,
    bookingId: record.id,
    occurredAt: record.lastUpdate,
    content: { bookings: [notificationView(record)] },
  });
}

/** Writes a change of a booking that is locked, and tells of it. */
export async function change(
  tx: Tx,
  context: Context,
  current: BookingRecord,
  changes: Partial<BookingRecord>,
): Promise<BookingRecord> {
  const record = { ...current, ...changes, lastUpdate: nextUpdate(context.clock, current) };
  await Promise.all([context.store.update(tx, record), announce(tx, context, record)]);
  return record;
}

/** Later than the last one, whatever the clock says. */
export function nextUpdate(
  clock: Clock,
  { lastUpdate }: Pick<BookingRecord, 'lastUpdate'>,
): Temporal.Instant {
  const now = nowOf(clock);
  const least = lastUpdate.add({ milliseconds: 1 });
  return Temporal.Instant.compare(now, least) < 0 ? least : now;
}

export async function getBooking(
  { store, sql }: Context,
  caller: Caller,
  id: string,
): Promise<BookingRecord> {
  if (!isBookingId(id)) throw notFound(id);
  const record = await store.find(sql, visibilityOf(caller), id);
  return record ?? refuseAccess(sql, caller, id);
}

export async function lockBooking(
  tx: Tx,
  { store }: Context,
  caller: Caller,
  id: string,
): Promise<BookingRecord> {
  if (!isBookingId(id)) throw notFound(id);
  const record = await store.lock(tx, visibilityOf(caller), id);
  return record ?? refuseAccess(tx, caller, id);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const isBookingId = (id: string) => UUID.test(id);

const notFound = (id: string) => problem('BOOK-N-006', { detail: `There is no booking ${id}.` });

async function refuseAccess(tx: Tx, caller: Caller, id: string): Promise<never> {
  if (!(await exists(tx, id))) throw notFound(id);
  throw caller.kind === 'operator'
    ? problem('OPRTR-N-002', { detail: `Booking ${id} is at a venue of another operator.` })
    : problem('PMAP-N-003', { detail: `Booking ${id} is not yours.` });
}

/** The booking is no longer what a change of it was planned on. */
export class Changed extends Error {}

export async function assertUnchanged(
  tx: Tx,
  { store }: Context,
  { id, lastUpdate }: BookingRecord,
): Promise<void> {
  const record = await store.find(tx, { kind: 'platform' }, id);
  if (!record?.lastUpdate.equals(lastUpdate)) throw new Changed();
}

/** For changes that cannot hold a lock while a system is called: planned again when others were faster. */
export async function onFreshBooking<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 0; count < 20; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
    }
  }
  throw problem('BOOK-R-002', { detail: 'The booking is being changed by others; try again.' });
}

/** One booking, locked and changed. */
export function inBooking<Result>(
  context: Context,
  caller: Caller,
  id: string,
  work: (tx: Tx, booking: BookingRecord) => Promise<Result>,
): Promise<Result> {
  return inTransaction(context.sql, async (tx) => work(tx, await lockBooking(tx, context, caller, id)));
}
