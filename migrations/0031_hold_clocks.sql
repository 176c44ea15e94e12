-- By which clock a place was last found to be the hold's. Clocks of nodes differ a little: what had ended by this one is not
-- in the way of the hold for a node whose clock is behind.
alter table house_hold add column checked_at timestamptz not null default '-infinity';
alter table ticket_hold add column checked_at timestamptz not null default '-infinity';
