-- The diary of a venue, what has changed in it, and finding guests.

-- What changed in the diaries of venues, kept for two days for screens that come back. A row has the id of its
-- transaction, and a reader names the snapshot that it has read: what that snapshot does not contain is new to it,
-- in whichever order transactions commit and however long another one takes. A restored dump has other transaction ids;
-- positions therefore name the cluster too, see src/features/diary/store.ts.
create table diary_change (
  xid xid8 not null default pg_current_xact_id(),
  venue_id text collate "C" not null,
  -- venue: the layout, a product, a name or anything else that the whole diary shows.
  kind text not null check (kind in ('booking', 'block', 'closure', 'venue')),
  thing_id uuid,
  -- The trading days that a booking has, or had before the change.
  days date[],
  -- The time of a block or a closure.
  during tstzrange,
  created_at timestamptz not null default now()
);
create index diary_change_venue on diary_change (venue_id, xid);
create index diary_change_age on diary_change using brin (created_at);

-- The highest transaction id among the rows that were deleted. Readers that have not seen it read the diary again.
create table diary_log (
  is_only boolean primary key default true check (is_only),
  pruned_to xid8 not null
);
insert into diary_log (pruned_to) values ('0');

-- The venues that a screen watches now. Only their changes are notified: transactions that notify commit one after the
-- other. Nodes renew their rows, so nothing is lost with them.
create unlogged table diary_watch (
  venue_id text collate "C" primary key,
  until timestamptz not null
);

create function notify_diaries(venue_ids text[]) returns void language plpgsql as $$
begin
  perform pg_notify('changed', 'diary:' || venue_id) from diary_watch
  where venue_id = any(venue_ids) and until > now();
end $$;

create function log_made_bookings() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind, thing_id, days)
  select venue_id, 'booking', id, array[trading_day] from changed_rows;
  perform notify_diaries(array(select venue_id from changed_rows));
  return null;
end $$;
create trigger log_made after insert on booking referencing new table as changed_rows
  for each statement execute function log_made_bookings();
create trigger log_gone after delete on booking referencing old table as changed_rows
  for each statement execute function log_made_bookings();

create function log_changed_bookings() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind, thing_id, days)
  select a.venue_id, 'booking', a.id,
    case when a.trading_day = b.trading_day then array[a.trading_day] else array[b.trading_day, a.trading_day] end
  from rows_after a join rows_before b using (id);
  perform notify_diaries(array(select venue_id from rows_after));
  return null;
end $$;
create trigger log_changed after update on booking
  referencing old table as rows_before new table as rows_after
  for each statement execute function log_changed_bookings();

-- What the diary shows of a booking and other tables hold. New allocations come with a new or changed booking.
create function log_bookings(booking_ids uuid[]) returns void language plpgsql as $$
declare
  venue_ids text[];
begin
  with logged as (
    insert into diary_change (venue_id, kind, thing_id, days)
    select venue_id, 'booking', id, array[trading_day] from booking where id = any(booking_ids)
    returning venue_id)
  select array_agg(distinct venue_id) into venue_ids from logged;
  perform notify_diaries(venue_ids);
end $$;

create function log_paid_bookings() returns trigger language plpgsql as $$
begin
  perform log_bookings(array(select booking_id from changed_rows));
  return null;
end $$;
call watch(array['payment', 'refund'], 'log_paid_bookings');

create function log_moved_bookings() returns trigger language plpgsql as $$
begin
  perform log_bookings(array(select distinct reservation_id from changed_rows));
  return null;
end $$;
create trigger log_moved after update on house_allocation referencing new table as changed_rows
  for each statement execute function log_moved_bookings();
create trigger log_freed after delete on house_allocation referencing old table as changed_rows
  for each statement execute function log_moved_bookings();

create function log_blocks() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind, thing_id, during) select venue_id, 'block', id, during from changed_rows;
  perform notify_diaries(array(select venue_id from changed_rows));
  return null;
end $$;
call watch(array['house_block'], 'log_blocks');

create function log_closures() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind, thing_id, during)
  select venue_id, 'closure', id, tstzrange(from_at, to_at) from changed_rows;
  perform notify_diaries(array(select venue_id from changed_rows));
  return null;
end $$;
call watch(array['closure'], 'log_closures');

-- A change below a venue counts as a change of the venue, see touch_venues().
create function log_venues() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind) select id, 'venue' from changed_rows;
  perform notify_diaries(array(select id from changed_rows));
  return null;
end $$;
create trigger log_changed after update on venue referencing new table as changed_rows
  for each statement execute function log_venues();
create trigger log_gone after delete on venue referencing old table as changed_rows
  for each statement execute function log_venues();

-- The name of a partner stands in the diaries of all operators where it has booked.
create function log_renamed_partner() returns trigger language plpgsql as $$
declare
  venue_ids text[] := array(
    select id from venue where operator_id in (select operator_id from booking_count where partner_id = new.id));
begin
  insert into diary_change (venue_id, kind) select each_id, 'venue' from unnest(venue_ids) as each_id;
  perform notify_diaries(venue_ids);
  return null;
end $$;
create trigger log_renamed after update of name on partner for each row
  when (old.name <> new.name) execute function log_renamed_partner();

-- Hashes of what a guest can be found by, see src/features/bookings/guest-search/. They are keyed with a key that
-- follows from ENCRYPTION_KEY, and bound to the operator. Deleted when the guest is forgotten.
create table booking_guest_hash (
  booking_id uuid primary key,
  operator_id integer not null,
  -- Which key they were made with.
  key_id integer not null,
  hashes bigint[] not null
);
-- A short list of pending entries: an insert that finds it full has to merge it.
create index booking_guest_hash_hashes on booking_guest_hash using gin (hashes) with (gin_pending_list_limit = 256);

create function forget_guest_hashes() returns trigger language plpgsql as $$
begin
  delete from booking_guest_hash where booking_id in (select id from changed_rows);
  return null;
end $$;
create trigger forget_guest_hashes after delete on booking referencing old table as changed_rows
  for each statement execute function forget_guest_hashes();

-- Also when a node of an earlier version, which knows of no hashes, forgets the guest.
create function forget_hashes_of_guest() returns trigger language plpgsql as $$
begin
  delete from booking_guest_hash where booking_id = new.id;
  return null;
end $$;
create trigger forget_hashes_of_guest after update of guest on booking for each row
  when (old.guest is not null and new.guest is null) execute function forget_hashes_of_guest();

-- How far the bookings of before have their hashes: those up to last_id were looked at.
create table guest_hash_progress (
  key_id integer primary key,
  last_id uuid,
  looked_at bigint not null default 0,
  finished_at timestamptz
);
