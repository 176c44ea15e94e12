import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import type { AvailabilityQuery } from '../../../src/tms/contract.ts';
import { hour } from './books.ts';
import {
  granted,
  NOW_MS,
  query,
  reasonOf,
  request,
  room,
  settle,
  startTestHouse,
  type TestHouse,
} from './venue.ts';

let tested: TestHouse;
before(async () => {
  tested = await startTestHouse();
});
after(() => tested.close());

const open = async (productId: ProductId, changes: Partial<AvailabilityQuery> = {}) =>
  granted(await tested.house.availability(tested.sql, query(productId, changes)))
    .days.flatMap((day) => day.slots)
    .filter(({ type, obstacle }) => type === 'book' && !obstacle)
    .map(({ minute }) => minute);

const amend = (asked: ReturnType<typeof request>) =>
  settle(tested.sql, (tx) => tested.house.amend(tx, asked));

test('a booking takes its table, and a cancelled one gives it back', async () => {
  const product = await tested.addVenue(room(2));
  const asked = request(product, hour(19));
  const booked = granted(await tested.book(asked));
  assert.match(booked.reference, /^H-[0-9A-HJKMNP-TV-Z]{6}$/);
  assert.equal(booked.durationMinutes, 90);
  assert.equal(booked.areaName, 'Main room');
  assert.equal(booked.tables.length, 1);
  assert.deepEqual(granted(await tested.house.find(tested.sql, asked.bookingId)), booked);
  assert.deepEqual(await open(product), [hour(20, 30), hour(21), hour(21, 30)]);
  assert.equal(reasonOf(await tested.book(request(product, hour(20)))), 'taken');
  granted(await tested.house.cancel(tested.sql, asked.bookingId));
  assert.equal(granted(await tested.house.find(tested.sql, asked.bookingId)), undefined);
  assert.equal((await open(product)).length, 8);
  granted(await tested.house.cancel(tested.sql, asked.bookingId));
});

test('the same booking id a second time changes nothing, even when the house is full by then', async () => {
  const product = await tested.addVenue(room(2));
  const asked = request(product, hour(19));
  const first = await tested.book(asked);
  assert.deepEqual(await tested.book(asked), first);
  assert.deepEqual(await tested.book({ ...asked, minute: hour(3), adults: 9 }), first);
  const [row] =
    await tested.sql`select count(*)::int as count from house_allocation where venue_id = ${asked.venueId}`;
  assert.equal(row?.count, 1);
});

test('equal calls at the same time book once and agree', async () => {
  const product = await tested.addVenue(room(2, 2, 2));
  const asked = request(product, hour(19));
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => tested.book(asked)));
  assert.equal(new Set(outcomes.map((outcome) => granted(outcome).reference)).size, 1);
});

test('a reference that is in use is drawn again', async () => {
  const product = await tested.addVenue(room(2, 2));
  const draws = [...Array(12).fill(0), ...Array(6).fill(31)];
  const house = tested.createHouse({ random: () => draws.shift() ?? 0 });
  assert.equal(granted(await tested.book(request(product, hour(19)), house)).reference, 'H-000000');
  assert.equal(granted(await tested.book(request(product, hour(19)), house)).reference, 'H-ZZZZZZ');
});

test('an amendment may use the table it gives up', async () => {
  const product = await tested.addVenue(room(4));
  const asked = request(product, hour(19));
  const booked = granted(await tested.book(asked));
  const moved = granted(
    await amend({ ...request(product, hour(19, 30)), bookingId: asked.bookingId, adults: 4 }),
  );
  assert.equal(moved.reference, booked.reference);
  assert.equal(moved.durationMinutes, 120);
  assert.deepEqual(granted(await tested.house.find(tested.sql, asked.bookingId)), moved);
  assert.deepEqual(await open(product), [hour(18), hour(21, 30)]);
});

