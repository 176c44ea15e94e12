-- Orders: several bookings asked for with one request. Every item is written down, with the id that its booking will
-- have, before any system is called; so whoever goes on after a crash knows what was done and what was not.
create table booking_order (
  id uuid primary key,
  partner_id integer not null references partner,
  client_id text not null,
  -- The names under which the request can be sent again; the key is free for another one after a day.
  partner_order_id text,
  idempotency_key text,
  -- Of the whole request.
  fingerprint bytea not null,
  -- All of its items or none.
  is_atomic boolean not null,
  source text not null,
  -- Who is at work on it, and until when nobody else may be.
  lease uuid not null,
  leased_until timestamptz not null,
  created_at timestamptz not null,
  -- When the last item was done with; null while somebody is at work, or should be.
  settled_at timestamptz,
  unique (partner_id, partner_order_id),
  unique (client_id, idempotency_key)
);
create index booking_order_open on booking_order (leased_until) where settled_at is null;

create table booking_order_item (
  order_id uuid not null references booking_order on delete cascade,
  position smallint not null,
  product_id text collate "C" not null,
  -- Known before the booking is there.
  booking_id uuid not null,
  status text not null check (status in ('waiting', 'booked', 'failed')),
  -- What was done with it on the way, in an order of all or nothing.
  trail text[],
  -- Why it failed.
  error_code text,
  -- Sealed: the request while it waits, what else there is to say of its failure afterwards.
  content bytea,
  primary key (order_id, position),
  check ((status = 'failed') = (error_code is not null))
);
create unique index booking_order_item_booking on booking_order_item (booking_id) where status = 'booked';
-- What can be forgotten one day.
create index booking_order_item_content on booking_order_item (order_id) where content is not null;
