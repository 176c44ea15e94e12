-- Holds of partners: whose they are, what they are for, on which terms, and until when. The place itself is kept by the
-- system of the venue under the same id. A hold ends by clock, whatever its state says.
create table hold (
  -- The id that the booking will have.
  id uuid primary key,
  partner_id integer not null references partner on delete cascade,
  client_id text not null,
  operator_id integer not null,
  venue_id text collate "C" not null,
  product_id text collate "C" not null references product on delete cascade,
  -- placing: a system over the network is being asked for the place; no caller sees the hold yet.
  state text not null check (state in ('placing', 'open', 'used', 'released', 'expired')),
  trading_day date not null,
  starts_minute smallint not null,
  starts_at timestamptz not null,
  -- Null while the system has not said how long the party stays.
  duration_minutes smallint,
  requested_duration_minutes smallint,
  adults smallint not null,
  children smallint not null,
  space_id integer,
  -- What was offered, and the rules and prices behind it: a booking that uses the hold is made on these.
  terms jsonb not null,
  -- The offer, signed; null while it is being placed.
  offer_token text,
  is_extended boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was used or released, or found to have expired.
  ended_at timestamptz
);
create index hold_partner_venue on hold (partner_id, venue_id, expires_at) where state in ('placing', 'open');
create index hold_operator on hold (operator_id, expires_at);
-- What the sweeper looks for.
create index hold_expiry on hold (expires_at) where state in ('placing', 'open');
create index hold_ended on hold (ended_at) where ended_at is not null;

-- Prices and rules that were offered with the hold of a booking, and bind its payments; null: those of today do.
alter table booking add column held_terms jsonb;
