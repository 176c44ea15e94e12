-- The waiting list: parties that want a place where nothing is free, and what they are offered.

create table waitlist_entry (
  id uuid primary key,
  -- Null: the house has put the party on the list; origin says how it came in.
  partner_id integer references partner on delete cascade,
  origin text check (origin in ('phone', 'walk_in', 'email', 'website', 'other')),
  -- The client or user that put it there.
  client_id text not null,
  operator_id integer not null,
  venue_id text collate "C" not null references venue on delete cascade,
  product_id text collate "C" not null references product on delete cascade,
  trading_day date not null,
  -- The first and the last start that the party would take, as minutes of the trading day.
  from_minute smallint not null,
  to_minute smallint not null check (to_minute >= from_minute),
  -- The instant of the last start: from then on nobody waits any more.
  ends_at timestamptz not null,
  adults smallint not null check (adults >= 1),
  children smallint not null check (children >= 0),
  space_id integer,
  -- For the booking that it may become.
  partner_booking_id text,
  -- Name, contact and the secret of the link in mails, encrypted; null once the guest is forgotten.
  guest bytea,
  -- Of that secret; null: there is none, or the guest is forgotten.
  link_hash bytea unique,
  -- offered and waiting end by clock; whether an offer was used, the booking says that has the id of its hold.
  status text not null check (status in ('waiting', 'offered', 'booked', 'expired', 'removed')),
  -- Where the operator has put it on the list of its day; null: after those, in the order in which they came.
  rank integer,
  hold_id uuid unique,
  offer_minute smallint,
  offer_starts_at timestamptz,
  offer_duration_minutes smallint,
  offer_ends_at timestamptz,
  created_at timestamptz not null,
  last_update timestamptz not null,
  check ((partner_id is null) = (origin is not null)),
  check (num_nonnulls(hold_id, offer_minute, offer_starts_at, offer_duration_minutes, offer_ends_at) in (0, 5)),
  check (status not in ('offered', 'booked') or hold_id is not null)
);
create index waitlist_entry_open on waitlist_entry (venue_id, trading_day, rank, id)
  where status in ('waiting', 'offered');
create index waitlist_entry_venue on waitlist_entry (venue_id, trading_day, id);
create index waitlist_entry_partner on waitlist_entry (partner_id, product_id, id);
-- For jobs: what has ended by clock, and what is old enough to be deleted.
create index waitlist_entry_ends on waitlist_entry (ends_at);

-- The days that have a list. One node at a time makes offers of a day, so that they go in the order of the list; the
-- lease ends by clock when it dies.
create table waitlist_day (
  venue_id text collate "C" not null references venue on delete cascade,
  trading_day date not null,
  -- When free places were last looked for.
  looked_at timestamptz not null default '-infinity',
  leased_until timestamptz not null default '-infinity',
  primary key (venue_id, trading_day)
);

create function notify_waitlist(is_wanted boolean) returns void language plpgsql as $$
begin
  if is_wanted then
    perform pg_notify('changed', 'waitlist');
  end if;
end $$;

-- Whatever changes a diary can make a place free. Only days that are waited for are notified, because transactions that
-- notify commit one after the other.
create function tell_waitlist() returns trigger language plpgsql as $$
begin
  perform notify_waitlist(exists (
    select from changed_rows c join waitlist_entry e on e.venue_id = c.venue_id
    where e.status = 'waiting' and (c.days is null or e.trading_day = any(c.days))));
  return null;
end $$;
create trigger tell_waitlist after insert on diary_change referencing new table as changed_rows
  for each statement execute function tell_waitlist();

create function tell_waitlist_of_entries() returns trigger language plpgsql as $$
begin
  perform notify_waitlist(exists (select from changed_rows where status = 'waiting'));
  return null;
end $$;
create trigger tell_made after insert on waitlist_entry referencing new table as changed_rows
  for each statement execute function tell_waitlist_of_entries();

create function tell_waitlist_of_holds() returns trigger language plpgsql as $$
begin
  perform notify_waitlist(exists (
    select from changed_rows c join waitlist_entry e on e.venue_id = c.venue_id and e.trading_day = c.trading_day
    where e.status = 'waiting'));
  return null;
end $$;
create trigger tell_waitlist after delete on house_hold referencing old table as changed_rows
  for each statement execute function tell_waitlist_of_holds();

-- Forgetting the guest of a booking forgets the guest of the entry that it came from.
create function forget_waiting_guest() returns trigger language plpgsql as $$
begin
  update waitlist_entry set guest = null, link_hash = null where hold_id = new.id and guest is not null;
  return null;
end $$;
create trigger forget_waiting_guest after update of guest on booking
  for each row when (old.guest is not null and new.guest is null) execute function forget_waiting_guest();
