-- What happens when a row changes: nodes are notified and drop what they have cached, versions grow, feeds become due.
-- Notifications go to the channel «changed» with a topic, and are sent at commit. docs/database.md has a diagram.

-- Calls a function after each statement that inserts, updates or deletes rows of these tables, with the rows in
-- changed_rows. An update calls it twice, with the new and with the old rows: a trigger with a transition table can be
-- for one event only.
create procedure watch(tables text[], function_name text) language plpgsql as $$
declare
  watched text;
  suffix text;
  what text;
begin
  foreach watched in array tables loop
    for suffix, what in values
      ('_inserted', 'insert on %I referencing new'),
      ('_updated', 'update on %I referencing new'),
      ('_left', 'update on %I referencing old'),
      ('_deleted', 'delete on %I referencing old')
    loop
      execute format('create trigger %I after ' || what || ' table as changed_rows
        for each statement execute function %I()', function_name || suffix, watched, function_name);
    end loop;
  end loop;
end $$;

-- Topics without an id.

create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', tg_argv[0]);
  return null;
end $$;

do $$
declare
  watched text;
  topic text;
begin
  for watched, topic in values
    ('client', 'identity'), ('client_secret', 'identity'), ('agent_partner', 'identity'), ('partner', 'identity'),
    ('signing_key', 'identity'),
    ('category', 'catalogue'), ('venue_type', 'catalogue'), ('operator', 'catalogue'), ('operator_system', 'catalogue')
  loop
    execute format('create trigger changed after insert or update or delete on %I
      for each statement execute function notify_changed(%L)', watched, topic);
  end loop;
end $$;
create trigger changed after insert on mail for each statement execute function notify_changed('mail');

-- Venues: topic venue:<id>. A change below a venue counts as a change of the venue.

create function touch_venues() returns trigger language plpgsql as $$
begin
  update venue set updated_at = updated_at where id in (select distinct venue_id from changed_rows);
  return null;
end $$;
call watch(array['venue_photo', 'venue_hours', 'venue_exception', 'space', 'minimum_spend_override', 'package', 'menu',
  'menu_item', 'product', 'product_hours', 'product_exception', 'product_space', 'product_package', 'product_menu',
  'venue_marketplace', 'availability_rule', 'house_zone', 'house_area', 'house_table', 'house_combination',
  'house_product', 'house_product_zone', 'house_space_zone', 'ticket_occurrence', 'ticket_type'], 'touch_venues');

-- Answers show milliseconds, so two changes in the same millisecond get different ones.
create function stamp_venue() returns trigger language plpgsql as $$
begin
  new.updated_at = greatest(
    date_trunc('milliseconds', clock_timestamp()),
    date_trunc('milliseconds', old.updated_at) + interval '1 millisecond'
  );
  return new;
end $$;
create trigger stamp before update on venue for each row execute function stamp_venue();

create function notify_venue() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'venue:' || coalesce(new.id, old.id));
  return null;
end $$;
create trigger changed after insert or update or delete on venue for each row execute function notify_venue();

-- The address of a feed and its readers are part of the venue as partners read it.
create function notify_feed() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'venue:' || coalesce(new.venue_id, old.venue_id));
  return null;
end $$;
create trigger tell after insert or delete on feed_channel for each row execute function notify_feed();
create trigger tell_moved after update on feed_channel for each row
  when (old.token <> new.token or old.reader_ids <> new.reader_ids) execute function notify_feed();

-- Mappings: topic mapping:<partner>.

create function notify_mapping() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'mapping:' || partner_id) from changed_rows
  where partner_id is not null group by partner_id;
  return null;
end $$;
call watch(array['venue_mapping', 'product_mapping', 'partner_operator', 'partner_source', 'partner_category_member'],
  'notify_mapping');

create function stamp_mapping() returns trigger language plpgsql as $$
begin
  new.version = nextval('mapping_version');
  return new;
end $$;
create trigger stamp before update on venue_mapping for each row execute function stamp_mapping();

