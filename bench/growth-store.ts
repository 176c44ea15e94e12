/** Databases of many sizes that differ in nothing else, and what can be learned about them from PostgreSQL. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sql, Tx } from '../src/db/database.ts';

/** Ids of all venues begin like this. */
export const VENUES = '9';
export const FIRST_OPERATOR = 9000;
/** Bookings are for one of these days: so many before today, and so many in all. */
export const DAYS_BEFORE = 400;
export const DAYS = 580;

/** What `fillVenues` leaves out: systems, sources of bookings, tables on sale, questions and answers. */
export async function fillOperation(tx: Tx, partnerId: number): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`insert into operator_system (operator_id, tms) select id, 'house' from operator`;
  await tx`
    insert into partner_source (operator_id, partner_id, name)
    select o.id, p.id, p.reference from operator o, partner p where p.id = ${partnerId}`;
  await tx`
    insert into house_product (product_id, venue_id, max_guests, turn_times, min_duration_minutes, max_duration_minutes,
      duration_step_minutes)
    select id, venue_id, 4, '[{"upTo": 4, "minutes": 90}]', 60, 240, 15 from product`;
  await tx`
    insert into house_product_zone (product_id, zone_id, venue_id)
    select p.id, z.id, p.venue_id from product p join house_zone z using (venue_id)`;
  await tx`
    insert into site_faq (venue_id, faqs)
    select id, json_build_array(json_build_object('question', 'Is there parking?', 'answer', 'Behind ' || name || '.'),
      json_build_object('question', 'Are dogs welcome?', 'answer', 'In the garden, until nine.')) from venue`;
  // As if all files had been made: those that are to be made say so later.
  await tx`
    insert into feed_venue (venue_id, mark, made_mark, due_at, full_due_at)
    select id, 1, 1, now() + interval '12 hours', now() + interval '6 days' from venue
    on conflict (venue_id) do update set made_mark = feed_venue.mark, due_at = excluded.due_at, full_due_at = excluded.full_due_at`;
}

/** Other partners share the venues among them, each with one subscription, as the first one has. */
export async function fillPartners(tx: Tx, others: readonly number[]): Promise<void> {
  await tx`set local session_replication_role = replica`;
  const ids = [...others];
  await tx`
    insert into partner_operator (partner_id, operator_id)
    select p, id from operator, unnest(${ids}::int[]) p on conflict do nothing`;
  await tx`
    insert into venue_mapping (partner_id, venue_id)
    select (${ids}::int[])[1 + substr(resource_id, 7)::int % ${ids.length}], id from venue`;
  await tx`
    insert into product_mapping (partner_id, product_id, venue_id)
    select m.partner_id, p.id, p.venue_id from venue_mapping m join product p using (venue_id)
    where m.partner_id = any(${ids}::int[])`;
  await tx`
    insert into webhook (id, partner_id, callback_url, address, secret, created_at)
    select gen_random_uuid(), id, 'https://hooks.example/' || id, 'https://hooks.example/' || id, '\\x00', now()
    from partner`;
}

export interface SeedBooking {
  id: string;
  eventId: string;
  createdAt: string;
  guest: Buffer;
  body: Buffer;
}

/** The parts of bookings that only a program can make: ids by time, and sealed values. */
export async function copySeeds(sql: Sql, seeds: Iterable<SeedBooking>): Promise<void> {
  await sql`
    create unlogged table growth_seed (n integer, id uuid, event_id uuid, created_at timestamptz, guest bytea, body bytea)`;
  await pipeline(
    Readable.from(linesOf(seeds)),
    await sql`copy growth_seed (n, id, event_id, created_at, guest, body) from stdin`.writable(),
  );
}

