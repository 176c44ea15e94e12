-- The availability feed: files that are made ahead and fetched without asking. What stands here says what they were
-- made from, so that only what has changed is made again, and where they are, so that nothing is left lying about.

create index house_day_unfed on house_day (venue_id, day) where not is_fed;

-- A venue as far as the feed is concerned: whether anything about it has changed since its files were made, when
-- they are looked over next, and who is at it.
create table feed_venue (
  venue_id text collate "C" primary key references venue on delete cascade,
  -- A new one with every change of the venue, of who distributes it, or of the operator's booking rules.
  mark bigint not null,
  -- The one that the files were made from; 0: there are none yet.
  made_mark bigint not null default 0,
  due_at timestamptz not null default '-infinity',
  -- Whatever is carried forward otherwise is made anew then.
  full_due_at timestamptz not null default '-infinity',
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  -- Begun since the files were last finished: more than one, and somebody did not get to the end.
  attempts smallint not null default 0
);
create index feed_venue_changed on feed_venue (mark) where mark > made_mark;
create index feed_venue_due on feed_venue (due_at);
create sequence feed_mark;

create function change_feed(venue_ids text[]) returns void language sql as $$
  insert into feed_venue (venue_id, mark)
  select id, nextval('feed_mark') from venue where id = any(venue_ids) order by id
  -- Taken once the row is ours: of two who change a venue at once the later has the higher mark.
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

-- A category that goes takes its members along, and is no longer there when they are asked where they belong.
create function change_feed_of_categories() returns trigger language plpgsql as $$
begin
  perform change_feed(array(select v.id from venue v join changed_rows using (operator_id)));
  return null;
end $$;
call watch(array['partner_category'], 'change_feed_of_categories');

-- Whether a partner is suspended.
create function change_feed_of_association() returns trigger language plpgsql as $$
begin
  perform change_feed(array(
    select v.id from venue v join changed_rows c using (operator_id)
    join venue_mapping m on m.venue_id = v.id and m.partner_id = c.partner_id));
  return null;
end $$;
call watch(array['partner_operator'], 'change_feed_of_association');

-- Rules name categories of products by their slugs.
create function change_feed_of_products() returns trigger language plpgsql as $$
begin
  perform change_feed(array(select p.venue_id from product p join changed_rows c on c.id = p.category_id));
  return null;
end $$;
call watch(array['category'], 'change_feed_of_products');

insert into feed_venue (venue_id, mark) select id, nextval('feed_mark') from venue;

-- The feed of a product, as everybody gets it or as one partner does to whom something else is offered.
create table feed_channel (
  id bigint primary key generated always as identity,
  product_id text collate "C" not null references product on delete cascade,
  venue_id text collate "C" not null references venue on delete cascade,
  partner_id integer references partner on delete cascade,
  -- The part of its address that nobody can guess.
  token text not null unique,
  -- Who reads it; of a partner's own, nobody else does.
  reader_ids integer[] not null,
  -- Of everything but the stays.
  config_hash text not null,
  -- What the addresses in its index begin with.
  base_url text not null,
  -- As the index says it.
  is_active boolean not null,
  made_at timestamptz not null,
  unique nulls not distinct (product_id, partner_id)
);
create index feed_channel_venue on feed_channel (venue_id);
create index feed_channel_age on feed_channel (made_at);

-- One day of a channel; one without open slots has no file.
create table feed_shard (
  channel_id bigint not null references feed_channel on delete cascade,
  date date not null,
  -- Of the stays that the day was made from.
  activity text not null,
  has_stays boolean not null,
  -- Until when nothing but a change of the stays or of the configuration makes another day of it.
  holds_until timestamptz not null,
  -- Its path, and what is in it.
  file text,
  hash text,
  updated_at timestamptz not null,
  primary key (channel_id, date),
  check ((file is null) = (hash is null))
);
create sequence feed_file;

-- Files that no index names any more. Whoever read the last one that did may still come for them, for a day: indexes
-- are read anew every day. However a file loses its row, it ends up here.
create table feed_garbage (
  path text primary key,
  remove_after timestamptz not null default now() + interval '25 hours'
);
create index feed_garbage_due on feed_garbage (remove_after);

create function discard_shard() returns trigger language plpgsql as $$
begin
  insert into feed_garbage (path) values (old.file) on conflict do nothing;
  return null;
end $$;
create trigger discard after delete on feed_shard for each row when (old.file is not null)
  execute function discard_shard();
create trigger discard_replaced after update on feed_shard for each row
  when (old.file is not null and old.file is distinct from new.file) execute function discard_shard();

create function discard_index() returns trigger language plpgsql as $$
begin
  insert into feed_garbage (path) values (old.token || '/index.json') on conflict do nothing;
  return null;
end $$;
create trigger discard after delete on feed_channel for each row execute function discard_index();
create trigger discard_renewed after update on feed_channel for each row when (old.token <> new.token)
  execute function discard_index();

-- Where a feed is shows in the venue.
create function notify_feed() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'venue:' || coalesce(new.venue_id, old.venue_id));
  return null;
end $$;
create trigger tell after insert or delete on feed_channel for each row execute function notify_feed();
create trigger tell_moved after update on feed_channel for each row
  when (old.token <> new.token or old.reader_ids <> new.reader_ids) execute function notify_feed();
