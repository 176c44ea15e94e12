import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { mapVenue } from '../../../../src/features/venues/service.ts';
import { closeVenue, reopenVenue } from '../../../support/closing.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { cancel, patch, replacing, taken } from '../../bookings/amend/amending.ts';
import { booked } from '../../bookings/support.ts';
import {
  bistroApp,
  DINNER,
  FIRST,
  isoDay,
  LATE,
  momentAfter,
  OPERATOR,
  PRODUCTS,
  ROOMS,
  TODAY,
  VENUE,
} from '../bistro.ts';
import { FEED_URL, type Json } from '../support.ts';

const bistro = bistroApp();

type Entries = Map<string, Json>;

/** The days of each product as its index has them. */
async function entries(): Promise<Map<string, Entries>> {
  const found = new Map<string, Entries>();
  for (const productId of PRODUCTS) {
    const { index } = await bistro().read(FIRST, productId);
    found.set(productId, new Map(index.shards.map((entry: Json) => [entry.date, entry])));
  }
  return found;
}

let before: Map<string, Entries>;
beforeEach(async () => {
  await bistro().make({ hours: 0 }, { isFull: true });
  before = await entries();
});

/** A little later, when nothing is too near yet that was not: which days of each product have other files, or have gone or come. */
async function differing(later: Temporal.DurationLike = { minutes: 20 }): Promise<Record<string, string[]>> {
  await bistro().make(later);
  const after = await entries();
  const changed: Record<string, string[]> = {};
  for (const productId of PRODUCTS) {
    const [old, fresh] = [before.get(productId) ?? new Map(), after.get(productId) ?? new Map()];
    const dates = [...new Set([...old.keys(), ...fresh.keys()])].sort();
    const differ = dates.filter((date) => old.get(date)?.url !== fresh.get(date)?.url);
    if (differ.length > 0) changed[productId.split('|')[3] ?? ''] = differ;
    for (const date of dates) {
      const [was, is] = [old.get(date), fresh.get(date)];
      if (!was || !is) continue;
      const isOther = differ.includes(date);
      assert.equal(was.hash !== is.hash, isOther, 'another file has something else in it');
      const stamp = isOther ? momentAfter(later).epochMilliseconds : Date.parse(was.updated_at);
      assert.equal(Date.parse(is.updated_at), stamp);
    }
  }
  return changed;
}

const saturdays = (dates: Iterable<string>) =>
  [...dates].filter((date) => Temporal.PlainDate.from(date).dayOfWeek === 6);
const daysOf = (productId: string) => [...(before.get(productId)?.keys() ?? [])];

test('when nothing has changed nothing is made', async () => {
  const { daysMade, files, daysCarried } = await bistro().make({ minutes: 20 });
  assert.deepEqual([daysMade, files, daysCarried], [0, 0, 540]);
});

test('a booking, its move and its end each change the days that they touch, and no others', async () => {
  const { id } = await booked(
    bistro(),
    { date: isoDay(12), time: '18:00', partySize: 4 },
    { productId: DINNER },
  );
  assert.deepEqual(await differing(), { dinner: [isoDay(12)] });
  before = await entries();
  await taken(patch(bistro(), id, [replacing('/date', isoDay(14))]));
  assert.deepEqual(await differing({ minutes: 40 }), { dinner: [isoDay(12), isoDay(14)] });
  before = await entries();
  await cancel(bistro(), id);
  assert.deepEqual(await differing({ minutes: 60 }), { dinner: [isoDay(14)] });
});

test('who comes after midnight changes the trading day alone', async () => {
  const saturday = '2030-04-06';
  await booked(bistro(), { date: saturday, time: '02:00', partySize: 2 }, { productId: LATE });
  assert.deepEqual(await differing(), { late: [saturday] });
});

test('a day that is booked out has no file, and has one again when somebody cancels', async () => {
  const day = isoDay(20);
  const bookings: Json[] = [];
  for (const partySize of [2, 4])
    for (const time of ['18:00', '20:00'])
      bookings.push(await booked(bistro(), { date: day, time, partySize }, { productId: DINNER }));
  assert.deepEqual(await differing(), { dinner: [day] });
  assert.equal((await entries()).get(DINNER)?.has(day), false);
  await cancel(bistro(), bookings[0].id);
  await bistro().make({ minutes: 40 });
  assert.equal((await entries()).get(DINNER)?.has(day), true);
  for (const { id } of bookings.slice(1)) await cancel(bistro(), id);
});

test('hours of one day change that day', async () => {
  const { sql } = bistro();
  await sql`insert into product_exception (product_id, venue_id, date, opens_minute, closes_minute)
    values (${DINNER}, ${VENUE}, ${isoDay(13)}, 1080, 1260)`;
  assert.deepEqual(await differing(), { dinner: [isoDay(13)] });
  await sql`delete from product_exception where date = ${isoDay(13)}`;
});

test('hours of a weekday change those days', async () => {
  const { sql } = bistro();
  await sql`update product_hours set closes_minute = 1380 where product_id = ${DINNER} and weekday = 6`;
  assert.deepEqual(await differing(), { dinner: saturdays(daysOf(DINNER)) });
  await sql`update product_hours set closes_minute = 1320 where product_id = ${DINNER} and weekday = 6`;
});

test('a deposit for one weekday changes those days', async () => {
  const { sql } = bistro();
  await sql`update product set payment_rules = jsonb_set(payment_rules, '{0,amount}', '1500') where id = ${DINNER}`;
  assert.deepEqual(await differing(), { dinner: saturdays(daysOf(DINNER)) });
});

