/** A small venue for tests of the feed, at a moment that is always the same, and what its readers see of it. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import type { SpaceDocument, VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import type { Caller } from '../../../src/http/auth/caller.ts';
import { parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import type { Weekday } from '../../../src/kernel/zone-time.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { demoPartner, operator, platform } from '../bookings/amend/amending.ts';
import { FEED_URL, type FeedMaker, follow, type Json, makerOf } from './support.ts';

/** A Friday morning in London. */
export const NOW = Temporal.Instant.from('2030-03-01T10:20:00Z');
export const TODAY = '2030-03-01';
export const OPERATOR = 960;
export const VENUE = parseVenueId(`${OPERATOR}|house|bistro`);
export const DINNER = parseProductId(`${VENUE}|dinner`);
export const ROOMS = parseProductId(`${VENUE}|rooms`);
export const LATE = parseProductId(`${VENUE}|late`);
export const PRODUCTS = [DINNER, ROOMS, LATE];
export const [HALL, GARDEN] = [960_001, 960_002];
/** Text that JSON escapes, and that takes more bytes than characters. */
export const GARDEN_NAME = 'The "Garden" \\ été 🌿';
export const CATEGORY = 960_100;

export const partner = (id: number): Caller => ({
  ...demoPartner,
  kind: 'partner',
  partner: { id, reference: `partner-${id}`, name: 'Partner' },
});
export const [FIRST, SECOND, THIRD] = [1, 2, 3].map(partner) as [Caller, Caller, Caller];
export const owner = operator(OPERATOR);
export { platform };

const everyDay: Weekday[] = [1, 2, 3, 4, 5, 6, 7];
const zoneOf = (id: number, name: string, seats: number[]) => ({
  id,
  name,
  areas: [
    { id, name, tables: seats.map((maxCovers, at) => ({ id: id * 10 + at, name: `T${at}`, maxCovers })) },
  ],
});
const roomOf = (id: number, name: string): SpaceDocument => ({
  id,
  name,
  facilities: [],
  capacities: {},
  policies: {
    minimumSpend: [],
    occasionTypes: [],
    under18s: true,
    promotedEvents: false,
    accessibility: true,
    servesFood: true,
  },
});

const bistro: VenueDocument = {
  tms: 'house',
  resourceId: 'bistro',
  name: 'Bistro «Ö"s»',
  timeZone: 'Europe/London',
  content: { summary: '', description: '', highlights: [] },
  location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
  types: [],
  photos: [],
  hours: { weekly: [] },
  spaces: [roomOf(HALL, 'The Hall'), roomOf(GARDEN, GARDEN_NAME)],
  products: [
    {
      // Closed on Sundays, and on one Tuesday.
      key: 'dinner',
      name: 'Dinner',
      slug: 'dinner',
      category: 'dinner',
      timeIntervalMinutes: 60,
      hours: {
        weekly: [{ weekdays: [1, 2, 3, 4, 5, 6], periods: [{ opens: '18:00', closes: '22:00' }] }],
        exceptions: [{ date: '2030-03-05', periods: [] }],
      },
      paymentRules: [
        { amount: 1000, currency: 'GBP', per: 'guest', minPartySize: 4, maxPartySize: null, weekdays: [6] },
      ],
    },
    {
      key: 'rooms',
      name: 'Rooms',
      timeIntervalMinutes: 120,
      hours: { weekly: [{ weekdays: everyDay, periods: [{ opens: '12:00', closes: '16:00' }] }] },
      spaceIds: [HALL, GARDEN],
    },
    {
      key: 'late',
      name: 'Late',
      timeIntervalMinutes: 60,
      hours: { weekly: [{ weekdays: [6], periods: [{ opens: '22:00', closes: '04:00' }] }] },
    },
  ],
  house: {
    zones: [
      zoneOf(960_010, 'Dining room', [2, 4]),
      zoneOf(960_020, 'Hall', [6]),
      zoneOf(960_030, 'Garden', [6, 6]),
    ],
    spaceZones: [
      { spaceId: HALL, zoneId: 960_020 },
      { spaceId: GARDEN, zoneId: 960_030 },
    ],
    products: [
      {
        key: 'dinner',
        zoneIds: [960_010],
        maxGuests: 4,
        turnTimes: [{ upTo: 4, minutes: 120 }],
        noticeMinutes: 120,
      },
      {
        key: 'rooms',
        minGuests: 4,
        maxGuests: 6,
        duration: { minMinutes: 120, maxMinutes: 120, stepMinutes: 15 },
        turnTimes: [{ upTo: 6, minutes: 120 }],
        noticeMinutes: 2880,
        horizonDays: 60,
        takesEnquiries: true,
        instantLimit: 5,
      },
      { key: 'late', zoneIds: [960_010], maxGuests: 2, turnTimes: [{ upTo: 4, minutes: 60 }] },
    ],
  },
};

export interface Bistro extends TestApp {
  maker: FeedMaker;
  /** Makes the files as of the moment of all these tests, or so much later. */
  make(after?: Temporal.DurationLike, options?: { isFull?: boolean }): ReturnType<FeedMaker['make']>;
  /** Where this caller finds the feed of a product. */
  feedUrl(caller: Caller, productId?: string): Promise<string | null>;
  /** The feed that this caller reads. */
  read(caller: Caller, productId?: string): Promise<{ index: Json; shards: Map<string, Json> }>;
}

/** The venue in an application of its own; distributed by the first two partners unless said otherwise. */
export function bistroApp({
  partners = [1, 2],
  change = (venue: VenueDocument) => venue,
} = {}): () => Bistro {
  let app: Bistro;
  before(async () => {
    const maitred = await startTestApp({ config: { feedUrl: FEED_URL }, deps: { clock: () => NOW } });
    const { sql } = maitred;
    await sql`insert into partner (id, reference, name) values (3, 'third-partner', 'Third Partner')`;
    await inTransaction(sql, async (tx) => {
      const category = { id: CATEGORY, slug: 'chosen', name: 'Chosen', partners: [] };
      const venues = [change(structuredClone(bistro))];
      await importOperator(tx, {
        id: OPERATOR,
        name: 'Bistros',
        systems: ['house'],
        partnerCategories: [category],
        venues,
      });
      for (const partnerId of partners)
        await mapVenue(tx, { partnerId, venueId: VENUE, productIds: PRODUCTS });
    });
    app = withFeeds(maitred);
  });
  after(() => app.close());
  return () => app;
}

function withFeeds(maitred: TestApp): Bistro {
  const maker = makerOf(maitred);
  const feedUrl = async (caller: Caller, productId: string = DINNER) => {
    const { products } = await maitred.services.venues.get(caller, VENUE);
    return products.find(({ compositeId }) => compositeId === productId)?.feedUrl ?? null;
  };
  return {
    ...maitred,
    maker,
    feedUrl,
    make: (later = { hours: 0 }, { isFull = false } = {}) =>
      maker.make(VENUE, { nowMs: momentAfter(later).epochMilliseconds, isFull }),
    async read(caller, productId) {
      const address = await feedUrl(caller, productId);
      assert.ok(address, 'there is a feed');
      return follow(maker.files, address);
    },
  };
}

/** Days count as they do in London. */
export const momentAfter = (later: Temporal.DurationLike) =>
  NOW.toZonedDateTimeISO('Europe/London').add(later).toInstant();

export const isoDay = (days: number) => Temporal.PlainDate.from(TODAY).add({ days }).toString();