function* linesOf(seeds: Iterable<SeedBooking>): Generator<string> {
  let n = 0;
  let lines: string[] = [];
  const hex = (bytes: Buffer) => `\\\\x${bytes.toString('hex')}`;
  for (const { id, eventId, createdAt, guest, body } of seeds) {
    lines.push(`${[n++, id, eventId, createdAt, hex(guest), hex(body)].join('\t')}\n`);
    if (lines.length < 500) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

export interface BookingFill {
  venues: number;
  operators: number;
  /** Every second booking is the first partner's. */
  partnerId: number;
}

/** Bookings as they are when they have been made, sent out and, where the day is over, completed. */
export async function fillBookings(tx: Tx, { venues, operators, partnerId }: BookingFill): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`
    create temporary table stay on commit drop as
    select s.*, v.id as venue_id, v.operator_id, t.id as table_id, t.name as table_name, d.day, d.minute,
      (d.day + make_interval(mins => d.minute)) at time zone 'Europe/London' as starts_at,
      case when s.n % 2 = 0 then ${partnerId} else o.partner_id end as partner_id
    from growth_seed s,
      lateral (select 1 + s.n % ${venues}::int as number, s.n / ${venues}::int as turn) p,
      lateral (select current_date - ${DAYS_BEFORE}::int + (p.turn * 293 + p.number * 7) % ${DAYS}::int as day,
        p.turn / ${DAYS}::int % 10 as seat, 1080 + p.turn / ${DAYS * 10}::int % 2 * 120 as minute) d,
      venue v, house_table t, lateral (select partner_id from venue_mapping m where m.venue_id = v.id and m.partner_id <> ${partnerId}) o
    where v.id = ${FIRST_OPERATOR} + p.number % ${operators}::int || '|house|venue-' || p.number
      and t.venue_id = v.id and t.name = 'T' || 1 + d.seat`;
  await tx`
    insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
    select id, 'G' || n, venue_id || '|dinner', venue_id, day, starts_at, 90, 2 from stay`;
  await tx`
    insert into house_allocation (reservation_id, table_id, venue_id, during)
    select id, table_id, venue_id, tstzrange(starts_at, starts_at + interval '90 minutes') from stay`;
  await tx`
    insert into house_day (venue_id, day, mark, is_fed)
    select venue_id, day, nextval('house_mark'), true from (select distinct venue_id, day from stay) touched`;
  await tx`
    insert into booking (id, partner_id, client_id, operator_id, venue_id, product_id, partner_booking_id,
      operator_booking_id, source, partner_source, type, status, trading_day, starts_minute, starts_at,
      duration_minutes, adults, children, preorders, has_payments, guest, area_name, tables, is_auto_confirmed, was_placed,
      refund_terms, created_at, tms_created_at, last_update)
    select id, partner_id, 'growth-partner', operator_id, venue_id, venue_id || '|dinner', 'p' || n, 'G' || n, 'api',
      'growth', 'book', case when day < current_date - 1 then 'completed' else 'confirmed' end, day, minute, starts_at,
      90, 2, 0, '{"packages": [], "menus": []}', false, guest, 'All', array[table_name], true, true, '[]', created_at,
      created_at, created_at
    from stay order by id`;
  await tx`
    insert into booking_count (partner_id, operator_id, bookings)
    select partner_id, operator_id, count(*) from stay group by partner_id, operator_id`;
  await fillEvents(tx);
}

async function fillEvents(tx: Tx): Promise<void> {
  await tx`
    insert into event (id, type, partner_id, venue_id, booking_id, occurred_at, body, position)
    select event_id, 'booking.updated', partner_id, venue_id, id, created_at, body, nextval('event_position')
    from (select * from stay order by event_id) ordered`;
  await tx`
    insert into delivery (id, event_id, webhook_id, partner_id, status, attempts, due_at, created_at, finished_at)
    select s.id, s.event_id, w.id, s.partner_id, 'delivered', 1, s.created_at, s.created_at, s.created_at
    from stay s join webhook w using (partner_id) order by s.event_id`;
  await tx`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code)
    select id, 1, created_at, 20, 204 from stay order by event_id`;
}

/** What is changed under /manage: a few things for each venue, and one for every tenth booking. */
export async function fillAudit(
  tx: Tx,
  { venues, bookings }: { venues: number; bookings: number },
): Promise<void> {
  const entries = 2 * venues + Math.floor(bookings / 10);
  await tx`
    insert into audit_entry (id, at, operator_id, actor_kind, actor_id, actor_name, action, subject, before, after)
    select uuidv7(make_interval(secs => n - ${entries}::int)), now(), v.operator_id, 'client', 'growth-operator', 'Growth',
      'venue.update', 'venues/' || v.id, json_build_object('name', v.name), json_build_object('name', v.name || '!')
    from (select *, row_number() over (order by id) as number from venue) v
      join generate_series(0, ${entries}::int - 1) n on 1 + n % ${venues}::int = v.number`;
}

/** Figures are of one process each: helpers of a query come and go, and nobody could say what they took. */
export async function settle(sql: Sql): Promise<void> {
  await sql`drop table if exists growth_seed`;
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`;
  await sql.unsafe(`alter database "${name}" set max_parallel_workers_per_gather = 0`);
  await sql`vacuum analyze`;
  await sql`checkpoint`;
  await sql`select pg_stat_reset()`;
}

/** Processor time of everybody else who is connected to this database; only Linux tells. */
export async function databaseCpuMicroseconds(sql: Sql): Promise<number> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'maitred'`;
  return rows.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return 0;
  }
}

export interface TableSize {
  name: string;
  bytes: number;
  rows: number;
}

export async function listTableSizes(sql: Sql): Promise<TableSize[]> {
  const rows = await sql<TableSize[]>`
    select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::bigint as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`;
  return [...rows];
}

export async function databaseBytes(sql: Sql): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: number }]>`select pg_database_size(current_database()) as bytes`;
  return bytes;
}

/** Large tables that were read from end to end since the figures were reset, and how often. */
export async function listWholeReads(sql: Sql): Promise<{ name: string; scans: number }[]> {
  const rows = await sql<{ name: string; scans: number }[]>`
    select relname as name, seq_scan as scans from pg_stat_user_tables
    where seq_scan > 0 and n_live_tup > 5000 order by seq_tup_read desc`;
  return [...rows];
}

/** Some ids from all over a table, always the same ones. */
export async function someIds(sql: Sql, table: 'booking' | 'event', partnerId: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from (select id, row_number() over (order by id) as n, count(*) over () as total
      from ${sql(table)} where partner_id = ${partnerId}) numbered
    where n % greatest(1, total / 500) = 0 order by md5(id::text)`;
  return rows.map(({ id }) => id);
}

/** The feeds of the first venues are to be made as if there were none, and those of no others. */
export async function wantFeeds(sql: Sql, count: number): Promise<void> {
  await sql`update house_day set is_fed = true where not is_fed`;
  await sql`
    update feed_venue set made_mark = 0, due_at = '-infinity', full_due_at = '-infinity'
    where venue_id in (select id from venue where substr(resource_id, 7)::int <= ${count})`;
}
