/** What is closed cannot be had, on whichever system, and can be had again when it is opened. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type VenueId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type Bistros,
  ordered as bookedThere,
  DAY,
  order,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { patch, replacing } from '../bookings/amend/amending.ts';
import { act } from '../bookings/operator/manage-support.ts';
import {
  assertRefused,
  type Body,
  book,
  booked,
  DINNER,
  freeDay,
  jazzDay,
  PRIVATE,
  STANDARD,
} from '../bookings/support.ts';
import { FEED_URL, follow, makerOf } from '../feed/support.ts';
import { trades } from '../listings/reading.ts';
import { ada, dinner, order as orderItems } from '../orders/support.ts';
import { availability, type Closing, closingOf, timesOn } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 2, deps: {} });
});
after(() => bistros.close());
const maitred = () => bistros.app;

const SOHO = '1|house|soho-grill';
const soho = closingNow(SOHO);
const jazz = closingNow('2|tickets|jazz-night');

/** A node hears of closures by a notification, a moment after the answer. These tests ask at once. */
function closingNow(venueId: string): Closing {
  const closing = closingOf(maitred, venueId);
  const heard = <Result>(result: Result): Result => {
    maitred().services.venues.forget(venueId as VenueId);
    return result;
  };
  return {
    ...closing,
    closed: async (body) => heard(await closing.closed(body)),
    reopen: async (id, headers) => heard(await closing.reopen(id, headers)),
  };
}

const moveTo = (id: string, date: string, time: string) =>
  patch(maitred(), id, [replacing('/date', date), replacing('/time', time)]);

test('a closed day is closed for every product, wherever it is asked about, until it is opened again', async () => {
  const [date, other] = [freeDay(), freeDay()];
  assert.ok((await timesOn(maitred(), DINNER, date)).length > 0);
  const elsewhere = await booked(maitred(), { date: other, time: '19:00' });
  const enquiry = await booked(maitred(), { type: 'request', date, time: '19:00', partySize: 14 });
  const { id, ...closure } = await soho.closed({
    from: date,
    to: date,
    bookings: 'keep',
    reason: 'Painters',
  });
  assert.deepEqual(
    [closure.from, closure.to, closure.productKeys, closure.state, closure.affected],
    [date, date, null, 'done', 0],
  );
  const { times, noAvailabilityCode, noAvailabilityReason } = await availability(
    maitred(),
    DINNER,
    `date=${date}&partySize=2`,
  );
  assert.deepEqual([times, noAvailabilityCode], [[], 'NO_AVAILABILITY']);
  assert.match(noAvailabilityReason, /^Soho Grill is closed on /);
  const shown = await availability(maitred(), DINNER, `date=${date}&partySize=2&includeUnavailable=true`);
  assert.ok(shown.times.every(({ unavailableReasons }: Body) => unavailableReasons[0] === 'AVAIL-N-004'));
  assert.deepEqual(await timesOn(maitred(), PRIVATE, date, 12), []);
  for (const type of ['book', 'request'])
    await assertRefused(maitred(), () => book(maitred(), { type, date, time: '19:00' }), 422, 'AVAIL-N-004');
  assertProblem(await moveTo(elsewhere.id, date, '19:00'), 422, 'AVAIL-N-004');
  assertProblem(await act(maitred(), enquiry.id, 'accept'), 422, 'AVAIL-N-004');
  const { json: batch } = await maitred().call('/v1/availabilities', {
    method: 'POST',
    body: { date, quantity: 2, bookableProducts: [{ compositeId: DINNER }] },
  });
  assert.deepEqual(batch.results[0].availability.times, []);
  const ordered = await orderItems(maitred(), { ...ada, items: [dinner({ date, time: '19:00' })] });
  assert.match(ordered.text, /AVAIL-N-004/);

  const calendar = async () =>
    (await maitred().call('/v1/listings?venueName=soho grill')).json.listings[0].items[0].capabilities[0]
      .availabilityOccurrence;
  await eventually(async () => !trades(await calendar(), DINNER, date));
  const found = async (list: string) =>
    (await maitred().call(`/${list}?venueName=soho grill&date=${date}`)).json.meta.totalItems;
  assert.deepEqual([await found('venues'), await found('v1/listings')], [0, 0]);
  const { json: venue } = await maitred().call(`/venues/${encodeURIComponent(SOHO)}`);
  const exception = venue.opening_times.exceptions.find((each: Body) => each.date === date);
  assert.deepEqual(exception, { date, isClosed: true, periods: [], reason: null });
  assert.doesNotMatch(JSON.stringify(venue), /Painters/);

  assert.equal((await soho.reopen(id)).status, 204);
  assert.ok((await timesOn(maitred(), DINNER, date)).length > 0);
  await eventually(async () => (await found('venues')) === 1);
  assert.equal((await act(maitred(), enquiry.id, 'accept')).status, 200);
  await booked(maitred(), { date, time: '19:00' });
  assertProblem(await soho.reopen(id), 404, 'HTTP-N-404');
});

