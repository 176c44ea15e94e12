-- The availability feed: files that are generated ahead of requests. The tables say from which state each file was
-- generated, so that only what has changed is generated again, and which files can be deleted.

-- The state of the feed of a venue: whether it has changed, when it is due, and the lease of the node that works on it.
create table feed_venue (
  venue_id text collate "C" primary key references venue on delete cascade,
  -- A new number with each change of the venue, of its mappings or of the operator's booking rules.
  mark bigint not null,
  -- The mark from which the files were generated; 0: there are none yet.
  made_mark bigint not null default 0,
  due_at timestamptz not null default '-infinity',
  -- When all files are generated anew, also those that look unchanged.
  full_due_at timestamptz not null default '-infinity',
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  -- Attempts since the files were last finished; more than one: a node did not finish.
  attempts smallint not null default 0
);
create index feed_venue_changed on feed_venue (mark) where mark > made_mark;
create index feed_venue_due on feed_venue (due_at);
create sequence feed_mark;

-- The feed of a product: for all partners (partner_id null), or for one partner that is offered something else.
create table feed_channel (
  id bigint primary key generated always as identity,
  product_id text collate "C" not null references product on delete cascade,
  venue_id text collate "C" not null references venue on delete cascade,
  partner_id integer references partner on delete cascade,
  -- The random part of its address.
  token text not null unique,
  -- The partners that may read it.
  reader_ids integer[] not null,
  -- Of everything but the stays.
  config_hash text not null,
  -- The beginning of the addresses in its index.
  base_url text not null,
  -- As the index says it.
  is_active boolean not null,
  made_at timestamptz not null,
  unique nulls not distinct (product_id, partner_id)
);
create index feed_channel_venue on feed_channel (venue_id);
create index feed_channel_age on feed_channel (made_at);

-- One day of a channel. A day without open slots has no file.
create table feed_shard (
  channel_id bigint not null references feed_channel on delete cascade,
  date date not null,
  -- Of the stays from which the day was generated.
  activity text not null,
  has_stays boolean not null,
  -- Until then the day changes only if the stays or the configuration do.
  holds_until timestamptz not null,
  -- The path of the file, and the hash of its content.
  file text,
  hash text,
  updated_at timestamptz not null,
  primary key (channel_id, date),
  check ((file is null) = (hash is null))
);
create sequence feed_file;

-- Files that no index names any more. A reader of the last index that did may still fetch them for a day, because
-- indexes are read again every day. The triggers below put every file here that loses its row.
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
