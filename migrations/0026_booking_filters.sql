-- Partners ask for what has changed since, and for the bookings of certain days and statuses: without these a question
-- about a few bookings reads all that the partner has made.
create index booking_partner_update on booking (partner_id, last_update);
create index booking_partner_day on booking (partner_id, trading_day, status);
