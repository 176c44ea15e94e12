-- A product that does not state its party sizes or its zones takes them from the layout as it is at the moment.
-- What products have until now counts as stated.
alter table house_product
  alter min_guests drop not null,
  alter min_guests drop default,
  alter max_guests drop not null,
  add states_zones boolean not null default true;

-- Where the guests of a product sit and how large their parties are, stated or not.
create view house_seating as
select h.product_id, h.venue_id, seated.zone_ids,
  coalesce(h.min_guests, units.least, 1) as min_guests, coalesce(h.max_guests, units.most, 1) as max_guests
from house_product h
  cross join lateral (
    select case
      when exists (select from product_space s where s.product_id = h.product_id)
        then array(select distinct z.zone_id from product_space s join house_space_zone z using (space_id)
          where s.product_id = h.product_id order by z.zone_id)
      when h.states_zones
        then array(select z.zone_id from house_product_zone z where z.product_id = h.product_id order by z.zone_id)
      else array(select z.id from house_zone z where z.venue_id = h.venue_id order by z.id) end as zone_ids
  ) as seated
  left join lateral (
    select min(min_covers) as least, max(max_covers) as most
    from (
      select t.min_covers, t.max_covers from house_area a join house_table t on t.area_id = a.id
      where a.venue_id = h.venue_id and a.zone_id = any(seated.zone_ids) and t.is_active
      union all
      -- One table that takes no guests, or stands elsewhere, and the combination is none.
      select c.min_covers, c.max_covers from house_combination c
      where c.venue_id = h.venue_id and not exists (
        select from unnest(c.table_ids) as joined (id)
        where not exists (
          select from house_table t join house_area a on a.id = t.area_id
          where t.id = joined.id and t.is_active and a.zone_id = any(seated.zone_ids)))
    ) as each_unit
  ) as units on h.min_guests is null or h.max_guests is null;

-- Where tables stand on a floor plan; null: nobody has said. Corner and size are in units of the plan, rotation in
-- degrees clockwise around the middle.
alter table house_table
  add x smallint,
  add y smallint,
  add width smallint,
  add height smallint,
  add shape text check (shape in ('rectangle', 'round')),
  add rotation smallint;

-- Feeds that were made before offer dates on which the venue is closed, and lack large parties.
select change_feed(array(select id from venue where tms = 'house'));
