/** Places that are scarce: houses with a given number of tables, and gigs with a given number of tickets. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import type { Hours } from '../../src/features/venues/hours/hours.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays, minuteOfDay } from '../../src/kernel/zone-time.ts';

export const FIRST_DAY = Temporal.Now.plainDateISO('Europe/London').add({ days: 30 }).toString();
/** Stays last ninety minutes, so that none of these starts is in the way of another. */
export const STARTS = ['12:00', '14:00', '16:00', '18:00', '20:00'] as const;
const DEMO_PARTNER_ID = 1;
const OPERATOR_OF_RACES = 700;

export interface Start {
  date: string;
  time: string;
}

/** Starts that share no capacity, as many as are asked for. */
export function startsApart(count: number): Start[] {
  return Array.from({ length: count }, (_, index) => ({
    date: addDays(FIRST_DAY, Math.floor(index / STARTS.length)),
    time: STARTS[index % STARTS.length] ?? '',
  }));
}

const DAILY: Hours = {
  weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '12:00', closes: '22:00' }] }],
};

function venueDocument(tms: string, resourceId: string, hours: Hours): VenueDocument {
  return {
    tms,
    resourceId,
    name: resourceId,
    timeZone: 'Europe/London',
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    products: [{ key: 'place', name: 'A place', timeIntervalMinutes: 30, hours }],
  };
}

let operators = 0;
let tables = 700_000;

async function addVenue(sql: Sql, document: VenueDocument): Promise<ProductId> {
  const id = OPERATOR_OF_RACES + operators;
  operators += 1;
  const productId = parseProductId(`${id}|${document.tms}|${document.resourceId}|place`);
  await inTransaction(sql, async (tx) => {
    await importOperator(tx, { id, name: `Races ${id}`, systems: [document.tms], venues: [document] });
    await mapVenue(tx, {
      partnerId: DEMO_PARTNER_ID,
      venueId: venueOfProduct(productId),
      productIds: [productId],
    });
  });
  return productId;
}

interface RoomOptions {
  /** All of its tables can be pushed together. */
  isJoined?: boolean;
}

/** Open from noon to ten every day, with so many tables for two. */
export function addRoom(
  sql: Sql,
  tableCount: number,
  { isJoined = false }: RoomOptions = {},
): Promise<ProductId> {
  tables += 1;
  const id = tables;
  const seats = Array.from({ length: tableCount }, () => {
    tables += 1;
    return { id: tables, name: `T${tables}`, maxCovers: 2 };
  });
  const house = {
    zones: [{ id, name: 'Inside', areas: [{ id, name: 'Main room', tables: seats }] }],
    ...(isJoined && { combinations: [{ tableIds: seats.map((seat) => seat.id) }] }),
    products: [{ key: 'place', takesEnquiries: true }],
  };
  return addVenue(sql, { ...venueDocument('house', 'room', DAILY), house });
}

/** An event at each of the starts, with so many tickets for each. */
export function addGig(sql: Sql, capacity: number, starts: readonly Start[]): Promise<ProductId> {
  const tickets = {
    occurrences: starts.map(({ date, time }) => ({
      date,
      startsMinute: minuteOfDay(time),
      durationMinutes: 90,
    })),
    ticketTypes: [{ key: 'place', pricePence: 1500, capacity, maxPerBooking: 10 }],
  };
  return addVenue(sql, { ...venueDocument('tickets', 'gig', { weekly: [] }), tickets });
}

/** Operators as the venues above have them: one each. */
export const operatorOf = (productId: ProductId) => Number(productId.split('|')[0]);
