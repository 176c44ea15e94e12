-- Catalogues read from remote systems: the runs, what each of them found, and what systems say of products and spaces.

-- Taken off sale because its system no longer has it. Bookings and mappings stay.
alter table product add column is_withdrawn boolean not null default false;

-- What the catalogue of a remote system says of a product; null: nothing.
create table system_product (
  product_id text collate "C" primary key references product on delete cascade,
  venue_id text collate "C" not null references venue on delete cascade,
  price_pence integer check (price_pence >= 0),
  min_guests smallint check (min_guests > 0),
  max_guests smallint check (max_guests > 0)
);
create index system_product_venue on system_product (venue_id);

-- What a remote system calls a space.
create table system_space (
  venue_id text collate "C" not null references venue on delete cascade,
  system_id text not null,
  space_id integer not null,
  primary key (venue_id, system_id),
  foreign key (space_id, venue_id) references space (id, venue_id) on delete cascade
);
create index system_space_space on system_space (space_id);

call watch(array['system_product'], 'touch_venues');

create table catalogue_run (
  id uuid primary key,
  operator_id integer not null,
  tms text not null,
  -- review: only finds differences. apply: those that reviewed_run_id has found. nightly: those of what is known here.
  kind text not null check (kind in ('review', 'apply', 'nightly')),
  reviewed_run_id uuid references catalogue_run on delete set null,
  -- Who started it, for the audit entries of what is applied.
  actor jsonb not null,
  state text not null check (state in ('running', 'done', 'failed')),
  -- The page that is read next; null: the first, or none any more once all of them are read.
  cursor text,
  is_read boolean not null default false,
  pages integer not null default 0,
  -- Pages in a row without a venue that had not come before.
  idle_pages integer not null default 0,
  venues_read integer not null default 0,
  -- Venues in all, if the system says.
  total integer,
  added integer not null default 0,
  changed integer not null default 0,
  withdrawn integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  -- Rows of catalogue_difference.
  differences integer not null default 0,
  -- Why it failed, in a sentence.
  failure text,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- When there is work to do next, and how often in a row the system could not be read. A node that works on it has
  -- the lease.
  due_at timestamptz not null,
  attempts smallint not null default 0,
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  foreign key (operator_id, tms) references operator_system on delete cascade,
  check ((state = 'running') = (finished_at is null))
);
create index catalogue_run_account on catalogue_run (operator_id, tms, created_at desc);
create index catalogue_run_reviewed on catalogue_run (reviewed_run_id) where reviewed_run_id is not null;
-- One at a time for each account.
create unique index catalogue_run_running on catalogue_run (operator_id, tms) where state = 'running';
create index catalogue_run_due on catalogue_run (due_at) where state = 'running';
create trigger changed after insert on catalogue_run
  for each statement execute function notify_changed('catalogue-runs');

-- The cursors that a run has had, hashed: one that comes again would never end.
create table catalogue_cursor (
  run_id uuid not null references catalogue_run on delete cascade,
  hash bytea not null,
  primary key (run_id, hash)
);

-- The venues that a run is done with, each once. The digest is that of what the system said; null: it is gone there.
create table catalogue_venue (
  run_id uuid not null references catalogue_run on delete cascade,
  resource_id text collate "C" not null,
  digest bytea,
  primary key (run_id, resource_id)
);

create table catalogue_difference (
  run_id uuid not null references catalogue_run on delete cascade,
  position integer not null,
  kind text not null check (kind in ('added', 'changed', 'withdrawn', 'failed')),
  subject text not null check (subject in ('venue', 'product')),
  -- As the system calls it; null: it has no id that can be used.
  resource_id text,
  product_key text,
  name text,
  -- Fields with what they were and what they become, as people read them.
  changes jsonb not null default '[]',
  note text,
  is_applied boolean not null,
  primary key (run_id, position)
);
