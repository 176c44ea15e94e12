-- Who changed what under /manage, and what it was before and after. Written in the transaction of the change.
create table audit_entry (
  id uuid primary key,
  at timestamptz not null,
  -- Whose it is to read; null: the platform's alone. What an operator did stays when the operator goes.
  operator_id integer,
  actor_kind text not null check (actor_kind in ('client', 'user')),
  actor_id text not null,
  actor_name text not null,
  action text not null,
  subject text not null,
  before json,
  after json
);
create index audit_entry_operator on audit_entry (operator_id, id desc);
create index audit_entry_subject on audit_entry (subject, id desc);
