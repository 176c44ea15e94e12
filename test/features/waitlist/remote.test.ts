/** Waiting for a place at a system over the network: it is asked once a minute, and keeps the place itself. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readOperations } from '../../../proof/abuse/document.ts';
import { assertProblem } from '../../support/app.ts';
import { type Bistro, type Bistros, DAY, startBistros } from '../../support/remote-tms/bistros.ts';
import { held, release } from '../holds/support.ts';
import { join, joined, leave, read, work } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 3, book: { partiesPerStart: 1 } });
});
after(() => bistros.close());

const app = () => bistros.app;
const heldThere = ({ system }: Bistro) => [...system.book.holds.keys()];
/** As if a minute had passed. */
const minuteLater = () => app().sql`update waitlist_day set looked_at = '-infinity'`;

test('nobody waits at a system that cannot keep a place', async () => {
  const plain = await startBistros({ count: 1, remote: { holds: false } });
  try {
    const { productId } = plain.next();
    assertProblem(await join(plain.app, { date: DAY }, { productId }), 422, 'HOLD-N-005');
  } finally {
    await plain.close();
  }
});

test('a refusal of the system is one that the document names', async () => {
  const { productId, system } = bistros.next();
  system.faults.plan({ kind: 'refuse', reason: 'rejected' }, { operations: ['availability'] });
  assertProblem(await join(app(), { date: DAY }, { productId }), 422, 'BOOK-N-009');
  for (const { path, method, codesByStatus } of readOperations())
    if (method === 'POST' && path.endsWith('/waitlist'))
      assert.ok(codesByStatus.get(422)?.has('BOOK-N-009'), path);
});

test('a place that becomes free there is held there, and given back with the party', async () => {
  const bistro = bistros.next();
  const { productId } = bistro;
  const taken = await held(app(), { date: DAY, time: '19:00' }, { productId });
  const { id } = await joined(app(), { date: DAY }, { productId });
  await work(app());
  assert.equal((await read(app(), id)).status, 'waiting');
  await release(app(), taken.id);
  await work(app());
  assert.equal((await read(app(), id)).status, 'waiting', 'it was asked a moment ago');
  await minuteLater();
  await work(app());
  const { status, offer } = await read(app(), id);
  assert.equal(status, 'offered');
  assert.deepEqual(heldThere(bistro), [offer.holdId]);
  await leave(app(), id);
  assert.deepEqual(heldThere(bistro), []);
});
