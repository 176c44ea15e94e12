import type { Tx } from '../../src/db/database.ts';
import { daily } from '../../src/demo/hours.ts';
import { floorPlan, tablesFor } from '../../src/demo/layout.ts';
import { room } from '../../src/demo/terms.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import type { SpaceDocument, VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';

const OPERATOR_ID = 8200;
const VENUE_NUMBER = 8200;

export const FEED_PRODUCT = parseProductId(`${OPERATOR_ID}|house|feed-house|dinner`);
export const FEED_HOUSE = venueOfProduct(FEED_PRODUCT);
export const FEED_ZONE = 'Europe/London';
/** Every quarter of an hour from ten; the last to come leave with the closing, an hour and a half later. */
const TIMES = 48;
const HOURS = '10:00-23:15';
const STAY_MINUTES = 90;
const LARGEST_PARTY = 10;
const FLOORS = ['Ground floor', 'First floor'];

/** What a day has; where both floors are full one can still enquire. */
export const SLOTS_PER_DAY = TIMES * LARGEST_PARTY * FLOORS.length;

export async function addFeedHouse(tx: Tx, partnerId: number): Promise<void> {
  await importOperator(tx, { id: OPERATOR_ID, name: 'Feed Houses', systems: ['house'], venues: [venue] });
  await mapVenue(tx, { partnerId, venueId: FEED_HOUSE, productIds: [FEED_PRODUCT] });
}

const spaces: SpaceDocument[] = FLOORS.map((name, index) =>
  room(
    {
      id: OPERATOR_ID + index,
      name,
      description: `All of the tables on the ${name.toLowerCase()}.`,
      floorLocation: name,
      facilities: ['Bar', 'Wi-Fi'],
      capacities: { seated: { min: 1, max: 80 } },
    },
    20_000,
  ),
);

const plan = floorPlan(
  VENUE_NUMBER,
  FLOORS.map((name) => ({
    name,
    areas: [
      {
        name,
        letter: name.charAt(0),
        seats: [2, 4, 6, 8, 10].flatMap((seats) => tablesFor(seats, 3)),
        joined: ['1+2', '4+5', '7+8'],
      },
    ],
  })),
);

const hours = { weekly: daily(HOURS) };

const venue: VenueDocument = {
  tms: 'house',
  resourceId: 'feed-house',
  name: 'The Feed House',
  timeZone: FEED_ZONE,
  content: { summary: 'Open long', description: 'Thirty tables on two floors.', highlights: [] },
  location: { lat: 51.51, lng: -0.13, area: 'Soho', city: 'London', countryCode: 'GB' },
  types: ['restaurant'],
  photos: [],
  hours,
  spaces,
  products: [
    { key: 'dinner', name: 'Dinner', timeIntervalMinutes: 15, hours, spaceIds: spaces.map(({ id }) => id) },
  ],
  house: {
    ...plan,
    spaceZones: spaces.map(({ id }, index) => ({ spaceId: id, zoneId: plan.zones[index]?.id ?? 0 })),
    products: [
      {
        key: 'dinner',
        minGuests: 1,
        maxGuests: LARGEST_PARTY,
        turnTimes: [{ upTo: LARGEST_PARTY, minutes: STAY_MINUTES }],
        instantLimit: 8,
        takesEnquiries: true,
      },
    ],
  },
};
