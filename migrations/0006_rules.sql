-- The rules of operators: availability rules take times away from partners or reserve them, booking rules say what a
-- booking has to fulfil.

create table availability_rule (
  id uuid primary key default gen_random_uuid(),
  venue_id text collate "C" not null references venue on delete cascade,
  product_id text collate "C" references product on delete cascade,
  space_id integer,
  effect text not null default 'disable' check (effect in ('disable', 'reserve')),
  type text not null check (type in ('date_range', 'recurring', 'time_based', 'specific_dates',
    'specific_dates_with_time', 'date_range_with_time', 'recurring_with_time')),
  definition jsonb not null,
  -- The partners it applies to: those in either list; both null: all partners. An empty list names none.
  partner_ids integer[],
  category_ids integer[],
  -- An expression that narrows the rule. Type json keeps the operator's order of members.
  scope json,
  channel text not null default 'all' check (channel in ('all', 'marketplace')),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (space_id, venue_id) references space (id, venue_id) on delete cascade,
  check (effect = 'disable'
    or cardinality(coalesce(partner_ids, '{}')) + cardinality(coalesce(category_ids, '{}')) > 0),
  check (channel = 'all' or (type = 'recurring' and effect = 'disable' and space_id is null
    and num_nonnulls(partner_ids, category_ids, scope) = 0))
);
create index availability_rule_venue on availability_rule (venue_id);

-- A partner or a category that is deleted is removed from the lists. A rule whose lists would then be empty is deleted:
-- without them it would apply to all partners.
create function leave_rules_as_partner() returns trigger language plpgsql as $$
begin
  delete from availability_rule
  where partner_ids = array[old.id] and coalesce(category_ids, '{}') = '{}';
  update availability_rule
  set partner_ids = array_remove(partner_ids, old.id), version = version + 1, updated_at = now()
  where old.id = any(partner_ids);
  return null;
end $$;
create trigger leave_rules after delete on partner for each row execute function leave_rules_as_partner();

create function leave_rules_as_category() returns trigger language plpgsql as $$
begin
  delete from availability_rule
  where category_ids = array[old.id] and coalesce(partner_ids, '{}') = '{}';
  update availability_rule
  set category_ids = array_remove(category_ids, old.id), version = version + 1, updated_at = now()
  where old.id = any(category_ids);
  return null;
end $$;
create trigger leave_rules after delete on partner_category
  for each row execute function leave_rules_as_category();

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
  -- What it applies to; null: everything. These are no foreign keys: an entry that is deleted elsewhere stays in the
  -- list, so that the rule does not come to apply to everything.
  partner_ids integer[],
  category_ids integer[],
  venue_ids text[],
  product_slugs text[],
  items text[],
  conditions jsonb not null,
  params jsonb,
  hook text check (hook in ('booking.create', 'booking.amend', 'payment')),
  -- Type json keeps the operator's order of members.
  expression json,
  actions json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((effect = 'expression') = (params is null)),
  check ((effect = 'expression') = (num_nonnulls(hook, expression, actions) = 3)),
  check (effect = 'expression' or num_nonnulls(hook, expression, actions) = 0)
);
create index booking_rule_operator on booking_rule (operator_id) where is_active;

-- The version of an operator's booking rules as a whole, see bump_rulebook(). A booking is written only if it is still
-- the one that the booking was checked with.
create table rulebook (
  operator_id integer primary key references operator on delete cascade,
  version bigint not null
);
