-- Stays of the past leave the table that availability reads, and the logs are got ready for monthly partitions.

-- Locks tables whole for a change of the schema while nodes serve. Statements lock them in different orders; who waits
-- briefly and tries again is no part of a deadlock, and keeps nobody waiting for long.
create procedure lock_tables(names text[]) language plpgsql as $$
begin
  for attempt in 1 .. 1000 loop
    begin
      perform set_config('lock_timeout', '200ms', true);
      execute format('lock table %s in access exclusive mode', array_to_string(names, ', '));
      exit;
    exception when lock_not_available then
      if attempt = 1000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end $$;
call lock_tables(array['house_allocation', 'house_reservation', 'house_table', 'event', 'delivery', 'delivery_attempt',
  'audit_entry']);

-- The tables of reservations that are over, moved here by a job some days later. What concerns a table or a reservation
-- of any time reads house_stay; what is still to be decided reads house_allocation alone.
create table house_past_allocation (
  reservation_id uuid not null references house_reservation on delete cascade,
  table_id integer not null references house_table on delete cascade,
  venue_id text collate "C" not null,
  during tstzrange not null,
  primary key (reservation_id, table_id)
);
create index house_past_allocation_table on house_past_allocation (table_id, upper(during));

create view house_stay as
select reservation_id, table_id, venue_id, during from house_allocation
union all
select reservation_id, table_id, venue_id, during from house_past_allocation;

-- A stay that is moved there changes nothing that a node has cached or a screen shows.
drop trigger mark_ended on house_allocation;
create trigger mark_ended after delete on house_allocation referencing old table as changed_rows
  for each statement when (coalesce(current_setting('maitred.moves_stays', true), '') = '')
  execute function mark_stays();
drop trigger log_freed on house_allocation;
create trigger log_freed after delete on house_allocation referencing old table as changed_rows
  for each statement when (coalesce(current_setting('maitred.moves_stays', true), '') = '')
  execute function log_moved_bookings();

-- A change of a stay that has been moved is shown like any other. Its days need no mark: nobody can book them.
create trigger log_moved after update on house_past_allocation referencing new table as changed_rows
  for each statement execute function log_moved_bookings();
create trigger log_freed after delete on house_past_allocation referencing old table as changed_rows
  for each statement execute function log_moved_bookings();

-- The least id that newId() of src/kernel/crypto.ts makes at that moment.
create function first_id_at(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The months that are there become the first partition, which ends with the current month, or the next one where that
-- begins within a week. The check is written down here and tested in the next file, where it keeps nobody waiting.
-- Months are dropped as a whole, which references between them would keep from happening.
alter table delivery drop constraint delivery_event_id_fkey;
alter table delivery_attempt drop constraint delivery_attempt_delivery_id_fkey;
do $$
declare
  ends timestamptz := (date_trunc('month', (now() at time zone 'UTC') + interval '7 days') + interval '1 month')
    at time zone 'UTC';
begin
  execute format('alter table event add constraint of_first_months check (id < %L) not valid', first_id_at(ends));
  execute format('alter table delivery add constraint of_first_months check (event_id < %L) not valid', first_id_at(ends));
  execute format('alter table delivery_attempt add constraint of_first_months check (started_at < %L) not valid', ends);
  execute format('alter table audit_entry add constraint of_first_months check (id < %L) not valid', first_id_at(ends));
end $$;
