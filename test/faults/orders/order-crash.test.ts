import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Booking } from '../../../src/features/bookings/schema.ts';
import { repeats } from '../../support/repeats.ts';
import { readWorld } from './order-books.ts';
import { createLife } from './order-life.ts';
import { itemsAt, namedOrder, orderMaker, randomFrom, type SentOrder } from './order-random.ts';
import { LEASE_SECONDS, orderAndDie, type Story, send } from './order-story.ts';
import { openWorld, startOrderNode, type Tampering } from './order-world.ts';

const ROUNDS = repeats(25, 2);
/** A few rounds can miss what they are to hit; then others follow. */
const MOST_ROUNDS = 25;
const ORDERS_AT_A_TIME = 12;
/** A single round can go well by luck. */
const ROUNDS_OF_CONTROL = 8;

const seed = Number(process.env.ORDER_SEED ?? Date.now() % 1_000_000);

async function openStory(t: TestContext, tampering?: Tampering) {
  t.diagnostic(`ORDER_SEED=${seed}`);
  const world = await openWorld();
  t.after(() => world.close());
  const random = randomFrom(seed);
  const newOrder = orderMaker(world.places, random);
  const sent: SentOrder[] = [];
  const newOrders = () => {
    const orders = Array.from({ length: ORDERS_AT_A_TIME }, () => newOrder());
    sent.push(...orders);
    return orders;
  };
  const story: Story = { world, random, ...(tampering && { tampering }) };
  return { story, newOrders, read: () => readWorld(world, sent) };
}

/** What deaths leave behind for a while: an order in hand, and a booking between a system and the database. */
const RUINS = [/is not settled/, /only one side has/];

test('whatever nodes die of random orders, every item is booked once or failed, as its sender is told', async (t) => {
  const { story, newOrders, read } = await openStory(t);
  const ruins = new Set<string>();
  story.inRuins = async () => {
    for (const fault of (await read()).faults) ruins.add(fault.replaceAll(/\S*\d\S*/g, '…'));
  };
  let deaths = 0;
  const isSeen = () => RUINS.every((fault) => [...ruins].some((each) => fault.test(each)));
  for (let round = 0; round < ROUNDS || (!isSeen() && round < MOST_ROUNDS); round += 1) {
    deaths += await orderAndDie(story, newOrders());
    const { faults } = await read();
    assert.deepEqual(faults, [], `after round ${round}, ORDER_SEED=${seed}`);
  }
  t.diagnostic(`${deaths} deaths; ${JSON.stringify((await read()).counts)}`);
  assert.ok(isSeen(), [...ruins].join('\n'));
});

test('an order of all or nothing that is refused is refused whole, whenever its node dies', async (t) => {
  const world = await openWorld();
  t.after(() => world.close());
  const sent: SentOrder[] = [];
  const local = world.places.filter(({ isRemote }) => !isRemote);
  const living = await startOrderNode(world);
  for (let hasSurvived = false; !hasSurvived; ) {
    const [first, ...others] = itemsAt(local, sent.length);
    assert.ok(first);
    const items = [{ ...first, time: '04:00' }, ...others];
    const order = namedOrder(`refused-${sent.length}`, items, true);
    const life = createLife({ diesAfter: sent.length });
    sent.push(order);
    const dying = await startOrderNode(world, { life });
    await send(dying, order);
    await dying.leave();
    world.pass(LEASE_SECONDS);
    await send(living, order);
    hasSurvived = !life.isDead();
  }
  const { faults, counts } = await readWorld(world, sent);
  assert.deepEqual(faults, []);
  assert.deepEqual(counts, { 'AVAIL-N-005': sent.length, 'ORDER-N-010': sent.length * (local.length - 1) });
});

/** Rounds until something does not fit any more. */
async function faultsWith(t: TestContext, tampering: Tampering): Promise<string> {
  const { story, newOrders, read } = await openStory(t, tampering);
  for (let round = 0; round < ROUNDS_OF_CONTROL; round += 1) {
    await orderAndDie(story, newOrders());
    const { faults } = await read();
    if (faults.length > 0) return faults.join('\n');
  }
  return '';
}

test('items that are marked after their booking is written, and not with it, leave bookings that no order knows', async (t) => {
  const faults = await faultsWith(t, (bookings, { sql }) => ({
    ...bookings,
    async place(caller, booking, keep) {
      const made = await bookings.place(caller, booking, async () => {});
      await keep(sql, made);
      return made;
    },
  }));
  assert.match(faults, /booking \S+ is that of 0 items/);
});

test('orders of all or nothing whose items are booked one after the other end up half booked', async (t) => {
  const faults = await faultsWith(t, (bookings) => ({
    ...bookings,
    async placeAtomically(caller, asked, keep) {
      const made: Booking[] = [];
      for (const [index, booking] of asked.entries())
        made[index] = await bookings.place(caller, booking, async (tx, each) => {
          const alone: Booking[] = [];
          alone[index] = each;
          await keep(tx, alone);
        });
      return made;
    },
  }));
  assert.match(faults, /is half booked/);
});
