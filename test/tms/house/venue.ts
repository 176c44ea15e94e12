import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql } from '../../../src/db/database.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import { importOperator } from '../../../src/features/venues/service.ts';
import type { ProductDocument, VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { dayClock } from '../../../src/kernel/zone-time.ts';
import {
  type AvailabilityQuery,
  bookOne,
  type LocalConnector,
  type Outcome,
  type PlaceRequest,
  type SystemBooking,
} from '../../../src/tms/contract.ts';
import { importHouse } from '../../../src/tms/house/catalogue-store.ts';
import { createConfigCache } from '../../../src/tms/house/config-cache.ts';
import { createHouse, type HouseOptions } from '../../../src/tms/house/connector.ts';
import type { HouseDocument, HouseProductDocument } from '../../../src/tms/house/document.ts';
import { createTestDatabase } from '../../support/databases/database.ts';

/** House venues in a database of their own. */

export const DAY = '2030-07-02';
export const NOW_MS = Date.UTC(2030, 6, 1, 8);

export interface TestHouse {
  sql: Sql;
  house: LocalConnector;
  createHouse(options: Partial<HouseOptions>): LocalConnector;
  /** A fresh operator with one venue, open 18:00 to 23:00 every half hour; its product `dinner` is returned. */
  addVenue(document: Omit<HouseDocument, 'products'>, options?: VenueOptions): Promise<ProductId>;
  book(request: PlaceRequest, house?: LocalConnector): Promise<Outcome<SystemBooking>>;
  close(): Promise<void>;
}

export interface VenueOptions {
  product?: Partial<HouseProductDocument>;
  catalogue?: Partial<ProductDocument>;
  spaces?: VenueDocument['spaces'];
}

export async function startTestHouse(): Promise<TestHouse> {
  const database = await createTestDatabase();
  const { sql, url } = database;
  const notifications = await openNotifications(url);
  const configs = createConfigCache(notifications);
  const house = createHouse({ configs, notifications });
  let operators = 100;
  return {
    sql,
    house,
    createHouse: (options) => createHouse({ configs, notifications, ...options }),
    async addVenue(document, { product = {}, catalogue = {}, spaces = [] } = {}) {
      operators += 1;
      const id = operators;
      const productId = parseProductId(`${id}|house|test|dinner`);
      const venue = venueDocument(catalogue, spaces);
      await inTransaction(sql, async (tx) => {
        await importOperator(tx, { id, name: `Operator ${id}`, systems: ['house'], venues: [venue] });
        const products = [{ key: 'dinner', ...product }];
        await importHouse(tx, venueOfProduct(productId), { ...document, products });
      });
      return productId;
    },
    book: (request, system = house) => settle(sql, (tx) => bookOne(system, tx, request)),
    async close() {
      await notifications.close();
      await database.drop();
    },
  };
}

/** One operation in a transaction of its own, committed whatever the outcome: a refusal must have written nothing. */
export async function settle<Value>(
  sql: Sql,
  work: (tx: Parameters<LocalConnector['book']>[0]) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  return inTransaction(sql, work);
}

function venueDocument(catalogue: Partial<ProductDocument>, spaces: VenueDocument['spaces']): VenueDocument {
  const hours = {
    weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '18:00', closes: '23:00' }] }],
  };
  return {
    tms: 'house',
    resourceId: 'test',
    name: 'Test',
    timeZone: 'Europe/London',
    content: { summary: 'Small', description: 'Small', highlights: [] },
    location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
    types: ['restaurant'],
    photos: [],
    hours: { weekly: [] },
    ...(spaces && { spaces }),
    products: [
      {
        key: 'dinner',
        name: 'Dinner',
        timeIntervalMinutes: 30,
        hours: hours as ProductDocument['hours'],
        ...catalogue,
      },
    ],
  };
}

let tables = 0;

/** One zone with one area and tables that seat from one to the given numbers of guests. */
export function room(...covers: number[]): Omit<HouseDocument, 'products'> & { tableIds: number[] } {
  const id = tables + 1;
  const made = covers.map((maxCovers) => {
    tables += 1;
    return { id: tables, name: `T${tables}`, maxCovers };
  });
  const area = { id, name: 'Main room', tables: made };
  return { zones: [{ id, name: 'Inside', areas: [area] }], tableIds: made.map((table) => table.id) };
}

export function request(
  productId: ProductId,
  minute: number,
  changes: Partial<PlaceRequest> = {},
): PlaceRequest {
  const { zone = 'Europe/London', date = DAY } = changes;
  return {
    bookingId: randomUUID(),
    productId,
    venueId: venueOfProduct(productId),
    zone,
    date,
    minute,
    startMs: dayClock(zone, date).epochMsOf(minute) ?? Number.NaN,
    adults: 2,
    children: 0,
    durationMinutes: null,
    spaceId: null,
    nowMs: NOW_MS,
    ...changes,
  };
}

/** Pairs of stays that share a table, for whatever stands behind the constraint. */
export async function oversold(sql: Sql): Promise<number> {
  const [row] = await sql<[{ pairs: number }]>`
    select count(*)::int as pairs from house_allocation a join house_allocation b
      on a.table_id = b.table_id and a.reservation_id < b.reservation_id and a.during && b.during`;
  return row.pairs;
}

/** What was asked for; fails when it was not given. */
export function granted<Value>(outcome: Outcome<Value>): Value {
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome));
  return outcome.value;
}

export const reasonOf = (outcome: Outcome<unknown>) =>
  outcome.kind === 'refused' ? outcome.reason : outcome.kind;

export const query = (productId: ProductId, changes: Partial<AvailabilityQuery> = {}): AvailabilityQuery => ({
  productId,
  venueId: venueOfProduct(productId),
  zone: 'Europe/London',
  dates: [DAY],
  adults: 2,
  children: 0,
  nowMs: NOW_MS,
  ...changes,
});
