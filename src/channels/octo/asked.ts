/** What resellers ask for, read into reservations and bookings. */
import { randomUUID } from 'node:crypto';
import { BookingBody } from '../../features/bookings/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { checkerOf } from '../../http/validation/validation.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { instantOf, isDateTime } from '../../kernel/rfc3339.ts';
import { isTradingDay, localOf } from '../../kernel/zone-time.ts';
import type { AvailabilityDeps } from './availability.ts';
import { commentsOf, mergedContact, type Names } from './contact.ts';
import { invalidId } from './errors.ts';
import { assertOption, assertUnit, getProduct, type SoldProduct } from './products.ts';
import type { ReservationBody, SentUnitItem } from './request-schema.ts';
import type { Details, Reservation, UnitRecord } from './store.ts';

const DEFAULT_MINUTES = 30;
const MOST_MINUTES = 60;
/** However often it is extended. */
export const LONGEST_HOLD_MINUTES = 240;

const checkBody = checkerOf(BookingBody);

interface AskedPlace {
  productId: string;
  optionId?: string | undefined;
  availabilityId?: string | null | undefined;
}

export async function readPlace(
  context: AvailabilityDeps,
  caller: Caller,
  { productId, optionId, availabilityId }: AskedPlace,
): Promise<{ sold: SoldProduct; startsAt: Temporal.Instant }> {
  const sold = await getProduct(context, caller, productId);
  if (optionId !== undefined) assertOption(optionId);
  if (availabilityId == null || !isDateTime(availabilityId)) throw noSuchStart(availabilityId ?? '');
  const startsAt = instantOf(availabilityId);
  const { epochMilliseconds } = startsAt;
  if (epochMilliseconds % 60_000 !== 0 || !isTradingDay(localOf(sold.venue.timeZone, epochMilliseconds).date))
    throw noSuchStart(availabilityId);
  return { sold, startsAt };
}

const noSuchStart = (id: string) =>
  invalidId('availabilityId', id, 'BOOK-N-020', 'Take the id of a start from POST /octo/availability.');

/** Items without a uuid get those that are not named again, and then new ones. */
export function unitsFrom(
  sold: SoldProduct,
  sent: readonly SentUnitItem[],
  before: readonly UnitRecord[],
): UnitRecord[] {
  for (const { unitId } of sent) assertUnit(sold, unitId);
  if (sent.length === 0)
    throw problem('VALID-N-001', {
      detail: 'unitItems must have an entry for each guest or ticket.',
      errors: { unitItems: ['must not be empty'] },
      extensions: { error: 'UNPROCESSABLE_ENTITY' },
    });
  const named = sent.flatMap(({ uuid }) => uuid?.toLowerCase() ?? []);
  if (new Set(named).size < named.length) throw invalid('unitItems', 'must each have a uuid of their own');
  const free = before.filter(({ uuid }) => !named.includes(uuid));
  return sent.map(({ uuid, unitId, resellerReference }) => {
    const kept = uuid == null ? free.shift() : before.find((unit) => unit.uuid === uuid.toLowerCase());
    return {
      uuid: uuid?.toLowerCase() ?? kept?.uuid ?? randomUUID(),
      unitId,
      resellerReference: resellerReference || kept?.resellerReference || null,
    };
  });
}

type SentDetails = Pick<ReservationBody, 'contact' | 'notes' | 'unitItems'>;

export function detailsFrom(
  before: Details,
  { contact, notes, unitItems }: Partial<SentDetails>,
  units: readonly UnitRecord[],
): Details {
  const unitContacts = units.flatMap(({ uuid }, index) => {
    const known = before.unitContacts[uuid];
    const sent = unitItems?.[index]?.contact;
    return known || sent ? [[uuid, mergedContact(known ?? {}, sent)] as const] : [];
  });
  return {
    contact: mergedContact(before.contact, contact),
    notes: notes === undefined ? before.notes : notes || null,
    unitContacts: Object.fromEntries(unitContacts),
    reason: before.reason,
  };
}

/** At most an hour from now, and not beyond what a hold may last in all. */
export function expiryFrom(
  now: Temporal.Instant,
  minutes: number | null | undefined,
  createdAt: Temporal.Instant,
): Temporal.Instant {
  const asked = now.add({ minutes: Math.min(minutes ?? DEFAULT_MINUTES, MOST_MINUTES) });
  const last = createdAt.add({ minutes: LONGEST_HOLD_MINUTES });
  return Temporal.Instant.compare(asked, last) > 0 ? last : asked;
}

/** Who a place is held for while no name is known. */
export const GUEST: Names = { firstName: 'Guest', lastName: 'Guest' };

/** `confirmationToken`: of a mandate that wants a person to confirm it. */
export function newBookingOf(
  { productId, startsAt, units, resellerReference, details }: Reservation,
  names: Names,
  confirmationToken: string | null,
) {
  const { emailAddress, phoneNumber } = details?.contact ?? {};
  const body = checkBody({
    type: 'book',
    partySize: units.length,
    dateTime: startsAt.toString(),
    ...names,
    email: emailAddress || null,
    phone: phoneNumber || null,
    notes: details && commentsOf(details),
    partnerBookingId: resellerReference,
    confirmationToken,
  });
  return { productId, body, source: 'api' as const };
}
