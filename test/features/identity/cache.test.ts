import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotificationListener } from '../../../src/db/notifications.ts';
import { createCaches } from '../../../src/features/identity/cache.ts';

/** Notifications at the test's command: the real ones come when they come, and these races need an order. */
function commandedNotifications() {
  const state = { isConnected: true };
  const listeners = new Set<NotificationListener>();
  return {
    state,
    isConnected: () => state.isConnected,
    subscribe(listener: NotificationListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
    change: (topic: string) => listeners.forEach((listener) => void listener.changed(topic)),
    lose: () => listeners.forEach((listener) => void listener.lost()),
  };
}

/** In bytes: an entry costs some three hundred beside what it holds. */
const ROOM_FOR_TWO = 800;

function setUp() {
  const notifications = commandedNotifications();
  const caches = createCaches(notifications);
  return { notifications, caches, cache: caches.create<string>(ROOM_FOR_TWO) };
}

test('what was read is found again, until identity changes or the connection is lost', async () => {
  const { notifications, cache } = setUp();
  await cache.read('a', async () => 'one');
  notifications.change('venue:1|house|soho-grill');
  assert.equal(cache.find('a'), 'one');
  notifications.change('identity');
  assert.equal(cache.find('a'), undefined);
  await cache.read('a', async () => 'two');
  notifications.lose();
  assert.equal(cache.find('a'), undefined);
});

test('a read that began before a change is not kept after it', async () => {
  const { notifications, cache } = setUp();
  const old = await cache.read('a', async () => {
    notifications.change('identity');
    return 'old';
  });
  assert.equal(old, 'old');
  assert.equal(cache.find('a'), undefined);
});

test('a read that began while nobody listened is not kept, even if somebody does at its end', async () => {
  const { notifications, cache } = setUp();
  notifications.state.isConnected = false;
  await cache.read('a', async () => {
    notifications.state.isConnected = true;
    return 'old';
  });
  assert.equal(cache.find('a'), undefined);
});

test('while nobody listens, what was kept is not served', async () => {
  const { notifications, cache } = setUp();
  await cache.read('a', async () => 'one');
  notifications.state.isConnected = false;
  assert.equal(cache.find('a'), undefined);
});

test('the entry unused for longest goes when there is no room', async () => {
  const { cache } = setUp();
  await cache.read('a', async () => '1');
  await cache.read('b', async () => '2');
  cache.find('a');
  await cache.read('c', async () => '3');
  assert.deepEqual([cache.find('a'), cache.find('b'), cache.find('c')], ['1', undefined, '3']);
});

test('what failed to load is not kept', async () => {
  const { cache } = setUp();
  await assert.rejects(cache.read('a', () => Promise.reject(new Error('away'))));
  assert.equal(await cache.read('a', async () => 'back'), 'back');
});
