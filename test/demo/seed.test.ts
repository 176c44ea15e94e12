import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { demoOperators } from '../../src/demo/operators.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { lockSeeding } from '../../src/demo/seed-store.ts';
import { createPartner } from '../../src/features/identity/service.ts';
import { matchesSecret } from '../../src/kernel/crypto.ts';
import { createTestDatabase } from '../support/databases/database.ts';

const clock = () => Temporal.Instant.from('2026-03-14T09:30:00Z');

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: Sql;
let answers: boolean[];

before(async () => {
  database = await createTestDatabase();
  sql = database.sql;
  answers = await Promise.all([seedDemo(sql, clock), seedDemo(sql, clock)]);
});

after(() => database.drop());

/** Everything that seeding writes, with the row versions, so that even an update to the same value shows. */
async function everyRow(): Promise<unknown> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const rows = tables.map(
    ({ name }) => sql`select xmin::text, ctid::text, it::text from ${sql(name)} it order by ctid`,
  );
  return Promise.all(rows);
}

async function ids(query: Promise<readonly { id: string }[]>): Promise<string[]> {
  return (await query).map(({ id }) => id);
}

test('of two nodes that start together one seeds', () => {
  assert.deepEqual(answers.toSorted(), [false, true]);
});

test('a node that starts while another seeds waits for it, however long that takes', async (t) => {
  const impatient = openPool(database.url, { max: 1, lockTimeoutMs: 50 });
  t.after(() => impatient.end());
  const locked = Promise.withResolvers<void>();
  const other = inTransaction(sql, async (tx) => {
    await lockSeeding(tx);
    locked.resolve();
    await sleep(300);
  });
  await locked.promise;
  assert.equal(await seedDemo(impatient, clock), false);
  await other;
});

test('operators 1 to 3 have the venues and products that examples name', async () => {
  const products = await ids(sql<{ id: string }[]>`
    select product.id from product join venue on venue.id = venue_id where operator_id <= 3 order by product.id`);
  assert.deepEqual(products, [
    '1|house|closed-cafe|table',
    '1|house|garden-room|brunch',
    '1|house|soho-grill|dinner',
    '1|house|soho-grill|private-dining',
    '2|house|blue-note|table',
    '2|house|night-owl|booth',
    '2|tickets|jazz-night|standard',
    '2|tickets|jazz-night|vip',
    '3|house|hidden-kitchen|dinner',
  ]);
});

test('operators 4 and 5 have forty-one venues in six cities', async () => {
  const cities = await sql`
    select operator_id as operator, city, count(*)::int as venues from venue where operator_id > 3
    group by 1, 2 order by operator_id, city collate "C"`;
  assert.deepEqual(
    cities.map(({ operator, city, venues }) => [operator, city, venues]),
    [
      [4, 'Bristol', 4],
      [4, 'Edinburgh', 4],
      [4, 'London', 10],
      [4, 'Manchester', 5],
      [5, 'Berlin', 8],
      [5, 'Paris', 10],
    ],
  );
});

test('one venue is closed', async () => {
  assert.deepEqual(await ids(sql`select id from venue where closed_at <= ${clock()}`), [
    '1|house|closed-cafe',
  ]);
});

test('the demo partner is mapped to all of operators 1, 2, 4 and 5', async () => {
  const missing = sql<{ id: string }[]>`
    select product.id from product join venue on venue.id = product.venue_id
    left join (product_mapping mapping join partner on partner.id = partner_id and reference = 'demo-partner')
      on mapping.product_id = product.id
    where (mapping.product_id is not null) <> (operator_id in (1, 2, 4, 5))`;
  assert.deepEqual(await ids(missing), []);
});

test('the other partner is mapped to operator 3 and Soho Grill alone', async () => {
  const mapped = sql<{ id: string }[]>`
    select product_id as id from product_mapping join partner on partner.id = partner_id
    where reference = 'other-partner' order by 1`;
  assert.deepEqual(await ids(mapped), [
    '1|house|soho-grill|dinner',
    '1|house|soho-grill|private-dining',
    '3|house|hidden-kitchen|dinner',
  ]);
});

