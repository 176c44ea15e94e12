-- The venue in which an event takes place, where that venue is ours too: the two are listed together. It belongs to
-- the same operator and is neither an event nor hosted itself.
alter table venue add host_venue_id text collate "C" references venue on delete set null;
create index venue_host on venue (host_venue_id) where host_venue_id is not null;

-- Events are few among many venues, and are asked for by themselves.
create index venue_tms on venue (tms, id);

-- The venues of a city or an area are found in the order of their names, and counted without reading them.
drop index venue_city_exact, venue_area_exact;
create index venue_city_exact on venue (lower(city collate "und-x-icu"), name collate "und-x-icu", id)
  include (city, host_venue_id);
create index venue_area_exact on venue (lower(area collate "und-x-icu"), name collate "und-x-icu", id)
  include (area, host_venue_id);
