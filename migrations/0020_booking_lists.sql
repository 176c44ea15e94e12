-- How operators look at their bookings: by start, by when they were made, and at the enquiries that wait for them.
create index booking_operator_start on booking (operator_id, starts_at, id);
create index booking_operator_created on booking (operator_id, created_at, id);
create index booking_operator_enquiry on booking (operator_id, starts_at, id)
  where status in ('pending', 'in_progress');

-- Whether the venue has asked for what is under way, and not the partner: then all that was paid goes back.
alter table booking_intent add is_by_operator boolean not null default false;
