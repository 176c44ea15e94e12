import type { Tx } from '../../src/db/database.ts';
import { daily, EVERY_DAY } from '../../src/demo/hours.ts';
import { floorPlan, tablesFor } from '../../src/demo/layout.ts';
import { room } from '../../src/demo/terms.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import type { SpaceDocument, VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';

const OPERATOR_ID = 8000;
const VENUE_NUMBER = 8000;

/** Sixty tables on three floors, open from noon until eleven, a start every quarter of an hour. */
export const DINNER = parseProductId(`${OPERATOR_ID}|house|busy-house|dinner`);
/** The same tables, sold by the floor they stand on. */
export const BY_FLOOR = parseProductId(`${OPERATOR_ID}|house|busy-house|by-floor`);
export const BUSY_HOUSE = venueOfProduct(DINNER);
export const ZONE = 'Europe/London';

export async function addBusyHouse(tx: Tx, partnerId: number): Promise<void> {
  await importOperator(tx, { id: OPERATOR_ID, name: 'Busy Houses', systems: ['house'], venues: [venue] });
  await mapVenue(tx, { partnerId, venueId: BUSY_HOUSE, productIds: [DINNER, BY_FLOOR] });
}

const FLOORS = ['Ground floor', 'First floor', 'Roof'];

const spaces: SpaceDocument[] = FLOORS.map((name, index) =>
  room(
    {
      id: OPERATOR_ID + index,
      name,
      description: `All of the tables on the ${name.toLowerCase()}, with a bar of their own.`,
      floorLocation: name,
      facilities: ['Bar', 'Wi-Fi', 'Lift'],
      capacities: { seated: { min: 1, max: 80 }, standing: { min: 20, max: 120 } },
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
        seats: [...tablesFor(2, 8), ...tablesFor(4, 8), ...tablesFor(6, 4)],
        joined: ['1+2', '3+4', '9+10', '11+12', '17+18'],
      },
    ],
  })),
);

const operation = {
  instantLimit: 8,
  takesEnquiries: true,
  noticeMinutes: 60,
  horizonDays: 400,
  policy: 'Tables are kept for fifteen minutes.',
  cancellationPolicy: 'Free of charge until 24 hours before.',
};

const hours = { weekly: daily('12:00-23:00') };
const onSale = { timeIntervalMinutes: 15, hours };

const venue: VenueDocument = {
  tms: 'house',
  resourceId: 'busy-house',
  name: 'The Busy House',
  timeZone: ZONE,
  content: { summary: 'Always full', description: 'Sixty tables, most of them taken.', highlights: [] },
  location: { lat: 51.51, lng: -0.13, area: 'Soho', city: 'London', countryCode: 'GB' },
  types: ['restaurant'],
  photos: [],
  hours,
  spaces,
  products: [
    { key: 'dinner', name: 'Dinner', slug: 'dinner', ...onSale },
    { key: 'by-floor', name: 'Dinner by floor', ...onSale, spaceIds: spaces.map(({ id }) => id) },
  ],
  availabilityRules: [
    {
      type: 'recurring_with_time',
      definition: { weekdays: EVERY_DAY, startTime: '15:00', endTime: '15:30', reason: 'Shifts change' },
    },
  ],
  house: {
    ...plan,
    spaceZones: spaces.map(({ id }, index) => ({ spaceId: id, zoneId: plan.zones[index]?.id ?? 0 })),
    products: [
      { key: 'dinner', ...operation },
      { key: 'by-floor', ...operation },
    ],
  },
};
