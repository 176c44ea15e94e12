-- Where partners want to be told of what happens, what is sent there, and how that went.

create table webhook (
  id uuid primary key,
  partner_id integer not null references partner on delete cascade,
  callback_url text not null,
  -- The same however the address is spelt: a partner is told once at each.
  address text collate "C" not null,
  -- Null: every type, also those that do not exist yet.
  event_types text[],
  label text,
  is_active boolean not null default true,
  -- Sealed, and bound to the id. The one before still signs for a while, so that receivers can change over.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  unique (partner_id, address),
  check ((previous_secret is null) = (previous_until is null))
);

-- Whoever has claimed something for a subscription hears at once that it was paused, changed or deleted.
create function notify_webhook() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'webhook:' || old.id);
  return null;
end $$;
create trigger changed after update or delete on webhook for each row execute function notify_webhook();

-- One event on its way to one subscription, written in the statement that writes the event. The subscription is no
-- foreign key: one that is deleted at that moment must not fail the booking that the event is about, and what was
-- sent to it stays in the log.
create table delivery (
  id uuid primary key,
  event_id uuid not null references event on delete cascade,
  webhook_id uuid not null,
  partner_id integer not null,
  -- Asked for by the partner, and sent even where the subscription is paused or has not asked for this type.
  is_replay boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dropped')),
  attempts smallint not null default 0,
  -- The next attempt. Whoever claims it puts this off, so that nobody else attempts meanwhile, and somebody does if
  -- the claimant dies.
  due_at timestamptz not null,
  claim uuid,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index delivery_pending on delivery (webhook_id, due_at, event_id) where status = 'pending';
-- All that a paused subscription gets; what else waits for it is not to be passed over by every claim.
create index delivery_replayed on delivery (webhook_id, due_at, event_id) where status = 'pending' and is_replay;
create index delivery_of_partner on delivery (partner_id, created_at, id);
create index delivery_dropped on delivery (partner_id, created_at, id) where status = 'dropped';
create index delivery_of_event on delivery (event_id);

create table delivery_attempt (
  delivery_id uuid not null references delivery on delete cascade,
  number smallint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Of the answer; null when there was none, and then the error says what there was.
  status_code smallint,
  error text,
  primary key (delivery_id, number)
);

-- How many tests a partner has asked for in the window that began then.
create table webhook_test_window (
  partner_id integer primary key references partner on delete cascade,
  began_at timestamptz not null,
  calls integer not null
);

create index event_of_partner on event (partner_id, occurred_at, id);

-- The order in which the log is read. A number is taken before its event is committed, so that a higher one may be
-- visible first; whoever takes one locks the last that was taken before, and so tells readers from where on something
-- may still come. Neither times nor transaction ids would do: clocks are set back, and a restored dump counts anew.
create sequence event_position;

create function next_event_position() returns bigint language plpgsql as $$
begin
  -- The first lock of a transaction speaks for whatever it takes after that.
  if coalesce(current_setting('maitred.takes_positions', true), '') = '' then
    perform pg_advisory_xact_lock_shared(8062, ((select last_value from event_position) & 2147483647)::integer),
      set_config('maitred.takes_positions', 'true', true);
  end if;
  return nextval('event_position');
end $$;

-- Up to here every event is committed, or never will be, for whoever looks after this was asked. What is locked are
-- the lower 31 bits; half a circle away from the last number is one that was locked since.
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

alter table event add position bigint;
update event e set position = n.position
from (select id, row_number() over (order by occurred_at, id) as position from event) n where n.id = e.id;
-- One further, because a sequence that was never used says that its first number was taken.
select setval('event_position', 1 + (select count(*) from event));
alter table event alter position set not null, alter position set default next_event_position();
create unique index event_in_order on event (partner_id, position);
