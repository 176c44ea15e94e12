-- What venues are found by, see docs/search.md. `venue.search` has the words of a venue, without accents and stemmed,
-- weighted by where they stand: A its name, B what and where it is, C what it says in short, D its description. Area,
-- city and types are also in it as a whole: 'area/covent garden', 'city/london', 'type/wine-bar'. `venue_term` has the
-- same by word, the best places first, so that the first venues of a word are read without reading all of them.

create extension if not exists unaccent;

-- Case, accents and ways to write the same letter make no difference to a search. Marked immutable for the index: the rules of unaccent are part of
-- the server, and after a change of them the index has to be built again.
create function fold(text) returns text language sql immutable strict parallel safe
  return lower(unaccent(normalize($1, nfkc)) collate "und-x-icu");

-- The words of a text, of a venue as of a question, with a space between them. Parted by what is no letter, digit or
-- sign of a letter, because what stands in between means something else to the parser: '28-50' has a negative number.
create function search_words(text) returns text language sql immutable strict parallel safe
  return trim(regexp_replace(fold($1) collate "und-x-icu", '[[:space:][:cntrl:][:punct:]$+<=>^`|~£€¥©®™°]+', ' ', 'g'));

create function search_vector(venue venue) returns tsvector language sql stable
  return setweight(to_tsvector('english', search_words(venue.name)), 'A')
    || setweight(to_tsvector('english',
      search_words(venue.area || ' . ' || venue.city || ' . ' || array_to_string(venue.types, ' . '))), 'B')
    || array_to_tsvector(array['area/' || search_words(venue.area), 'city/' || search_words(venue.city)]
      || array(select 'type/' || slug from unnest(venue.types) slug))
    || setweight(to_tsvector('english', search_words(concat_ws(' . ', venue.content ->> 'summary',
      (select string_agg(said, ' . ') from jsonb_array_elements_text(venue.content -> 'highlights') said)))), 'C')
    || setweight(to_tsvector('english', search_words(concat_ws(' . ', venue.content ->> 'description', venue.address,
      venue.postcode))), 'D');

create table venue_term (
  term text collate "C" not null,
  -- Where the word stands: 1 in the name, 2 in what and where the venue is, 3 in the short text, 4 in the long one.
  tier smallint not null,
  venue_id text collate "C" not null,
  primary key (term, tier, venue_id)
);
-- Common words are to be known to the planner as such.
alter table venue_term alter column term set statistics 1000;

create function terms_of(search tsvector) returns table (term text, tier smallint)
language sql immutable parallel safe
begin atomic
  select word.lexeme, case
    when 'A' = any(word.weights) then 1
    when word.weights is null or 'B' = any(word.weights) then 2
    when 'C' = any(word.weights) then 3
    else 4 end::smallint
  from unnest(search) as word;
end;

create function describe_venue() returns trigger language plpgsql as $$
begin
  new.search = search_vector(new);
  return new;
end $$;

-- Rows are found by the words of the venue itself; an index by venue would be as large as the table.
create function list_venue_terms() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from venue_term t using (select * from terms_of(old.search) except select * from terms_of(new.search)) gone
    where t.term = gone.term and t.tier = gone.tier and t.venue_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into venue_term (term, tier, venue_id)
    select fresh.term, fresh.tier, new.id
    from (select * from terms_of(new.search) except select * from terms_of(old.search)) fresh;
  end if;
  return null;
end $$;

-- What venues are is the same as before: no version grows and no node is told.
alter table venue disable trigger user;
-- It is read for every venue that may be among the best, so it stays in the row. Set for the table, because for the
-- column alone it would keep readers out until the migration is done; as it is, only writes to venues wait.
alter table venue set (toast_tuple_target = 4080);
update venue set search = search_vector(venue);
alter table venue enable trigger user;
insert into venue_term (term, tier, venue_id)
select t.term, t.tier, v.id from venue v, terms_of(v.search) t order by 1, 2, 3;

create trigger describe before insert or update of name, area, city, types, content, address, postcode, search
  on venue for each row execute function describe_venue();
create trigger list_terms after insert or delete or update of name, area, city, types, content, address, postcode, search
  on venue for each row execute function list_venue_terms();

-- For words that are in no venue as they are written.
create index venue_alike on venue using gin (fold(name || ' ' || area || ' ' || city) gin_trgm_ops);

-- What an embedding model makes of the text of a venue, where one is set (EMBEDDINGS_URL): numbers of four bytes, the
-- lowest first, of a vector of length 1. `digest` is that of the text; `described_at` is venue.updated_at at the time.
create table venue_embedding (
  venue_id text collate "C" primary key references venue on delete cascade,
  model text not null,
  digest text not null,
  vector bytea not null,
  described_at timestamptz not null
);
