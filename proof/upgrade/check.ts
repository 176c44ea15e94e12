/** What is there after an upgrade, compared with what users were told and with what the new version keeps besides. */

import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Sql } from '../../src/db/database.ts';
import { imbalances } from '../../test/race/balance.ts';
import type { NodeProcess } from '../../test/support/node-process.ts';
import type { ReceivedPost } from '../../test/support/peers/receiver.ts';
import type { Journal } from './load.ts';
import { askerOf, type Json, OPERATOR, type World } from './world.ts';

export interface Check {
  what: string;
  found: string;
  isMet: boolean;
}

export interface Checked {
  sql: Sql;
  /** Of the database. */
  url: string;
  node: NodeProcess;
  world: World;
  journal: Journal;
  posts: readonly ReceivedPost[];
  /** Visits of the demo data and evenings moved into the past keep tables, and that is no fault of an upgrade. */
  faultsBefore: ReadonlySet<string>;
}

/** Jobs run every minute. */
const WAIT_MS = 90_000;

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const endMs = performance.now() + WAIT_MS; performance.now() < endMs; await sleep(500))
    if (await isSo()) return true;
  return false;
}

const countOf = async (rows: Promise<readonly { count: number }[]>) => (await rows)[0]?.count ?? 0;

export async function untilDelivered(sql: Sql): Promise<number> {
  const pending = () => countOf(sql`select count(*)::int from delivery where status <> 'delivered'`);
  await until(async () => (await pending()) === 0);
  return pending();
}

export async function check(context: Checked, progress: (line: string) => void): Promise<Check[]> {
  await untilDelivered(context.sql);
  const checks: Check[] = [];
  for (const each of [checkBookings, checkEvents, checkSearches, checkStays, checkMoney, checkMonths])
    for (const found of await each(context)) {
      progress(`  ${lineOf(found)}`);
      checks.push(found);
    }
  return checks;
}

export const lineOf = ({ what, found, isMet }: Check): string =>
  `${what}: ${found} (${isMet ? 'met' : '**missed**'})`;

/** A goal of none. */
const none = (what: string, found: readonly string[]): Check => ({
  what,
  found: found.length === 0 ? 'none' : `${found.length}: ${found.slice(0, 3).join('; ')}`,
  isMet: found.length === 0,
});

const all = (what: string, found: number, of: number): Check => ({
  what,
  found: `${found} of ${of}`,
  isMet: found === of && of > 0,
});

async function checkBookings({ node, journal }: Checked): Promise<Check[]> {
  const partner = await askerOf(node.address, 'demo-partner');
  const operator = await askerOf(node.address, 'demo-operator');
  let [same, histories] = [0, 0];
  for (const known of journal.known.values()) {
    const { status, partySize } = await partner('GET', `/venues/bookings/${known.id}`);
    if (status === known.status && partySize === known.partySize) same += 1;
    const { data } = await operator('GET', `${OPERATOR}/bookings/${known.id}/history`);
    const amends = (journal.told.get(known.id)?.size ?? 0) - 1;
    const isWhole = data[0]?.action === 'create' && data.length >= amends + 1;
    if (isWhole) histories += 1;
  }
  return [
    all('Bookings that are as they were last acknowledged, read from a new node', same, journal.known.size),
    all(
      'Bookings whose history has their creation and every acknowledged change',
      histories,
      journal.known.size,
    ),
    none('Answers that contradict earlier ones, of either version', journal.wrong),
  ];
}

async function checkEvents({ sql, posts, journal }: Checked): Promise<Check[]> {
  const received = new Set(posts.map(({ headers }) => String(headers['webhook-id'])));
  const events = await sql<{ id: string }[]>`
    select e.id from event e join delivery d on d.event_id = e.id join webhook w on w.id = d.webhook_id where e.partner_id = 1`;
  const states = new Set<string>();
  for (const { body } of posts)
    for (const { id, lastUpdate } of (JSON.parse(body.toString()) as Json).bookings ?? [])
      states.add(`${id} ${lastUpdate}`);
  const told = [...journal.told].flatMap(([id, times]) => [...times].map((time) => `${id} ${time}`));
  return [
    all(
      'Events that the receiver of webhooks got',
      events.filter(({ id }) => received.has(id)).length,
      events.length,
    ),
    all(
      'Acknowledged changes that the receiver was told of',
      told.filter((state) => states.has(state)).length,
      told.length,
    ),
    none(
      'Deliveries that are not done',
      (await sql<{ id: string }[]>`select id from delivery where status <> 'delivered'`).map(({ id }) => id),
    ),
  ];
}

