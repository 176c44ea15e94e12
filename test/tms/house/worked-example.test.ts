import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { dayClock } from '../../../src/kernel/zone-time.ts';
import { DAY, NOW_MS, startTestHouse, type TestHouse } from './venue.ts';

/** The example of docs/availability.md, step by step. */

const ZONE = 'Europe/London';
const STARTS = ['18:00', '18:30', '19:00', '19:30', '20:00', '20:30', '21:00', '21:30'];
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

let bistro: TestHouse;
let dinner: ProductId;
before(async () => {
  bistro = await startTestHouse();
  const tables = [
    { id: 1, name: 'A', minCovers: 1, maxCovers: 2 },
    { id: 2, name: 'B', minCovers: 2, maxCovers: 4 },
    { id: 3, name: 'C', minCovers: 2, maxCovers: 4 },
  ];
  dinner = await bistro.addVenue(
    {
      zones: [{ id: 1, name: 'Room', areas: [{ id: 1, name: 'Floor', tables }] }],
      combinations: [{ tableIds: [2, 3], minCovers: 5, maxCovers: 8 }],
    },
    {
      product: {
        turnTimes: [
          { upTo: 2, minutes: 90 },
          { upTo: 8, minutes: 120 },
        ],
        instantLimit: 6,
        takesEnquiries: true,
      },
    },
  );
});
after(() => bistro.close());

async function answersFor(adults: number): Promise<Record<string, string>> {
  const outcome = await bistro.house.availability(bistro.sql, {
    productId: dinner,
    venueId: venueOfProduct(dinner),
    zone: ZONE,
    dates: [DAY],
    adults,
    children: 0,
    nowMs: NOW_MS,
  });
  assert.equal(outcome.kind, 'ok');
  if (outcome.kind !== 'ok') return {};
  const slots = outcome.value.days.flatMap((day) => day.slots);
  return Object.fromEntries(
    STARTS.map((time) => {
      const slot = slots.find(({ minute }) => minute === minuteOf(time));
      return [time, slot ? (slot.requestReason ?? slot.type) : 'none'];
    }),
  );
}

async function book(adults: number, time: string): Promise<string[]> {
  const minute = minuteOf(time);
  const outcome = await bistro.book({
    bookingId: randomUUID(),
    productId: dinner,
    venueId: venueOfProduct(dinner),
    zone: ZONE,
    date: DAY,
    minute,
    startMs: dayClock(ZONE, DAY).epochMsOf(minute) ?? 0,
    adults,
    children: 0,
    durationMinutes: null,
    spaceId: null,
    nowMs: NOW_MS,
  });
  assert.equal(outcome.kind, 'ok');
  return outcome.kind === 'ok' ? outcome.value.tables : [];
}

const all = (from: string, to: string, answer: string) =>
  Object.fromEntries(STARTS.filter((time) => time >= from && time <= to).map((time) => [time, answer]));

test('the worked example of the documentation comes out as written', async () => {
  assert.deepEqual(await book(4, '19:00'), ['B'], 'B is the first of two equal tables');
  assert.deepEqual(await answersFor(4), { ...all('18:00', '21:00', 'book'), '21:30': 'none' });

  assert.deepEqual(await book(4, '19:00'), ['C']);
  assert.deepEqual(await answersFor(4), {
    ...all('18:00', '20:30', 'fully_booked'),
    '21:00': 'book',
    '21:30': 'none',
  });
  assert.deepEqual(await answersFor(2), all('18:00', '21:30', 'book'));
  assert.deepEqual(await answersFor(6), {
    ...all('18:00', '20:30', 'fully_booked'),
    '21:00': 'book',
    '21:30': 'none',
  });
  assert.deepEqual(await answersFor(7), {
    ...all('18:00', '20:30', 'fully_booked'),
    '21:00': 'exceeds_auto_confirm',
    '21:30': 'none',
  });
});
