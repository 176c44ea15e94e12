-- The event log, the webhooks that partners subscribe with, and the deliveries of events to webhooks.

-- The order in which the log is read. A number is taken before its event is committed, so a higher one may become
-- visible first. A transaction therefore holds a shared lock on the last number taken before its own, which tells
-- readers up to where the log is complete. Times and transaction ids are unsuitable: clocks are set back, and a
-- restored dump has new transaction ids.
create sequence event_position;
-- A sequence that was never used reports its first number as taken; this makes it true.
select setval('event_position', 1);

create function next_event_position() returns bigint language plpgsql as $$
begin
  -- The first lock of a transaction covers all numbers that it takes later.
  if coalesce(current_setting('maitred.takes_positions', true), '') = '' then
    perform pg_advisory_xact_lock_shared(8062, ((select last_value from event_position) & 2147483647)::integer),
      set_config('maitred.takes_positions', 'true', true);
  end if;
  return nextval('event_position');
end $$;

-- The position up to which every event is committed or will never be, for reads that begin after this call. The locks
-- hold the lower 31 bits of a number; a distance above half of that range belongs to a lock taken since.
create function settled_event_position() returns bigint language plpgsql as $$
declare
  last_taken bigint := (select last_value from event_position);
begin
  return last_taken - coalesce((
    select max(behind) from (
      select (last_taken - objid::bigint) & 2147483647 as behind from pg_locks
      where locktype = 'advisory' and classid = 8062 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())) locked
    where behind < 1073741824), 0);
end $$;

create table event (
  id uuid primary key,
  position bigint not null default next_event_position(),
  type text not null,
  partner_id integer not null,
  venue_id text collate "C" not null,
  booking_id uuid,
  occurred_at timestamptz not null,
  -- The body of the notification, encrypted; null once the guest data in it is erased.
  body bytea
);
create unique index event_in_order on event (partner_id, position);
create index event_of_partner on event (partner_id, occurred_at, id);
create index event_booking on event (booking_id);

create table webhook (
  id uuid primary key,
  partner_id integer not null references partner on delete cascade,
  callback_url text not null,
  -- The normalised URL: a partner has one webhook per address.
  address text collate "C" not null,
  -- Null: all types, including future ones.
  event_types text[],
  label text,
  is_active boolean not null default true,
  -- Encrypted, and bound to the id. The previous secret signs as well for a while, so that receivers can change over.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  unique (partner_id, address),
  check ((previous_secret is null) = (previous_until is null))
);

-- One event for one webhook, written in the statement that writes the event. webhook_id is no foreign key: a webhook
-- that is deleted at that moment must not fail the booking that the event is about, and its log is kept.
create table delivery (
  id uuid primary key,
  event_id uuid not null references event on delete cascade,
  webhook_id uuid not null,
  partner_id integer not null,
  -- Requested by the partner; sent also if the webhook is paused or not subscribed to the type.
  is_replay boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dropped')),
  attempts smallint not null default 0,
  -- The next attempt. A node that claims the delivery sets it to the end of its lease, so that another node tries only
  -- if this one dies.
  due_at timestamptz not null,
  claim uuid,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index delivery_pending on delivery (webhook_id, due_at, event_id) where status = 'pending';
-- A paused webhook gets replays only; without this index, each claim would pass over all its other deliveries.
create index delivery_replayed on delivery (webhook_id, due_at, event_id) where status = 'pending' and is_replay;
create index delivery_of_partner on delivery (partner_id, created_at, id);
create index delivery_dropped on delivery (partner_id, created_at, id) where status = 'dropped';
create index delivery_of_event on delivery (event_id);

create table delivery_attempt (
  delivery_id uuid not null references delivery on delete cascade,
  number smallint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Of the answer; null: no answer, see error.
  status_code smallint,
  error text,
  primary key (delivery_id, number)
);

-- The rate limit for test calls: how many a partner has made in the current window.
create table webhook_test_window (
  partner_id integer primary key references partner on delete cascade,
  began_at timestamptz not null,
  calls integer not null
);
