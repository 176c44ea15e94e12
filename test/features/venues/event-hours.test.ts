/** An event trades when it takes place: what partners read of its hours are its occurrences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListingItem } from '../../../src/features/listings/schema.ts';
import { eventually } from '../../support/eventually.ts';
import { booked, guest } from '../bookings/support.ts';
import { at, DAILY, done, keepingApp, openVenue, read, soon } from './keeping.ts';

const maitred = keepingApp();
const HOST = '2|house|night-owl';

/** An event of which nothing is said but when it takes place, with one ticket type that `demo-partner` sells. */
async function openEvent(name: string, ...starts: { date: string; startsMinute: number }[]) {
  const changes = { tms: 'tickets', name, hostVenueId: HOST };
  const { id } = await openVenue(maitred(), name.toLowerCase(), changes, 2);
  const { compositeId } = await done(maitred(), 'POST', at(id, '/products'), {
    key: 'seat',
    name: 'Seat',
    timeIntervalMinutes: 15,
    hours: DAILY,
    tickets: { pricePence: 2500, capacity: 20, maxPerBooking: 6 },
  });
  for (const start of starts)
    await done(maitred(), 'POST', at(id, '/occurrences'), { ...start, durationMinutes: 120 });
  const { sql } = maitred();
  await sql`insert into venue_mapping (partner_id, venue_id) values (1, ${id})`;
  await sql`insert into product_mapping (partner_id, product_id, venue_id) values (1, ${compositeId}, ${id})`;
  const isSold = async () =>
    (await maitred().call(`/venues/${encodeURIComponent(id)}`)).json.products?.length;
  await eventually(async () => (await isSold()) === 1);
  return { id, productId: compositeId };
}

const foundBy = async (query: string): Promise<string[]> =>
  (await maitred().call(`/venues?${query}`)).json.data.map(({ id }: { id: string }) => id);

async function calendarOf(id: string, query = '') {
  const { json } = await maitred().call(`/v1/listings?capability=event_ticket&pageSize=100${query}`);
  const listed = json.listings.flatMap(({ items }: { items: ListingItem[] }) =>
    items.flatMap(({ capabilities }) => capabilities),
  );
  return listed.find((listing: { id: string }) => listing.id === id)?.availabilityOccurrence;
}

test('an event is found and listed on the days on which it takes place', async () => {
  const date = soon(30);
  const { id } = await openEvent('Soiree', { date, startsMinute: 1200 });
  const occurrence = {
    kind: 'occurrence',
    compositeId: null,
    weekdays: null,
    startDate: date,
    endDate: date,
    startTime: '20:00',
    endTime: '22:00',
    reason: null,
  };
  assert.deepEqual(await calendarOf(id, `&date=${date}`), [occurrence]);
  assert.equal(await calendarOf(id, `&date=${soon(31)}`), undefined);
  assert.deepEqual(await foundBy(`venueName=soiree&date=${date}&time=21:45`), [id]);
  assert.deepEqual(await foundBy(`venueName=soiree&date=${date}&time=22:00`), []);
  assert.deepEqual(await foundBy(`venueName=soiree&date=${soon(31)}`), []);

  const exceptions = [
    { date, isClosed: false, periods: [{ opens: '20:00', closes: '22:00' }], reason: null },
  ];
  const { json: venue } = await maitred().call(`/venues/${encodeURIComponent(id)}`);
  assert.deepEqual(venue.opening_times.exceptions, exceptions);
  const { weekly, ...dated } = venue.products[0].availabilityRules;
  assert.deepEqual(dated, { exceptions, rules: [] });
  assert.ok(weekly.every(({ periods }: { periods: [] }) => periods.length === 0));

  const [made] = (await read(maitred(), at(id, '/occurrences'))).data;
  await done(maitred(), 'DELETE', at(id, `/occurrences/${made.id}`));
  await eventually(async () => (await calendarOf(id))?.length === 0);
  assert.deepEqual(await foundBy(`venueName=soiree&date=${date}`), []);
});

test('what the hours of an event say about a date is said of what takes place on it', async () => {
  const [date, other] = [soon(40), soon(41)];
  const { id } = await openEvent('Matinee', { date, startsMinute: 840 }, { date, startsMinute: 1200 });
  await done(maitred(), 'PUT', at(id, '/hours'), {
    ...DAILY,
    exceptions: [date, other].map((each) => ({ date: each, periods: [], reason: `The act of ${each}` })),
  });
  const said = async () =>
    (await calendarOf(id)).map(({ startDate, startTime, reason }: Record<string, string>) => [
      startDate,
      startTime,
      reason,
    ]);
  await eventually(async () => (await said())[0]?.[2] !== null);
  assert.deepEqual(await said(), [
    [date, '14:00', `The act of ${date}`],
    [date, '20:00', `The act of ${date}`],
  ]);
});

test('what takes place after midnight can be bought as it is offered', async () => {
  const date = soon(50);
  const { productId } = await openEvent('Nachtstueck', { date, startsMinute: 1500 });
  const { json } = await maitred().call(
    `/venues/${encodeURIComponent(productId)}/availability?partySize=2&date=${date}`,
  );
  const [{ dateTime, time, type }] = json.times;
  assert.deepEqual([time, type], ['01:00', 'book']);
  const byInstant = await booked(maitred(), { dateTime }, { productId });
  const byClock = await booked(maitred(), { date, time }, { productId });
  assert.deepEqual([byInstant.dateTime, byInstant.date], [byClock.dateTime, byClock.date]);
});

test('whoever has tickets for a night that is withdrawn can still give another number', async () => {
  const date = soon(51);
  const { id, productId } = await openEvent('Nocturne', { date, startsMinute: 1500 });
  const booking = await booked(maitred(), { date, time: '01:00' }, { productId });
  const [night] = (await read(maitred(), at(id, '/occurrences'))).data;
  await done(maitred(), 'DELETE', at(id, `/occurrences/${night.id}`));
  await eventually(async () => (await calendarOf(id))?.length === 0);
  const phone = '+44 20 7946 0999';
  const answer = await maitred().call(`/venues/bookings/${booking.id}`, {
    method: 'PUT',
    body: { ...guest, compositeId: productId, dateTime: booking.dateTime, phone },
  });
  assert.equal(answer.status, 200, answer.text);
  const { date: day, time, status } = answer.json;
  assert.deepEqual([answer.json.phone, day, time, status], [phone, date, '01:00', 'confirmed']);
});
