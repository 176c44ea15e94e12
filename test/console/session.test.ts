import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { loadSession, user } from '../../src/console/browser/app/session.ts';

const globals = globalThis as unknown as Record<string, unknown>;
const { fetch } = globals;
const storage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
const kept = new Map<string, string>();

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  kept.set('maitred.signedIn', 'yes');
  user.value = undefined;
  const value = {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
  };
  Object.defineProperty(globalThis, 'localStorage', { value, configurable: true });
});
afterEach(() => {
  mock.timers.reset();
  globals.fetch = fetch;
  if (storage) Object.defineProperty(globalThis, 'localStorage', storage);
  else delete globals.localStorage;
});

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('a page that is loaded while the service is away waits for it, and the session stays', async () => {
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    async () => Response.json({ user: { id: 'anna' } }),
  ];
  globals.fetch = () => answers.shift()?.();
  const loading = loadSession();
  for (let time = 0; time < 2; time += 1) {
    await settled();
    assert.equal(user.peek(), undefined);
    mock.timers.tick(2_000);
  }
  await loading;
  assert.equal(user.peek()?.id, 'anna');
  assert.ok(kept.has('maitred.signedIn'));
});

test('a session that is over leads to signing in', async () => {
  globals.fetch = async () => Response.json({ code: 'USER-N-013' }, { status: 401 });
  await loadSession();
  assert.equal(user.peek(), null);
  assert.ok(!kept.has('maitred.signedIn'));
});