test('a new table changes every day of the products that use it', async () => {
  const { sql } = bistro();
  await sql`insert into house_table (area_id, venue_id, name, min_covers, max_covers) values (960010, ${VENUE}, 'N', 1, 2)`;
  assert.deepEqual(await differing(), { dinner: daysOf(DINNER), late: daysOf(LATE) });
});

test('a booking rule about one weekday changes those days, and its end changes them back', async () => {
  const storage = storageOf(bistro());
  const conditions = [{ field: 'weekday', operator: 'eq', value: 6 }];
  const { id } = await storage.create(OPERATOR, { effect: 'route_to_enquiry', name: 'Rule', conditions });
  const changed = { dinner: saturdays(daysOf(DINNER)), rooms: saturdays(daysOf(ROOMS)), late: daysOf(LATE) };
  assert.deepEqual(await differing(), changed);
  before = await entries();
  await storage.retire(OPERATOR, id);
  assert.deepEqual(await differing({ minutes: 40 }), changed);
});

test('a rule about times takes its days away and leaves the files of the others', async () => {
  const { sql } = bistro();
  await sql`insert into availability_rule (venue_id, type, definition)
    values (${VENUE}, 'specific_dates', ${sql.json({ dates: [isoDay(15), isoDay(16)] })})`;
  assert.deepEqual(await differing(), {
    dinner: [isoDay(15)],
    rooms: [isoDay(15), isoDay(16)],
    late: [isoDay(15)].filter((date) => daysOf(LATE).includes(date)),
  });
  await sql`delete from availability_rule where venue_id = ${VENUE}`;
});

test('names show in the index, and a day gets another file only where they are in it', async () => {
  const { sql, read } = bistro();
  await sql`update venue set name = 'Brasserie' where id = ${VENUE}`;
  await sql`update product set name = name || ' at ease' where venue_id = ${VENUE}`;
  assert.deepEqual(await differing(), {});
  const { index } = await read(FIRST);
  assert.deepEqual([index.venue_name, index.product_name], ['Brasserie', 'Dinner at ease']);
  await sql`update space set name = 'Salon' where name = 'The Hall'`;
  assert.deepEqual(await differing({ minutes: 40 }), { rooms: daysOf(ROOMS) });
});

test('what guests are told about policies, photos and other partners change no file', async () => {
  const { sql } = bistro();
  await sql`update house_product set policy = 'No dogs', cancellation_policy = 'None' where venue_id = ${VENUE}`;
  await sql`insert into venue_photo (venue_id, url) values (${VENUE}, 'https://bistro.example/1.jpg')`;
  await mapVenue(sql, { partnerId: 3, venueId: VENUE, productIds: PRODUCTS });
  assert.deepEqual(await differing(), {});
});

test('as the evening comes the starts that are too near go, and then the day', async () => {
  assert.deepEqual(await differing({ hours: 6 }), { dinner: [TODAY], rooms: [isoDay(2)] });
  before = await entries();
  assert.deepEqual(await differing({ hours: 6, minutes: 30 }), {});
  assert.deepEqual(await differing({ hours: 9 }), { dinner: [TODAY] });
  assert.equal((await entries()).get(DINNER)?.has(TODAY), false);
});

test('after midnight a day has gone and one has come, at the end and at the horizon', async () => {
  assert.deepEqual(await differing({ days: 1 }), {
    dinner: [TODAY, isoDay(180)],
    rooms: [isoDay(2), isoDay(61)],
  });
});

/** What a window of the operator's makes different so much later. */
async function differingUnder(params: object, later: Temporal.DurationLike) {
  const { make } = bistro();
  const storage = storageOf(bistro());
  const draft = { effect: 'booking_window', name: 'Window', params: { action: 'book', ...params } };
  const { id } = await storage.create(OPERATOR, draft);
  await make();
  before = await entries();
  const changed = await differing(later);
  await storage.retire(OPERATOR, id);
  return changed;
}

test('the notice and the horizon of a rule move with the time', async () => {
  assert.deepEqual(await differingUnder({ minNoticeHours: 30 }, { hours: 2 }), {
    dinner: [isoDay(1)],
    rooms: [isoDay(2)],
  });
  await bistro().make({ hours: 0 }, { isFull: true });
  assert.deepEqual(await differingUnder({ maxHorizonDays: 20 }, { days: 1 }), {
    dinner: [TODAY, isoDay(21)],
    rooms: [isoDay(2), isoDay(21)],
  });
});

test('a full run leaves addresses and dates as they are, and brings back what was lost', async () => {
  const { make, maker } = bistro();
  const kept = new Map(maker.files);
  const { url } = before.get(DINNER)?.get(TODAY) ?? assert.fail('there is a file of today');
  const lost = url.slice(FEED_URL.length + 1);
  maker.files.delete(lost);
  const { daysCarried } = await make({ minutes: 20 }, { isFull: true });
  assert.equal(daysCarried, 0);
  assert.ok(maker.files.has(lost));
  assert.deepEqual(await entries(), before);
  assert.deepEqual(new Map([...maker.files].sort()), new Map([...kept].sort()));
});

test('closing and opening again brings the same days back', async () => {
  const { make } = bistro();
  await closeVenue(bistro(), VENUE);
  await make({ minutes: 20 });
  assert.deepEqual(
    [...(await entries()).values()].map(({ size }) => size),
    [0, 0, 0],
  );
  await reopenVenue(bistro(), VENUE);
  await make({ minutes: 20 });
  const hashes = (found: Map<string, Entries>) =>
    [...found.values()].map((days) => [...days.values()].map(({ hash }) => hash));
  assert.deepEqual(hashes(await entries()), hashes(before));
});
