/** What callers ask for, and how much more of the machine it may take where there is more of everything. */
import { respelt } from '../../test/support/respelt.ts';
import { ASKED_DAYS, ASKED_VENUES, FIRST_OPERATOR } from './growth-store.ts';
import type { Callers, World } from './growth-world.ts';

export interface Asked {
  by: 'partner' | 'operator' | 'admin';
  path: string;
  body?: object;
}

export interface Operation {
  name: string;
  /** The n-th request. Answers about the catalogue are kept by address, so most say a number that nobody reads. */
  next(world: World, callers: Callers, n: number): Asked;
  /** Pages that are counted, or left behind, cost what there is to count: then the reason is said. */
  grows?: string;
}

const PAGE = 20;
const TODAY = Temporal.Now.plainDateISO('Europe/London');
const dayIn = (days: number) => TODAY.add({ days }).toString();

/** All over the venues, and never the same one soon again. */
const venueOf = ({ venues, operators }: World, n: number) => {
  const number = 1 + ((n * 7919) % venues);
  return `${FIRST_OPERATOR + (number % operators)}|house|venue-${number}`;
};
/** One whose days are the same in every world. */
const askedVenue = ({ operators }: World, n: number) =>
  `${FIRST_OPERATOR}|house|venue-${operators * (1 + (n % ASKED_VENUES))}`;
/** The first word of what `fillVenues` calls the n-th venue. */
const nameOf = (n: number) =>
  String((n * 7919) % 1_000_003)
    .padStart(7, '0')
    .replaceAll(/\d/g, (digit) => 'aeioubdlmr'.charAt(Number(digit)));
const address = (id: string) => encodeURIComponent(id);
const oneOf = (ids: readonly string[], n: number) => ids[n % ids.length] ?? '';
const dayOf = (n: number) => dayIn(2 + ((n * 31) % 170));

const partner = (path: (world: World, n: number) => string): Operation['next'] => {
  return (world, _, n) => ({ by: 'partner', path: path(world, n) });
};

const deepPage = (rows: number, n: number) => Math.max(1, Math.floor((rows * 0.9) / PAGE) - (n % 5));

