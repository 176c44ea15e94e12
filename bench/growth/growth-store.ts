/** Databases of many sizes that differ in nothing else, and what can be learned about them from PostgreSQL. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inTransaction, type Sql, type Tx } from '../../src/db/database.ts';

/** Ids of all venues begin like this. */
export const VENUES = '9';
export const FIRST_OPERATOR = 9000;
/** Bookings are for one of these days: so many before today, and so many in all. */
export const DAYS_BEFORE = 1095;
export const DAYS = 1180;
/** Guests of older visits have been forgotten, and older events dropped. */
export const GUEST_DAYS = 90;
export const EVENT_DAYS = 400;

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

/** Venues of the first operator whose days, and those around today, are the same in every world. */
export const ASKED_VENUES = 10;
export const ASKED_DAYS = 10;
/** Bookings of these venues on each of these days. */
const ASKED_EACH = 10;
export const ASKED = ASKED_VENUES * ASKED_DAYS * ASKED_EACH;

export interface BookingFill {
  venues: number;
  bookings: number;
  operators: number;
  /** Every second booking is the first partner's. */
  partnerId: number;
  others: readonly number[];
}

/**
 * Every booking with its place, in the order in which they were made: first those at the venues that are asked about,
 * then all others, a day after the other. Guests, and what events say of them, only a program can seal.
 */
export async function placeBookings(tx: Tx, fill: BookingFill): Promise<void> {
  const { venues, bookings, operators, partnerId, others } = fill;
  await tx`set local work_mem = '256MB'`;
  await tx`set local enable_mergejoin = off`;
  await tx`
    create unlogged table growth_table as
    select substr(v.resource_id, 7)::int as number, array_agg(t.id order by t.id) as ids, array_agg(t.name order by t.id) as names
    from venue v join house_table t on t.venue_id = v.id group by v.id`;
  await tx`analyze growth_table`;
  await tx`
    create unlogged table growth_stay as
    select n, uuidv7(created_at - now()) as id, uuidv7(created_at - now()) as event_id, created_at, day, minute,
      (day + make_interval(mins => minute)) at time zone 'Europe/London' as starts_at,
      ${FIRST_OPERATOR} + p.number % ${operators}::int as operator_id,
      ${FIRST_OPERATOR} + p.number % ${operators}::int || '|house|venue-' || p.number as venue_id,
      t.ids[1 + seat] as table_id, t.names[1 + seat] as table_name,
      case when n % 2 = 0 then ${partnerId} else (${[...others]}::int[])[1 + p.number % ${others.length}] end as partner_id
    from generate_series(0, ${bookings}::int - 1) n,
      lateral (select n < ${ASKED}::int as is_asked, (n - ${ASKED}::int)::bigint as m,
        (n - ${ASKED}::int)::float8 * ${DAYS}::int / greatest(1, ${bookings - ASKED}::int) as along) k,
      lateral (select
        case when is_asked then ${operators}::int * (1 + n % ${ASKED_VENUES}::int) else 1 + m * 7919 % ${venues}::int end::int as number,
        current_date + case when is_asked then n / ${ASKED_VENUES}::int % ${ASKED_DAYS}::int - ${ASKED_DAYS / 2}::int
          else floor(along)::int - ${DAYS_BEFORE}::int end as day,
        case when is_asked then n / ${ASKED_VENUES * ASKED_DAYS}::int
          else (m - ceil(floor(along) * ${bookings - ASKED}::float8 / ${DAYS}::int)::bigint) / ${venues}::int % 10 end::int as seat,
        case when is_asked then 1080 else 1200 end as minute) p,
      lateral (select now() - interval '10 days' + case when p.day <= current_date
        then make_interval(secs => (p.day - current_date + along - floor(along)) * 86400)
        else make_interval(secs => 10 * 86400 * (p.day - current_date + along - floor(along)) / ${DAYS - DAYS_BEFORE + 1}::int) end as created_at) c,
      growth_table t
    where t.number = p.number`;
}

export interface SeedBooking {
  n: number;
  guest: Buffer;
  body: Buffer;
}

/** Bookings whose guests are still known, in parts. */
export const knownGuests = (sql: Sql) =>
  sql<{ n: number; id: string; eventId: string }[]>`
    select n, id, event_id as "eventId" from growth_stay where day >= current_date - ${GUEST_DAYS}::int`.cursor(
    5000,
  );

export async function copySeeds(sql: Sql, seeds: AsyncIterable<SeedBooking[]>): Promise<void> {
  await sql`create unlogged table growth_seed (n integer, guest bytea, body bytea)`;
  const hex = (bytes: Buffer) => `\\\\x${bytes.toString('hex')}`;
  async function* lines(): AsyncGenerator<string> {
    for await (const some of seeds)
      yield some.map(({ n, guest, body }) => `${n}\t${hex(guest)}\t${hex(body)}\n`).join('');
  }
  await pipeline(Readable.from(lines()), await sql`copy growth_seed (n, guest, body) from stdin`.writable());
  await sql`analyze growth_seed`;
}

