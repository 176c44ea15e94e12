/**
 * Offers places that have become free to those that wait, in the order of the list. The hold decides who gets a place;
 * it and the entry are written in one transaction, so that a node which dies leaves both or neither. A lease on the day
 * keeps two nodes from overtaking each other on one list.
 */
import type { Tx } from '../../db/database.ts';
import { startWorkLoop, type Worker } from '../../jobs/work-loop.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { partsOfVenueId, type VenueId, venueOfProduct } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import type { FreeStart, WindowQuestion } from '../bookings/service.ts';
import { type Context, holderOf } from './context.ts';
import { claimDay, type DayClaim, listDays, releaseDay, type WaitingDay } from './day-store.ts';
import { tellGuest } from './joining.ts';
import { type EntryRecord, findNextEnd, markOffered, type Offer, settleEnded } from './store.ts';
import { notifiedView } from './view.ts';

/** Told by triggers when something may have become free that is waited for. */
const TOPIC = 'waitlist';
const OFFER_SECONDS = 15 * 60;
/** A start that is closer is no use to a guest who has to read a mail first. */
const LEAST_OFFER_SECONDS = 60;
const LEASE_SECONDS = 60;
/** A system over the network tells us of nothing, so it is asked once a minute, however often we are told something. */
const REMOTE_PAUSE_SECONDS = 50;
/** How soon a day is looked at again that another node is looking at. */
const BUSY_SECONDS = 2;
/** So many starts that looked free are tried for one party; each that is refused was taken at that moment. */
const MOST_TRIES = 3;

export interface OfferWorker extends Worker {
  /** How many this node has made. */
  offersMade(): number;
}

export function createOfferWorker(context: Context): OfferWorker {
  const { sql, clock, store, notifications, log } = context;
  let made = 0;
  const isFar = ({ venueId }: WaitingDay) => isRemote(context, venueId);

  async function workDue(signal?: AbortSignal): Promise<Temporal.Instant | null> {
    const now = nowOf(clock);
    await settleEnded(sql, now);
    let isBusy = false;
    // Systems over the network may take their time, and other venues should not wait for them.
    const days = (await listDays(sql, now)).toSorted((a, b) => Number(isFar(a)) - Number(isFar(b)));
    for (const day of days) {
      if (signal?.aborted) break;
      if (!(await workOn(day))) isBusy ||= !isFar(day);
    }
    const next = await findNextEnd(sql);
    const again = isBusy ? nowOf(clock).add({ seconds: BUSY_SECONDS }) : null;
    return next && again ? earlier(next, again) : (next ?? again);
  }

  /** False: it is another node's at this moment. */
  async function workOn(day: WaitingDay): Promise<boolean> {
    const now = nowOf(clock);
    const claim = {
      now,
      leasedUntil: now.add({ seconds: LEASE_SECONDS }),
      lookedBefore: isFar(day) ? now.subtract({ seconds: REMOTE_PAUSE_SECONDS }) : null,
    };
    if (!(await claimDay(sql, day, claim))) return false;
    try {
      await offerOn(day, claim);
    } catch (err) {
      log.warn({ err, ...day }, 'Places could not be offered to those that wait.');
    } finally {
      await releaseDay(sql, day, claim);
    }
    return true;
  }

  /** Until the lease ends: from then on another node may be at work, and the rest is for the next round. */
  async function offerOn(day: WaitingDay, { leasedUntil }: DayClaim): Promise<void> {
    const free = askingOnce(context);
    for (const entry of await store.listWaiting(sql, day, nowOf(clock))) {
      if (Temporal.Instant.compare(nowOf(clock), leasedUntil) >= 0) return;
      try {
        if (!(await offerFirst(context, entry, await free.list(entry)))) continue;
        made += 1;
        free.forget();
      } catch (error) {
        // The right to book there may have gone; a system that does not answer is asked again with the next round.
        if (!(error instanceof Problem)) throw error;
        if (error.status >= 500) return;
      }
    }
  }

  return {
    workDue,
    offersMade: () => made,
    start: () =>
      startWorkLoop({
        clock,
        notifications,
        topic: TOPIC,
        workDue,
        onError: (err) => log.warn({ err }, 'The waiting lists could not be looked at.'),
      }),
  };
}

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b);

const isRemote = ({ registry }: Context, venueId: VenueId) =>
  registry.get(partsOfVenueId(venueId).tms)?.flavour === 'remote';

