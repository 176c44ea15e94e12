-- People who sign in to /manage: their accounts, roles, sessions and invites, and failed sign-ins.
-- Of every token only the SHA-256 is stored; tokens are random, so it does not reveal them.

create table account (
  id uuid primary key,
  -- As it was entered, and normalised for comparison.
  email text not null,
  email_key text not null unique,
  name text not null,
  -- argon2id with its parameters, so that they can be raised later.
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

create table account_session (
  id uuid primary key,
  token_hash bytea not null unique,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_session_account on account_session (account_id);
create index account_session_end on account_session (expires_at);

-- An invite to a role at an operator, to the platform, or to both.
create table account_invite (
  id uuid primary key,
  token_hash bytea not null unique,
  email text not null,
  email_key text not null,
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
-- An address has at most one open invite for each operator and one for the platform.
create unique index account_invite_open on account_invite (email_key, coalesce(operator_id, 0))
  where accepted_at is null;

-- Tokens sent by mail to the address of an account.
create table account_token (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('verification', 'password-reset')),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_token_account on account_token (account_id, purpose);

-- Recent failed sign-ins. email_hash is the SHA-256 of the mail address, which need not belong to an account;
-- pair_hash that of the mail address and the network address: failures lock an account for that pair only.
create table sign_in_failure (
  id bigint primary key generated always as identity,
  email_hash bytea not null,
  pair_hash bytea not null,
  failed_at timestamptz not null
);
create index sign_in_failure_address on sign_in_failure (email_hash, failed_at desc);
create index sign_in_failure_age on sign_in_failure (failed_at);
create index sign_in_failure_pair on sign_in_failure (pair_hash, failed_at desc);

-- Pairs that have signed in before. Failures from other network addresses do not lock them.
create table sign_in_place (
  pair_hash bytea primary key,
  last_at timestamptz not null
);
create index sign_in_place_age on sign_in_place (last_at);
