import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageOf } from '../../support/rule-storage.ts';
import {
  bistroApp,
  DINNER,
  FIRST,
  GARDEN,
  GARDEN_NAME,
  HALL,
  isoDay,
  LATE,
  OPERATOR,
  ROOMS,
  TODAY,
  VENUE,
} from './bistro.ts';
import type { Json } from './support.ts';

const bistro = bistroApp();

async function slotsOn(date: string, productId: string = DINNER): Promise<Json[]> {
  await bistro().make();
  const { shards } = await bistro().read(FIRST, productId);
  return shards.get(date)?.slots ?? [];
}

const brief = (slots: Json[], ...names: string[]) => slots.map((slot) => names.map((name) => slot[name]));
const ofParty = (slots: Json[], size: number) => slots.filter(({ party_size }) => party_size === size);

async function bookTable(productId: string, body: object) {
  const guest = {
    type: 'book',
    firstName: 'A',
    lastName: 'B',
    email: 'a@example.com',
    phone: '+442079460018',
  };
  const answer = await bistro().call(`/venues/${encodeURIComponent(productId)}/booking`, {
    method: 'POST',
    body: { ...guest, ...body },
  });
  assert.equal(answer.status, 201, answer.text);
}

async function underRule(draft: object, work: () => Promise<void>) {
  const storage = storageOf(bistro());
  const { id } = await storage.create(OPERATOR, { name: 'Rule', ...draft });
  try {
    await work();
  } finally {
    await storage.retire(OPERATOR, id);
  }
}

test('a slot says everything that the interface names', async () => {
  const [slot] = ofParty(await slotsOn('2030-03-02'), 4);
  assert.deepEqual(slot, {
    merchant_id: VENUE,
    service_id: DINNER,
    date: '2030-03-02',
    time: '18:00',
    date_time: '2030-03-02T18:00:00+00:00',
    party_size: 4,
    duration_minutes: 120,
    min_duration: 60,
    max_duration: 240,
    duration_interval: 15,
    spots_total: 1,
    spots_open: 1,
    type: 'book',
    request_reason: null,
    deposit: { amount: 1000, currency_code: 'GBP', amount_per: 'guest' },
    room_id: null,
    room_name: null,
    space_id: null,
    duration_requirement: 'MUST_SHOW_DURATION',
  });
});

test('there is one slot for each time and each size of party from the smallest to the largest', async () => {
  const slots = await slotsOn('2030-03-02');
  const expected = [1, 2, 3, 4].flatMap((size) => ['18:00', '19:00', '20:00'].map((time) => [size, time]));
  assert.deepEqual(brief(slots, 'party_size', 'time'), expected);
});

test('a deposit depends on the size of the party and on the weekday', async () => {
  const withDeposit = (slots: Json[]) => [
    ...new Set(slots.filter((slot) => slot.deposit).map((slot) => slot.party_size)),
  ];
  assert.deepEqual(withDeposit(await slotsOn('2030-03-02')), [4]);
  assert.deepEqual(withDeposit(await slotsOn('2030-03-04')), []);
});

test('slots within the notice of the product are gone', async () => {
  const { maker, read } = bistro();
  await maker.make(VENUE, { nowMs: Date.parse('2030-03-01T16:00:01Z') });
  const { shards } = await read(FIRST);
  assert.deepEqual([...new Set(shards.get(TODAY).slots.map(({ time }: Json) => time))], ['19:00', '20:00']);
});

test('the trading day is that of the evening, and the true start has its own date and offset', async () => {
  const slots = ofParty(await slotsOn('2030-03-02', LATE), 2);
  assert.deepEqual(brief(slots, 'date', 'time', 'date_time').slice(1, 4), [
    ['2030-03-02', '23:00', '2030-03-02T23:00:00+00:00'],
    ['2030-03-02', '00:00', '2030-03-03T00:00:00+00:00'],
    ['2030-03-02', '01:00', '2030-03-03T01:00:00+00:00'],
  ]);
});

test('a time that clocks skip is dropped, and those around it have the offsets of their moments', async () => {
  const slots = ofParty(await slotsOn('2030-03-30', LATE), 2);
  assert.deepEqual(brief(slots, 'time', 'date_time'), [
    ['22:00', '2030-03-30T22:00:00+00:00'],
    ['23:00', '2030-03-30T23:00:00+00:00'],
    ['00:00', '2030-03-31T00:00:00+00:00'],
    ['02:00', '2030-03-31T02:00:00+01:00'],
    ['03:00', '2030-03-31T03:00:00+01:00'],
  ]);
});

