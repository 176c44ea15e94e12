/** Nodes that die at every step of following a change, nodes that do it at once, and changes of our own in between. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices, type Services } from '../../../src/services.ts';
import { auditOf, beginReading, eventsOf, followed, queued } from '../../features/system-changes/support.ts';
import { eventually } from '../../support/eventually.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  OPERATOR,
  ordered,
  read,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { createLifeline } from '../../support/remote-tms/lifeline.ts';
import { repeats } from '../../support/repeats.ts';

const LOOK = { wasMissing: false };
const STRIDE = repeats(1, 3);

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({
    count: 5,
    remote: { changes: true },
    book: { partiesPerStart: 1000 },
  });
  await beginReading(bistros);
});
after(() => bistros.close());

/** Accounts are due again, and what dead nodes have claimed is free, as after a minute or two. */
async function leasesEnd(): Promise<void> {
  const { sql } = bistros.app;
  await sql`update system_cursor set due_at = '-infinity', leased_until = '-infinity'`;
  await sql`update system_change set due_at = '-infinity', leased_until = '-infinity'`;
}

async function startNode({ slug, system }: Bistro, lifeline = createLifeline()): Promise<Services> {
  return createServices({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    sql: lifeline.sql(bistros.app.sql),
    notifications: { isConnected: () => false, subscribe: () => () => {}, close: async () => {} },
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: bistros.clock,
    connectors: [lifeline.connector(createRemote(system.url, slug, { changes: true }))],
  });
}

test('a node that dies at any step between the log of the system and the booking loses no change', async () => {
  const bistro = bistros.next();
  const moved = await ordered(bistros, bistro);
  let deaths = 0;
  for (let steps = 1; ; steps += STRIDE) {
    const cancelled = await ordered(bistros, bistro);
    await leasesEnd();
    await followed(bistros);
    const before = (await eventsOf(bistros, moved)).length;
    const guests = 2 + (steps % 5);
    const isOther = (await read(bistros, moved)).partySize !== guests;
    bistro.system.book.edit(moved, { guests });
    bistro.system.book.cancel(cancelled);
    await leasesEnd();
    const lifeline = createLifeline();
    const node = await startNode(bistro, lifeline);
    lifeline.cutAfter(steps);
    await node.systemChanges.workDue().catch((error) => {
      if (!lifeline.isCut()) throw error;
    });
    for (let look = 0; look < 2; look += 1) {
      await leasesEnd();
      await followed(bistros);
    }
    assert.equal((await read(bistros, moved)).partySize, guests, `after ${steps} steps`);
    assert.equal((await read(bistros, cancelled)).status, 'cancelled', `after ${steps} steps`);
    assert.equal((await eventsOf(bistros, moved)).length, before + Number(isOther), 'told once');
    assert.equal((await auditOf(bistros, cancelled)).length, 1);
    assert.deepEqual(await queued(bistros), []);
    if (!lifeline.isCut()) break;
    deaths += 1;
  }
  assert.ok(deaths >= 5, `${deaths} nodes died`);
});

test('several nodes follow the same changes, and each is written once', async () => {
  const bistro = bistros.next();
  const ids = await Promise.all(Array.from({ length: 20 }, () => ordered(bistros, bistro)));
  await leasesEnd();
  await followed(bistros);
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startNode(bistro)));
  for (const id of ids) bistro.system.book.edit(id, { minute: 1260, guests: 4 });
  await leasesEnd();
  await Promise.all(nodes.map((node) => node.systemChanges.workDue()));
  await leasesEnd();
  await followed(bistros);
  for (const id of ids) {
    assert.equal((await read(bistros, id)).time, '21:00');
    assert.equal((await auditOf(bistros, id)).length, 1);
  }
  const source = { operatorId: OPERATOR, tms: bistro.slug };
  for (const id of ids) bistro.system.book.edit(id, { guests: 3 });
  await Promise.all(ids.flatMap((id) => nodes.map((node) => node.bookings.reconcile(source, id, LOOK))));
  await leasesEnd();
  await followed(bistros);
  for (const id of ids) assert.equal((await read(bistros, id)).partySize, 3);
  await assertAgreed(bistros, bistro);
});

test('an amendment that begins while a change is written is planned on the change', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await leasesEnd();
  await followed(bistros);
  bistro.system.book.edit(id, { guests: 5 });
  const { sql, services } = bistros.app;
  const release = Promise.withResolvers<void>();
  const held = sql.begin(async (tx) => {
    await tx`select from booking where id = ${id} for update`;
    await release.promise;
  });
  const waiting = async () =>
    (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
      .length;
  const following = services.bookings.reconcile({ operatorId: OPERATOR, tms: bistro.slug }, id, LOOK);
  await eventually(async () => (await waiting()) >= 1);
  const body = [{ op: 'replace', path: '/time', value: '20:00' }];
  const patching = bistros.app.call(`/venues/bookings/${id}`, { method: 'PATCH', body });
  await eventually(async () => (await waiting()) >= 2);
  assert.equal(bistro.system.calls('amend'), 0, 'the system is not called yet');
  release.resolve();
  await held;
  assert.deepEqual(await following, { kind: 'changed' });
  const patched = await patching;
  assert.equal(patched.status, 200, patched.text);
  const { time, partySize } = await read(bistros, id);
  assert.deepEqual({ time, partySize }, { time: '20:00', partySize: 5 });
  await assertAgreed(bistros, bistro);
});

test('control: a lock on the booking alone lets the amendment call the system with what it had read', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const { sql } = bistros.app;
  const release = Promise.withResolvers<void>();
  const held = sql.begin(async (tx) => {
    await tx`select from booking where id = ${id} for update`;
    await release.promise;
  });
  const body = [{ op: 'replace', path: '/time', value: '20:00' }];
  const patching = bistros.app.call(`/venues/bookings/${id}`, { method: 'PATCH', body });
  await eventually(() => bistro.system.calls('amend') === 1);
  release.resolve();
  await held;
  assert.equal((await patching).status, 200);
});

test('started, a node follows a change by itself within seconds', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await leasesEnd();
  const following = bistros.app.services.systemChanges.start();
  try {
    bistro.system.book.edit(id, { minute: 1260 });
    await eventually(async () => (await read(bistros, id)).time === '21:00');
    bistro.system.book.cancel(id);
    await eventually(async () => (await read(bistros, id)).status === 'cancelled');
  } finally {
    await following.stop();
  }
});
