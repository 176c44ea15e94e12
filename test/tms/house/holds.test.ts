import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { MS_PER_HOUR } from '../../../src/kernel/zone-time.ts';
import type {
  HoldOperations,
  LocalConnector,
  Outcome,
  PlaceRequest,
  SystemHold,
} from '../../../src/tms/contract.ts';
import { layout } from '../../../src/tms/house/layout-store.ts';
import { hour } from './books.ts';
import {
  DAY,
  granted,
  NOW_MS,
  oversold,
  query,
  reasonOf,
  request,
  room,
  settle,
  startTestHouse,
  type TestHouse,
} from './venue.ts';

const TTL_MS = 5 * 60_000;
const ENDS_MS = NOW_MS + TTL_MS;

let tested: TestHouse;
before(async () => {
  tested = await startTestHouse();
});
after(() => tested.close());

type Holds = HoldOperations<Parameters<LocalConnector['book']>[0], PlaceRequest>;
const holdsOf = (house: LocalConnector): Holds => {
  assert.ok(house.holds);
  return house.holds;
};
const hold = (asked: PlaceRequest, house = tested.house): Promise<Outcome<SystemHold>> =>
  settle(tested.sql, (tx) => holdsOf(house).hold(tx, asked, asked.nowMs + TTL_MS));
const confirm = (asked: PlaceRequest) => settle(tested.sql, (tx) => holdsOf(tested.house).confirm(tx, asked));
const extend = ({ bookingId, nowMs }: PlaceRequest) =>
  settle(tested.sql, (tx) => holdsOf(tested.house).extend(tx, bookingId, nowMs + TTL_MS, nowMs));
const release = ({ bookingId }: PlaceRequest) =>
  settle(tested.sql, (tx) => holdsOf(tested.house).release(tx, bookingId));
const at = (asked: PlaceRequest, nowMs: number) => ({ ...asked, nowMs });

async function slotAt(product: ProductId, minute: number, nowMs = NOW_MS, house = tested.house) {
  const { days } = granted(await house.availability(tested.sql, query(product, { nowMs })));
  return days[0]?.slots.find((slot) => slot.minute === minute);
}
const isOffered = async (...asked: Parameters<typeof slotAt>) =>
  (await slotAt(...asked))?.obstacle === undefined;

test('a node that has cached the day sees a hold that another made, extended, confirmed and released', async () => {
  const product = await tested.addVenue(room(2));
  const other = tested.createHouse({});
  const asked = request(product, hour(19));
  const seen = (nowMs = NOW_MS) => isOffered(product, hour(19), nowMs, other);
  assert.equal(await seen(), true);
  granted(await hold(asked));
  assert.equal(await seen(), false);
  assert.equal(await seen(ENDS_MS - 1), false);
  assert.equal(await seen(ENDS_MS), true, 'it ends by clock, although nothing changed in the database');
  assert.equal(await seen(ENDS_MS - 1), false);
  granted(await extend(at(asked, NOW_MS + 60_000)));
  assert.equal(await seen(ENDS_MS), false);
  granted(await release(asked));
  assert.equal(await seen(), true);
  granted(await hold(asked));
  assert.equal(await seen(), false);
  granted(await confirm(asked));
  assert.equal(await seen(ENDS_MS), false, 'what was confirmed does not end');
});

test('a house that does not look at the clock is found out', async () => {
  const product = await tested.addVenue(room(2));
  const careless = tested.createHouse({ hasEnded: () => false });
  granted(await hold(request(product, hour(19))));
  assert.equal(await isOffered(product, hour(19), ENDS_MS), true);
  assert.equal(await isOffered(product, hour(19), ENDS_MS, careless), false);
  const late = request(product, hour(19), { nowMs: ENDS_MS });
  assert.equal(reasonOf(await tested.book(late, careless)), 'taken');
  granted(await tested.book(late));
});

test('a hold keeps tables pushed together, and single ones of another party', async () => {
  const layoutOf = room(2, 2, 4);
  const [first = 0, second = 0] = layoutOf.tableIds;
  const combinations = [{ tableIds: [first, second], minCovers: 3, maxCovers: 4 }];
  const product = await tested.addVenue({ ...layoutOf, combinations });
  granted(await tested.book(request(product, hour(19), { adults: 4 })));
  const four = request(product, hour(19), { adults: 4 });
  granted(await hold(four));
  assert.equal(reasonOf(await tested.book(request(product, hour(19)))), 'taken');
  const booking = granted(await confirm(four));
  assert.equal(booking.tables.length, 2);
  assert.deepEqual(granted(await tested.house.find(tested.sql, four.bookingId)), booking);
});