test('what a slot names as its start can be sent to book it', async () => {
  const slots = ofParty(await slotsOn('2030-03-16', LATE), 2);
  const late = slots.find(({ time }) => time === '01:00');
  await bookTable(LATE, { dateTime: late.date_time, partySize: 2 });
  const [{ day }] = await bistro().sql<[{ day: string }]>`
    select trading_day::text as day from house_reservation where product_id = ${LATE}`;
  assert.equal(day, late.date);
});

test('each area has a slot of its own, with its room, and what is taken in one is open in the other', async () => {
  const slots = ofParty(await slotsOn(isoDay(10), ROOMS), 4);
  assert.deepEqual(
    brief(slots, 'time', 'room_id', 'room_name', 'space_id', 'spots_total', 'spots_open', 'type'),
    [
      ['12:00', String(HALL), 'The Hall', HALL, 1, 1, 'book'],
      ['12:00', String(GARDEN), GARDEN_NAME, GARDEN, 2, 2, 'book'],
      ['14:00', String(HALL), 'The Hall', HALL, 1, 1, 'book'],
      ['14:00', String(GARDEN), GARDEN_NAME, GARDEN, 2, 2, 'book'],
    ],
  );
  assert.equal(slots[0].duration_requirement, 'DO_NOT_SHOW_DURATION');
  const [hall] = slots;
  await bookTable(ROOMS, { dateTime: hall.date_time, partySize: 4, spaceId: hall.space_id });
  const left = ofParty(await slotsOn(isoDay(10), ROOMS), 4);
  assert.deepEqual(brief(left, 'time', 'space_id'), [
    ['12:00', GARDEN],
    ['14:00', HALL],
    ['14:00', GARDEN],
  ]);
});

test('slots that nobody can have are left out', async () => {
  await bookTable(DINNER, { date: '2030-03-07', time: '19:00', partySize: 4 });
  const slots = await slotsOn('2030-03-07');
  assert.deepEqual(ofParty(slots, 4), []);
  assert.deepEqual(brief(ofParty(slots, 2), 'time', 'spots_total', 'spots_open'), [
    ['18:00', 2, 1],
    ['19:00', 2, 1],
    ['20:00', 2, 1],
  ]);
});

test('a party above the limit for instant bookings enquires, and so does one that comes when all is taken', async () => {
  const large = ofParty(await slotsOn(isoDay(11), ROOMS), 6);
  assert.deepEqual(brief(large, 'type', 'request_reason', 'spots_open')[0], [
    'request',
    'exceeds_auto_confirm',
    1,
  ]);
  for (const spaceId of [HALL, GARDEN, GARDEN])
    await bookTable(ROOMS, { date: isoDay(11), time: '12:00', partySize: 4, spaceId });
  const taken = ofParty(await slotsOn(isoDay(11), ROOMS), 4).filter(({ time }) => time === '12:00');
  assert.deepEqual(brief(taken, 'type', 'request_reason', 'spots_open', 'space_id'), [
    ['request', 'fully_booked', 1, HALL],
    ['request', 'fully_booked', 1, GARDEN],
  ]);
});

test('what a rule routes to enquiry is published as one, because of the operator', async () => {
  const conditions = [{ field: 'weekday', operator: 'eq', value: 6 }];
  await underRule({ effect: 'route_to_enquiry', conditions }, async () => {
    const kinds = (slots: Json[]) => [...new Set(slots.map((slot) => `${slot.type} ${slot.request_reason}`))];
    assert.deepEqual(kinds(await slotsOn('2030-03-09')), ['request operator_rule']);
    assert.deepEqual(kinds(await slotsOn('2030-03-08')), ['book null']);
  });
});

test('a window for booking removes slots within its notice and beyond its horizon', async () => {
  const params = { action: 'book', minNoticeHours: 56, maxHorizonDays: 20 };
  await underRule({ effect: 'booking_window', params }, async () => {
    await bistro().make();
    const { index, shards } = await bistro().read(FIRST);
    const [first] = index.shards;
    // Sunday and Tuesday are closed, and Saturday is too near.
    assert.equal(first.date, '2030-03-04');
    assert.equal(ofParty(shards.get(first.date).slots, 2).length, 3);
    assert.equal(index.shards.at(-1).date, isoDay(20));
  });
});

test('a channel that may only enquire reads of enquiries, and one for small parties of no large ones', async () => {
  const { sql } = bistro();
  await sql`update venue_mapping set is_request_only = true, max_party_size = 2 where partner_id = 1 and venue_id = ${VENUE}`;
  const slots = await slotsOn('2030-03-02');
  await sql`update venue_mapping set is_request_only = false, max_party_size = null where partner_id = 1 and venue_id = ${VENUE}`;
  assert.deepEqual([...new Set(slots.map((slot) => slot.request_reason))], ['request_only']);
  assert.deepEqual([...new Set(slots.map((slot) => slot.party_size))], [1, 2]);
});
