-- Changes that venues make in systems over the network, and that bookings here follow.

-- How far each operator's account at a system was read. Systems that tell of changes have a cursor of theirs; the
-- bookings of others are looked at in turn, in the order of their start.
create table system_cursor (
  operator_id integer not null,
  tms text not null,
  -- What the system wants back with the next question; null: it was not asked yet.
  cursor text,
  -- Of a system that does not tell: when the turn that is under way began, and which booking was the last. Null: none.
  turn_began_at timestamptz,
  after_start timestamptz,
  after_id uuid,
  due_at timestamptz not null,
  -- Questions in a row that had no answer.
  failures smallint not null default 0,
  -- The node that reads it.
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  primary key (operator_id, tms),
  foreign key (operator_id, tms) references operator_system on delete cascade
);
create index system_cursor_due on system_cursor (due_at);

-- Bookings that may have changed in the system of their venue, one row each. A booking under way has no row of its own
-- yet, so there is no reference.
create table system_change (
  booking_id uuid primary key,
  operator_id integer not null,
  tms text not null,
  -- When it was first named, and how often since: a row that is named while it is worked on stays.
  noted_at timestamptz not null,
  notes integer not null default 1,
  attempts integer not null default 0,
  -- The system did not have it at the last look. It is cancelled if the next one says the same.
  is_missing boolean not null default false,
  due_at timestamptz not null,
  lease uuid,
  leased_until timestamptz not null default '-infinity'
);
create index system_change_due on system_change (tms, due_at);
create trigger changed after insert or update of notes on system_change
  for each statement execute function notify_changed('system-changes');

-- What a system has last said of a visit. What hosts say here counts until the system says something else.
create table system_visit (
  booking_id uuid primary key references booking on delete cascade,
  state text not null check (state in ('expected', 'arrived', 'seated', 'left', 'no_show'))
);

-- A system changes bookings too. Rows that are there fulfil the wider check, so they are not read for it.
alter table audit_entry
  drop constraint audit_entry_actor_kind_check,
  add constraint audit_entry_actor_kind_check check (actor_kind in ('client', 'user', 'system')) not valid;