-- A partner's source and categories are read together with the mapping, so a change of them renews its version.
create function renew_mappings_of_source() returns trigger language plpgsql as $$
begin
  update venue_mapping m set version = m.version from changed_rows c, venue v
  where m.partner_id = c.partner_id and v.id = m.venue_id and v.operator_id = c.operator_id;
  return null;
end $$;
call watch(array['partner_source'], 'renew_mappings_of_source');

create function renew_mappings_of_member() returns trigger language plpgsql as $$
begin
  update venue_mapping m set version = m.version from changed_rows c, partner_category g, venue v
  where m.partner_id = c.partner_id and g.id = c.category_id and v.id = m.venue_id and v.operator_id = g.operator_id;
  return null;
end $$;
call watch(array['partner_category_member'], 'renew_mappings_of_member');

-- Booking rules: topic rules:<operator>, and the version in rulebook.

create function bump_rulebook() returns trigger language plpgsql as $$
begin
  insert into rulebook (operator_id, version)
  select id, 1 from operator where id in (select operator_id from changed_rows)
  on conflict (operator_id) do update set version = rulebook.version + 1;
  perform pg_notify('changed', 'rules:' || operator_id) from changed_rows group by operator_id;
  return null;
end $$;
call watch(array['booking_rule'], 'bump_rulebook');

-- Webhooks: topic webhook:<id>, so that a node that has claimed deliveries learns of a pause, a change or a deletion.

create function notify_webhook() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'webhook:' || old.id);
  return null;
end $$;
create trigger changed after update or delete on webhook for each row execute function notify_webhook();

-- Feeds: a new mark makes the feed of a venue due.

-- Locks the venues, so that one that is being deleted is waited for and left out; else its row in feed_venue would
-- violate the foreign key.
create function change_feed(venue_ids text[]) returns void language sql as $$
  insert into feed_venue (venue_id, mark)
  select id, nextval('feed_mark')
  from (select id from venue where id = any(venue_ids) order by id for key share) present
  -- Taken while the row is locked: of two concurrent changes the later one gets the higher mark.
  on conflict (venue_id) do update set mark = nextval('feed_mark');
$$;

create function change_feed_of_venue() returns trigger language plpgsql as $$
begin
  perform change_feed(array[new.id]);
  return null;
end $$;
create trigger change_feed after insert or update on venue for each row execute function change_feed_of_venue();

create function change_feed_of_mapping() returns trigger language plpgsql as $$
begin
  perform change_feed(array(select distinct venue_id from changed_rows));
  return null;
end $$;
call watch(array['venue_mapping', 'product_mapping'], 'change_feed_of_mapping');

create function change_feed_of_operator() returns trigger language plpgsql as $$
begin
  perform change_feed(array(select id from venue where operator_id = new.operator_id));
  return null;
end $$;
create trigger change_feed after insert or update on rulebook for each row execute function change_feed_of_operator();

create function change_feed_of_category() returns trigger language plpgsql as $$
begin
  perform change_feed(array(
    select v.id from venue v join venue_mapping m on m.venue_id = v.id join partner_category g using (operator_id)
    join changed_rows c on c.category_id = g.id and c.partner_id = m.partner_id));
  return null;
end $$;
call watch(array['partner_category_member'], 'change_feed_of_category');

-- When a category is deleted, the trigger of its members no longer finds it.
create function change_feed_of_categories() returns trigger language plpgsql as $$
begin
  perform change_feed(array(select v.id from venue v join changed_rows using (operator_id)));
  return null;
end $$;
call watch(array['partner_category'], 'change_feed_of_categories');

-- A partner is suspended or admitted again.
create function change_feed_of_association() returns trigger language plpgsql as $$
begin
  perform change_feed(array(
    select v.id from venue v join changed_rows c using (operator_id)
    join venue_mapping m on m.venue_id = v.id and m.partner_id = c.partner_id));
  return null;
end $$;
call watch(array['partner_operator'], 'change_feed_of_association');

-- Booking rules name categories of products by their slugs.
create function change_feed_of_products() returns trigger language plpgsql as $$
begin
  perform change_feed(array(select p.venue_id from product p join changed_rows c on c.id = p.category_id));
  return null;
end $$;
call watch(array['category'], 'change_feed_of_products');
