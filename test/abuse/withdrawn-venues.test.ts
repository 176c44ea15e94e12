import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  demo,
  type Expectation,
  GARDEN,
  LIST,
  type Look,
  read,
  refusedWith,
  SOHO,
  succeeds,
  twoNodes,
  viaAgent,
  without,
  withText,
} from './support/two-nodes.ts';

/** What a caller may no longer see is gone from every node at once, although answers are kept in memory. */

const { call, eventually, fromBoth, sql, withdraws } = twoNodes();

/** Takes a venue from a partner, and gives back how to return it with all its products. */
function mapping(partnerId: number, venueId: string) {
  let mapped: Record<string, unknown>[] = [];
  let products: Record<string, unknown>[] = [];
  return {
    async remove() {
      products =
        await sql()`delete from product_mapping where partner_id = ${partnerId} and venue_id = ${venueId} returning *`;
      mapped =
        await sql()`delete from venue_mapping where partner_id = ${partnerId} and venue_id = ${venueId} returning *`;
      assert.equal(mapped.length, 1);
    },
    async restore() {
      await sql()`insert into venue_mapping ${sql()(mapped)}`;
      await sql()`insert into product_mapping ${sql()(products)}`;
    },
  };
}

test('the control: an answer that is kept outlives a change that nobody is told of, and not one that is told', async () => {
  const path = `${read('2|house|blue-note')}?fields=name`;
  await eventually('demo-partner', path, withText('Blue Note'));
  await sql().begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update venue set name = 'Renamed in silence' where id = '2|house|blue-note'`;
  });
  await sleep(100);
  assert.ok((await fromBoth('demo-partner', path)).every(withText('Blue Note')));
  await sql()`select pg_notify('changed', 'venue:2|house|blue-note')`;
  await eventually('demo-partner', path, withText('Renamed in silence'));
});

test('a venue that is no longer mapped disappears from reads, lists and filters, for the agent too', async () => {
  const { remove, restore } = mapping(1, GARDEN);
  const gone = refusedWith('PMAP-N-001');
  const looks = [
    { ...demo, path: read(GARDEN), before: succeeds, after: gone },
    { ...demo, path: `${read(GARDEN)}?fields=id`, before: succeeds, after: gone },
    { ...viaAgent, path: read(GARDEN), before: succeeds, after: gone },
    { ...demo, path: LIST, before: withText(GARDEN), after: without(GARDEN) },
    { ...viaAgent, path: LIST, before: withText(GARDEN), after: without(GARDEN) },
    { ...demo, path: '/venues?productName=brunch', before: withText(GARDEN), after: without(GARDEN) },
    { client: 'demo-operator', path: read(GARDEN), before: succeeds, after: succeeds },
  ];
  await withdraws(looks, remove, restore);
});

test('the tag of an answer that was taken away does not bring it back', async () => {
  const { remove, restore } = mapping(2, '3|house|hidden-kitchen');
  const path = read('3|house|hidden-kitchen');
  const { headers } = await call(path, { as: 'other-partner' });
  const isUnchanged: Expectation = ({ status }) => status === 304;
  await withdraws(
    [
      {
        client: 'other-partner',
        headers: { 'if-none-match': String(headers.etag) },
        path,
        before: isUnchanged,
        after: refusedWith('PMAP-N-001'),
      },
    ],
    remove,
    restore,
  );
});

test('a product that is no longer mapped disappears from its venue', async () => {
  const product = `${SOHO}|private-dining`;
  const byName = '/venues?productName=private&fields=id,products(compositeId)';
  await withdraws(
    [
      { ...demo, path: read(SOHO), before: withText(product), after: without(product) },
      { ...viaAgent, path: LIST, before: withText(product), after: without(product) },
      { ...demo, path: byName, before: withText(SOHO), after: without(SOHO) },
      { client: 'other-partner', path: read(SOHO), before: withText(product), after: withText(product) },
    ],
    () => sql()`delete from product_mapping where partner_id = 1 and product_id = ${product}`,
    () =>
      sql()`insert into product_mapping (partner_id, product_id, venue_id) values (1, ${product}, ${SOHO})`,
  );
});

test('a suspended partner still reads, and sees that it cannot book', async () => {
  const reservable = `${read(SOHO)}?fields=reservable`;
  const yes = withText('"reservable":true');
  const no = withText('"reservable":false');
  await withdraws(
    [
      { ...demo, path: reservable, before: yes, after: no },
      { ...viaAgent, path: reservable, before: yes, after: no },
      { client: 'other-partner', path: reservable, before: yes, after: yes },
      { client: 'demo-operator', path: reservable, before: yes, after: yes },
    ],
    () => sql()`insert into partner_operator (partner_id, operator_id, is_suspended) values (1, 1, true)
      on conflict (partner_id, operator_id) do update set is_suspended = true`,
    () => sql()`update partner_operator set is_suspended = false where partner_id = 1 and operator_id = 1`,
  );
});

test('a venue that is closed, renamed or loses a part says so everywhere', async () => {
  const parts = ['name', 'reservable', 'photos', 'products', 'preorders'].map(
    (part) => `${read(GARDEN)}?fields=${part}`,
  );
  const lists = ['name', 'reservable', 'photos'].map((part) => `/venues?pageSize=100&fields=${part}`);
  const looks: Look[] = [];
  for (const client of ['demo-partner', 'demo-operator', 'demo-admin']) {
    for (const path of [...parts, ...lists]) {
      const [seen] = await fromBoth(client, path);
      looks.push({
        client,
        path,
        before: ({ text }) => text === seen?.text,
        after: ({ text }) => text !== seen?.text,
      });
    }
  }
  const change = () =>
    sql().begin(async (tx) => {
      await tx`update venue set name = 'Winter Room', closed_at = now() where id = ${GARDEN}`;
      await tx`delete from venue_photo where venue_id = ${GARDEN}`;
      await tx`delete from product_hours where venue_id = ${GARDEN}`;
      await tx`delete from menu_item where venue_id = ${GARDEN}`;
    });
  await withdraws(looks, change);
});

test('reads that race with changes leave no old answer behind', async () => {
  const path = `${read('2|house|blue-note')}?fields=name`;
  let isOver = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await fromBoth('demo-partner', path);
      // Kept answers never wait for anything, so that without this nothing else would get a turn.
      await nextTurn();
    }
  });
  for (let round = 1; round <= 40; round++) {
    await sql()`update venue set name = ${`Round ${round}.`} where id = '2|house|blue-note'`;
    await sleep(round % 4);
  }
  await eventually('demo-partner', path, withText('Round 40.'));
  isOver = true;
  await Promise.all(readers);
  for (let again = 0; again < 20; again++) {
    assert.ok((await fromBoth('demo-partner', path)).every(withText('Round 40.')));
  }
});

test('a node that can no longer hear of changes keeps nothing', async () => {
  const path = `${read('2|house|night-owl')}?fields=name`;
  await eventually('demo-partner', path, withText('"name"'));
  await sql().begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update venue set name = 'Renamed in silence' where id = '2|house|night-owl'`;
    await tx`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'maitred notifications' and datname = current_database()`;
  });
  await eventually('demo-partner', path, withText('Renamed in silence'));
  // What it had kept before must not come back with the connection.
  await eventually('demo-partner', '/health/ready', withText('"notifications":true'));
  assert.ok((await fromBoth('demo-partner', path)).every(withText('Renamed in silence')));
});
