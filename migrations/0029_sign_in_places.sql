-- Failures lock an account at the address that they came from. The pair of both is kept as a SHA-256.
alter table sign_in_failure add pair_hash bytea;
create index sign_in_failure_pair on sign_in_failure (pair_hash, failed_at desc);

-- Pairs from which somebody has signed in: failures from elsewhere do not lock these.
create table sign_in_place (
  pair_hash bytea primary key,
  last_at timestamptz not null
);
create index sign_in_place_age on sign_in_place (last_at);
