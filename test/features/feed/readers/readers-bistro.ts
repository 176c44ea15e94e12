/** A venue whose feeds are quickly made, and everything that can happen to it. */
import assert from 'node:assert/strict';
import { inTransaction, type Sql } from '../../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../../src/features/venues/service.ts';
import { type ProductId, parseProductId, type VenueId, venueOfProduct } from '../../../../src/kernel/ids.ts';
import { addDays } from '../../../../src/kernel/zone-time.ts';
import type { TestApp } from '../../../support/app.ts';
import { closeVenue, reopenVenue } from '../../../support/closing.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { guest } from '../../bookings/support.ts';

export interface Bistro {
  operatorId: number;
  venueId: VenueId;
  productId: ProductId;
  /** Days on which it is open, the first of them tomorrow. */
  dates: string[];
}

const FIRST_OPERATOR = 800;
const PARTNERS = [1, 2];
const ZONE = 'Europe/London';
const PERIODS = [{ opens: '18:00', closes: '20:00' }];

let bistros = 0;

/** Two rooms with a table for two each, open for an evening on so many days that lie apart. */
export async function addBistro(sql: Sql, dayCount: number): Promise<Bistro> {
  bistros += 1;
  const operatorId = FIRST_OPERATOR + bistros;
  const rooms = [operatorId * 10, operatorId * 10 + 1];
  const productId = parseProductId(`${operatorId}|house|bistro|table`);
  const tomorrow = Temporal.Now.plainDateISO(ZONE).add({ days: 1 }).toString();
  const dates = Array.from({ length: dayCount }, (_, index) => addDays(tomorrow, index * 3));
  const document = {
    tms: 'house',
    resourceId: 'bistro',
    name: `Bistro ${operatorId}`,
    timeZone: ZONE,
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    spaces: rooms.map((id) => ({ id, name: '0', facilities: [], capacities: {}, policies: POLICIES })),
    products: [
      {
        key: 'table',
        name: '0',
        timeIntervalMinutes: 60,
        spaceIds: rooms,
        hours: { weekly: [], exceptions: dates.map((date) => ({ date, periods: PERIODS })) },
      },
    ],
    house: {
      zones: rooms.map((id) => {
        const tables = [{ id, name: 'T', maxCovers: 2 }];
        return { id, name: 'Room', areas: [{ id, name: 'Room', tables }] };
      }),
      spaceZones: rooms.map((id) => ({ spaceId: id, zoneId: id })),
      products: [{ key: 'table' }],
    },
  };
  await inTransaction(sql, (tx) =>
    importOperator(tx, { id: operatorId, name: 'Bistros', systems: ['house'], venues: [document] }),
  );
  const bistro = { operatorId, productId, venueId: venueOfProduct(productId), dates };
  for (const partnerId of PARTNERS) await map(sql, bistro, partnerId);
  return bistro;
}

const POLICIES = {
  minimumSpend: [],
  occasionTypes: [],
  under18s: true,
  promotedEvents: false,
  accessibility: true,
  servesFood: true,
};

export const map = (sql: Sql, { venueId, productId }: Bistro, partnerId: number) =>
  inTransaction(sql, (tx) => mapVenue(tx, { partnerId, venueId, productIds: [productId] }));

export const unmap = (sql: Sql, { venueId }: Bistro, partnerId: number) =>
  sql`delete from venue_mapping where venue_id = ${venueId} and partner_id = ${partnerId}`;

/** Product and rooms are called by a number, which the index and every slot then carry. */
export const revise = (sql: Sql, { venueId, productId }: Bistro, revision: number) =>
  inTransaction(sql, async (tx) => {
    await tx`update product set name = ${String(revision)} where id = ${productId}`;
    await tx`update space set name = ${String(revision)} where venue_id = ${venueId}`;
  });

export async function bookAt({ call }: TestApp, { productId }: Bistro, date: string): Promise<string> {
  const body = { ...guest, date, time: '18:00' };
  const answer = await call(`/venues/${encodeURIComponent(productId)}/booking`, { method: 'POST', body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

export async function cancelAt({ call }: TestApp, bookingId: string): Promise<void> {
  const answer = await call(`/venues/bookings/${bookingId}`, { method: 'DELETE' });
  assert.equal(answer.status, 204, answer.text);
}

/** Things that happen to a bistro, in turn; each undoes what it did before the next time. */
export function createEventful(maitred: TestApp, bistro: Bistro) {
  const { sql } = maitred;
  const bookings: string[] = [];
  let revision = 0;
  let turn = 0;
  let rule: string | undefined;
  let isClosed = false;
  let isMapped = true;

  async function reopen(): Promise<void> {
    if (isClosed) await reopenVenue(maitred, bistro.venueId);
    isClosed = false;
  }

  const happenings = [
    async () => {
      await reopen();
      const date = bistro.dates[turn % bistro.dates.length] ?? '';
      if (bookings.length < bistro.dates.length) bookings.push(await bookAt(maitred, bistro, date));
    },
    async () => {
      revision += 1;
      await revise(sql, bistro, revision);
    },
    async () => {
      const [booking] = bookings.splice(0, 1);
      if (booking) await cancelAt(maitred, booking);
    },
    async () => {
      if (isMapped) await unmap(sql, bistro, 2);
      else await map(sql, bistro, 2);
      isMapped = !isMapped;
    },
    async () => {
      const storage = storageOf(maitred);
      const draft = { name: 'Ask first', effect: 'route_to_enquiry', partnerIds: [2] };
      if (rule) await storage.retire(bistro.operatorId, rule);
      rule = rule ? undefined : (await storage.create(bistro.operatorId, draft)).id;
    },
    async () => {
      await closeVenue(maitred, bistro.venueId);
      isClosed = true;
    },
  ];

  return {
    revision: () => revision,
    reopen,
    async next(): Promise<void> {
      await happenings[turn % happenings.length]?.();
      turn += 1;
    },
  };
}