async function checkSearches({ sql, node, world }: Checked): Promise<Check[]> {
  const missing = () =>
    countOf(sql`
      select count(*)::int from booking b left join booking_guest_hash h on h.booking_id = b.id
      where b.guest is not null and h is null`);
  const isThrough = () =>
    countOf(sql`select count(*)::int from guest_hash_progress where finished_at is not null`);
  await until(async () => (await isThrough()) > 0);
  const left = await missing();
  // Each hour it looks once more at the bookings of two days: here that hour is over.
  await sql`update guest_hash_progress set finished_at = finished_at - interval '1 hour'`;
  await until(async () => (await missing()) === 0);
  const guests = await countOf(sql`select count(*)::int from booking where guest is not null`);
  const operator = await askerOf(node.address, 'demo-operator');
  const { data } = await operator('GET', `${OPERATOR}/bookings?guest=lovelace&pageSize=100`);
  const old = new Set(world.bookings.map(({ id }) => id));
  const venues = await countOf(sql`select count(*)::int from venue`);
  const found = await countOf(sql`select count(distinct venue_id)::int from venue_term`);
  const partner = await askerOf(node.address, 'demo-partner');
  const grill = await partner('GET', '/venues?query=soho+grill&sortBy=relevance');
  return [
    {
      what: 'Guests without hashes for the search after the first pass, of bookings that old nodes made meanwhile',
      found: String(left),
      isMet: true,
    },
    all(
      'Guests that have their hashes after the next pass, within an hour',
      guests - (await missing()),
      guests,
    ),
    {
      what: 'Bookings of before, among the first hundred that a search for their guest finds',
      found: String(data.filter(({ id }: Json) => old.has(id)).length),
      isMet: data.length === 100,
    },
    all('Venues that have their words for the search', found, venues),
    {
      what: 'The first venue that a search for «soho grill» finds',
      found: String(grill.data[0]?.name),
      isMet: grill.data[0]?.id === '1|house|soho-grill',
    },
  ];
}

/** The job runs at night; here it is asked for. */
async function checkStays({ sql, url, world, faultsBefore }: Checked): Promise<Check[]> {
  const faults = (await imbalances(sql)).filter((fault) => !faultsBefore.has(fault));
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
  });
  await boss.start();
  await boss.send('systems.move-past-stays');
  await boss.stop();
  const moved = () =>
    countOf(sql`
      select count(distinct reservation_id)::int from house_past_allocation where reservation_id = any(${world.past}::uuid[])`);
  await until(async () => (await moved()) === world.past.length);
  return [
    none('Tables taken twice, and bookings and tables that do not agree', faults),
    all('Stays of the past that the nightly job has moved', await moved(), world.past.length),
  ];
}

async function checkMoney({ sql }: Checked): Promise<Check[]> {
  const [row] = await sql<[{ paid: number; ledger: number }]>`
    select
      ((select coalesce(sum(amount_pence), 0) from payment where status = 'succeeded')
        - (select coalesce(sum(amount_pence), 0) from refund where status = 'done'))::float8 as paid,
      (select coalesce(sum(amount_pence), 0) from ledger_entry)::float8 as ledger`;
  return [
    {
      what: 'Pence paid and not refunded; pence in the ledger',
      found: `${row.paid}; ${row.ledger}`,
      isMet: row.paid === row.ledger && row.paid > 0,
    },
  ];
}

async function checkMonths({ sql }: Checked): Promise<Check[]> {
  const checks: Check[] = [];
  for (const table of ['event', 'delivery', 'delivery_attempt', 'audit_entry']) {
    const rows = await sql<{ partition: string; count: number }[]>`
      select tableoid::regclass::text as partition, count(*)::int from ${sql(table)} group by 1 order by 1`;
    checks.push({
      what: `Rows of \`${table}\` by partition`,
      found: rows.map(({ partition, count }) => `${partition}: ${count}`).join(', '),
      isMet: rows.length > 0 && rows.every(({ partition }) => !partition.endsWith('_default')),
    });
  }
  return checks;
}
