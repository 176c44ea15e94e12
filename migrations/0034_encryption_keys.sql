-- The keys that values in this database are sealed with, by the id that stands in each value; see docs/keys.md.
create table encryption_key (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  -- When a node that seals with it was last heard of.
  used_at timestamptz not null default now(),
  -- Since when nothing is sealed with it any more. Until then no node starts without it.
  retired_at timestamptz,
  -- Values of other keys are being sealed anew with this one: since when all tables are gone through, how many such
  -- values were found meanwhile, how many of those did not open, and since when guests are hashed anew.
  pass_started_at timestamptz,
  pass_found bigint not null default 0,
  pass_failed bigint not null default 0,
  hashing_at timestamptz
);

-- Until now there was one key, which has sealed the keys that sign tokens.
insert into encryption_key (id)
select distinct encode(substring(private_jwk from 2 for 4), 'hex') from signing_key;

-- How far each table is: its rows up to position were looked at.
create table encryption_progress (
  key_id text not null references encryption_key on delete cascade,
  table_name text not null,
  position text[],
  looked_at bigint not null default 0,
  resealed bigint not null default 0,
  -- Sealed with a key that no node has.
  unreadable bigint not null default 0,
  is_finished boolean not null default false,
  primary key (key_id, table_name)
);

-- The keys that a node has, the one that it seals with first. Null: a node from before there were several.
alter table node add column key_ids text[];

-- What is only sealed anew has not changed: no screen has to be told of it.
create or replace function log_changed_bookings() returns trigger language plpgsql as $$
begin
  if current_setting('maitred.is_resealing', true) = 'yes' then return null; end if;
  insert into diary_change (venue_id, kind, thing_id, days, is_direct)
  select a.venue_id, 'booking', a.id,
    case when a.trading_day = b.trading_day then array[a.trading_day] else array[b.trading_day, a.trading_day] end, true
  from rows_after a join rows_before b using (id);
  perform notify_diaries(array(select venue_id from rows_after));
  return null;
end $$;

create or replace function log_closures() returns trigger language plpgsql as $$
begin
  if current_setting('maitred.is_resealing', true) = 'yes' then return null; end if;
  insert into diary_change (venue_id, kind, thing_id, during)
  select venue_id, 'closure', id, tstzrange(from_at, to_at) from changed_rows;
  perform notify_diaries(array(select venue_id from changed_rows));
  return null;
end $$;
