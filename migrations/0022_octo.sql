-- What the OCTO channel keeps of a reservation besides the hold and the booking, which have the same id. Whether it is
-- confirmed is not stored here: it is when there is a booking.
create table octo_booking (
  -- The uuid that the reseller has given, or ours.
  id uuid primary key,
  partner_id integer not null references partner,
  -- Of the request that made it: the same one again is answered alike.
  fingerprint bytea not null,
  -- holding: the system of the venue is being asked; no caller sees it yet.
  state text not null check (state in ('holding', 'held', 'cancelled')),
  product_id text collate "C" not null,
  starts_at timestamptz not null,
  time_zone text not null,
  duration_minutes integer not null,
  -- Each with uuid, unitId and resellerReference.
  units jsonb not null,
  reseller_reference text,
  -- Sealed: the contact, the notes and the reason of a cancellation. Null once the guest is forgotten.
  details bytea,
  expires_at timestamptz not null,
  refund text check (refund in ('FULL', 'PARTIAL', 'NONE')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  cancelled_at timestamptz,
  -- Names the request that works on it.
  lease uuid,
  leased_until timestamptz
);
create index octo_booking_reference on octo_booking (partner_id, reseller_reference);
create index octo_booking_start on octo_booking (partner_id, starts_at);
create index octo_booking_expiry on octo_booking (expires_at);

-- Forgetting the guest of a booking forgets what the channel knows of them.
create function forget_octo_details() returns trigger language plpgsql as $$
begin
  update octo_booking set details = null where id = new.id and details is not null;
  return null;
end $$;
create trigger forget_octo_details after update of guest on booking
  for each row when (old.guest is not null and new.guest is null) execute function forget_octo_details();