test('guests of a hold count towards the pace, and no longer once it has ended', async () => {
  const product = await tested.addVenue(room(2, 2, 2), { product: { coversPerStart: 4 } });
  granted(await tested.book(request(product, hour(19))));
  granted(await hold(request(product, hour(19))));
  assert.equal(await isOffered(product, hour(19)), false);
  assert.equal(await isOffered(product, hour(19, 30)), true);
  assert.equal(reasonOf(await tested.book(request(product, hour(19)))), 'taken');
  const paced = await tested.book(request(product, hour(19), { isConfirmedByOperator: true }));
  assert.equal(reasonOf(paced), 'paced');
  assert.equal(await isOffered(product, hour(19), ENDS_MS), true);
});

test('a held table is taken for amendments, swaps, trials and tables that the operator chooses', async () => {
  const { tableIds, ...rest } = room(2, 2);
  const [first = 0, second = 0] = tableIds;
  const product = await tested.addVenue(rest);
  const { house, sql } = tested;
  const early = request(product, hour(18), { durationMinutes: 60 });
  const late = request(product, hour(20), { isConfirmedByOperator: true, tableIds: [second] });
  granted(await tested.book(early));
  granted(await tested.book(late));
  const held = request(product, hour(19), { isConfirmedByOperator: true, tableIds: [first] });
  granted(await hold({ ...held, durationMinutes: 60 }));
  const chosen = { isConfirmedByOperator: true, durationMinutes: 60, tableIds: [first] };
  const moved = request(product, hour(19), { bookingId: early.bookingId, ...chosen });
  assert.equal(reasonOf(await settle(sql, (tx) => house.amend(tx, moved))), 'taken');
  const [tried, own] = await house.wouldBook(sql, [
    request(product, hour(19), chosen),
    { ...held, durationMinutes: 60 },
  ]);
  assert.equal(tried && reasonOf(tried), 'taken');
  assert.equal(own && reasonOf(own), 'ok', 'its own hold is in the way of none');
  // The later party would sit at the held table, and come before the hold is over.
  const sooner = { ...late, minute: hour(19, 30), startMs: late.startMs - 30 * 60_000 };
  const swapped = await settle(sql, (tx) =>
    house.swap ? house.swap(tx, [{ ...early, isConfirmedByOperator: true }, sooner]) : never(),
  );
  assert.equal(reasonOf(swapped), 'taken');
});
const never = () => assert.fail('The house can swap.');

test('a booking takes over what is held for it, also at another time', async () => {
  const product = await tested.addVenue(room(2));
  const asked = request(product, hour(19));
  granted(await hold(asked));
  granted(await tested.book(request(product, hour(21), { bookingId: asked.bookingId })));
  assert.equal(await isOffered(product, hour(19)), true);
  const other = request(product, hour(18));
  granted(await hold(other));
  granted(await tested.book(other));
  assert.equal(await heldIn(product), 0);
});

const heldIn = async (product: ProductId) =>
  (await tested.sql`select from house_hold where product_id = ${product}`).length;

test('a hold is honoured although the venue has changed since, unless a table of it is gone', async () => {
  const { tableIds, ...rest } = room(2, 2);
  const product = await tested.addVenue(rest);
  const [first, second] = [request(product, hour(19)), request(product, hour(19))];
  granted(await hold(first));
  granted(await hold(second));
  await tested.sql`update house_product set is_request_only = true where product_id = ${product}`;
  await inTransaction(tested.sql, async (tx) => {
    await layout.lock(tx, venueOfProduct(product));
    await layout.deleteParts(tx, 'tables', tableIds.slice(1));
  });
  assert.deepEqual(granted(await confirm(first)).tables.length, 1);
  assert.equal(reasonOf(await confirm(second)), 'hold-ended');
});

test('when a request with a later clock has the place, the hold has ended for earlier clocks too', async () => {
  const product = await tested.addVenue(room(2));
  const asked = request(product, hour(19));
  granted(await hold(asked));
  granted(await tested.book(request(product, hour(19), { nowMs: ENDS_MS })));
  assert.equal(reasonOf(await confirm(at(asked, ENDS_MS - 1))), 'hold-ended');
  assert.equal(reasonOf(await extend(at(asked, ENDS_MS - 1))), 'hold-ended');
  const held = request(product, hour(21));
  granted(await hold(held));
  const later = request(product, hour(21), { nowMs: ENDS_MS });
  granted(await hold(later));
  assert.equal(reasonOf(await confirm(at(held, ENDS_MS - 1))), 'hold-ended');
  granted(await confirm(later));
  assert.equal(await oversold(tested.sql), 0);
});

test('a hold that was given a place by a later clock has it for earlier clocks too', async () => {
  const product = await tested.addVenue(room(2));
  const times = [hour(19), hour(21)] as const;
  for (const time of times) granted(await hold(request(product, time)));
  const [confirmed, extended] = times.map((time) => request(product, time, { nowMs: ENDS_MS }));
  assert.ok(confirmed && extended);
  for (const later of [confirmed, extended]) granted(await hold(later));
  granted(await confirm(at(confirmed, ENDS_MS - 1)));
  granted(await extend(at(extended, ENDS_MS - 1)));
  assert.equal(await oversold(tested.sql), 0);
});

