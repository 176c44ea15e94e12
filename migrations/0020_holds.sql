-- Places of the built-in systems that are kept for bookings which are not made yet. A hold ends by clock: what reads it
-- compares expires_at with its own present, and rows are deleted some time later. They are not reservations, so that
-- diaries, reports and feeds do not see them.

-- Only the advisory lock of the day keeps holds and stays apart: an exclusion constraint would not know the time.
create table house_hold (
  -- The id that the booking will have.
  id uuid primary key,
  product_id text collate "C" not null references product on delete cascade,
  venue_id text collate "C" not null,
  space_id integer references space on delete set null,
  trading_day date not null,
  -- The days whose locks decide on the place, see src/tms/house/claims.ts.
  lock_days date[] not null,
  starts_at timestamptz not null,
  duration_minutes smallint not null,
  guests smallint not null,
  -- A table that is removed ends the hold.
  table_ids integer[] not null,
  during tstzrange not null,
  expires_at timestamptz not null
);
create index house_hold_venue on house_hold (venue_id, upper(during));
create index house_hold_expiry on house_hold (expires_at);

-- The marks tell nodes that what they have cached has changed. The feed ignores holds, so is_fed stays as it is.
create function mark_held_days() returns trigger language plpgsql as $$
begin
  insert into house_day (venue_id, day, mark, is_fed)
  select venue_id, day, nextval('house_mark'), true from (
    select distinct venue_id, (lower(during) at time zone 'UTC')::date + later as day
    from changed_rows,
      generate_series(0, (upper(during) at time zone 'UTC')::date - (lower(during) at time zone 'UTC')::date) as later
    order by venue_id, day) as days
  on conflict (venue_id, day) do update set mark = excluded.mark;
  return null;
end $$;
call watch(array['house_hold'], 'mark_held_days');

create table ticket_hold (
  id uuid primary key,
  product_id text collate "C" not null references product on delete cascade,
  occurrence_id integer not null references ticket_occurrence on delete cascade,
  starts_at timestamptz not null,
  quantity smallint not null check (quantity >= 1),
  -- What was configured when the tickets were held: the booking gets them although either has changed since.
  price_pence integer not null,
  capacity integer not null,
  expires_at timestamptz not null
);
create index ticket_hold_occurrence on ticket_hold (occurrence_id, product_id);
create index ticket_hold_expiry on ticket_hold (expires_at);

-- The price at which the tickets were held; null: that of their type.
alter table ticket_reservation add column held_price_pence integer;
