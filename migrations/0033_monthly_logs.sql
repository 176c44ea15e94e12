-- The event log, deliveries and the audit log in one partition for each month (UTC), so that old months are dropped as
-- a whole. Keys are the ids of events and of audit entries, which begin with their time; a delivery is in the month of
-- its event, an attempt in its own. Rows of a month that has no partition go to the default one: nothing is refused.
-- Indexes belong to the partitions, and a new one has those of the default one: the first partition keeps those it had.

-- A partition for a period, or false: there is one, the first partition includes it, or rows of that period lie in the
-- default partition already, where they stay. One caller at a time: two that create the same table would fail.
create function add_partition(parent text, period text, first text, beyond text) returns boolean language plpgsql as $$
declare
  name text := format('%s_%s', parent, period);
  rest regclass := to_regclass(parent || '_default');
  key text;
  is_there boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0));
  select to_regclass(name) is not null or exists (
    select from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = parent::regclass and c.relname > parent || '_before_' || period and c.relname like parent || '\_before\_%')
  into is_there;
  if is_there then return false; end if;
  if rest is not null then
    select attname from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    where partrelid = parent::regclass into key;
    execute format('select exists (select from %s where %I >= %L and %I < %L)', rest, key, first, key, beyond) into is_there;
    if is_there then return false; end if;
  end if;
  execute format('create table %I (like %s including all)', name, coalesce(rest, parent::regclass));
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first, beyond);
  return true;
end $$;

-- What an id or a clock of another month has put into these tables is moved before they become the first partition.
do $$
declare
  logs text[][] := array[['event', 'id'], ['delivery', 'event_id'], ['delivery_attempt', 'started_at'], ['audit_entry', 'id']];
  log text[];
  bound text;
  is_empty boolean;
begin
  foreach log slice 1 in array logs loop
    execute format('create table %I (like %I including all)', log[1] || '_default', log[1]);
    execute format('alter table %I drop constraint of_first_months', log[1] || '_default');
    select substring(pg_get_constraintdef(oid) from '''(.*)''') from pg_constraint
    where conrelid = log[1]::regclass and conname = 'of_first_months' into bound;
    execute format('with strays as (delete from %I where %I >= %L returning *) insert into %I select * from strays',
      log[1], log[2], bound, log[1] || '_default');
    execute format('alter table %I validate constraint of_first_months', log[1]);
  end loop;
  alter table audit_entry validate constraint audit_entry_actor_kind_check;

  call lock_tables(array['event', 'delivery', 'delivery_attempt', 'audit_entry']);
  foreach log slice 1 in array logs loop
    select substring(pg_get_constraintdef(oid) from '''(.*)''') from pg_constraint
    where conrelid = log[1]::regclass and conname = 'of_first_months' into bound;
    execute format('select not exists (select from %I)', log[1]) into is_empty;
    execute format('alter table %I rename to %I', log[1], log[1] || '_before');
    execute format('create table %I (like %I including defaults including constraints including storage) partition by range (%I)',
      log[1], log[1] || '_default', log[2]);
    execute format('alter table %I attach partition %I default', log[1], log[1] || '_default');
    if is_empty then
      execute format('drop table %I', log[1] || '_before');
    else
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log[1], log[1] || '_before', bound);
      execute format('alter table %I drop constraint of_first_months', log[1] || '_before');
      execute format('alter table %I rename to %I', log[1] || '_before', log[1] || '_before_' ||
        to_char(case when bound ~ '^\d{4}-\d\d-' then bound::timestamptz else to_timestamp(('x' || left(replace(bound, '-', ''), 12))::bit(48)::bigint / 1000.0) end
          at time zone 'UTC', 'YYYYMM'));
    end if;
    for ahead in 0 .. 3 loop
      declare
        month timestamp := date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead);
        first timestamptz := month at time zone 'UTC';
        beyond timestamptz := (month + interval '1 month') at time zone 'UTC';
        is_id boolean := log[2] <> 'started_at';
      begin
        perform add_partition(log[1], to_char(month, 'YYYYMM'),
          case when is_id then first_id_at(first)::text else first::text end,
          case when is_id then first_id_at(beyond)::text else beyond::text end);
      end;
    end loop;
  end loop;
end $$;
