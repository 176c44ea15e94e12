-- People who sign in to /manage, what they may do there, and the mails that bring them tokens.

create table account (
  id uuid primary key,
  -- As it was given, and as it is compared.
  email text not null,
  email_key text not null unique,
  name text not null,
  -- argon2id with its parameters, so that these can rise later.
  password text not null,
  is_verified boolean not null,
  is_disabled boolean not null default false,
  is_platform boolean not null default false,
  created_at timestamptz not null
);

create table account_role (
  account_id uuid not null references account on delete cascade,
  operator_id integer not null references operator on delete cascade,
  role text not null check (role in ('staff', 'manager', 'owner')),
  primary key (account_id, operator_id)
);
create index account_role_operator on account_role (operator_id);

-- Of every token only the SHA-256 is kept: they are random enough not to be guessed from it.
create table account_session (
  id uuid primary key,
  token_hash bytea not null unique,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_session_account on account_session (account_id);
create index account_session_end on account_session (expires_at);

create table account_invite (
  id uuid primary key,
  token_hash bytea not null unique,
  email text not null,
  email_key text not null,
  -- A role at an operator, the platform, or both.
  operator_id integer references operator on delete cascade,
  role text check (role in ('staff', 'manager', 'owner')),
  is_platform boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  check ((operator_id is null) = (role is null)),
  check (operator_id is not null or is_platform)
);
create index account_invite_operator on account_invite (operator_id, id desc);
-- One open invite to an address for each operator, and one for the platform.
create unique index account_invite_open on account_invite (email_key, coalesce(operator_id, 0))
  where accepted_at is null;

-- Tokens that were mailed to the address of an account.
create table account_token (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('verification', 'password-reset')),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_token_account on account_token (account_id, purpose);

-- Wrong passwords of late, by the SHA-256 of the address, which need not be anybody's.
create table sign_in_failure (
  id bigint primary key generated always as identity,
  email_hash bytea not null,
  failed_at timestamptz not null
);
create index sign_in_failure_address on sign_in_failure (email_hash, failed_at desc);
create index sign_in_failure_age on sign_in_failure (failed_at);

-- Written in the transaction that calls for it, and gone once it is sent. Tokens are in it, so it is sealed.
create table mail (
  id uuid primary key,
  sealed bytea not null,
  attempts integer not null default 0,
  attempt_at timestamptz not null,
  -- What it says is of no use any more.
  expires_at timestamptz not null
);
create index mail_due on mail (attempt_at);
create trigger changed after insert on mail for each statement execute function notify_changed('mail');
