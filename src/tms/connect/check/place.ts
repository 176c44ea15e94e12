/** Finds something to try bookings on: a product with two free starts on each of some days. */

import type { ProductId, VenueId } from '../../../kernel/ids.ts';
import { isDateTime } from '../../../kernel/rfc3339.ts';
import { addDays, clockTime, dateTimeOf, localOf } from '../../../kernel/zone-time.ts';
import type { AvailabilityQuery, PlaceRequest, Slot } from '../../contract.ts';
import type { CataloguePage, SystemVenue } from '../../remote.ts';
import { readAvailability, readVenues } from '../answers.ts';
import { hopeless, isDone, isRefused, type Session, saidBy } from './session.ts';

/** Far enough ahead for any notice, and not at the edge of what is on sale. */
const FIRST_DAY = 7;
const DAYS = 7;
const MOST_PAGES = 10_000;

export const PARTY = { adults: 1, children: 1 };
export const GUEST = {
  firstName: 'Connect',
  lastName: 'Check',
  email: 'connect-check@example.com',
  phone: '+442079460000',
};

export interface TestPlace {
  venueId: string;
  productId: string;
  zone: string;
  /** Of one day, both free. */
  first: Slot;
  last: Slot;
}

/** All venues, with what is wrong about the pages. */
export async function readCatalogue(session: Session): Promise<SystemVenue[]> {
  session.progress('Reading venues');
  const venues: SystemVenue[] = [];
  const ids = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | null = null;
  for (;;) {
    const asked: string | null = cursor;
    const path: string = asked === null ? '/venues' : `/venues?${new URLSearchParams({ cursor: asked })}`;
    const received = await session.send('GET', path);
    if (!isDone(received)) {
      session.find(`GET /venues answered ${saidBy(received)}: answer 200 with a page of venues.`);
      return venues;
    }
    const page: CataloguePage | undefined = session.use('GET /venues', () =>
      readVenues(received.body, asked),
    );
    if (!page) return venues;
    for (const venue of page.venues) {
      if (ids.has(venue.resourceId))
        session.find(
          `GET /venues has ${venue.resourceId} on two pages: sort by something that stays, and begin each page after the last.`,
        );
      else venues.push(venue);
      ids.add(venue.resourceId);
    }
    if (page.next === null) {
      if (page.total !== undefined && page.total !== ids.size)
        session.find(
          `GET /venues says that there are ${page.total} venues and its pages have ${ids.size}: let no page skip any.`,
        );
      return venues;
    }
    if (cursors.has(page.next) || cursors.size > MOST_PAGES) {
      session.find('GET /venues never ends: give `next` as null on the last page.');
      return venues;
    }
    cursors.add(page.next);
    cursor = page.next;
  }
}

/** The first product that can be tried. */
export async function findTestPlace(session: Session, venues: readonly SystemVenue[]): Promise<TestPlace> {
  session.progress('Looking for free starts');
  for (const { resourceId: venueId, timeZone: zone, products } of venues) {
    for (const { key: productId } of products) {
      const from = addDays(localOf(zone, Date.now()).date, FIRST_DAY);
      const dates = Array.from({ length: DAYS }, (_, index) => addDays(from, index));
      const days = await slotsOn(session, { venueId, productId, zone }, dates);
      for (const slots of days ?? []) {
        const free = slots.filter(isFree);
        const [first, last] = [free[0], free.at(-1)];
        if (first && last && first !== last) return { venueId, productId, zone, first, last };
      }
    }
  }
  return hopeless(
    `No product has two free starts for two guests on one of the days ${FIRST_DAY} to ${FIRST_DAY + DAYS - 1} from today: set up a test venue that is open and empty.`,
  );
}

export const isFree = (slot: Slot | undefined) =>
  slot !== undefined && slot.type === 'book' && slot.obstacle === undefined;

type Where = Pick<TestPlace, 'venueId' | 'productId' | 'zone'>;

/** The starts of each day; undefined when the answer cannot be used. */
export async function slotsOn(
  session: Session,
  where: Where,
  dates: string[],
): Promise<Slot[][] | undefined> {
  const { venueId, productId, zone } = where;
  const body = { venueId, productId, dates, party: PARTY };
  const received = await session.send('POST', '/availability', { body });
  if (!isDone(received)) {
    session.find(
      `POST /availability for ${productId} at ${venueId} answered ${saidBy(received)}: answer 200 with the days asked for.`,
    );
    return undefined;
  }
  if (hasWrongStart(session, received.body, zone)) return undefined;
  const query: AvailabilityQuery = {
    productId: `1|check|${venueId}|${productId}` as ProductId,
    venueId: `1|check|${venueId}` as VenueId,
    zone,
    dates,
    ...PARTY,
    nowMs: Date.now(),
  };
  return session.use('POST /availability', () =>
    readAvailability(received.body, query, new Map()).days.map(({ slots }) => slots),
  );
}

/** The two most usual mistakes with time get sentences of their own. */
function hasWrongStart(session: Session, body: unknown, zone: string): boolean {
  const { days } = (body ?? {}) as { days?: { slots?: { start?: unknown; time?: unknown }[] }[] };
  if (!Array.isArray(days)) return false;
  for (const { start, time } of days.flatMap(({ slots }) => (Array.isArray(slots) ? slots : []))) {
    if (typeof start !== 'string') return false;
    if (!isDateTime(start)) {
      session.find(
        `POST /availability has the start "${start.slice(0, 40)}" without an offset: write it as RFC 3339 does, such as 2030-05-01T19:00:00+01:00.`,
      );
      return true;
    }
    const local = clockTime(localOf(zone, Date.parse(start)).minute);
    if (local !== time) {
      session.find(
        `POST /availability has the start ${start} with \`time\` ${String(time).slice(0, 10)}, but clocks in ${zone} show ${local} then: reckon in the time zone of the venue.`,
      );
      return true;
    }
  }
  return false;
}

/** What is sent for a place, and what the answer is compared with. */
export function placeAt({ venueId, productId, zone }: Where, slot: Slot, bookingId: string) {
  const request: PlaceRequest = {
    bookingId,
    productId: `1|check|${venueId}|${productId}` as ProductId,
    venueId: `1|check|${venueId}` as VenueId,
    zone,
    date: slot.date,
    minute: slot.minute,
    startMs: slot.startMs,
    ...PARTY,
    durationMinutes: null,
    spaceId: null,
    nowMs: Date.now(),
  };
  const body = {
    ...{ venueId, productId, date: slot.date, time: clockTime(slot.minute) },
    start: dateTimeOf(zone, slot.startMs),
    ...{ party: PARTY, durationMinutes: null, spaceId: null, confirmedByVenue: false },
  };
  return { request, body };
}

export const DETAILS = {
  guest: GUEST,
  company: null,
  notes: 'Made by connect-check, and removed again.',
  preorders: [],
  partner: { name: 'connect-check', bookingId: null },
  depositPence: null,
};

export async function assertUnknownProduct(
  session: Session,
  { venueId, zone, first }: TestPlace,
): Promise<void> {
  const body = { venueId, productId: 'connect-check-unheard-of', dates: [first.date], party: PARTY };
  const received = await session.send('POST', '/availability', { body });
  if (!isRefused(received, 'no-such-product'))
    session.find(
      `POST /availability for a product that does not exist (in ${zone}) answered ${saidBy(received)}: refuse it as no-such-product.`,
    );
}