test('a refused amendment leaves everything as it was', async () => {
  const product = await tested.addVenue(room(2));
  const [early, late] = [request(product, hour(18)), request(product, hour(20))];
  const booked = granted(await tested.book(early));
  granted(await tested.book(late));
  assert.equal(
    reasonOf(await amend({ ...request(product, hour(20, 30)), bookingId: early.bookingId })),
    'taken',
  );
  assert.deepEqual(granted(await tested.house.find(tested.sql, early.bookingId)), booked);
  assert.equal(reasonOf(await amend(request(product, hour(21, 30)))), 'not-found');
});

test('every refusal has its reason', async () => {
  const product = await tested.addVenue(room(4), {
    product: { noticeMinutes: 60, horizonDays: 30, maxGuests: 4 },
    catalogue: {
      hours: {
        weekly: [{ weekdays: [1, 2, 3, 4, 5, 6], periods: [{ opens: '18:00', closes: '23:00' }] }],
        exceptions: [{ date: '2030-07-03', periods: [], reason: 'Wedding' }],
      },
    },
  });
  const tried = async (minute: number, changes: Parameters<typeof request>[2] = {}) =>
    reasonOf(await tested.book(request(product, minute, changes)));
  assert.equal(await tried(hour(19), { date: '2030-07-03' }), 'closed', 'an exception');
  assert.equal(await tried(hour(19), { date: '2030-07-07' }), 'closed', 'a Sunday');
  assert.equal(await tried(hour(19, 10)), 'not-a-start', 'between two starts');
  assert.equal(await tried(hour(22)), 'not-a-start', 'too late to finish');
  assert.equal(await tried(hour(19), { durationMinutes: 70 }), 'duration');
  assert.equal(await tried(hour(19), { durationMinutes: 255 }), 'duration');
  assert.equal(await tried(hour(19), { date: '2030-06-29' }), 'too-soon', 'the past');
  assert.equal(await tried(hour(19), { date: '2030-08-01' }), 'too-far');
  assert.equal(await tried(hour(19), { adults: 3, children: 2 }), 'party-never-fits');
  assert.equal(await tried(hour(19), { spaceId: 1 }), 'rejected', 'a space of another product');
  const unknown = `${venueOfProduct(product)}|lunch` as ProductId;
  assert.equal(await tried(hour(19), { productId: unknown }), 'no-such-product');
  assert.equal(
    reasonOf(await tested.house.availability(tested.sql, query(product, { durationMinutes: 70 }))),
    'duration',
  );
  assert.equal(reasonOf(await tested.house.availability(tested.sql, query(unknown))), 'no-such-product');
});

test('spaces seat their guests in their own zone', async () => {
  const [hall, cellar, attic] = [
    room(4),
    room(4),
    { ...room(), zones: [{ id: 9001, name: 'Attic', areas: [] }] },
  ];
  const spaces = [901, 902, 903, 904].map((id) => ({
    id,
    name: `Space ${id}`,
    facilities: [],
    capacities: {},
    policies: {},
  })) as never;
  const product = await tested.addVenue(
    {
      zones: [...hall.zones, ...cellar.zones, ...attic.zones],
      spaceZones: [
        { spaceId: 901, zoneId: hall.zones[0]?.id ?? 0 },
        { spaceId: 902, zoneId: cellar.zones[0]?.id ?? 0 },
        { spaceId: 903, zoneId: 9001 },
      ],
    },
    { spaces, catalogue: { spaceIds: [901, 902, 903, 904] } },
  );
  const tried = (spaceId: number | null) => tested.book(request(product, hour(19), { spaceId }));
  assert.equal(reasonOf(await tried(903)), 'zone-without-areas');
  assert.equal(reasonOf(await tried(904)), 'space-without-zone');
  assert.deepEqual(granted(await tried(902)).tables, [`T${cellar.tableIds[0]}`]);
  assert.equal(reasonOf(await tried(902)), 'taken');
  const { days } = granted(await tested.house.availability(tested.sql, query(product)));
  const slot = days[0]?.slots.find(({ minute }) => minute === hour(19));
  assert.deepEqual(slot?.spaces, [
    { spaceId: 901, isFree: true },
    { spaceId: 902, isFree: false },
  ]);
  assert.deepEqual(granted(await tried(null)).tables, [`T${hall.tableIds[0]}`], 'any space will do');
});

