-- Bookings in one statement, where all that is undecided is what others have taken meanwhile.

-- Whether the layout of a venue and its days are ours until the transaction ends. Nobody waits for them here: the
-- statement around it would decide on what was true before it waited, and hold up whatever its connection was sent
-- behind it.
create function house_try_lock(place jsonb) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended(place ->> 'layoutLock', 0)) then return false; end if;
  for day in 0 .. jsonb_array_length(place -> 'dayLocks') - 1 loop
    if not pg_try_advisory_xact_lock(hashtextextended(place -> 'dayLocks' ->> day, 0)) then return false; end if;
  end loop;
  return true;
end $$;

-- For each of the places asked for, takes the first of its units whose tables are all free, if the venue is still what
-- it was, and says which tables that are; an empty object: all of them are taken; null or nothing: it could not be
-- tried. They come in the order of their venues, which is the order in which days are marked, and go in lots without
-- two of one venue. Each statement in here sees what was committed before it began and what the lots before it took,
-- so that what is read after the locks is true until they go.
create function house_take(asked jsonb) returns table (number bigint, answer jsonb) language plpgsql as $$
declare
  place jsonb;
  venue text;
  places integer := 0;
  lots integer := 0;
  lot_of integer[];
begin
  for place in select * from jsonb_array_elements(asked) loop
    places := places + 1;
    if place ->> 'venueId' = venue then lots := lots + 1; end if;
    venue := place ->> 'venueId';
    lot_of[places] := case when house_try_lock(place) then lots end;
  end loop;
  for lot in 0 .. lots loop
    return query
    with wanted as (
      select ordinality, item ->> 'venueId' as venue_id, item ->> 'productId' as product_id, item ->> 'version' as version,
        (item ->> 'begins')::timestamptz as begins, (item ->> 'ends')::timestamptz as ends,
        (item -> 'guests')::integer as guests, item
      from jsonb_array_elements(asked) with ordinality as items (item, ordinality) where lot_of[ordinality] = lot),
    seen as materialized (
      select w.*, array(
          select table_id::text from house_allocation a where a.venue_id = w.venue_id
            and upper(during) > begins and lower(during) < ends and upper(during) < ends + interval '1 day') as taken
      from wanted w join venue v on v.id = w.venue_id and v.updated_at::text = w.version
      where item -> 'coversPerStart' = 'null' or w.guests + (
        select coalesce(sum(r.guests), 0) from house_reservation r
        where r.product_id = w.product_id and r.starts_at = begins) <= (item -> 'coversPerStart')::integer),
    chosen as materialized (
      select seen.*, (
          select rank from jsonb_array_elements(item -> 'units') with ordinality as units (unit, rank)
          where not unit ?| taken order by rank limit 1)::integer - 1 as unit
      from seen),
    reserved as (
      insert into house_reservation (id, reference, product_id, venue_id, space_id, trading_day, starts_at,
        duration_minutes, guests)
      select (item ->> 'bookingId')::uuid, item ->> 'reference', product_id, venue_id,
        (item -> 'spaceIds' ->> unit)::integer, (item ->> 'date')::date, begins, (item -> 'minutes')::integer, guests
      from chosen where unit is not null
      on conflict do nothing
      returning id),
    seated as (
      insert into house_allocation (reservation_id, table_id, venue_id, during)
      select id, table_id::integer, venue_id, tstzrange(begins, ends)
      from chosen join reserved on id = (item ->> 'bookingId')::uuid,
        jsonb_array_elements_text(item -> 'units' -> unit) as table_id)
    select ordinality, case when unit is null then '{}' when id is not null then (
        select jsonb_build_object('areaId', a.id, 'areaName', a.name, 'tables', array(
          select (select name from house_table where id = table_id::integer)
          from jsonb_array_elements_text(item -> 'units' -> unit) with ordinality as ids (table_id, rank) order by rank))
        from house_table t join house_area a on a.id = t.area_id
        where t.id = (item -> 'units' -> unit ->> 0)::integer) end
    from chosen left join reserved on id = (item ->> 'bookingId')::uuid;
  end loop;
end $$;

-- What was taken is given back with everything else that the statement did.
create function abandon() returns boolean language plpgsql as $$
begin
  raise exception 'What this was decided on no longer stands.' using errcode = 'MT001';
end $$;
