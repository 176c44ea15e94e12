-- How deposits come in: the partner takes them and says so, or guests pay here and the booking is confirmed by it.
alter table venue_mapping add column deposit text not null default 'declared'
  check (deposit in ('declared', 'before_confirmation'));

alter table booking
  -- What is due ahead, as it was agreed when the booking was made; null: what the product asks for.
  add column deposit_due_pence integer check (deposit_due_pence >= 0),
  -- Until when its place is kept for the payment that confirms it; null: it waits for none.
  add column payment_until timestamptz;

create index booking_unpaid on booking (payment_until) where payment_until is not null;