test('the forecast for feeds ignores holds, and the day stays fed', async () => {
  const product = await tested.addVenue(room(2));
  const { house, sql } = tested;
  const venueId = venueOfProduct(product);
  granted(await tested.book(request(product, hour(21))));
  await sql`update house_day set is_fed = true where venue_id = ${venueId}`;
  granted(await hold(request(product, hour(18))));
  granted(await hold(request(product, hour(18), { date: '2030-07-03' })));
  const unfed = await sql`select from house_day where venue_id = ${venueId} and not is_fed`;
  assert.equal(unfed.length, 0);
  const forecast = await house.forecast?.(sql, { productId: product, venueId, zone: 'Europe/London' });
  const slotsOn = await forecast?.read(sql, [DAY]);
  const slot = slotsOn?.(DAY, 2, NOW_MS).find(({ minute }) => minute === hour(18));
  assert.deepEqual([slot?.obstacle, slot?.spots.open], [undefined, 1]);
});

test('sweeping deletes what ended over an hour ago, and nothing else', async () => {
  const product = await tested.addVenue(room(2, 2));
  const { house, sql } = tested;
  await sql`delete from house_hold`;
  const [old, recent] = [request(product, hour(19)), request(product, hour(19), { nowMs: ENDS_MS })];
  granted(await hold(old));
  granted(await hold(recent));
  const sweep = (nowMs: number) => inTransaction(sql, async (tx) => house.sweepHolds?.(tx, nowMs));
  assert.equal(await sweep(ENDS_MS + MS_PER_HOUR - 1), 0);
  assert.equal(await sweep(ENDS_MS + MS_PER_HOUR), 1);
  granted(await confirm(recent));
  assert.equal(await sweep(ENDS_MS + 2 * MS_PER_HOUR), 0);
  assert.equal(granted(await house.find(sql, recent.bookingId))?.bookingId, recent.bookingId);
});

const RACERS = 20;

/** Twenty who hold or book the only table, on several nodes; how many get it. Without locks some fail. */
async function race(nodes: LocalConnector[], minutes = [hour(19), hour(19, 30)]) {
  const product = await tested.addVenue(room(2));
  const outcomes = await Promise.allSettled(
    Array.from({ length: RACERS }, (_, index) => {
      const asked = request(product, minutes[index % minutes.length] ?? 0);
      const node = nodes[index % nodes.length];
      return index % 3 === 0 ? tested.book(asked, node) : hold(asked, node);
    }),
  );
  const settled = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const won = settled.filter(({ kind }) => kind === 'ok').length;
  const refusals = settled.filter((outcome) => reasonOf(outcome) === 'taken').length;
  return { won, refusals };
}

test('of twenty who hold and book the last table at once, on two nodes, one wins', async () => {
  const nodes = [tested.house, tested.createHouse({})];
  for (let round = 0; round < 5; round += 1)
    assert.deepEqual(await race(nodes), { won: 1, refusals: RACERS - 1 });
});

test('without the lock on the day the same race has several winners', async () => {
  const unlocked = tested.createHouse({ lock: async () => {} });
  let most = 0;
  // A single race can go well by luck, ten cannot.
  for (let round = 0; round < 10 && most < 2; round += 1) most = (await race([unlocked])).won;
  assert.ok(most > 1, `${most} had the table`);
});

test('while a hold ends, of those who confirm, extend and book its place one has it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const product = await tested.addVenue(room(2));
    const asked = request(product, hour(19));
    granted(await hold(asked));
    const outcomes = await Promise.all([
      confirm(at(asked, ENDS_MS - 1)),
      confirm(at(asked, ENDS_MS - 1)),
      tested.book(request(product, hour(19), { nowMs: ENDS_MS })),
      hold(request(product, hour(19), { nowMs: ENDS_MS })),
    ]);
    assert.ok(outcomes.every(({ kind }) => kind === 'ok' || kind === 'refused'));
    const [one, two, booked, held] = outcomes.map(({ kind }) => kind === 'ok');
    assert.equal(one, two);
    assert.equal([one, booked, held].filter(Boolean).length, 1);
  }
  assert.equal(await oversold(tested.sql), 0);
});

test('a release and a confirmation at once leave a booking or nothing', async () => {
  for (let round = 0; round < 10; round += 1) {
    const product = await tested.addVenue(room(2));
    const asked = request(product, hour(19));
    granted(await hold(asked));
    const [confirmed] = await Promise.all([confirm(asked), release(asked)]);
    const found = granted(await tested.house.find(tested.sql, asked.bookingId));
    assert.equal(found !== undefined, confirmed.kind === 'ok');
    assert.equal(await isOffered(product, hour(19)), confirmed.kind !== 'ok');
    assert.equal(await heldIn(product), 0);
  }
});
