-- Bookings, calls to remote systems that are under way, messages, payments, orders and idempotency keys. Guest data is
-- encrypted with ENCRYPTION_KEY and erased after a while; the numbers of a booking stay readable.

create table booking (
  id uuid primary key,
  partner_id integer not null references partner,
  -- The client that made it: the partner's own, or an agent's.
  client_id text not null,
  operator_id integer not null,
  venue_id text collate "C" not null,
  product_id text collate "C" not null references product,
  partner_booking_id text,
  -- The reference that the system of the venue has given it.
  operator_booking_id text,
  -- The interface it was made through, and the operator's name for the partner.
  source text not null,
  partner_source text not null,
  type text not null check (type in ('book', 'request')),
  status text not null check (status in
    ('pending', 'in_progress', 'confirmed', 'rejected', 'cancelled', 'completed', 'no_show')),
  trading_day date not null,
  starts_minute smallint not null,
  starts_at timestamptz not null,
  duration_minutes smallint not null,
  -- Null: the system's duration for such a party.
  requested_duration_minutes smallint,
  adults smallint not null check (adults >= 1),
  children smallint not null check (children >= 0),
  space_id integer,
  preorders jsonb not null,
  -- What the partner says it has taken, in pence; it may have a fraction.
  deposit_pence numeric,
  -- The system's price per guest at the time of booking.
  price_per_guest_pence integer,
  -- Most bookings have none and are read without a query for them.
  has_payments boolean not null,
  -- Name, contact, company, labels and notes, encrypted; null once erased.
  guest bytea,
  area_id integer,
  area_name text,
  tables text[] not null default '{}',
  is_auto_confirmed boolean not null,
  -- Whether the system has ever accepted it, also if the place was released again for an enquiry.
  was_placed boolean not null,
  -- Those of the product at the time of booking.
  refund_terms jsonb not null,
  actual_guests smallint,
  actual_spend_pence integer,
  -- What booking rules have decided: flags for the operator, and the balance when a payment was last begun.
  flags text[] not null default '{}',
  skips_preorder_email boolean not null default false,
  ruled_balance_pence bigint,
  created_at timestamptz not null,
  -- When the system accepted it; null for an enquiry.
  tms_created_at timestamptz,
  last_update timestamptz not null,
  unique (partner_id, partner_booking_id)
);
-- Lists and filters of partners.
create index booking_partner on booking (partner_id, id);
create index booking_partner_update on booking (partner_id, last_update);
create index booking_partner_day on booking (partner_id, trading_day, status);
create index booking_product_partner on booking (product_id, partner_id, id);
create index booking_operator_booking on booking (operator_booking_id);
-- Lists of operators, and the enquiries that they have to answer.
create index booking_operator on booking (operator_id, id);
create index booking_operator_start on booking (operator_id, starts_at, id);
create index booking_operator_created on booking (operator_id, created_at, id);
create index booking_operator_enquiry on booking (operator_id, starts_at, id)
  where status in ('pending', 'in_progress');
-- Jobs: visits that are over, and guest data to erase.
create index booking_open on booking (starts_at) where status = 'confirmed';
create index booking_guest on booking (starts_at) where guest is not null;

-- The number of bookings, for the totals of lists: one row per statement, added up by a job now and then. A single
-- counter row would make concurrent bookings wait for each other.
create table booking_count (
  partner_id integer not null,
  operator_id integer not null,
  bookings bigint not null
);
create index booking_count_whose on booking_count (partner_id, operator_id) include (bookings);

create function count_bookings() returns trigger language plpgsql as $$
begin
  insert into booking_count (partner_id, operator_id, bookings)
  select partner_id, operator_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by partner_id, operator_id;
  return null;
end $$;
create trigger count_made after insert on booking referencing new table as changed
  for each statement execute function count_bookings();
create trigger count_gone after delete on booking referencing old table as changed
  for each statement execute function count_bookings();

-- A call to a remote system that is under way. The row is written before the call and deleted with its outcome; after a
-- crash or a lost connection, the node that takes the lease next finds out what the system did.
create table booking_intent (
  booking_id uuid primary key,
  tms text not null,
  partner_id integer not null,
  partner_booking_id text,
  client_id text not null,
  idempotency_key text,
  -- Equal for equal requests, so that a repeated request continues an interrupted one.
  fingerprint bytea not null,
  -- What the system is to hold if the call has no effect, and what it may hold because of the call; null: nothing.
  standing jsonb,
  wanted jsonb,
  -- Whether the operator asked for the change, not the partner: then everything paid is refunded.
  is_by_operator boolean not null default false,
  lease uuid not null,
  leased_until timestamptz not null,
  -- How often the system has been found in the expected state since the call; it may still act late.
  checks smallint not null default 0,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  unique (partner_id, partner_booking_id),
  unique (client_id, idempotency_key)
);
create index booking_intent_due on booking_intent (next_check_at);

-- Messages from an operator to the partner about a booking.
create table booking_message (
  id uuid primary key,
  booking_id uuid not null references booking on delete cascade,
  -- {text, replyTo}, encrypted; null once the guest data is erased.
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
  -- A repeated request with the same key continues this payment.
  client_id text not null,
  idempotency_key text,
  -- When a request last began to charge it.
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
  -- A job asks the provider until a refund that is due is done.
  status text not null default 'due' check (status in ('due', 'done')),
  amount_pence bigint not null check (amount_pence > 0),
  -- Set before the provider is asked, so that no other node asks at the same time, and a crash counts as an attempt.
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null
);
create index refund_payment on refund (payment_id);
create index refund_due on refund (next_attempt_at) where status = 'due';

-- Several bookings requested at once. Every item is written with the id of its future booking before any system is
-- called, so that an order can be continued after a crash.
create table booking_order (
  id uuid primary key,
  partner_id integer not null references partner,
  client_id text not null,
  -- Both identify a repeated request. The key is cleared after a day.
  partner_order_id text,
  idempotency_key text,
  -- Of the whole request.
  fingerprint bytea not null,
  -- All items or none.
  is_atomic boolean not null,
  source text not null,
  lease uuid not null,
  leased_until timestamptz not null,
  created_at timestamptz not null,
  -- When the last item was finished; null: not yet.
  settled_at timestamptz,
  unique (partner_id, partner_order_id),
  unique (client_id, idempotency_key)
);
create index booking_order_open on booking_order (leased_until) where settled_at is null;

create table booking_order_item (
  order_id uuid not null references booking_order on delete cascade,
  position smallint not null,
  product_id text collate "C" not null,
  -- Assigned before the booking exists.
  booking_id uuid not null,
  status text not null check (status in ('waiting', 'booked', 'failed')),
  -- The steps that were taken with it, in an atomic order.
  trail text[],
  -- Why it failed.
  error_code text,
  -- Encrypted: the request while it waits, the details of the failure afterwards.
  content bytea,
  primary key (order_id, position),
  check ((status = 'failed') = (error_code is not null))
);
create unique index booking_order_item_booking on booking_order_item (booking_id) where status = 'booked';
-- For the job that erases guest data.
create index booking_order_item_content on booking_order_item (order_id) where content is not null;

-- Requests with an Idempotency-Key, and their answers.
create table idempotency_key (
  client_id text not null,
  key text not null,
  fingerprint bytea not null,
  lease uuid not null,
  leased_until timestamptz not null,
  -- Encrypted; null while the first request is being processed.
  answer bytea,
  created_at timestamptz not null,
  primary key (client_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);
