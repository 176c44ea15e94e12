-- The primaries that this database has had, by their timelines: each promotion begins a new one. A standby that has the row
-- follows that primary; positions in the log of another cannot be compared with its own.
create table database_timeline (
  timeline integer primary key,
  noted_at timestamptz not null default now()
);
