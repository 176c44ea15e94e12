-- Ways to what is asked for that stay as short as they are where there is a hundred times as much.

-- What is near is found in the plane, not in a belt around the earth.
create index venue_place on venue using gist (point(lng, lat));
drop index venue_position;

-- The venues of a city in the order in which lists have them.
create index venue_city_page on venue (lower(city collate "und-x-icu"), id);

-- The bookings of a product that one partner has made, without looking at those of others.
create index booking_product_partner on booking (product_id, partner_id, id);
drop index booking_product;

-- How many bookings there are, without counting them: a row for each statement, added up now and then. Nobody who books waits for
-- anybody else who does, as they would for one number.
create table booking_count (
  partner_id integer not null,
  operator_id integer not null,
  bookings bigint not null
);
create index booking_count_whose on booking_count (partner_id, operator_id) include (bookings);

create function count_bookings() returns trigger language plpgsql as $$
begin
  insert into booking_count (partner_id, operator_id, bookings)
  select partner_id, operator_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by partner_id, operator_id;
  return null;
end $$;
-- From here on nobody adds one until those that are there have been counted.
create trigger count_made after insert on booking referencing new table as changed
  for each statement execute function count_bookings();
create trigger count_gone after delete on booking referencing old table as changed
  for each statement execute function count_bookings();
insert into booking_count (partner_id, operator_id, bookings)
select partner_id, operator_id, count(*) from booking group by partner_id, operator_id;
