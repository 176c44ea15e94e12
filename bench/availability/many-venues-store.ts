import type { Tx } from '../../src/db/database.ts';

const OPERATOR_ID = 9000;

/**
 * Gives a partner this many venues, each with two photos, hours and one product that has hours too. They differ in
 * name and area, and share a few dozen cities, as real ones do. Operators have them in turn, a thousand at most.
 */
export async function fillVenues(tx: Tx, partnerId: number, count: number, operators = 1): Promise<void> {
  // A trigger per row tells every node about every change; with all of them at once there is nobody to tell.
  await tx`set local session_replication_role = replica`;
  await tx`
    insert into operator (id, name)
    select ${OPERATOR_ID} + n, 'Many Venues ' || n from generate_series(0, ${operators}::int - 1) n`;
  await tx`
    insert into partner_operator (partner_id, operator_id)
    select ${partnerId}, id from operator where id >= ${OPERATOR_ID}`;
  await tx`
    insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, address, area, city, country_code,
      lat, lng, types, search)
    select operator || '|house|' || resource, operator, 'house', resource, name, 'Europe/London',
      jsonb_build_object('summary', summary, 'description', summary, 'highlights', '[]'::jsonb),
      n || ' High Street', area, city, 'GB', 50 + n % 8000 / 1000.0, -5 + n % 6100 / 1000.0, '{restaurant}', ''
    from generate_series(1, ${count}::int) n,
      lateral (select 'venue-' || n as resource, ${OPERATOR_ID} + n % ${operators}::int as operator, 'City ' || n % 50 as city, 'Area ' || n % 700 as area,
        initcap(translate(to_char(n * 7919::bigint % 1000003, 'FM0000000'), '0123456789', 'aeioubdlmr'))
          || ' ' || (array['Grill', 'Kitchen', 'Tavern', 'Garden', 'Oyster House'])[1 + n % 5] as name) told,
      lateral (select 'A place for ' || (array['seafood', 'steak', 'brunch', 'cocktails'])[1 + n % 4] as summary) said`;
  await tx`update venue set search = search_vector(venue) where operator_id >= ${OPERATOR_ID}`;
  await tx`
    insert into venue_term (term, tier, venue_id)
    select t.term, t.tier, v.id from venue v, terms_of(v.search) t where v.operator_id >= ${OPERATOR_ID} order by 1, 2, 3`;
  await tx`
    insert into venue_photo (venue_id, url, caption, width, height, position)
    select id, 'https://images.example/' || resource_id || '/' || k, 'Inside', 1200, 800, k
    from venue, generate_series(0, 1) k where operator_id >= ${OPERATOR_ID}`;
  await tx`
    insert into product (id, venue_id, name, slug, time_interval_minutes)
    select id || '|dinner', id, 'Dinner', 'dinner', 15 from venue where operator_id >= ${OPERATOR_ID}`;
  await tx`
    insert into venue_hours (venue_id, weekday, opens_minute, closes_minute)
    select id, day, 720, 1380 from venue, generate_series(1, 7) day where operator_id >= ${OPERATOR_ID}`;
  await tx`
    insert into product_hours (product_id, venue_id, weekday, opens_minute, closes_minute)
    select id || '|dinner', id, day, 1020, 1320 from venue, generate_series(1, 7) day
    where operator_id >= ${OPERATOR_ID}`;
  await tx`
    insert into venue_mapping (partner_id, venue_id)
    select ${partnerId}, id from venue where operator_id >= ${OPERATOR_ID}`;
  await tx`
    insert into product_mapping (partner_id, product_id, venue_id)
    select ${partnerId}, id || '|dinner', id from venue where operator_id >= ${OPERATOR_ID}`;
}
