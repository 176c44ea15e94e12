-- Bookings, what was paid for them, and the log of what happened to them. What guests say about themselves is
-- sealed with ENCRYPTION_KEY; the numbers of a booking stay readable, and stay when the guest is forgotten.

-- The name under which an operator's systems know the bookings of a partner.
create table partner_source (
  operator_id integer not null references operator on delete cascade,
  partner_id integer not null references partner on delete cascade,
  name text not null,
  primary key (operator_id, partner_id),
  unique (operator_id, name)
);
call watch(array['partner_source'], 'notify_mapping');

create trigger changed after insert or update or delete on operator_system
  for each statement execute function notify_changed('catalogue');

-- What is given back of a payment when a booking is cancelled: [{"hoursBefore": 48, "percent": 100}, …].
-- Nothing said: all of it, until the booking begins.
alter table product add refund_terms jsonb not null default '[]';

create table booking (
  id uuid primary key,
  partner_id integer not null references partner,
  -- Who made it: the partner's own client, or an agent's.
  client_id text not null,
  operator_id integer not null,
  venue_id text collate "C" not null,
  product_id text collate "C" not null references product,
  partner_booking_id text,
  -- The number that the system behind the venue has given it.
  operator_booking_id text,
  -- Through which door it came, and under which name the operator knows the partner.
  source text not null,
  partner_source text not null,
  type text not null check (type in ('book', 'request')),
  status text not null check (status in
    ('pending', 'in_progress', 'confirmed', 'rejected', 'cancelled', 'completed', 'no_show')),
  trading_day date not null,
  starts_minute smallint not null,
  starts_at timestamptz not null,
  duration_minutes smallint not null,
  -- Null: as long as the system gives such a party.
  wished_duration_minutes smallint,
  adults smallint not null check (adults >= 1),
  children smallint not null check (children >= 0),
  space_id integer,
  preorders jsonb not null,
  -- What the partner says it has taken, in pence; it may have a fraction.
  deposit_pence double precision,
  -- What the system charges for each guest, as it was when they were booked.
  price_per_guest_pence integer,
  -- Most have none, and are read without looking for them.
  has_payments boolean not null,
  -- Name, contact, company, labels and notes, sealed; null once forgotten.
  guest bytea,
  area_id integer,
  area_name text,
  tables text[] not null default '{}',
  is_auto_confirmed boolean not null,
  -- Whether the system has ever taken it, also when the place was given up again for an enquiry.
  was_placed boolean not null,
  -- Those of the product when it was booked: what is changed there later is not what was agreed.
  refund_terms jsonb not null,
  actual_guests smallint,
  actual_spend_pence integer,
  created_at timestamptz not null,
  -- When the system took it; null for an enquiry.
  tms_created_at timestamptz,
  last_update timestamptz not null,
  unique (partner_id, partner_booking_id)
);
create index booking_partner on booking (partner_id, id);
create index booking_operator on booking (operator_id, id);
create index booking_product on booking (product_id, id);
create index booking_operator_booking on booking (operator_booking_id);
-- What the jobs look for: visits that are over, and guests to be forgotten.
create index booking_open on booking (starts_at) where status = 'confirmed';
create index booking_guest on booking (starts_at) where guest is not null;

-- What is under way in a system that we can only call. It is written before the call and goes with its outcome;
-- what is left over after a crash or a cut is cleared up by whoever takes the lease next.
create table booking_intent (
  booking_id uuid primary key,
  tms text not null,
  partner_id integer not null,
  partner_booking_id text,
  client_id text not null,
  idempotency_key text,
  -- Equal for equal wishes, so that a repeated one can carry on where the first was cut.
  fingerprint bytea not null,
  -- As the system is asked, null for nothing: what it should hold as long as nothing else is written, and what it
  -- may hold because of the call.
  standing jsonb,
  wanted jsonb,
  lease uuid not null,
  leased_until timestamptz not null,
  -- How often the system has been found as we said it was since the call; it may still act late.
  checks smallint not null default 0,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  unique (partner_id, partner_booking_id),
  unique (client_id, idempotency_key)
);
create index booking_intent_due on booking_intent (next_check_at);

-- What an operator writes to the partner about a booking.
create table booking_message (
  id uuid primary key,
  booking_id uuid not null references booking on delete cascade,
  -- Sealed {text, replyTo}; null once the guest is forgotten.
  content bytea,
  created_at timestamptz not null
);
create index booking_message_booking on booking_message (booking_id);

create table payment (
  id uuid primary key,
  booking_id uuid not null references booking,
  option text not null check (option in ('full', 'deposit_25', 'deposit')),
  status text not null check (status in ('pending', 'paid', 'failed')),
  amount_pence bigint not null check (amount_pence > 0),
  currency text not null,
  method text,
  provider text not null,
  provider_reference text,
  checkout_url text,
  -- Who asked for it and with which key: a request that is sent again carries on with the payment of the first.
  client_id text not null,
  idempotency_key text,
  -- When a request last set out to charge it.
  asked_at timestamptz not null,
  created_at timestamptz not null
);
create index payment_booking on payment (booking_id);
create index payment_pending on payment (id) where status = 'pending';

create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  booking_id uuid not null references booking,
  reason text not null check (reason in ('fewer_tickets', 'cheaper', 'cancelled', 'rejected', 'overpaid')),
  -- Owed from the moment it is written; the provider is asked by a job until it is done.
  status text not null default 'due' check (status in ('due', 'done')),
  amount_pence bigint not null check (amount_pence > 0),
  -- An attempt is counted, and the next one put off, before the provider is asked: nobody else asks meanwhile, and a
  -- node that dies has made one attempt.
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null
);
create index refund_booking on refund (booking_id);
create index refund_due on refund (next_attempt_at) where status = 'due';

-- Everything that partners are told of, in the words they are told it.
create table event (
  id uuid primary key,
  type text not null check (type in ('booking.updated', 'message.received', 'venue.updated')),
  partner_id integer not null,
  venue_id text collate "C" not null,
  booking_id uuid,
  occurred_at timestamptz not null,
  -- The body of the notification, sealed; null once the guest in it is forgotten.
  body bytea
);
create index event_booking on event (booking_id);

-- Requests that carried an Idempotency-Key, and how they were answered.
create table idempotency_key (
  client_id text not null,
  key text not null,
  fingerprint bytea not null,
  -- Who is at work on it, and until when nobody else may be.
  lease uuid not null,
  leased_until timestamptz not null,
  -- Sealed; null while the first request is at work.
  answer bytea,
  created_at timestamptz not null,
  primary key (client_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);