/** Bookings as they are when they have been made, sent out and, where the day is over, completed. */
export async function fillBookings(tx: Tx): Promise<void> {
  await tx`
    insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
    select id, 'G' || n, venue_id || '|dinner', venue_id, day, starts_at, 90, 2 from growth_stay`;
  const stays = tx`
    (reservation_id, table_id, venue_id, during)
    select id, table_id, venue_id, tstzrange(starts_at, starts_at + interval '90 minutes') from growth_stay`;
  await tx`insert into house_past_allocation ${stays} where day < current_date - 3`;
  await tx`insert into house_allocation ${stays} where day >= current_date - 3`;
  await tx`
    insert into house_day (venue_id, day, mark, is_fed)
    select venue_id, day, nextval('house_mark'), true
    from (select distinct venue_id, day from growth_stay where day >= current_date - 3) touched`;
  await tx`
    insert into booking (id, partner_id, client_id, operator_id, venue_id, product_id, partner_booking_id,
      operator_booking_id, source, partner_source, type, status, trading_day, starts_minute, starts_at,
      duration_minutes, adults, children, preorders, has_payments, guest, area_name, tables, is_auto_confirmed, was_placed,
      refund_terms, created_at, tms_created_at, last_update)
    select id, partner_id, 'growth-partner', operator_id, venue_id, venue_id || '|dinner', 'p' || n, 'G' || n, 'api',
      'growth', 'book', case when day < current_date - 1 then 'completed' else 'confirmed' end, day, minute, starts_at,
      90, 2, 0, '{"packages": [], "menus": []}', false, guest, 'All', array[table_name], true, true, '[]', created_at,
      created_at, created_at
    from growth_stay left join growth_seed using (n)`;
  await tx`
    insert into booking_count (partner_id, operator_id, bookings)
    select partner_id, operator_id, count(*) from growth_stay group by partner_id, operator_id`;
}

/** Older ones have been dropped with their months. */
export async function fillEvents(tx: Tx): Promise<void> {
  const kept = tx`created_at >= now() - make_interval(days => ${EVENT_DAYS})`;
  await tx`
    insert into event (id, type, partner_id, venue_id, booking_id, occurred_at, body, position)
    select event_id, 'booking.updated', partner_id, venue_id, id, created_at, body, nextval('event_position')
    from growth_stay left join growth_seed using (n) where ${kept}`;
  await tx`
    insert into delivery (id, event_id, webhook_id, partner_id, status, attempts, due_at, created_at, finished_at)
    select s.id, s.event_id, w.id, s.partner_id, 'delivered', 1, s.created_at, s.created_at, s.created_at
    from growth_stay s join webhook w using (partner_id) where s.${kept}`;
  await tx`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code)
    select id, 1, created_at, 20, 204 from growth_stay where ${kept}`;
}

/** What is changed under /manage: a few things for each venue, and one for every tenth booking, over three years. */
export async function fillAudit(
  tx: Tx,
  { venues, bookings }: { venues: number; bookings: number },
): Promise<void> {
  const entries = 2 * venues + Math.floor(bookings / 10);
  await tx`
    insert into audit_entry (id, at, operator_id, actor_kind, actor_id, actor_name, action, subject, before, after)
    select uuidv7(ago), now() + ago, v.operator_id, 'client', 'growth-operator', 'Growth',
      'venue.update', 'venues/' || v.id, json_build_object('name', v.name), json_build_object('name', v.name || '!')
    from generate_series(0, ${entries}::int - 1) n,
      lateral (select make_interval(secs => (n - ${entries}::int)::float8 * ${DAYS_BEFORE} * 86400 / ${entries}::int) as ago) a,
      (select *, row_number() over (order by id) as number from venue) v
    where v.number = 1 + n % ${venues}::int`;
}

/** Those that growth fills, with what the logs consist of. */
const FILLED = [
  'booking',
  'house_reservation',
  'house_allocation',
  'house_past_allocation',
  'event',
  'delivery',
  'delivery_attempt',
  'audit_entry',
];

/**
 * Filled without their indexes, which are then built in one go. Primary keys stay: rows come in their order. Putting
 * the constraint back that no table is taken twice proves that what was filled in could have been booked.
 */
export async function withoutIndexes(sql: Sql, fill: () => Promise<void>): Promise<void> {
  const tables = sql`
    select oid from pg_class where relname = any(${FILLED}::text[]) and relkind = 'r'
    union select inhrelid from pg_inherits where inhparent::regclass::text = any(${FILLED}::text[])`;
  const constraints = await sql<{ drop: string; create: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype in ('u', 'x') and conrelid in (${tables})`;
  const indexes = await sql<{ drop: string; create: string }[]>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index where indrelid in (${tables}) and not exists (select from pg_constraint where conindid = indexrelid)`;
  for (const { drop } of [...constraints, ...indexes]) await sql.unsafe(drop);
  await fill();
  await inTransaction(sql, async (tx) => {
    await tx`set local maintenance_work_mem = '768MB'`;
    for (const { create } of [...constraints, ...indexes]) await tx.unsafe(create);
  });
}

/** Nothing of a fill has to survive a loss of power; what is measured afterwards does. */
export async function hurry(sql: Sql, isHurried: boolean): Promise<void> {
  const settings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', max_wal_size: "'8GB'" };
  for (const [name, value] of Object.entries(settings))
    await sql.unsafe(isHurried ? `alter system set ${name} = ${value}` : `alter system reset ${name}`);
  await sql`select pg_reload_conf()`;
}

/** Figures are of one process each: helpers of a query come and go, and nobody could say what they took. */
export async function settle(sql: Sql): Promise<void> {
  await sql`drop table if exists growth_seed, growth_stay, growth_table`;
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
    select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::bigint as bytes,
      sum(greatest(c.reltuples, 0))::bigint as rows
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 2 desc`;
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
