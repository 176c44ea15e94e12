import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openNotifications } from '../../src/db/notifications.ts';
import { registerKeys } from '../../src/features/encryption/service.ts';
import { createIdentity } from '../../src/features/identity/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { columnsSealedWith, fillSealed, sealedWorld } from '../support/sealed-world.ts';
import { blocksOf } from './blocks.ts';

const LOST = createKeyring([Buffer.alloc(32, 7)]);

const SILENT = 'the document no longer says what to do';
const statements = blocksOf('docs/keys.md')
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text);

let maitred: TestApp;
before(async () => {
  const { config, connectors } = sealedWorld;
  maitred = await startTestApp({ config, deps: { encryptionKeys: LOST, connectors: [...connectors] } });
  await registerKeys(maitred.sql, LOST);
});
after(() => maitred.close());

test('after a key that signs has leaked, tokens end, and the next request for one makes a new key', async (t) => {
  const app = await startTestApp();
  t.after(() => app.close());
  const read = async (as: string) => (await app.call('/venues', { as })).status;
  assert.equal(await read('demo-partner'), 200);
  await app.sql.unsafe(statements.find((text) => text === 'delete from signing_key;') ?? assert.fail(SILENT));
  await eventually(async () => (await read('demo-partner')) === 401);
  assert.equal((await app.call('/manage/health', { as: 'demo-admin' })).status, 200);
});

test('after a lost key nothing is left that only it opens, and all else can be read', async () => {
  const { bookingId, orderId } = await fillSealed(maitred);
  assert.equal((await columnsSealedWith(maitred.sql, LOST)).length, 14);
  await maitred.sql.unsafe(statements.find((text) => text.includes('encryption_key')) ?? assert.fail(SILENT));
  assert.deepEqual(await columnsSealedWith(maitred.sql, LOST), []);
  const known = await maitred.sql`select id from encryption_key`;
  assert.equal(known.length, 0, 'nodes start with another key');
  const pending = await maitred.sql`select from delivery where status = 'pending'`;
  assert.equal(pending.length, 0);

  await registerKeys(maitred.sql, createKeyring([Buffer.alloc(32, 8)]));
  const notifications = await openNotifications(maitred.url);
  const config = { publicUrl: 'http://127.0.0.1:3000', audience: 'maitred' };
  const encryptionKeys = createKeyring([Buffer.alloc(32, 8)]);
  const { sql } = maitred;
  const identity = await createIdentity({ config, sql, encryptionKeys, clock: systemClock, notifications });
  const { access_token: token } = await identity.issueToken({
    body: { grant_type: 'client_credentials', audience: 'maitred' },
    authorization: `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}`,
    remoteAddress: '192.0.2.1',
  });
  await notifications.close();
  const read = (path: string) =>
    maitred.call(path, { as: null, headers: { authorization: `Bearer ${token}` } });
  const booking = await read(`/venues/bookings/${bookingId}`);
  assert.deepEqual([booking.status, booking.json.firstName], [200, null], booking.text);
  const { items } = (await read(`/v1/orders/${orderId}`)).json;
  assert.deepEqual([items[0].status, items[0].error.code], ['failed', 'BOOK-R-002']);
});
