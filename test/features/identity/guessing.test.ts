import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { networkOf } from '../../../src/kernel/network.ts';
import { AUDIENCE, createFixture, type Fixture, seedClients } from './support/identity-app.ts';

let fixture: Fixture;
before(async () => {
  fixture = await createFixture();
  await seedClients(fixture);
});
// A minute later every window is over, so that no test inherits another one's failures.
beforeEach(() => fixture.clock.advance({ seconds: 61 }));
after(() => fixture.close());

async function attempt(secret: string, { client = 'acme-client', from = '192.0.2.1' } = {}) {
  return fixture.app.inject({
    method: 'POST',
    url: '/oauth/token',
    remoteAddress: from,
    payload: {
      grant_type: 'client_credentials',
      client_id: client,
      client_secret: secret,
      audience: AUDIENCE,
    },
  });
}

async function statusesOf(
  count: number,
  run: (index: number) => ReturnType<typeof attempt>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await run(index)).statusCode);
  return statuses;
}

const RIGHT = 'acme-client-secret';

test('after ten failures in a minute even the right secret waits, and then works', async () => {
  assert.deepEqual(await statusesOf(10, () => attempt('wrong')), Array(10).fill(401));
  const blocked = await attempt(RIGHT);
  assert.equal(blocked.statusCode, 429);
  assert.deepEqual(Object.keys(blocked.json()), ['error', 'error_description']);
  assert.equal(blocked.headers['cache-control'], 'no-store');
  const wait = Number(blocked.headers['retry-after']);
  assert.ok(wait > 50 && wait <= 60, `Retry-After is ${wait}`);
  fixture.clock.advance({ seconds: wait });
  assert.equal((await attempt(RIGHT)).statusCode, 200);
});

test('successes do not count', async () => {
  assert.deepEqual(await statusesOf(30, () => attempt(RIGHT)), Array(30).fill(200));
  assert.deepEqual(await statusesOf(9, () => attempt('wrong')), Array(9).fill(401));
  assert.equal((await attempt(RIGHT)).statusCode, 200);
});

test('requests that are malformed do not count', async () => {
  const malformed = () =>
    fixture.app.inject({
      method: 'POST',
      url: '/oauth/token',
      remoteAddress: '192.0.2.1',
      payload: { client_id: 1 },
    });
  assert.deepEqual(await statusesOf(12, malformed), Array(12).fill(400));
  assert.equal((await attempt(RIGHT)).statusCode, 200);
});

test('other clients and other addresses are not held up', async () => {
  await statusesOf(10, () => attempt('wrong'));
  assert.equal((await attempt(RIGHT)).statusCode, 429);
  assert.equal((await attempt(RIGHT, { from: '192.0.2.2' })).statusCode, 200);
  assert.equal((await attempt('agent-client-secret', { client: 'agent-client' })).statusCode, 200);
});

test('an address that tries many clients is stopped after a hundred failures', async () => {
  const spread = (index: number) => attempt('wrong', { client: `guess-${index}` });
  assert.deepEqual(await statusesOf(100, spread), Array(100).fill(401));
  assert.equal((await attempt(RIGHT)).statusCode, 429);
  assert.equal((await attempt(RIGHT, { from: '192.0.2.2' })).statusCode, 200);
});

test('guesses sent side by side learn no more than ten sent in turn', async () => {
  const guesses = Array.from({ length: 40 }, (_, index) => attempt(`wrong-${index}`));
  const statuses = (await Promise.all(guesses)).map((response) => response.statusCode);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 30);
});

test('moving within an IPv6 network gives no further tries', async () => {
  await statusesOf(10, (index) => attempt('wrong', { from: `2001:db8::${index + 1}` }));
  assert.equal((await attempt(RIGHT, { from: '2001:db8::ffff' })).statusCode, 429);
  assert.equal((await attempt(RIGHT, { from: '2001:db8:0:1::1' })).statusCode, 200);
});

test('an address is reduced to its network, however it is written', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(networkOf('2001:0DB8:0000:0000:0001:0002:0003:0004'), '2001:db8:0:0::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(networkOf('1:2:3:4:5:6::'), '1:2:3:4::/64');
});
