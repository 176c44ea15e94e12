-- The audit log of /manage, and the queue of mails.

-- One row per change, written in its transaction.
create table audit_entry (
  id uuid primary key,
  at timestamptz not null,
  -- The operator that may read it; null: the platform only. No foreign key: the log stays when the operator is deleted.
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

-- Written in the transaction that causes the mail, deleted once it is sent. Encrypted, because mails contain tokens.
create table mail (
  id uuid primary key,
  sealed bytea not null,
  attempts integer not null default 0,
  attempt_at timestamptz not null,
  -- After this instant the mail is of no use.
  expires_at timestamptz not null
);
create index mail_due on mail (attempt_at);
