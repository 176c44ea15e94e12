-- A booking in one statement, where all that is undecided is what others have taken meanwhile.

-- Takes the first of the units asked for whose tables are all free, if the venue is still what it was, and returns it; an
-- empty object: all of them are taken; null: it could not be tried. A unit has `tableIds` (as text), the `spaceId` that
-- it belongs to, or null, and whatever the caller wants to hear of it. Each statement in here sees what was committed
-- before it began, so that what is read after the locks is true until they go. The statement around it does not:
-- waiting, it would decide on what was true before it waited, and hold up whatever its connection was sent behind it.
-- So nobody waits for a lock here.
create function house_take(asked jsonb) returns jsonb language plpgsql as $$
declare
  wanted_venue constant text := asked ->> 'venueId';
  wanted_product constant text := asked ->> 'productId';
  begins constant timestamptz := asked ->> 'begins';
  ends constant timestamptz := asked ->> 'ends';
  party constant integer := asked -> 'guests';
  units constant jsonb := asked -> 'units';
  lock_name text;
  taken text[];
  unit jsonb;
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended(asked ->> 'layoutLock', 0)) then return null; end if;
  for place in 0 .. jsonb_array_length(asked -> 'dayLocks') - 1 loop
    lock_name := asked -> 'dayLocks' ->> place;
    if not pg_try_advisory_xact_lock(hashtextextended(lock_name, 0)) then return null; end if;
  end loop;
  select array(select table_id from house_allocation where venue_id = wanted_venue
    and upper(during) > begins and lower(during) < ends and upper(during) < ends + interval '1 day')
  into taken from venue where id = wanted_venue and updated_at::text = asked ->> 'version';
  if not found then return null; end if;
  if asked -> 'coversPerStart' <> 'null' then
    if party + (select coalesce(sum(guests), 0) from house_reservation
        where product_id = wanted_product and starts_at = begins) > (asked -> 'coversPerStart')::integer then
      return null;
    end if;
  end if;
  for place in 0 .. jsonb_array_length(units) - 1 loop
    unit := units -> place;
    continue when unit -> 'tableIds' ?| taken;
    with reservation as (
      insert into house_reservation (id, reference, product_id, venue_id, space_id, trading_day, starts_at,
        duration_minutes, guests)
      values ((asked ->> 'bookingId')::uuid, asked ->> 'reference', wanted_product, wanted_venue,
        (unit ->> 'spaceId')::integer, (asked ->> 'date')::date, begins, (asked -> 'minutes')::integer, party)
      on conflict do nothing
      returning id)
    insert into house_allocation (reservation_id, table_id, venue_id, during)
    select id, table_id::integer, wanted_venue, tstzrange(begins, ends)
    from reservation, jsonb_array_elements_text(unit -> 'tableIds') as table_id;
    if not found then return null; end if;
    return unit;
  end loop;
  return '{}';
end $$;

-- What was taken is given back with everything else that the statement did.
create function abandon() returns boolean language plpgsql as $$
begin
  raise exception 'What this was decided on no longer stands.' using errcode = 'MT001';
end $$;
