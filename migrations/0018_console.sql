-- What the console needs besides: booking rules that are switched off, and who made a change that a screen shows.

-- A rule that is off stays in the list of its operator and does nothing. is_active false means that it was retired.
alter table booking_rule add column is_on boolean not null default true;
