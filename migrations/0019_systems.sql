-- The systems that the platform has added, and how calls of them go. Those that are built in have no row.

create table system (
  slug text primary key,
  -- A folder under src/tms/, or a package that CONNECTORS names.
  protocol text not null,
  name text not null,
  settings jsonb not null,
  -- Only what differs from the defaults: readTimeoutMs, writeTimeoutMs, maxConcurrent, maxQueued.
  limits jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Topic systems: nodes make their connectors anew. What venues sell depends on their system.
create trigger changed after insert or update or delete on system
  for each statement execute function notify_changed('systems');
create trigger changed_catalogue after insert or update or delete on system
  for each statement execute function notify_changed('catalogue');

-- Topic system-account:<operator>|<system>: settings and credentials of an operator there.
create function notify_system_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', 'system-account:' || operator_id || '|' || tms) from changed_rows
  group by operator_id, tms;
  return null;
end $$;
call watch(array['operator_system', 'operator_credentials'], 'notify_system_account');

create index operator_system_tms on operator_system (tms);

-- Calls of systems, added up by the minute and kept for a day. Nodes add to the same rows.
create table system_call (
  tms text not null,
  operator_id integer not null,
  minute timestamptz not null,
  operation text not null,
  calls integer not null,
  refused integer not null,
  failed integer not null,
  in_doubt integer not null,
  total_ms bigint not null,
  max_ms integer not null,
  -- How many calls took how long; src/features/systems/call-record.ts has the bounds.
  durations integer[] not null,
  last_at timestamptz not null,
  last_error text,
  last_error_at timestamptz,
  primary key (tms, operator_id, minute, operation)
);
create index system_call_minute on system_call (minute);
