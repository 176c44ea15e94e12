import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql } from '../../src/db/database.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { insertOperator } from '../../src/features/venues/transfer/import-store.ts';
import { type ProductId, parseProductId, parseVenueId } from '../../src/kernel/ids.ts';
import { dayClock } from '../../src/kernel/zone-time.ts';
import type { AvailabilityQuery, PlaceRequest } from '../../src/tms/contract.ts';
import { importTickets } from '../../src/tms/tickets/catalogue-store.ts';
import type { TicketsDocument } from '../../src/tms/tickets/document.ts';
import { createTestDatabase } from '../support/databases/database.ts';

export const ZONE = 'Europe/London';
export const VENUE = parseVenueId('1|tickets|gig');
export const STANDARD = parseProductId('1|tickets|gig|standard');
export const VIP = parseProductId('1|tickets|gig|vip');
export const NOW_MS = Date.parse('2031-03-01T12:00:00Z');

const ticket = (key: string) => ({ key, name: key, timeIntervalMinutes: 120, hours: { weekly: [] } });

const GIG: VenueDocument = {
  tms: 'tickets',
  resourceId: 'gig',
  name: 'A gig',
  timeZone: ZONE,
  content: { summary: '', description: '', highlights: [] },
  location: { lat: 51.5, lng: -0.1, area: 'Camden', city: 'London', countryCode: 'GB' },
  types: [],
  photos: [],
  hours: { weekly: [] },
  products: [ticket('standard'), ticket('vip')],
};

/** A database with one event, as the document says. */
export async function startGig(document: TicketsDocument) {
  const database = await createTestDatabase();
  const { sql } = database;
  await inTransaction(sql, async (tx) => {
    await insertOperator(tx, { id: 1, name: 'Promoters', systems: ['tickets'], venues: [GIG] });
    await importTickets(tx, VENUE, document);
  });
  return database;
}

export function queryFor(dates: string[], changes: Partial<AvailabilityQuery> = {}): AvailabilityQuery {
  return {
    productId: STANDARD,
    venueId: VENUE,
    zone: ZONE,
    dates,
    adults: 2,
    children: 0,
    nowMs: NOW_MS,
    ...changes,
  };
}

export function requestFor(date: string, minute: number, changes: Partial<PlaceRequest> = {}): PlaceRequest {
  return {
    bookingId: randomUUID(),
    productId: STANDARD,
    venueId: VENUE,
    zone: ZONE,
    date,
    minute,
    startMs: dayClock(ZONE, date).epochMsOf(minute) ?? Number.NaN,
    adults: 2,
    children: 0,
    durationMinutes: null,
    spaceId: null,
    nowMs: NOW_MS,
    ...changes,
  };
}

/** What the stock says is sold, and what the reservations add up to: the two must always agree. */
export async function soldOf(sql: Sql, productId: ProductId, date: string, minute: number) {
  const [row] = await sql<[{ stock: number; reserved: number }]>`
    select coalesce((select sold from ticket_stock
        where occurrence_id = occurrence.id and product_id = ${productId}), 0)::integer as stock,
      coalesce((select sum(quantity) from ticket_reservation
        where occurrence_id = occurrence.id and product_id = ${productId}), 0)::integer as reserved
    from ticket_occurrence as occurrence
    where venue_id = ${VENUE} and date = ${date} and starts_minute = ${minute}`;
  return row;
}
