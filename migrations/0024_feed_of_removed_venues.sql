-- A venue that is being removed while something about its operator changes is waited for and then left out: seen but
-- not locked, it would be gone by the time its row of the feed is written, and the whole change would fail with it.
create or replace function change_feed(venue_ids text[]) returns void language sql as $$
  insert into feed_venue (venue_id, mark)
  select id, nextval('feed_mark')
  from (select id from venue where id = any(venue_ids) order by id for key share) present
  -- Taken once the row is ours: of two who change a venue at once the later has the higher mark.
  on conflict (venue_id) do update set mark = nextval('feed_mark');
$$;
