-- What operators demand of bookings, and how the rules of an operator are told from those it had before.

create table booking_rule (
  id uuid primary key,
  operator_id integer not null references operator on delete cascade,
  version integer not null default 1,
  is_active boolean not null default true,
  effect text not null check (effect in ('route_to_enquiry', 'require_deposit', 'same_package', 'booking_window',
    'party_size_limit', 'require_preorder', 'suppress_preorder_email', 'expression')),
  priority integer not null,
  name text not null,
  description text,
  message text,
  -- Null: all of them. What is named and goes leaves a list that names nobody, so these are no foreign keys: a rule
  -- that has lost its aim must not hold for everybody.
  partner_ids integer[],
  category_ids integer[],
  venue_ids text[],
  product_slugs text[],
  items text[],
  conditions jsonb not null,
  params jsonb,
  hook text check (hook in ('booking.create', 'booking.amend', 'payment')),
  -- As the operator wrote them, in its own order of members.
  expression json,
  actions json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((effect = 'expression') = (params is null)),
  check ((effect = 'expression') = (num_nonnulls(hook, expression, actions) = 3)),
  check (effect = 'expression' or num_nonnulls(hook, expression, actions) = 0)
);
create index booking_rule_operator on booking_rule (operator_id) where is_active;

-- Rises whenever a rule of the operator is stored, changed or retired. A booking is written only if the rules it
-- was decided on are still those of its operator.
create table rulebook (
  operator_id integer primary key references operator on delete cascade,
  version bigint not null
);

create function bump_rulebook() returns trigger language plpgsql as $$
begin
  insert into rulebook (operator_id, version)
  select id, 1 from operator where id in (select operator_id from changed_rows)
  on conflict (operator_id) do update set version = rulebook.version + 1;
  perform pg_notify('changed', 'rules:' || operator_id) from changed_rows group by operator_id;
  return null;
end $$;
call watch(array['booking_rule'], 'bump_rulebook');

-- What rules have said about a booking: to its operator, and about what is to be paid when somebody last began to.
alter table booking
  add flags text[] not null default '{}',
  add skips_preorder_email boolean not null default false,
  add ruled_balance_pence bigint;