test('part of a day is closed for stays that reach into it, and what ends before or begins after is not', async () => {
  const date = freeDay();
  const open = await timesOn(maitred(), DINNER, date);
  const [slot] = (await availability(maitred(), DINNER, `date=${date}&partySize=2`)).times;
  const minutes = slot.duration;
  const before = Temporal.PlainTime.from('19:00').subtract({ minutes }).toString().slice(0, 5);
  const standing = await booked(maitred(), { date, time: before });
  await soho.closed({ from: `${date}T19:00`, to: `${date}T20:00`, bookings: 'keep' });
  const left = open.filter((time) => time <= before || time >= '20:00');
  assert.ok(left.length > 0 && left.length < open.length);
  assert.deepEqual(await timesOn(maitred(), DINNER, date), left);
  const { noAvailabilityReason } = await availability(
    maitred(),
    DINNER,
    `date=${date}&partySize=2&startTime=19:00&endTime=19:30`,
  );
  assert.match(noAvailabilityReason, /is closed at that time/);
  const later = Temporal.PlainTime.from(before).add({ minutes: 30 }).toString().slice(0, 5);
  for (const time of ['19:00', '19:30', later])
    for (const type of ['book', 'request'])
      await assertRefused(maitred(), () => book(maitred(), { type, date, time }), 422, 'AVAIL-N-004');
  await booked(maitred(), { date, time: before });
  await booked(maitred(), { date, time: '20:00' });
  assertProblem(await moveTo(standing.id, date, later), 422, 'AVAIL-N-004');
  const noted = await patch(maitred(), standing.id, [replacing('/notes', 'Window')]);
  assert.equal(noted.status, 200, noted.text);
  const found = async (time: string) =>
    (await maitred().call(`/venues?venueName=soho grill&date=${date}&time=${time}`)).json.meta.totalItems;
  assert.deepEqual([await found('18:00'), await found('19:30'), await found('20:00')], [1, 0, 1]);
});

test('one product is closed, and the others are not', async () => {
  const date = freeDay();
  const closure = await soho.closed({
    from: date,
    to: date,
    productKeys: ['private-dining'],
    bookings: 'keep',
  });
  assert.deepEqual(closure.productKeys, ['private-dining']);
  assert.deepEqual(await timesOn(maitred(), PRIVATE, date, 12), []);
  assert.ok((await timesOn(maitred(), DINNER, date)).length > 0);
  await booked(maitred(), { date, time: '19:00' });
});

test('the feed follows a closure, and its end', async () => {
  const date = freeDay();
  const maker = makerOf(maitred());
  const productUrl = async () => {
    const { json } = await maitred().call(`/venues/${encodeURIComponent(SOHO)}`);
    return json.products.find(({ compositeId }: Body) => compositeId === DINNER).feedUrl;
  };
  await maker.make(SOHO);
  await eventually(async () => (await productUrl()) !== null);
  const startsIn = async () => {
    await maker.make(SOHO);
    const url = String(await productUrl()).replace(/^.*?(?=\/[^/]+\/index\.json$)/, FEED_URL);
    const shard = follow(maker.files, url).shards.get(date);
    return new Set<string>((shard?.slots ?? []).map(({ time }: Body) => time));
  };
  const open = await startsIn();
  assert.ok(open.has('19:00'));
  const day = await soho.closed({ from: date, to: date, bookings: 'keep' });
  assert.equal((await startsIn()).size, 0);
  await soho.reopen(day.id);
  const part = await soho.closed({ from: `${date}T19:00`, to: `${date}T23:59`, bookings: 'keep' });
  const left = await startsIn();
  assert.ok(left.size > 0 && !left.has('19:00'));
  await soho.reopen(part.id);
  assert.deepEqual(await startsIn(), open);
});

test('events are closed like tables', async () => {
  const date = jazzDay();
  await booked(maitred(), { date, time: '20:00' }, { productId: STANDARD });
  const { id } = await jazz.closed({ from: date, to: date, bookings: 'keep' });
  assert.deepEqual(await timesOn(maitred(), STANDARD, date), []);
  const attempt = () => book(maitred(), { date, time: '20:00' }, { productId: STANDARD });
  await assertRefused(maitred(), attempt, 422, 'AVAIL-N-004');
  await jazz.reopen(id);
  await jazz.closed({ from: `${date}T20:30`, to: `${date}T21:00`, bookings: 'keep' });
  await assertRefused(maitred(), attempt, 422, 'AVAIL-N-004');
});

test('a venue whose tables are elsewhere is closed too, and its system is not asked', async () => {
  const bistro = bistros.next();
  const remote = closingNow(venueOfProduct(bistro.productId));
  const id = await bookedThere(bistros, bistro, { time: '19:00' });
  assert.ok((await timesOn(maitred(), bistro.productId, DAY)).includes('20:00'));
  const closure = await remote.closed({ from: `${DAY}T20:00`, to: `${DAY}T21:00`, bookings: 'keep' });
  const calls = bistro.system.calls('book');
  assertProblem(await order(bistros, bistro, { time: '20:00' }), 422, 'AVAIL-N-004');
  assert.equal(bistro.system.calls('book'), calls);
  assertProblem(await moveTo(id, DAY, '20:00'), 422, 'AVAIL-N-004');
  assert.ok(!(await timesOn(maitred(), bistro.productId, DAY)).includes('20:00'));
  await remote.reopen(closure.id);
  await remote.closed({ from: DAY, to: DAY, bookings: 'keep' });
  assert.deepEqual(await timesOn(maitred(), bistro.productId, DAY), []);
  assertProblem(await order(bistros, bistro, { time: '21:00', type: 'request' }), 422, 'AVAIL-N-004');
});

test('a date that the hours of a venue close is closed at venues whose tables are elsewhere, too', async () => {
  const bistro = bistros.next();
  const venueId = venueOfProduct(bistro.productId);
  const path = `/manage/venues/${encodeURIComponent(venueId)}/hours`;
  const hours = { weekly: [], exceptions: [{ date: DAY, periods: [], reason: 'Wedding' }] };
  const kept = await maitred().call(path, { method: 'PUT', as: 'demo-admin', body: hours });
  assert.equal(kept.status, 200, kept.text);
  await eventually(async () => (await timesOn(maitred(), bistro.productId, DAY)).length === 0);
  assertProblem(await order(bistros, bistro, { time: '19:00' }), 422, 'AVAIL-N-004');
});