test('only the demo partner’s channel of The Garden Room has a list of companies', async () => {
  const channels = await sql`
    select reference, venue_id, company_mode, cardinality(company_names) as names
    from venue_mapping join partner on partner.id = partner_id where company_mode <> 'none'`;
  assert.deepEqual(
    channels.map((row) => ({ ...row })),
    [{ reference: 'demo-partner', venue_id: '1|house|garden-room', company_mode: 'list', names: 6 }],
  );
});

test('the published secrets are those of the six clients', async () => {
  const clients = await sql<{ id: string; kind: string; owner: string | null; salt: Buffer; hash: Buffer }[]>`
    select client.id, kind, coalesce(partner.reference, operator_id::text) as owner, salt, hash
    from client join client_secret on client_id = client.id left join partner on partner.id = partner_id
    order by client.id`;
  assert.deepEqual(
    clients.map(({ id, kind, owner }) => [id, kind, owner]),
    [
      ['demo-admin', 'platform', null],
      ['demo-agent', 'agent', null],
      ['demo-assistant', 'agent', null],
      ['demo-operator', 'operator', '1'],
      ['demo-partner', 'partner', 'demo-partner'],
      ['other-partner', 'partner', 'other-partner'],
    ],
  );
  for (const { id, salt, hash } of clients) assert.ok(matchesSecret(`${id}-secret`, salt, hash), id);
});

test('the agent may act for the demo partner alone', async () => {
  const allowed = await sql`
    select client_id, reference from agent_partner join partner on partner.id = partner_id`;
  assert.deepEqual(
    allowed.map((row) => ({ ...row })),
    [
      { client_id: 'demo-agent', reference: 'demo-partner' },
      { client_id: 'demo-assistant', reference: 'demo-partner' },
    ],
  );
});

test('a rule for the other partner is stored as its own', async () => {
  const rules = await sql`
    select type, reference from availability_rule join partner on partner.id = any(partner_ids)`;
  assert.deepEqual(
    rules.map((row) => ({ ...row })),
    [{ type: 'recurring', reference: 'other-partner' }],
  );
});

test('the house book has every table of the documents, and the tickets every evening', async () => {
  const venues = demoOperators(Temporal.PlainDate.from('2026-03-14')).flatMap((operator) => operator.venues);
  const written = {
    tables: venues.flatMap(({ house }) =>
      (house?.zones ?? []).flatMap(({ areas }) => areas.flatMap(({ tables }) => tables)),
    ).length,
    combinations: venues.flatMap(({ house }) => house?.combinations ?? []).length,
    occurrences: venues.flatMap(({ tickets }) => tickets?.occurrences ?? []).length,
  };
  const [stored] = await sql`select
    (select count(*)::int from house_table) as tables,
    (select count(*)::int from house_combination) as combinations,
    (select count(*)::int from ticket_occurrence) as occurrences`;
  assert.deepEqual({ ...stored }, written);
});

test('every product is known to its system', async () => {
  const unknown = sql<{ id: string }[]>`
    select id from product
    where not exists (select from house_product where product_id = product.id)
      and not exists (select from ticket_type where product_id = product.id)`;
  assert.deepEqual(await ids(unknown), []);
});

test('partners are grouped by operator 4', async () => {
  const members = await sql`
    select c.operator_id, c.slug, p.reference from partner_category_member m
    join partner_category c on c.id = m.category_id join partner p on p.id = m.partner_id order by c.id`;
  assert.deepEqual(
    members.map((row) => ({ ...row })),
    [
      { operator_id: 4, slug: 'concierges', reference: 'other-partner' },
      { operator_id: 4, slug: 'booking-engines', reference: 'demo-partner' },
    ],
  );
});

test('every product has its category', async () => {
  assert.deepEqual(await ids(sql`select id from product where category_id is null`), []);
});

test('seeding again changes nothing', async () => {
  const rows = await everyRow();
  assert.equal(await seedDemo(sql, clock), false);
  assert.deepEqual(await everyRow(), rows);
});

test('what cannot be seeded whole is not seeded at all', async () => {
  const occupied = await createTestDatabase();
  try {
    await createPartner(occupied.sql, { id: 77, reference: 'other-partner', name: 'In the way' });
    await assert.rejects(seedDemo(occupied.sql, clock));
    const [left] = await occupied.sql`select
      (select count(*)::int from partner) as partners, (select count(*)::int from category) as categories`;
    assert.deepEqual({ ...left }, { partners: 1, categories: 0 });
  } finally {
    await occupied.drop();
  }
});
