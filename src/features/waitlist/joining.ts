/** Puts a party on the waiting list, and takes it off. */
import { createHash } from 'node:crypto';
import { inContestedTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId, newSecret } from '../../kernel/crypto.ts';
import { type ProductId, partsOfVenueId, type VenueId, venueOfProduct } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import { lockSubject } from '../audit/service.ts';
import { type Context, holderOf, noSuchEntry } from './context.ts';
import type { EntryBody, HouseEntryBody } from './schema.ts';
import { countOpen, type EntryRecord, findUse, markRemoved, type NewEntry } from './store.ts';

/** Against lists that a partner fills for guests it does not have. */
const MOST_WAITING = 50;

export interface NewWaiting {
  productId: ProductId;
  body: EntryBody | Omit<HouseEntryBody, 'productKey'>;
  /** Called in the transaction that writes the entry. */
  written(tx: Tx, entry: EntryRecord): Promise<void>;
}

export async function addEntry(
  context: Context,
  caller: Caller,
  { productId, body, written }: NewWaiting,
): Promise<EntryRecord> {
  const { sql, clock, store, bookings } = context;
  const { date, from, to, partySize, children, spaceId } = body;
  const wanted = { partySize, children: children ?? 0, spaceId: spaceId ?? null };
  const window = await bookings.readWindow(caller, { productId, date, from, to, ...wanted });
  const linkSecret = newSecret();
  const partner = 'partner' in caller ? caller.partner : null;
  const venueId = venueOfProduct(productId);
  const entry: NewEntry = {
    id: newId(clock),
    partnerId: partner?.id ?? null,
    origin: partner ? null : ('origin' in body && body.origin) || 'phone',
    clientId: caller.clientId,
    operatorId: partsOfVenueId(venueId).operatorId,
    venueId,
    productId,
    date,
    fromMinute: window.from.minute,
    toMinute: window.to.minute,
    endsAt: Temporal.Instant.fromEpochMilliseconds(window.to.startMs),
    adults: partySize,
    children: wanted.children,
    spaceId: wanted.spaceId,
    partnerBookingId: ('partnerBookingId' in body && body.partnerBookingId) || null,
    guest: {
      firstName: body.firstName ?? null,
      lastName: body.lastName,
      email: body.email ?? null,
      phone: body.phone ?? null,
      linkSecret,
    },
    linkHash: linkHashOf(linkSecret),
    createdAt: nowOf(clock),
  };
  return inContestedTransaction(sql, async (tx) => {
    if (partner) await assertMayWait(tx, entry, { partnerId: partner.id, venueId });
    await store.insert(tx, entry);
    const made = await store.find(tx, entry.id, entry.createdAt);
    if (!made) throw noSuchEntry(entry.id);
    await tellGuest(tx, context, made);
    await written(tx, made);
    return made;
  });
}

/** Links are looked up by this; who reads the database does not learn them. */
export const linkHashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** One request of a partner after the other, so that two do not pass the limit together. */
async function assertMayWait(
  tx: Tx,
  { partnerBookingId, createdAt: now }: NewEntry,
  { partnerId, venueId }: { partnerId: number; venueId: VenueId },
): Promise<void> {
  await lockSubject(tx, `waitlist ${partnerId}`);
  const used = partnerBookingId === null ? undefined : await findUse(tx, partnerId, partnerBookingId, now);
  if (used)
    throw problem('BOOK-N-002', {
      detail:
        used.bookingId === null
          ? `An entry ${partnerBookingId} of yours waits already.`
          : `You have a booking ${partnerBookingId} already.`,
      ...(used.bookingId !== null && { extensions: { bookingId: used.bookingId } }),
    });
  if ((await countOpen(tx, partnerId, venueId, now)) >= MOST_WAITING)
    throw problem('WAIT-N-002', {
      detail: `You have ${MOST_WAITING} entries on the waiting list of this venue.`,
    });
}

/** In the transaction that puts the party on the list, or keeps a place for it. */
export async function tellGuest(
  tx: Tx,
  { notices, config }: Pick<Context, 'notices' | 'config'>,
  entry: EntryRecord,
): Promise<void> {
  const { guest, offer, venue } = entry;
  if (!entry.isWrittenTo || !guest?.email || guest.linkSecret === null) return;
  const { productName, ...shown } = venue;
  await notices.tellWaiting(
    tx,
    {
      kind: offer ? 'offer' : 'waiting',
      entryId: entry.id,
      to: guest.email,
      name: [guest.firstName, guest.lastName].filter((part) => part).join(' '),
      venue: { id: entry.venueId, ...shown },
      productName,
      date: entry.date,
      from: clockTime(entry.fromMinute),
      until: clockTime(entry.toMinute),
      guests: entry.adults + entry.children,
      children: entry.children,
      link: `${config.publicUrl}/waitlist/${guest.linkSecret}`,
      offer: offer && { startsAt: offer.startsAt.toString(), endsAt: offer.endsAt.toString() },
    },
    offer?.endsAt ?? entry.endsAt,
  );
}

/**
 * Takes the party off the list; what has ended stays as it is. The place that was kept for it is released afterwards:
 * a node that dies in between leaves a hold that ends by clock.
 */
export async function removeEntry(
  context: Context,
  id: string,
  removed: (tx: Tx, before: EntryRecord) => Promise<void> = async () => {},
): Promise<void> {
  const { sql, clock, store, notices } = context;
  const before = await inContestedTransaction(sql, async (tx) => {
    const now = nowOf(clock);
    const entry = await store.lock(tx, id, now);
    if (!entry) throw noSuchEntry(id);
    if (entry.status !== 'waiting' && entry.status !== 'offered') return entry;
    await markRemoved(tx, id, now);
    await notices.forgetWaiting(tx, [id]);
    await removed(tx, entry);
    return entry;
  });
  if (before.status === 'offered') await releaseOffer(context, before);
}

/** Not where it was booked at this very moment. */
async function releaseOffer({ bookings, log }: Context, entry: EntryRecord): Promise<void> {
  const { id, offer, productId, partner } = entry;
  if (!offer) return;
  const released = partner
    ? bookings.releaseOwnHold(holderOf(entry), offer.holdId)
    : bookings.releaseHold({ id: offer.holdId, productId });
  await released.catch((err) =>
    log.warn({ err, entryId: id }, 'A hold of the waiting list could not be released.'),
  );
}
