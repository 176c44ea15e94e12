-- The operator's desk: bookings of the house, visits, blocks and closures.

-- A booking of the house has no partner; origin says how it came in. Bookings of partners have no origin.
alter table booking
  alter column partner_id drop not null,
  add column origin text check (origin in ('phone', 'walk_in', 'email', 'website', 'other')),
  add constraint booking_of_partner_or_house check ((partner_id is null) = (origin is not null)),
  -- How far the visit is, and when it got there. The status follows: left is completed, no_show is no_show.
  add column visit_state text not null default 'expected'
    check (visit_state in ('expected', 'arrived', 'seated', 'left', 'no_show')),
  add column arrived_at timestamptz,
  add column seated_at timestamptz,
  add column left_at timestamptz;
update booking set visit_state = case status when 'completed' then 'left' else 'no_show' end
where status in ('completed', 'no_show');
-- The diary of a day.
create index booking_venue_day on booking (venue_id, trading_day);

alter table booking_count alter column partner_id drop not null;
alter table booking_intent alter column partner_id drop not null;

-- An event belongs to a partner, to an operator, or to both: the same bytes go to the webhooks of either.
alter table event
  alter column partner_id drop not null,
  add column operator_id integer,
  add constraint event_of_someone check (partner_id is not null or operator_id is not null);
create index event_of_operator on event (operator_id, position) where operator_id is not null;

-- Tables that take no new bookings for a time. Bookings that they have stay.
create table house_block (
  id uuid primary key,
  venue_id text collate "C" not null references venue on delete cascade,
  during tstzrange not null check (not isempty(during)),
  -- What was asked for: one of the three is given.
  table_ids integer[],
  area_ids integer[],
  zone_ids integer[],
  reason text,
  created_at timestamptz not null,
  check (num_nonnulls(table_ids, area_ids, zone_ids) = 1)
);
create index house_block_venue on house_block (venue_id, upper(during));

-- The tables of a block.
create table house_block_table (
  block_id uuid not null references house_block on delete cascade,
  table_id integer not null references house_table on delete cascade,
  venue_id text collate "C" not null,
  during tstzrange not null,
  primary key (block_id, table_id)
);
create index house_block_table_venue on house_block_table (venue_id, upper(during)) include (table_id, during);
create index house_block_table_table on house_block_table (table_id);
create trigger mark_begun after insert on house_block_table referencing new table as changed_rows
  for each statement execute function mark_stays();
create trigger mark_ended after delete on house_block_table referencing old table as changed_rows
  for each statement execute function mark_stays();

-- A table that comes to an area or a zone while it is blocked is blocked with it, and one that leaves is not. Only
-- changes of the layout fire this, and they keep bookings away.
create function refresh_blocks() returns trigger language plpgsql as $$
begin
  insert into house_block_table (block_id, table_id, venue_id, during)
  select b.id, t.id, b.venue_id, b.during
  from house_block b join house_table t on t.venue_id = b.venue_id join house_area a on a.id = t.area_id
  where b.venue_id in (select venue_id from changed_rows) and upper(b.during) > now()
    and (a.id = any(b.area_ids) or a.zone_id = any(b.zone_ids))
  on conflict do nothing;
  delete from house_block_table l using house_block b, house_table t, house_area a
  where b.venue_id in (select venue_id from changed_rows) and upper(b.during) > now() and b.table_ids is null
    and l.block_id = b.id and t.id = l.table_id and a.id = t.area_id
    and not coalesce(a.id = any(b.area_ids), a.zone_id = any(b.zone_ids));
  return null;
end $$;
call watch(array['house_area', 'house_table'], 'refresh_blocks');

-- A time in which a venue, or some of its products, take nobody. Reopening deletes the row.
create table closure (
  id uuid primary key,
  venue_id text collate "C" not null references venue on delete cascade,
  -- As requested: a date or a local date-time, the end included where it is a date.
  first text not null,
  last text not null,
  -- The trading days, both included; null: part of a day, for which the instants count.
  first_day date,
  last_day date,
  -- The same as instants, the end excluded.
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  -- Null: all products.
  product_ids text[] collate "C",
  reason text,
  -- What happens to the bookings in it.
  bookings text not null check (bookings in ('keep', 'cancel')),
  -- To the guests, encrypted.
  message bytea,
  state text not null check (state in ('running', 'done')),
  -- Who closed it, for the audit entries of the bookings that are cancelled in the background.
  actor jsonb not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- When there is work to do next. A node that works on it has the lease.
  due_at timestamptz not null,
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  check ((first_day is null) = (last_day is null)),
  check ((state = 'done') = (finished_at is not null))
);
create index closure_venue on closure (venue_id, to_at);
create index closure_open on closure (due_at) where state = 'running';
-- Not on updates, which only tell how far the work is.
create trigger touch_venues_inserted after insert on closure referencing new table as changed_rows
  for each statement execute function touch_venues();
create trigger touch_venues_deleted after delete on closure referencing old table as changed_rows
  for each statement execute function touch_venues();
create trigger changed after insert on closure for each statement execute function notify_changed('closures');

-- The bookings that a closure cancels, and what became of each.
create table closure_booking (
  closure_id uuid not null references closure on delete cascade,
  booking_id uuid not null references booking on delete cascade,
  state text not null default 'open' check (state in ('open', 'cancelled', 'failed')),
  attempts smallint not null default 0,
  first_attempt_at timestamptz,
  -- When it is tried next.
  due_at timestamptz not null,
  -- Why the last attempt failed.
  code text,
  detail text,
  primary key (closure_id, booking_id)
);
create index closure_booking_booking on closure_booking (booking_id);
create index closure_booking_open on closure_booking (closure_id, due_at) where state = 'open';
