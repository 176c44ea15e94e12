-- Telling people: webhooks of operators, mails to people and to guests.

-- A webhook belongs to a partner or to an operator; deliveries and the limit for tests follow it.
alter table webhook
  alter column partner_id drop not null,
  add column operator_id integer references operator on delete cascade,
  add constraint webhook_of_one check (num_nonnulls(partner_id, operator_id) = 1),
  add unique (operator_id, address);

alter table delivery
  alter column partner_id drop not null,
  add column operator_id integer,
  add constraint delivery_of_one check (num_nonnulls(partner_id, operator_id) = 1);
create index delivery_of_operator on delivery (operator_id, created_at, id) where operator_id is not null;
create index delivery_dropped_of_operator on delivery (operator_id, created_at, id)
  where operator_id is not null and status = 'dropped';
-- For replays of a time; event_of_operator is for the log, which is read in the order of positions.
create index event_of_operator_at on event (operator_id, occurred_at, id) where operator_id is not null;

alter table webhook_test_window
  drop constraint webhook_test_window_pkey,
  alter column partner_id drop not null,
  add unique (partner_id),
  add column operator_id integer unique references operator on delete cascade,
  add check (num_nonnulls(partner_id, operator_id) = 1);

-- Which of the two writes mails to the guests of bookings that the partner makes.
alter table venue_mapping
  add column guest_mails text not null default 'partner' check (guest_mails in ('partner', 'venue'));

-- What a venue says in its mails to guests; a venue without a row has the defaults.
create table venue_mail (
  venue_id text collate "C" primary key references venue on delete cascade,
  -- Where answers go; null: nowhere.
  reply_to text,
  -- Hours before the start at which the guest is reminded; null: never.
  reminder_hours smallint check (reminder_hours between 1 and 336),
  -- Shown in every mail.
  sentence text,
  -- Null: by the country of the venue.
  language text check (language in ('en', 'de', 'fr'))
);

-- Bookings whose guests get mails from us.
create table guest_mail (
  booking_id uuid primary key references booking on delete cascade,
  -- SEQUENCE of the calendar entry: one more with each mail about a change.
  sequence integer not null default 0,
  -- When the guest was last told of the booking. A reminder that would have been due before is not sent.
  told_at timestamptz not null,
  -- When a reminder is due; null: none is.
  remind_at timestamptz,
  -- The start that the guest was reminded of; a booking that is moved is reminded of again.
  reminded_for timestamptz
);
create index guest_mail_reminder on guest_mail (remind_at) where remind_at is not null;

-- What people want to be told by mail, for each operator that they work for. Only those who want something have rows.
create table account_notification (
  account_id uuid not null,
  operator_id integer not null,
  new_booking boolean not null,
  enquiry boolean not null,
  cancellation boolean not null,
  daily_summary boolean not null,
  primary key (account_id, operator_id),
  -- A person who leaves the operator is told nothing more.
  foreign key (account_id, operator_id) references account_role on delete cascade
);
create index account_notification_operator on account_notification (operator_id);
create trigger changed after insert or update or delete on account_notification
  for each statement execute function notify_changed('notifications');

-- How a person is written to. Without a row: in English, and at nine.
create table account_mail (
  account_id uuid primary key references account on delete cascade,
  language text not null check (language in ('en', 'de', 'fr')),
  -- The minute of the day at which the summary is due, by the clock of the operator's venues.
  summary_minute smallint not null check (summary_minute between 0 and 1439)
);

-- Summaries that were written, so that a person gets one a day.
create table daily_summary (
  account_id uuid not null references account on delete cascade,
  operator_id integer not null references operator on delete cascade,
  day date not null,
  primary key (account_id, operator_id, day)
);

alter table mail
  -- The order in which they were written.
  add column position bigint generated always as identity,
  -- What it is about, for metrics and the log.
  add column kind text not null default 'account',
  -- The guest of this booking is named in it, so it goes when the guest is forgotten.
  add column booking_id uuid,
  -- Mails of one thread are sent in the order in which they were written.
  add column thread text collate "C";
create index mail_booking on mail (booking_id) where booking_id is not null;
create index mail_thread on mail (thread, position) where thread is not null;
