/** A date on which the venue is closed closes its products, unless they have hours of their own for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { act } from '../bookings/operator/manage-support.ts';
import { assertRefused, book, booked, DINNER, jazzDay, PRIVATE, STANDARD } from '../bookings/support.ts';
import { FEED_URL, follow, makerOf } from '../feed/support.ts';
import { trades } from '../listings/reading.ts';
import { at, type Body, done, JAZZ, keepingApp, productChange, read, SOHO, soon } from './keeping.ts';

const maitred = keepingApp({ config: { feedUrl: FEED_URL } });

/** Adds exceptions to hours that are kept at a path under `/manage`, in place of those for the same dates. */
async function except(path: string, ...exceptions: Body[]): Promise<void> {
  const hours = await read(maitred(), path);
  const dates = exceptions.map(({ date }) => date);
  const others = hours.exceptions.filter(({ date }: Body) => !dates.includes(date));
  await done(maitred(), 'PUT', path, { ...hours, exceptions: [...others, ...exceptions] });
}

const close = (date: string) => except(at(SOHO, '/hours'), { date, periods: [], reason: 'Wedding' });

async function availability(productId: string, date: string, partySize = 2): Promise<Body> {
  const answer = await maitred().call(
    `/venues/${encodeURIComponent(productId)}/availability?date=${date}&partySize=${partySize}`,
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function productOf(productId: string): Promise<Body> {
  const { json } = await maitred().call(`/venues/${encodeURIComponent(SOHO)}`);
  return json.products.find(({ compositeId }: Body) => compositeId === productId);
}

async function calendar(): Promise<Parameters<typeof trades>[0]> {
  const { json } = await maitred().call('/v1/listings?venueName=soho grill');
  return json.listings[0].items[0].capabilities[0].availabilityOccurrence;
}

const foundOn = async (date: string, list = 'venues'): Promise<number> =>
  (await maitred().call(`/${list}?venueName=soho grill&date=${date}`)).json.meta.totalItems;

test('a date that the venue closes is closed for its products, wherever they are asked about', async () => {
  const date = soon(21);
  assert.ok((await availability(DINNER, date)).times.length > 0);
  const enquiry = await booked(
    maitred(),
    { type: 'request', date, time: '19:00', partySize: 14 },
    { productId: DINNER },
  );
  await close(date);
  const { times, noAvailabilityCode, noAvailabilityReason } = await availability(DINNER, date);
  assert.deepEqual([times, noAvailabilityCode], [[], 'NO_AVAILABILITY']);
  assert.match(noAvailabilityReason, /^Soho Grill is closed on /);
  assert.deepEqual((await availability(PRIVATE, date, 12)).times, []);

  for (const type of ['book', 'request'])
    await assertRefused(maitred(), () => book(maitred(), { type, date, time: '19:00' }), 422, 'AVAIL-N-004');
  assertProblem(await act(maitred(), enquiry.id, 'accept'), 422, 'AVAIL-N-004');
  const { json: batch } = await maitred().call('/v1/availabilities', {
    method: 'POST',
    body: { date, quantity: 2, bookableProducts: [{ compositeId: DINNER }] },
  });
  assert.deepEqual(batch.results[0].availability.times, []);

  await eventually(async () => !trades(await calendar(), DINNER, date));
  assert.ok(!trades(await calendar(), PRIVATE, date));
  assert.ok(!trades(await calendar(), null, date));
  assert.deepEqual([await foundOn(date), await foundOn(date, 'v1/listings')], [0, 0]);
  const shown = (await productOf(DINNER)).availabilityRules.exceptions.find(
    (each: Body) => each.date === date,
  );
  assert.deepEqual(shown, { date, isClosed: true, periods: [], reason: 'Wedding' });
  // What the operator keeps for the product is its own alone.
  const { exceptions } = (await read(maitred(), at(SOHO, '/products/dinner'))).hours;
  assert.ok(exceptions.every((each: Body) => each.date !== date));
});

test('a product with hours of its own for that date keeps them, and the venue is found by it', async () => {
  const date = soon(22);
  const dinner = await read(maitred(), at(SOHO, '/products/dinner'));
  const own = { date, periods: [{ opens: '17:00', closes: '19:00' }], reason: 'Early supper' };
  const exceptions = [...dinner.hours.exceptions, own];
  await done(maitred(), 'PUT', at(SOHO, '/products/dinner'), {
    ...productChange(dinner),
    hours: { ...dinner.hours, exceptions },
  });
  await close(date);
  const { times } = await availability(DINNER, date);
  assert.deepEqual([times[0].time, times.at(-1).time], ['17:00', '17:30']);
  assert.deepEqual((await availability(PRIVATE, date, 12)).times, []);
  await booked(maitred(), { date, time: '17:00' });

  await eventually(async () => !trades(await calendar(), PRIVATE, date));
  assert.ok(trades(await calendar(), DINNER, date));
  assert.ok(trades(await calendar(), null, date));
  assert.deepEqual([await foundOn(date), await foundOn(`${date}&time=17:30`)], [1, 1]);
  assert.equal(await foundOn(`${date}&time=20:00`), 0);
});

test('the feed follows a date that is closed, and one that is opened again', async () => {
  const date = soon(23);
  const maker = makerOf(maitred());
  const isFed = async () => {
    await maker.make(SOHO);
    const { feedUrl } = await productOf(DINNER);
    return feedUrl !== null && follow(maker.files, feedUrl).shards.has(date);
  };
  await maker.make(SOHO);
  await eventually(async () => (await productOf(DINNER)).feedUrl !== null);
  assert.ok(await isFed());
  await close(date);
  assert.ok(!(await isFed()));
  const hours = await read(maitred(), at(SOHO, '/hours'));
  const exceptions = hours.exceptions.filter((each: Body) => each.date !== date);
  await done(maitred(), 'PUT', at(SOHO, '/hours'), { ...hours, exceptions });
  assert.ok(await isFed());
  assert.ok((await availability(DINNER, date)).times.length > 0);
});

test('other hours of the venue do not limit its products', async () => {
  const date = soon(24);
  await except(at(SOHO, '/hours'), { date, periods: [{ opens: '08:00', closes: '09:00' }], reason: null });
  assert.ok((await availability(DINNER, date)).times.length > 0);
  await done(maitred(), 'PUT', at(SOHO, '/hours'), { weekly: [], exceptions: [] });
  assert.ok((await availability(DINNER, soon(25))).times.length > 0);
});

test('what is said about a date of an event closes nothing: its occurrence is withdrawn instead', async () => {
  const date = jazzDay();
  await except(at(JAZZ, '/hours'), { date, periods: [], reason: 'The house band' });
  assert.ok((await availability(STANDARD, date)).times.length > 0);
  await booked(maitred(), { date, time: '20:00' }, { productId: STANDARD });
});
