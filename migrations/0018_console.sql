-- What the console needs besides: booking rules that are switched off, and who made a change that a screen shows.

-- A rule that is off stays in the list of its operator and does nothing. is_active false means that it was retired.
alter table booking_rule add column is_on boolean not null default true;

-- Who made a change of a diary: the audit entry of the same transaction says it. Entries of before have none.
alter table audit_entry add column xid xid8;
alter table audit_entry alter column xid set default pg_current_xact_id();

-- Whether the booking itself was changed, and not its payments or tables alone.
alter table diary_change add column is_direct boolean not null default false;

create or replace function log_made_bookings() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind, thing_id, days, is_direct)
  select venue_id, 'booking', id, array[trading_day], true from changed_rows;
  perform notify_diaries(array(select venue_id from changed_rows));
  return null;
end $$;

create or replace function log_changed_bookings() returns trigger language plpgsql as $$
begin
  insert into diary_change (venue_id, kind, thing_id, days, is_direct)
  select a.venue_id, 'booking', a.id,
    case when a.trading_day = b.trading_day then array[a.trading_day] else array[b.trading_day, a.trading_day] end, true
  from rows_after a join rows_before b using (id);
  perform notify_diaries(array(select venue_id from rows_after));
  return null;
end $$;
