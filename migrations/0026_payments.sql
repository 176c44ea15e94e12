-- Payments that are opened before they are authorised, the ledger of what moved, and the provider of the sandbox.

-- While nodes of the version before still serve, they cannot begin payments: their words for the states are refused.
alter table payment drop constraint payment_status_check;
drop index payment_pending;
update payment set status = case status when 'pending' then 'processing' when 'paid' then 'succeeded' else status end;
update payment set provider = 'sandbox' where provider = 'built-in';
alter table payment
  -- authorised: set aside at the provider, and not taken yet.
  add constraint payment_status_check
    check (status in ('requires_action', 'processing', 'authorised', 'succeeded', 'failed')),
  -- later: set aside first, and taken once the booking that it confirms is sure of its place.
  add column capture text not null default 'at_once' check (capture in ('at_once', 'later')),
  -- The account at the provider that the money goes to; null: the platform's own.
  add column account text,
  -- Why it failed, in words for the guest.
  add column failure_reason text,
  -- When a payment that nobody has completed is cancelled.
  add column ends_at timestamptz;
update payment set ends_at = created_at + interval '30 minutes';
alter table payment alter column ends_at set not null;
create index payment_open on payment (id) where status in ('requires_action', 'processing', 'authorised');
create index payment_reference on payment (provider_reference) where provider_reference is not null;
create index payment_created on payment (provider, created_at);

alter table refund drop constraint refund_reason_check;
alter table refund
  -- operator: somebody of the venue gave it back; provider: it was given back there, without us.
  add constraint refund_reason_check
    check (reason in ('fewer_tickets', 'cheaper', 'cancelled', 'rejected', 'overpaid', 'operator', 'provider')),
  add column provider_reference text,
  -- What the provider said when it last refused.
  add column failure_reason text;
create unique index refund_provider_reference on refund (payment_id, provider_reference)
  where provider_reference is not null;

alter table operator add column payment_account text;

-- Money that moved, each movement once. Entries are never changed; a mistake is followed by a correction.
create table ledger_entry (
  id uuid primary key,
  kind text not null check (kind in ('payment', 'refund', 'correction')),
  payment_id uuid not null references payment,
  refund_id uuid references refund,
  booking_id uuid not null references booking,
  operator_id integer not null references operator,
  -- Positive: taken; negative: given back.
  amount_pence bigint not null check (amount_pence <> 0),
  currency text not null,
  provider text not null,
  provider_reference text,
  account text,
  at timestamptz not null,
  check ((kind = 'refund') = (refund_id is not null))
);
create unique index ledger_payment on ledger_entry (payment_id) where kind = 'payment';
create unique index ledger_refund on ledger_entry (refund_id) where kind = 'refund';
create unique index ledger_correction on ledger_entry (payment_id, provider_reference) where kind = 'correction';
create index ledger_operator on ledger_entry (operator_id, at);
create index ledger_provider on ledger_entry (provider, at);

insert into ledger_entry
select y.id, 'payment', y.id, null, y.booking_id, b.operator_id, y.amount_pence, y.currency, y.provider,
  y.provider_reference, null, y.created_at
from payment y join booking b on b.id = y.booking_id where y.status = 'succeeded';
insert into ledger_entry
select r.id, 'refund', r.payment_id, r.id, r.booking_id, b.operator_id, -r.amount_pence, y.currency, y.provider, null,
  null, r.created_at
from refund r join payment y on y.id = r.payment_id join booking b on b.id = r.booking_id where r.status = 'done';

-- Where our ledger and the books of a provider differ, as the last comparison has found it.
create table payment_difference (
  provider text not null,
  kind text not null check (kind in ('not_there', 'not_here', 'amount')),
  -- The provider's name for the movement, or the id of our ledger entry where it has none.
  reference text not null,
  operator_id integer references operator,
  payment_id uuid references payment,
  ledger_pence bigint,
  provider_pence bigint,
  currency text not null,
  found_at timestamptz not null,
  primary key (provider, kind, reference)
);

-- Messages of providers, so that each is worked off once.
create table payment_notification (
  provider text not null,
  id text not null,
  received_at timestamptz not null,
  -- Null: the provider could not be asked, and sends the message again.
  handled_at timestamptz,
  primary key (provider, id)
);
create index payment_notification_received on payment_notification (received_at);

-- The books of the provider that comes with the sandbox; no money moves by it.
create table sandbox_payment (
  reference text primary key,
  payment_id uuid not null unique,
  amount_pence bigint not null,
  currency text not null,
  is_captured_later boolean not null,
  account text,
  status text not null check (status in ('open', 'authenticating', 'authorised', 'succeeded', 'cancelled')),
  -- What the guest paid with; it decides what becomes of refunds.
  token text,
  return_url text,
  -- When a status that comes later is reached: until then it is processing.
  settles_at timestamptz not null,
  created_at timestamptz not null
);
create index sandbox_payment_settles on sandbox_payment (settles_at, reference);
create table sandbox_refund (
  id uuid primary key,
  reference text not null references sandbox_payment,
  amount_pence bigint not null,
  settles_at timestamptz not null
);
create index sandbox_refund_reference on sandbox_refund (reference);

insert into sandbox_payment
select provider_reference, id, amount_pence, currency, false, null, 'succeeded', null, null, created_at, created_at
from payment where provider = 'sandbox' and status = 'succeeded' and provider_reference is not null;
insert into sandbox_refund
select r.id, y.provider_reference, r.amount_pence, r.created_at
from refund r join payment y on y.id = r.payment_id
where r.status = 'done' and y.provider = 'sandbox' and y.status = 'succeeded' and y.provider_reference is not null;
