import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import {
  addSecret,
  allowAgent,
  createClient,
  createOperator,
  createPartner,
  revokeSecret,
} from '../../../src/features/identity/service.ts';
import { createFixture, type Fixture, seedClients } from './support/identity-app.ts';

let fixture: Fixture;
let seeded: Awaited<ReturnType<typeof seedClients>>;
before(async () => {
  fixture = await createFixture();
  seeded = await seedClients(fixture);
});
after(() => fixture.close());

const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fixture.sql, work);
const refuses = (code: string, work: (tx: Tx) => Promise<unknown>) => assert.rejects(inTx(work), { code });

test('ids that are chosen by hand do not collide with those that are given out', async () => {
  await inTx((tx) => createOperator(tx, { id: 5000, name: 'By hand' }));
  const next = await inTx((tx) => createOperator(tx, { name: 'Given out' }));
  assert.ok(next.id > 5000);
  await inTx((tx) => createOperator(tx, { id: 77, name: 'By hand, lower' }));
  assert.ok((await inTx((tx) => createOperator(tx, { name: 'Given out' }))).id > next.id);
  await inTx((tx) => createPartner(tx, { id: 900, reference: 'by-hand', name: 'By hand' }));
  assert.ok((await inTx((tx) => createPartner(tx, { reference: 'given', name: 'Given out' }))).id > 900);
});

test('a new operator has the built-in systems', async () => {
  const rows = await fixture.sql`
    select tms from operator_system where operator_id = ${seeded.operator.id} order by tms`;
  assert.deepEqual(
    rows.map((row) => row.tms),
    ['house', 'tickets'],
  );
});

test('what is taken, malformed or unknown is refused', async () => {
  const { acme } = seeded;
  await refuses('OPRTR-N-004', (tx) => createOperator(tx, { id: seeded.operator.id, name: 'Again' }));
  await refuses('VALID-N-001', (tx) => createPartner(tx, { reference: 'acme', name: 'Again' }));
  for (const reference of ['', 'a b', 'é', 'a'.repeat(101)]) {
    await refuses('VALID-N-001', (tx) => createPartner(tx, { reference, name: 'Odd' }));
  }
  await refuses('VALID-N-001', (tx) => createClient(tx, { id: 'acme-client', kind: 'agent' }));
  await refuses('VALID-N-001', (tx) => createClient(tx, { id: 'a:b', kind: 'agent' }));
  await refuses('VALID-N-001', (tx) => createClient(tx, { kind: 'agent', scopes: ['platform:admin'] }));
  await refuses('PMAP-N-004', (tx) => createClient(tx, { kind: 'partner', partnerId: 999_999 }));
  await refuses('OPRTR-N-001', (tx) => createClient(tx, { kind: 'operator', operatorId: 999_999 }));
  await refuses('VALID-N-001', (tx) => addSecret(tx, 'nobody'));
  await refuses('VALID-N-001', (tx) =>
    revokeSecret(tx, 'acme-client', '00000000-0000-4000-8000-000000000000'),
  );
  await refuses('IDENT-N-004', (tx) => allowAgent(tx, 'agent-client', acme.id));
  await refuses('PMAP-N-004', (tx) => allowAgent(tx, 'agent-client', 999_999));
  await refuses('VALID-N-001', (tx) => allowAgent(tx, 'acme-client', acme.id));
});

test('a secret of one client cannot be revoked through another', async () => {
  const { id } = await inTx((tx) => addSecret(tx, 'acme-client'));
  await refuses('VALID-N-001', (tx) => revokeSecret(tx, 'agent-client', id));
  await inTx((tx) => revokeSecret(tx, 'acme-client', id));
});

test('secrets are stored as salted hashes only', async () => {
  const { secret } = await inTx((tx) => addSecret(tx, 'acme-client', { secret: 'the same' }));
  await inTx((tx) => addSecret(tx, 'agent-client', { secret }));
  const rows = await fixture.sql<{ row: string; hash: Buffer }[]>`
    select client_secret::text as row, hash from client_secret order by created_at desc limit 2`;
  assert.notDeepEqual(rows[0]?.hash, rows[1]?.hash);
  for (const { row } of rows) assert.ok(!row.includes(Buffer.from(secret).toString('hex')));
});
