import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { type ForgetfulProxy, startForgetfulProxy } from '../../support/databases/forgetful-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { startMortalNode } from '../booking-clients.ts';

let database: TestDatabase;
let proxy: ForgetfulProxy;
before(async () => {
  database = await createTestDatabase();
  proxy = await startForgetfulProxy(database.url);
});
after(async () => {
  await proxy.close();
  await database.drop();
});

/** The first thing that the driver asks on a new connection. */
const TYPES = 'b.typarray';
const MANY = 5;

test('a node whose database goes away while connections are made anew lives on, and serves when it is back', async (t) => {
  const node = await startMortalNode(proxy.url);
  t.after(() => node.child.kill('SIGKILL'));
  const isReady = async () => (await fetch(`${node.address}/health/ready`)).ok;
  await eventually(isReady);
  proxy.refuse(TYPES);
  // Dispatchers and keepers look for work every second, each time on a connection that is cut off.
  await eventually(() => proxy.refused() > MANY || node.child.exitCode !== null);
  assert.equal(node.child.exitCode, null, node.stderr());
  proxy.refuse(undefined);
  await eventually(isReady);
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 0);
});
