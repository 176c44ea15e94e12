/** Makes the booking of an offer, for a guest who has said yes. */
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { nowOf } from '../../kernel/clock.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import type { Booking } from '../bookings/service.ts';
import { type Context, holderOf, noSuchEntry, notWaiting } from './context.ts';
import { type EntryRecord, markBooked, type WaitingGuest } from './store.ts';
import { auditView } from './view.ts';

interface Taken {
  guest: WaitingGuest;
  holdId: string;
  minute: number;
  /** The member of staff who takes it for the guest; null: the guest does. */
  actor: Actor | null;
}

/** Taken again, it is answered with the same booking. */
export async function takeOffer(context: Context, entry: EntryRecord, actor: Actor | null): Promise<string> {
  if (entry.bookingId !== null) return entry.bookingId;
  const { guest, offer, status } = entry;
  if (status !== 'offered' || !offer || !guest) throw notWaiting(entry);
  try {
    const taken = { guest, holdId: offer.holdId, minute: offer.minute, actor };
    const { id } = await (entry.partner ? bookForPartner : bookForHouse)(context, entry, taken);
    return id;
  } catch (error) {
    // Of two that take it at once the second finds the booking of the first.
    const made = await context.store.find(context.sql, entry.id, nowOf(context.clock));
    if (!made) throw noSuchEntry(entry.id);
    if (made.bookingId === null) throw error;
    return made.bookingId;
  }
}

const stayOf = ({ date, adults: partySize, children, spaceId }: EntryRecord, { minute }: Taken) => ({
  ...{ date, time: clockTime(minute), partySize, children },
  ...(spaceId !== null && { spaceId }),
});

/** In its name, so that it sees the booking like those that it makes itself. */
function bookForPartner(context: Context, entry: EntryRecord, taken: Taken): Promise<Booking> {
  const { productId, partnerBookingId } = entry;
  const { holdId, guest } = taken;
  const { firstName, lastName, email, phone } = guest;
  const body = {
    ...stayOf(entry, taken),
    ...{ type: 'book' as const, holdId, partnerBookingId },
    ...{ firstName: firstName ?? '', lastName, email, phone },
  };
  // Where a deposit comes first, the partner books with the hold and lets the guest pay.
  const asked = { id: holdId, productId, source: 'portal' as const, body };
  const terms = { mustConfirm: true, isConfirmedByGuest: true };
  return context.bookings.place(holderOf(entry), { ...asked, ...terms }, (tx) =>
    writeTaken(tx, context, entry, taken),
  );
}

function bookForHouse(context: Context, entry: EntryRecord, taken: Taken): Promise<Booking> {
  const { auditLog, bookings } = context;
  const { venueId, productId, operatorId, origin } = entry;
  const { actor, holdId, guest } = taken;
  const { firstName, lastName, email, phone } = guest;
  const acting = bookings.asOperator({
    ...(actor && { actorId: actor.id }),
    check: async () => {},
    async record(tx, { bookingId, before, after }) {
      await writeTaken(tx, context, entry, taken);
      const subject = `booking ${bookingId}`;
      if (actor)
        await auditLog.record(tx, { actor, operatorId, action: 'booking.create', subject, before, after });
    },
  });
  return acting.createForHouse(holderOf(entry), {
    venueId,
    heldId: holdId,
    body: {
      ...stayOf(entry, taken),
      productKey: productId.slice(venueId.length + 1),
      origin: origin ?? 'phone',
      guest: { firstName, lastName, email, phone },
    },
  });
}

/** In the transaction that makes the booking. */
async function writeTaken(
  tx: Tx,
  { auditLog, clock }: Context,
  entry: EntryRecord,
  { actor, holdId }: Taken,
): Promise<void> {
  await markBooked(tx, entry.id, nowOf(clock));
  if (!actor) return;
  const before = auditView(entry);
  await auditLog.record(tx, {
    ...{ actor, operatorId: entry.operatorId, before },
    action: 'waitlist.book',
    subject: `waitlist entry ${entry.id}`,
    after: { ...before, status: 'booked', offer: null, bookingId: holdId },
  });
}