test('what needs the operator’s consent is refused to guests and granted to the operator', async () => {
  const byOperator = { isConfirmedByOperator: true, overrides: ['notice'] as const };
  const product = await tested.addVenue(room(4, 4), {
    product: {
      instantLimit: 2,
      isRequestOnly: true,
      takesEnquiries: true,
      noticeMinutes: 3000,
      coversPerStart: 4,
    },
  });
  const asked = request(product, hour(19), { adults: 4 });
  assert.equal(reasonOf(await tested.book(asked)), 'too-soon');
  assert.equal(reasonOf(await tested.book({ ...asked, nowMs: NOW_MS - 1e9 })), 'enquiry-only');
  granted(await tested.book({ ...asked, ...byOperator }));
  const next = request(product, hour(19), byOperator);
  assert.equal(reasonOf(await tested.book(next)), 'paced', 'the kitchen is as busy as it may be');
});

test('the sizes of parties are those that a table is for, within the limits of the product', async () => {
  const sizesOf = async (product: object, most = Number.POSITIVE_INFINITY) => {
    const id = await tested.addVenue(room(4, 6), { product: { maxGuests: 10, ...product } });
    return granted(await tested.house.availability(tested.sql, query(id))).partySizes?.(null, most);
  };
  const enquiries = { instantLimit: 2, takesEnquiries: true };
  assert.deepEqual(await sizesOf({}), { smallest: 1, atOnce: 6, byEnquiry: 6 });
  assert.deepEqual(await sizesOf({ coversPerStart: 5 }), { smallest: 1, atOnce: 5, byEnquiry: 5 });
  assert.deepEqual(await sizesOf(enquiries), { smallest: 1, atOnce: 2, byEnquiry: 6 });
  assert.deepEqual(await sizesOf(enquiries, 3), { smallest: 1, atOnce: 2, byEnquiry: 3 });
  assert.deepEqual(await sizesOf({ instantLimit: 2 }), { smallest: 1, atOnce: 2, byEnquiry: 2 });
  assert.deepEqual(await sizesOf({ isRequestOnly: true }), { smallest: 1, atOnce: 0, byEnquiry: 6 });
  assert.equal(await sizesOf({ minGuests: 7 }), undefined);
});

test('a stay past midnight keeps the table from the next trading day', async () => {
  const hours = {
    weekly: [
      {
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        periods: [
          { opens: '22:00', closes: '03:00' },
          { opens: '00:00', closes: '06:00' },
        ],
      },
    ],
  };
  const product = await tested.addVenue(room(2), { catalogue: { hours: hours as never } });
  granted(await tested.book(request(product, hour(24, 30))));
  const nextMorning = await open(product, { dates: ['2030-07-03'] });
  assert.deepEqual(nextMorning.slice(0, 2), [hour(2), hour(2, 30)]);
  assert.equal(reasonOf(await tested.book(request(product, hour(1), { date: '2030-07-03' }))), 'taken');
});

test('a venue can be removed together with its bookings', async () => {
  const product = await tested.addVenue(room(2));
  granted(await tested.book(request(product, hour(18))));
  const venueId = venueOfProduct(product);
  await tested.sql`delete from venue where id = ${venueId}`;
  assert.equal(reasonOf(await tested.house.availability(tested.sql, query(product))), 'no-such-product');
});

test('a layout that joins tables of two areas is refused', async () => {
  const [one, two] = [room(2), room(2)];
  const combinations = [{ tableIds: [...one.tableIds, ...two.tableIds] }];
  await assert.rejects(tested.addVenue({ zones: [...one.zones, ...two.zones], combinations }), {
    code: 'VALID-N-001',
  });
});
