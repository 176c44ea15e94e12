-- The dated hours that a product really has: its own, and the dates on which its venue is closed and it says nothing.
create view product_dated_hours as
select product_id, venue_id, date, opens_minute, closes_minute, reason from product_exception
union all
select p.id, p.venue_id, e.date, null, null, e.reason
from product p join venue_exception e on e.venue_id = p.venue_id and e.opens_minute is null
where not exists (select from product_exception x where x.product_id = p.id and x.date = e.date);
