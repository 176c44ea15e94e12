-- Pictures are kept here, so that every node has them. A photo is one of these, or the address of one elsewhere.
alter table venue_photo
  alter column url drop not null,
  add column media_id uuid unique,
  add check (num_nonnulls(url, media_id) = 1);

-- Goes with its photo, however that goes.
create table media (
  id uuid primary key references venue_photo (media_id) on delete cascade,
  content_type text not null,
  content bytea not null
);
-- Pictures are compressed already.
alter table media alter column content set storage external;

-- A file that is on its way, until all of it is here or it expires.
create table media_upload (
  id uuid primary key,
  venue_id text collate "C" not null references venue on delete cascade,
  content_type text not null,
  size_bytes integer not null,
  caption text,
  expires_at timestamptz not null
);
create index media_upload_venue on media_upload (venue_id);
create index media_upload_expiry on media_upload (expires_at);

create table media_part (
  upload_id uuid not null references media_upload on delete cascade,
  number smallint not null,
  content bytea not null,
  primary key (upload_id, number)
);
alter table media_part alter column content set storage external;
