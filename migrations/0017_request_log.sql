-- What partners' developers and the platform look at: the calls of partners, the answers of receivers, the nodes.

-- The answered calls of partners and of agents who act for them, never a body, an address or a guest. Rows are read by
-- partner and time, kept for seven days and dropped with their partition, one for each day in UTC. There are no keys
-- and no references, because a batch of rows must not fail for one of them.
create table request_log (
  -- When the call arrived, in milliseconds; the id begins with it.
  at timestamptz not null,
  id uuid not null,
  partner_id integer not null,
  client_id text not null,
  method text not null,
  -- The pattern, as in /venues/{venueId}.
  route text not null,
  venue_id text,
  -- Null: the caller disconnected before the answer.
  status smallint,
  code text,
  -- Null where the caller sent one that could be an address of a guest.
  correlation_id text,
  duration_ms real not null
) partition by range (at);
create index request_log_of_partner on request_log (partner_id, at, id);
create index request_log_failed on request_log (partner_id, at, id) where status >= 400;
create index request_log_correlation on request_log (correlation_id, partner_id) where correlation_id is not null;

-- Makes the partitions of these days. One caller at a time: `if not exists` alone fails when two create one together.
create function make_request_log_partitions(days date[]) returns void language plpgsql as $$
declare
  day date;
begin
  perform pg_advisory_xact_lock(hashtextextended('request_log_partitions', 0));
  foreach day in array days loop
    if to_regclass(format('request_log_%s', to_char(day, 'YYYYMMDD'))) is null then
      execute format('create table %I partition of request_log for values from (%L) to (%L)',
        'request_log_' || to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
    end if;
  end loop;
end $$;

-- Drops the partitions of all days before this one, and says how many.
create function drop_request_log_partitions(before date) returns integer language plpgsql as $$
declare
  name text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('request_log_partitions', 0));
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'request_log'::regclass and c.relname < 'request_log_' || to_char(before, 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- The beginning of what a receiver answered, encrypted, because it may repeat what it was sent. Erased with the guest.
alter table delivery_attempt add column answer bytea;

-- The nodes that run, by their own account. Unlogged: after a crash of the server each is there again with its next
-- heartbeat.
create unlogged table node (
  id uuid primary key,
  -- The machine.
  host text not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- The remote systems that it does not call for the moment, because they have been failing.
  resting_systems text[] not null
);