export const OPERATIONS: readonly Operation[] = [
  { name: 'venues, first page, kept', next: partner(() => '/venues') },
  {
    name: 'venues, first page',
    next: partner((_, n) => `/venues?${respelt('pageNumber=1&pageSize=20', n)}`),
  },
  {
    name: 'venues, page after page near the end',
    next: partner(
      ({ venues }, n) =>
        `/venues?${respelt(`pageNumber=${Math.max(1, deepPage(venues, 0) - 300 + n)}&pageSize=20`, n)}`,
    ),
  },
  {
    name: 'venues, a leap to a page near the end',
    grows: 'passes over what comes before',
    next: partner(
      ({ venues }, n) => `/venues?${respelt(`pageNumber=${deepPage(venues, n)}&pageSize=20`, n)}`,
    ),
  },
  { name: 'venues by name', next: partner((_, n) => `/venues?${respelt('sortBy=name&pageSize=20', n)}`) },
  {
    name: 'venues of a city, of which there are 50',
    grows: 'counts the venues of that city',
    next: partner((_, n) => `/venues?${respelt(`city=City%20${n % 50}&pageSize=20`, n)}`),
  },
  {
    name: 'venues, search for a name',
    next: partner(({ venues }, n) => `/venues?query=${nameOf(1 + ((n * 31) % venues))}&sortBy=relevance`),
  },
  {
    name: 'venues, search for what two in five have',
    grows: 'ranks every match',
    next: partner((_, n) => `/venues?${respelt('query=seafood%20grill&sortBy=relevance', n)}`),
  },
  {
    name: 'venues, part of a name',
    grows: 'sorts every match',
    next: partner((_, n) => `/venues?${respelt('venueName=uda&pageSize=20', n)}`),
  },
  {
    name: 'venues within 2 km',
    grows: 'finds more in the same circle',
    next: partner((_, n) => `/venues?${respelt(`lat=${51 + (n % 50) / 50}&lng=-1.5&radius=2000`, n)}`),
  },
  { name: 'one venue', next: partner((world, n) => `/venues/${respelt(address(venueOf(world, n)), n)}`) },
  {
    name: 'availability, another venue each time',
    next: partner(
      (world, n) =>
        `/venues/${address(`${venueOf(world, n)}|dinner`)}/availability?date=${dayOf(n)}&partySize=2`,
    ),
  },
  {
    name: 'availability, fifty venues again and again',
    next: partner(
      (world, n) =>
        `/venues/${address(`${venueOf(world, n % 50)}|dinner`)}/availability?date=${dayOf(n % 50)}&partySize=2`,
    ),
  },
  {
    name: 'availability of 20 at once',
    grows: 'a node soon knows a thousand venues',
    next: (world, _, n) => ({
      by: 'partner',
      path: '/v1/availabilities',
      body: {
        date: dayOf(n),
        bookableProducts: Array.from({ length: 20 }, (_, k) => ({
          compositeId: `${venueOf(world, n * 20 + k)}|dinner`,
          quantity: 2,
        })),
      },
    }),
  },
  {
    name: 'listings, first page',
    next: partner((_, n) => `/v1/listings?${respelt('pageNumber=1&pageSize=20', n)}`),
  },
  {
    name: 'listings of a city',
    grows: 'counts the listings of that city',
    next: partner((_, n) => `/v1/listings?${respelt(`city=City%20${n % 50}&pageSize=20`, n)}`),
  },
  {
    name: 'questions and answers',
    next: partner((world, n) => `/venues/${address(venueOf(world, n))}/site-faqs`),
  },
  {
    name: 'create a booking',
    next: (world, { run }, n) => ({
      by: 'partner',
      path: `/venues/${address(`${venueOf(world, n)}|dinner`)}/booking`,
      body: {
        type: 'book',
        partySize: 2,
        date: dayOf(n),
        time: '19:30',
        firstName: 'Ada',
        lastName: 'Lovelace',
        partnerBookingId: `${run}-${n}`,
      },
    }),
  },
  {
    name: 'one booking',
    next: (_, { bookingIds }, n) => ({ by: 'partner', path: `/venues/bookings/${oneOf(bookingIds, n)}` }),
  },
  { name: 'bookings of a partner, first page', next: partner(() => '/venues/bookings') },
  {
    name: 'bookings of a partner, a leap to a page near the end',
    grows: 'passes over what comes before',
    next: partner(({ bookings }, n) => `/venues/bookings?pageNumber=${deepPage(bookings / 2, n)}`),
  },
  {
    name: 'bookings of a product',
    grows: 'counts the bookings of that product',
    next: partner((world, n) => `/venues/bookings?compositeId=${address(`${venueOf(world, n)}|dinner`)}`),
  },
  {
    name: 'bookings of an operator, first page',
    next: () => ({ by: 'operator', path: `/manage/operators/${FIRST_OPERATOR}/bookings` }),
  },
  {
    name: 'bookings of an operator, this week',
    grows: 'counts the bookings of that week',
    next: () => ({
      by: 'operator',
      path: `/manage/operators/${FIRST_OPERATOR}/bookings?from=${dayIn(0)}&to=${dayIn(6)}`,
    }),
  },
  {
    name: 'diary of a day',
    next: (world, _, n) => ({
      by: 'operator',
      path: `/manage/venues/${address(askedVenue(world, n))}/diary?date=${dayIn((n % ASKED_DAYS) - ASKED_DAYS / 2)}`,
    }),
  },
  {
    name: 'report of a week, one venue',
    next: (world, _, n) => ({
      by: 'operator',
      path: `/manage/operators/${FIRST_OPERATOR}/reports/covers?from=${dayIn(-5)}&to=${dayIn(1)}&venueId=${address(askedVenue(world, n))}`,
    }),
  },
  {
    name: 'report of a week, all venues of an operator',
    next: () => ({
      by: 'operator',
      path: `/manage/operators/${FIRST_OPERATOR}/reports/covers?from=${dayIn(-5)}&to=${dayIn(1)}`,
    }),
  },
  {
    name: 'event log, a page by its cursor',
    next: (_, { eventIds }, n) => ({ by: 'partner', path: `/webhooks/events?cursor=${oneOf(eventIds, n)}` }),
  },
  { name: 'deliveries, newest first', next: partner(() => '/webhooks/deliveries') },
  {
    name: 'audit of an operator',
    grows: 'counts the entries of that operator',
    next: () => ({ by: 'operator', path: `/manage/operators/${FIRST_OPERATOR}/audit` }),
  },
  {
    name: 'audit of the platform',
    grows: 'counts all entries',
    next: () => ({ by: 'admin', path: '/manage/audit' }),
  },
];