/** Parties that want the same are answered with one question, until a place has gone. */
function askingOnce(context: Context) {
  const known = new Map<string, Promise<FreeStart[]>>();
  return {
    list: (entry: EntryRecord): Promise<FreeStart[]> => {
      const question = questionOf(entry);
      const key = JSON.stringify([entry.partnerId, question]);
      return known.getOrInsertComputed(key, () => context.bookings.listFreeStarts(holderOf(entry), question));
    },
    forget: () => known.clear(),
  };
}

export const questionOf = (entry: EntryRecord): WindowQuestion => ({
  productId: entry.productId,
  date: entry.date,
  from: clockTime(entry.fromMinute),
  to: clockTime(entry.toMinute),
  partySize: entry.adults,
  children: entry.children,
  spaceId: entry.spaceId,
});

/** False: none of them could be had. */
async function offerFirst(
  context: Context,
  entry: EntryRecord,
  starts: readonly FreeStart[],
): Promise<boolean> {
  for (const start of starts.filter((each) => isInTime(context, each)).slice(0, MOST_TRIES)) {
    try {
      await keepPlace(context, entry, start);
      return true;
    } catch (error) {
      if (error instanceof NoLongerWaiting) return false;
      if (!(error instanceof Problem) || error.status >= 500) throw error;
    }
  }
  return false;
}

/** The entry was offered another place, or taken off the list, meanwhile: the hold is rolled back. */
export class NoLongerWaiting extends Error {}

/** `offered` is called in the transaction that keeps the place. */
export async function keepPlace(
  context: Context,
  entry: EntryRecord,
  start: FreeStart,
  offered: (tx: Tx, entry: EntryRecord) => Promise<void> = async () => {},
): Promise<void> {
  const { bookings, clock } = context;
  const { productId, date, adults: partySize, children, spaceId } = entry;
  const holder = holderOf(entry);
  const ttlSeconds = Math.min(OFFER_SECONDS, secondsUntil(context, start));
  const stay = { date, time: start.time, partySize, children, ...(spaceId !== null && { spaceId }) };
  const write = (tx: Tx, offer: Offer) => writeOffer(tx, context, entry, offer, offered);
  if (holder.kind === 'partner') {
    await bookings.makeHold(holder, {
      ...{ productId, body: stay, ttlSeconds, isOffer: true },
      written: (tx, { id: holdId, minute, startsAt, durationMinutes, expiresAt: endsAt }) =>
        write(tx, { holdId, minute, startsAt, durationMinutes: durationMinutes ?? 0, endsAt }),
    });
    return;
  }
  const venueId = venueOfProduct(productId);
  const productKey = productId.slice(venueId.length + 1);
  const holdId = newId(clock);
  await bookings.holdForHouse(
    holder,
    { id: holdId, venueId, body: { ...stay, productKey, origin: entry.origin ?? 'phone' } },
    {
      until: nowOf(clock).add({ seconds: ttlSeconds }),
      written: (tx, { startMs, durationMinutes, expiresMs }) =>
        write(tx, {
          holdId,
          minute: start.minute,
          startsAt: Temporal.Instant.fromEpochMilliseconds(startMs),
          durationMinutes,
          endsAt: Temporal.Instant.fromEpochMilliseconds(expiresMs),
        }),
    },
  );
}

const secondsUntil = ({ clock }: Context, { startMs }: FreeStart) =>
  Math.floor((startMs - nowOf(clock).epochMilliseconds) / 1000);

const isInTime = (context: Context, start: FreeStart) => secondsUntil(context, start) >= LEAST_OFFER_SECONDS;

async function writeOffer(
  tx: Tx,
  context: Context,
  { id }: EntryRecord,
  offer: Offer,
  offered: (tx: Tx, entry: EntryRecord) => Promise<void>,
): Promise<void> {
  const { clock, store, events } = context;
  const now = nowOf(clock);
  if (!(await markOffered(tx, id, offer, now))) throw new NoLongerWaiting();
  const entry = await store.find(tx, id, now);
  if (!entry) throw new NoLongerWaiting();
  await events.append(tx, {
    type: 'waitlist.offered',
    partnerId: entry.partnerId,
    operatorId: entry.operatorId,
    venueId: entry.venueId,
    occurredAt: now,
    content: { waitlist: [notifiedView(entry)] },
  });
  await tellGuest(tx, context, entry);
  await offered(tx, entry);
}
