import { timestampOf } from '../../kernel/clock.ts';
import { clockTime, dateTimeOf } from '../../kernel/zone-time.ts';
import type { Entry, EntryOffer, ManagedEntry } from './schema.ts';
import type { EntryRecord } from './store.ts';

/** An entry as its partner sees it. */
export function entryView(entry: EntryRecord, position: number | undefined): Entry {
  return {
    ...wantedView(entry),
    position: position ?? null,
    partnerBookingId: entry.partnerBookingId,
    ...guestView(entry),
    createdAt: timestampOf(entry.createdAt),
  };
}

export function managedView(entry: EntryRecord): ManagedEntry {
  const { partner, origin } = entry;
  return { ...auditView(entry), ...guestView(entry), partner: partner && nameOf(partner), origin };
}

/** What the audit log keeps: no guest. */
export function auditView(entry: EntryRecord) {
  const { partner, origin, createdAt } = entry;
  return {
    ...wantedView(entry),
    partner: partner && nameOf(partner),
    origin,
    createdAt: timestampOf(createdAt),
  };
}

/** What webhooks say of an entry: no guest, so that nothing of it has to be forgotten. */
export const notifiedView = (entry: EntryRecord) => ({
  ...wantedView(entry),
  partnerBookingId: entry.partnerBookingId,
});

const nameOf = ({ id, name }: { id: number; name: string }) => ({ id, name });

function wantedView(entry: EntryRecord) {
  return {
    id: entry.id,
    compositeId: entry.productId as string,
    date: entry.date,
    from: clockTime(entry.fromMinute),
    to: clockTime(entry.toMinute),
    partySize: entry.adults,
    children: entry.children,
    spaceId: entry.spaceId,
    status: entry.status,
    offer: entry.status === 'offered' ? offerView(entry) : null,
    bookingId: entry.bookingId,
  };
}

function offerView({ date, offer, venue }: EntryRecord): EntryOffer | null {
  if (!offer) return null;
  const { holdId, minute, startsAt, durationMinutes: duration, endsAt } = offer;
  const dateTime = dateTimeOf(venue.timeZone, startsAt.epochMilliseconds);
  return {
    holdId,
    expiresAt: timestampOf(endsAt),
    slot: { date, time: clockTime(minute), dateTime, duration },
  };
}

const guestView = ({ guest }: EntryRecord) => ({
  firstName: guest?.firstName ?? null,
  lastName: guest?.lastName ?? null,
  email: guest?.email ?? null,
  phone: guest?.phone ?? null,
});
