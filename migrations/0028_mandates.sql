-- What a client may do at most on behalf of others. A client without a row is not limited.

-- Versions are never used twice: a mandate that is deleted and given again has another one.
create sequence mandate_version;

create table mandate (
  client_id text primary key references client on delete cascade,
  -- Bookings compare it when they are written, as they do with the versions of venues.
  version bigint not null default nextval('mandate_version'),
  -- Null: no such limit.
  max_party_size integer,
  max_deposit_pence bigint,
  max_open_bookings integer,
  max_bookings_per_day integer,
  max_days_ahead integer,
  venue_ids text[],
  cities text[],
  confirm_party_size integer,
  confirm_deposit_pence bigint
);

create function notify_mandate() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'mandate:' || coalesce(new.client_id, old.client_id));
  return null;
end $$;
create trigger changed after insert or update or delete on mandate for each row execute function notify_mandate();

-- Confirmations that have been used. One counts as used for as long as what it was used for is there, so that a booking
-- that came to nothing does not use it up.
create table mandate_confirmation (
  id bytea primary key,
  client_id text not null,
  -- The booking, or the hold or reservation that will have this id as a booking.
  booking_id uuid not null,
  -- What was confirmed: a hash of the stay, and the deposit.
  stay bytea not null,
  deposit_pence bigint not null,
  used_at timestamptz not null
);
create index mandate_confirmation_booking on mandate_confirmation (booking_id);
create index mandate_confirmation_used on mandate_confirmation (used_at);

-- Who has made a reservation of the OCTO channel; null: it was made before this was stored.
alter table octo_booking add column client_id text;

-- What counts for a client.
create index booking_client_created on booking (client_id, created_at);
create index booking_client_open on booking (client_id, starts_at)
  where status in ('pending', 'in_progress', 'confirmed');
create index hold_client on hold (client_id, expires_at) where state in ('placing', 'open');
create index octo_booking_client on octo_booking (client_id, expires_at);
