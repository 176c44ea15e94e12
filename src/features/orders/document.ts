/** What is to change of a booking, put into the document that stands. */
import { parseProductId, venueOfProduct } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { Booking } from '../bookings/schema.ts';
import { assertReadable, type BookingDocument, type BookingRecord } from '../bookings/service.ts';
import type { OrderItemChange, PreorderChanges } from './body.ts';

/** What is wrong with a change whatever the system says. */
export function assertPossible(change: OrderItemChange, booking: Booking | undefined): void {
  if (change.preorders != null && change.preorderChanges != null)
    throw problem('ORDER-N-008', { detail: 'preorders and preorderChanges do not go together.' });
  assertNamed(change.preorderChanges?.remove);
  assertReadable(change);
  if (change.compositeId == null) return;
  const asked = venueOfProduct(parseProductId(change.compositeId));
  const venueId = booking ? venueOfProduct(parseProductId(booking.compositeId)) : asked;
  if (asked !== venueId)
    throw problem('ORDER-N-007', { detail: `${change.compositeId} is not a product of ${venueId}.` });
}

function assertNamed(removed: PreorderChanges['remove']): void {
  for (const kind of ['packages', 'menus'] as const)
    for (const [index, { id, slug }] of (removed?.[kind] ?? []).entries())
      if (id == null && slug == null)
        throw invalid(`preorderChanges.remove.${kind}.${index}.id`, 'is required, or slug instead');
}

/** `isTicket`: what is ordered ahead means nothing there. */
export function changedDocument(
  standing: BookingDocument,
  current: BookingRecord,
  { change, isTicket }: { change: OrderItemChange; isTicket: boolean },
): BookingDocument {
  const { compositeId, quantity, type, firstName, lastName, children, notes } = change;
  return {
    ...standing,
    ...(compositeId != null && { compositeId }),
    ...(quantity != null && { partySize: quantity }),
    ...(type != null && { type }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(children !== undefined && { children: children ?? 0 }),
    ...(notes !== undefined && { notes }),
    ...clearable(change),
    ...momentOf(standing, change),
    ...(!isTicket && { preorders: preordersOf(standing, current, change) }),
  };
}

const CLEARABLE = ['duration', 'spaceId', 'email', 'phone', 'company'] as const;

function clearable(change: OrderItemChange): Partial<BookingDocument> {
  const given = CLEARABLE.filter((field) => change[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, change[field] ?? null]));
}

/** An instant takes the place of date and time; one of these alone leaves the other as it is. */
function momentOf(
  { date, time }: BookingDocument,
  change: OrderItemChange,
): Pick<BookingDocument, 'dateTime' | 'date' | 'time'> {
  if (change.dateTime != null)
    return { dateTime: change.dateTime, date: change.date ?? null, time: change.time ?? null };
  return { dateTime: null, date: change.date ?? date, time: change.time ?? time };
}

function preordersOf(
  { preorders: standing }: BookingDocument,
  { preorders: ordered }: BookingRecord,
  { preorders, preorderChanges }: OrderItemChange,
): BookingDocument['preorders'] {
  if (preorders != null) return preorders;
  if (preorderChanges == null) return standing;
  const { add, remove } = preorderChanges;
  return {
    packages: merged(standing?.packages, add?.packages, remove?.packages, ordered.packages),
    menus: merged(standing?.menus, add?.menus, remove?.menus, ordered.menus),
  };
}

type Several<Entry> = readonly Entry[] | null | undefined;
type Name = { id?: number | null | undefined; slug?: string | null | undefined };

/** Put in twice, for instance because the first answer was lost, something is there once. */
function merged<Entry extends Name>(
  standing: Several<Entry>,
  added: Several<Entry>,
  removed: Several<Name>,
  ordered: readonly { id: number; slug: string | null }[],
): Entry[] {
  // What stands is known by its number, what is said of it may go by its slug.
  const idOf = ({ id, slug }: Name) => id ?? ordered.find((each) => slug != null && each.slug === slug)?.id;
  const leaving = new Set([...(removed ?? []), ...(added ?? [])].map(idOf));
  return [...(standing ?? []).filter(({ id }) => !leaving.has(id ?? undefined)), ...(added ?? [])];
}
