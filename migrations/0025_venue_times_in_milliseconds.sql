-- Answers show three digits of a second. Two changes of a venue in one millisecond must still differ and be in order.
create or replace function stamp_venue() returns trigger language plpgsql as $$
begin
  new.updated_at = greatest(
    date_trunc('milliseconds', clock_timestamp()),
    date_trunc('milliseconds', old.updated_at) + interval '1 millisecond'
  );
  return new;
end $$;

alter table venue
  alter column created_at set default date_trunc('milliseconds', now()),
  alter column updated_at set default date_trunc('milliseconds', now());
