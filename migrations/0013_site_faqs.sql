-- Questions and answers of a venue, one list each; no row: none. Kept as text is, to the last escape.
-- They are read from here every time, so that nothing has to be told of a change.
create table site_faq (
  venue_id text collate "C" primary key references venue on delete cascade,
  faqs json not null
);
