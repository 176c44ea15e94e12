import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { repeats } from '../../support/repeats.ts';
import { readWorld } from './order-books.ts';
import { createLife } from './order-life.ts';
import { isNamed, itemsAt, namedOrder, orderMaker, randomFrom, type SentOrder } from './order-random.ts';
import { closeAbandoned, LEASE_SECONDS, type Story, send } from './order-story.ts';
import { clearUp, openWorld, startOrderNode, type Tampering, type World } from './order-world.ts';

const ORDERS = repeats(60, 10);
/** A few orders can miss what they are to hit; then others follow. */
const MOST_ORDERS = 60;
const MOST_ITEMS = 8;
const HEAD_START_MS = 300;
const LOOK_MS = 20;
/** Steps after which a node has an order in hand. */
const AT_WORK = 15;

const seed = Number(process.env.ORDER_SEED ?? Date.now() % 1_000_000);

const REVIVALS = ['sent again', 'closed'] as const;

interface Nap {
  order: SentOrder;
  pausesAfter: number;
  /** What becomes of the order meanwhile. */
  revival: (typeof REVIVALS)[number];
}

/**
 * A node stands still until its lease has ended, somebody else goes on with the order or closes it, and then the first
 * one wakes up. Says after how many steps it fell asleep; undefined: it was done before that.
 */
async function sleepAndWake(
  { world, tampering }: Story,
  { order, pausesAfter, revival }: Nap,
): Promise<number | undefined> {
  const life = createLife({ pausesAfter });
  const sleeper = await startOrderNode(world, { life, tampering });
  const rival = await startOrderNode(world);
  const first = send(sleeper, order);
  const steps = await Promise.race([life.paused.then(life.steps), first.then(() => undefined)]);
  world.pass(LEASE_SECONDS);
  const second = revival === 'sent again' ? send(rival, order) : closeAbandoned(world);
  await Promise.race([second, asFarAsItGets(world)]);
  life.goOn();
  await Promise.all([first, second]);
  await closeAbandoned(world);
  await clearUp(world, rival);
  if (isNamed(order)) await send(rival, order);
  await Promise.all([sleeper.leave(), rival.leave()]);
  return steps;
}

/** Whoever waits for what the suspended one holds gets no further until that goes on. */
async function asFarAsItGets({ bistros }: World): Promise<void> {
  const endsAt = performance.now() + HEAD_START_MS;
  for (let looksWaiting = 0; looksWaiting < 2 && performance.now() < endsAt; ) {
    await sleep(LOOK_MS);
    looksWaiting = (await someoneWaits(bistros.app.sql)) ? looksWaiting + 1 : 0;
  }
}

function randomNap({ random }: Story, order: SentOrder): Nap {
  const revival = isNamed(order) && random() < 0.6 ? 'sent again' : 'closed';
  return { order, revival, pausesAfter: Math.floor(random() * (30 + 15 * order.body.items.length)) };
}

async function openStory(t: TestContext, tampering?: Tampering) {
  t.diagnostic(`ORDER_SEED=${seed}`);
  const world = await openWorld();
  t.after(() => world.close());
  const story: Story = { world, random: randomFrom(seed), ...(tampering && { tampering }) };
  return { story, newOrder: orderMaker(world.places, story.random) };
}

test('a node that wakes up when others have its order books nothing twice', async (t) => {
  const { story, newOrder } = await openStory(t);
  const sent: SentOrder[] = [];
  let woken = 0;
  const countTurnedAway = () =>
    sent.filter(({ answers }) => answers.some(({ status }) => status === 503)).length;
  for (let count = 0; count < ORDERS || (countTurnedAway() === 0 && count < MOST_ORDERS); count += 1) {
    const order = newOrder(MOST_ITEMS);
    sent.push(order);
    if (await sleepAndWake(story, randomNap(story, order))) woken += 1;
    const { faults } = await readWorld(story.world, sent);
    assert.deepEqual(faults, [], `after ${count} orders, ORDER_SEED=${seed}`);
  }
  const turnedAway = countTurnedAway();
  t.diagnostic(`${woken} woke up, ${turnedAway} were told that others are at work`);
  assert.ok(turnedAway > 0);
});

/** A table of our own and one of somebody else's, each order at another start. */
function tableAndSupper({ places }: World, count: number): SentOrder {
  const both = [places.at(0), places.at(-1)].flatMap((place) => place ?? []);
  return namedOrder(`nap-${count}`, itemsAt(both, count));
}

for (const revival of REVIVALS)
  test(`wherever a node has stood still, it neither repeats nor undoes what others did: ${revival}`, async (t) => {
    const { story } = await openStory(t);
    const sent: SentOrder[] = [];
    for (let pausesAfter: number | undefined = 0; pausesAfter !== undefined; ) {
      const order = tableAndSupper(story.world, sent.length);
      sent.push(order);
      pausesAfter = await sleepAndWake(story, { order, pausesAfter, revival });
      const { faults } = await readWorld(story.world, sent);
      assert.deepEqual(faults, [], `asleep after ${pausesAfter} steps`);
    }
    t.diagnostic(`stood still in ${sent.length - 1} places`);
  });

test('a node that cannot keep what it would answer leaves the order to whoever comes next', async (t) => {
  const { story } = await openStory(t);
  const { world } = story;
  const { sql } = world.bistros.app;
  const order = { ...tableAndSupper(world, 0), key: 'taken over' };
  const life = createLife({ pausesAfter: AT_WORK });
  const answered = send(await startOrderNode(world, { life }), order);
  await life.paused;
  await sql`update idempotency_key set lease = gen_random_uuid() where key = ${order.key}`;
  life.goOn();
  await answered;
  assert.deepEqual(
    order.answers.map(({ status }) => status),
    [503],
  );
  const [left] = await sql<{ isFree: boolean }[]>`
    select leased_until <= ${world.bistros.clock()} and settled_at is null as "isFree" from booking_order`;
  assert.equal(left?.isFree, true);
});

test('one that does not look whether the order is still its own books what others have given up', async (t) => {
  const { story, newOrder } = await openStory(t, (bookings) => ({
    ...bookings,
    place: (caller, booking, keep) =>
      bookings.place(caller, booking, (tx, made) => keep(tx, made).catch(() => {})),
  }));
  const sent: SentOrder[] = [];
  let faults: string[] = [];
  for (let count = 0; count < MOST_ORDERS && faults.length === 0; count += 1) {
    const order = newOrder(MOST_ITEMS);
    sent.push(order);
    await sleepAndWake(story, randomNap(story, order));
    ({ faults } = await readWorld(story.world, sent));
  }
  assert.match(faults.join('\n'), /booking \S+ is that of 0 items/);
});
