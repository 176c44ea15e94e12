-- Availability rules that are aimed at several partners, narrowed by an expression, or about the marketplace alone.

-- A marketplace sells on terms of its own: venues are linked to it as a whole, not product by product.
alter table partner add is_marketplace boolean not null default false;

alter table availability_rule
  -- Null: everybody. Naming any of both is enough; an empty list names nobody.
  add partner_ids integer[],
  add category_ids integer[],
  -- As the operator wrote it, in its own order of members.
  add scope json,
  add channel text not null default 'all' check (channel in ('all', 'marketplace')),
  add version integer not null default 1,
  add created_at timestamptz not null default now(),
  add updated_at timestamptz not null default now();

update availability_rule set
  partner_ids = case when partner_id is not null then array[partner_id] end,
  category_ids = case when category_id is not null then array[category_id] end;

-- Nodes of the version before still read these. To them a rule that they cannot understand is for nobody.
alter table availability_rule
  drop partner_id,
  drop category_id;
alter table availability_rule
  add partner_id integer generated always as (case
    when cardinality(partner_ids) = 1 and category_ids is null and scope is null then partner_ids[1]
    when effect = 'disable' and (num_nonnulls(partner_ids, category_ids, scope) > 0 or channel <> 'all') then 0
    end) stored,
  add category_id integer generated always as (case
    when cardinality(category_ids) = 1 and partner_ids is null and scope is null then category_ids[1] end) stored,
  add check (effect = 'disable'
    or cardinality(coalesce(partner_ids, '{}')) + cardinality(coalesce(category_ids, '{}')) > 0),
  add check (channel = 'all' or (type = 'recurring' and effect = 'disable' and space_id is null
    and num_nonnulls(partner_ids, category_ids, scope) = 0));

-- Who goes leaves the lists. A rule that has lost its whole aim goes too: without it, it would hold for everybody.
create function leave_rules_as_partner() returns trigger language plpgsql as $$
begin
  delete from availability_rule
  where partner_ids = array[old.id] and coalesce(category_ids, '{}') = '{}';
  update availability_rule set partner_ids = array_remove(partner_ids, old.id), version = version + 1, updated_at = now()
  where old.id = any(partner_ids);
  return null;
end $$;
create trigger leave_rules after delete on partner for each row execute function leave_rules_as_partner();

create function leave_rules_as_category() returns trigger language plpgsql as $$
begin
  delete from availability_rule
  where category_ids = array[old.id] and coalesce(partner_ids, '{}') = '{}';
  update availability_rule set category_ids = array_remove(category_ids, old.id), version = version + 1, updated_at = now()
  where old.id = any(category_ids);
  return null;
end $$;
create trigger leave_rules after delete on partner_category
  for each row execute function leave_rules_as_category();

-- The marketplace that a venue sells on. While it is enabled the partner distributes all products.
create table venue_marketplace (
  venue_id text collate "C" primary key references venue on delete cascade,
  partner_id integer not null references partner on delete cascade,
  -- What the marketplace calls the venue; null: it is not linked there yet.
  listing_id text,
  is_enabled boolean not null,
  -- What the venue's own system hides there: objects with productKey (null: all products) and weekdays.
  managed jsonb not null default '[]'
);
create index venue_marketplace_partner on venue_marketplace (partner_id);
call watch(array['venue_marketplace'], 'touch_venues');

create function offer_on_marketplace() returns trigger language plpgsql as $$
begin
  insert into product_mapping (partner_id, product_id, venue_id)
  select partner_id, new.id, new.venue_id
  from venue_marketplace join venue_mapping using (partner_id, venue_id)
  where venue_id = new.venue_id and is_enabled
  on conflict do nothing;
  return null;
end $$;
create trigger offer_on_marketplace after insert on product for each row execute function offer_on_marketplace();

create function forget_managed_product() returns trigger language plpgsql as $$
begin
  update venue_marketplace set managed = array_to_json(array(
    select entry from jsonb_array_elements(managed) with ordinality as listed (entry, position)
    where venue_id || '|' || (entry ->> 'productKey') is distinct from old.id order by position))::jsonb
  where venue_id = old.venue_id and managed @> jsonb_build_array(
    jsonb_build_object('productKey', substr(old.id, length(old.venue_id) + 2)));
  return null;
end $$;
create trigger forget_managed after delete on product for each row execute function forget_managed_product();
