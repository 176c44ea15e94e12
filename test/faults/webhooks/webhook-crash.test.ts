import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notifications, openNotifications } from '../../../src/db/notifications.ts';
import type { Sender } from '../../../src/features/webhooks/delivery/attempt.ts';
import { createSender } from '../../../src/features/webhooks/delivery/sender.ts';
import {
  deliveriesTo,
  deliveringApp,
  happen,
  openCourier,
  type Subscribed,
  subscribe,
} from '../../features/webhooks/delivering.ts';
import { eventually } from '../../support/eventually.ts';
import { repeats } from '../../support/repeats.ts';
import { DEATHS, hastyPoster, liveAndDie, type World } from './webhook-mortal.ts';

const KILLS = repeats(1000, 80);
/** A claim is somebody else's after that. */
const LEASE_SECONDS = 30;

const { maitred, time, receiver } = deliveringApp({ delivers: false });

async function worldOf(sender: Sender): Promise<World & { notifications: Notifications }> {
  const { sql, url } = maitred();
  return { sql, clock: time.clock, notifications: await openNotifications(url), sender };
}

/** The words that were told and have not arrived, and those that arrived and were never told. */
function faults({ posts }: Subscribed, told: ReadonlySet<string>): { lost: string[]; altered: string[] } {
  const arrived = new Set(posts().map(({ body }) => body.toString()));
  return { lost: [...told.difference(arrived)], altered: [...arrived.difference(told)] };
}

async function deliverTheRest(subscription: Subscribed): Promise<void> {
  time.move({ seconds: LEASE_SECONDS });
  const dispatcher = await openCourier(maitred(), { clock: time.clock });
  await eventually(async () =>
    (await deliveriesTo(maitred().sql, subscription)).every(({ status }) => status === 'delivered'),
  );
  await dispatcher.stop();
}

test(`of ${KILLS} dispatchers each dies at some point of its work, and every event arrives, none altered`, async (t) => {
  const subscription = await subscribe(maitred(), receiver());
  const sender = createSender({ allowLoopback: true });
  const world = await worldOf(sender);
  t.after(async () => {
    await world.notifications.close();
    await sender.close();
  });
  const told = new Set<string>();
  const deaths = new Map<string, number>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const part of ['a', 'b']) told.add(await happen(maitred(), time.clock, `${kill}${part}`));
    const death = DEATHS[Math.floor(Math.random() * DEATHS.length)] ?? DEATHS[0];
    const isRepeated = death === 'before it posts' || death === 'when it has posted';
    await liveAndDie(world, death, isRepeated ? 1 + Math.floor(Math.random() * 2) : 1);
    deaths.set(death, (deaths.get(death) ?? 0) + 1);
    time.move({ seconds: LEASE_SECONDS });
  }
  await deliverTheRest(subscription);
  const arrived = subscription.posts().length;
  t.diagnostic(`${told.size} events, ${arrived} posts; ${JSON.stringify(Object.fromEntries(deaths))}`);
  assert.equal(deaths.size, DEATHS.length);
  assert.ok(arrived > told.size, 'some died between posting and writing it down');
  assert.deepEqual(faults(subscription, told), { lost: [], altered: [] });
});

test('dispatchers that write down first and post afterwards lose events by the same deaths', async (t) => {
  const subscription = await subscribe(maitred(), receiver());
  const sender = createSender({ allowLoopback: true });
  const world = await worldOf(sender);
  t.after(async () => {
    await world.notifications.close();
    await sender.close();
  });
  const told = new Set<string>();
  for (let kill = 0; kill < 20; kill += 1) {
    told.add(await happen(maitred(), time.clock, `hasty ${kill}`));
    let isAlive = true;
    const hasty = { ...world, sender: hastyPoster(sender, () => isAlive) };
    await liveAndDie(hasty, 'when it has written down', 1);
    isAlive = false;
    time.move({ seconds: LEASE_SECONDS });
  }
  await deliverTheRest(subscription);
  assert.ok(faults(subscription, told).lost.length > 0);
});
