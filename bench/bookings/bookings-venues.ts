import type { Tx } from '../../src/db/database.ts';
import { daily } from '../../src/demo/hours.ts';
import { floorPlan, tablesFor } from '../../src/demo/layout.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays } from '../../src/kernel/zone-time.ts';

const OPERATOR_ID = 8100;
const VENUES = 50;
const TABLES = 20;
const DAYS = 300;
/** A party of two stays for an hour and a half. */
const STARTS = ['12:00', '13:30', '15:00', '16:30', '18:00', '19:30', '21:00'];
const FIRST_DAY = Temporal.Now.plainDateISO().add({ days: 2 }).toString();

const productOf = (venue: number) => parseProductId(`${OPERATOR_ID}|house|venue-${venue}|dinner`);
/** The one with twenty tables that everybody wants at once. */
export const WANTED = productOf(0);

function documentOf(venue: number): VenueDocument {
  const hours = { weekly: daily('12:00-23:00') };
  return {
    tms: 'house',
    resourceId: `venue-${venue}`,
    name: `Venue ${venue}`,
    timeZone: 'Europe/London',
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 51.51, lng: -0.13, area: 'Soho', city: 'London', countryCode: 'GB' },
    types: ['restaurant'],
    photos: [],
    hours,
    products: [{ key: 'dinner', name: 'Dinner', timeIntervalMinutes: 30, hours }],
    house: {
      ...floorPlan(OPERATOR_ID + venue, [
        { name: 'Inside', areas: [{ name: 'Main room', letter: 'T', seats: tablesFor(2, TABLES) }] },
      ]),
      products: [{ key: 'dinner' }],
    },
  };
}

export async function addBookableVenues(tx: Tx, ...partnerIds: number[]): Promise<void> {
  const venues = Array.from({ length: VENUES + 1 }, (_, venue) => documentOf(venue));
  await importOperator(tx, { id: OPERATOR_ID, name: 'Bookable Venues', systems: ['house'], venues });
  for (const venue of venues.keys()) {
    const productId = productOf(venue);
    const mapped = { venueId: venueOfProduct(productId), productIds: [productId] };
    for (const partnerId of partnerIds) await mapVenue(tx, { partnerId, ...mapped });
  }
}

export interface Place {
  productId: ProductId;
  date: string;
  time: string;
}

/** The place of the n-th booking: venues in turn, then days, then starts; there is room for two million. */
export function placeOf(n: number): Place {
  const round = Math.floor(n / VENUES);
  return {
    productId: productOf(1 + (n % VENUES)),
    date: addDays(FIRST_DAY, round % DAYS),
    time: STARTS[Math.floor(round / DAYS) % STARTS.length] ?? '',
  };
}

/** Whoever books in a measurement, but for when and where. */
export const guest = {
  type: 'book',
  partySize: 2,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  comments: 'A quiet table, please.',
};
