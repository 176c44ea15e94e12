import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { type BookRows, compileBook, type HouseBook } from './book.ts';

/** The venue's configuration in one statement, so that all parts of it belong together. */
export async function loadBook(tx: Tx, venueId: VenueId): Promise<HouseBook | undefined> {
  const [rows] = await tx<BookRows[]>`
    select v.updated_at::text as version,
      array(select json_build_object('id', id, 'zoneId', zone_id, 'name', name)
        from house_area where venue_id = v.id) as areas,
      array(select json_build_object('id', id, 'areaId', area_id, 'name', name, 'minCovers', min_covers,
          'maxCovers', max_covers)
        from house_table where venue_id = v.id and is_active) as tables,
      array(select json_build_object('tableIds', table_ids, 'minCovers', min_covers, 'maxCovers', max_covers)
        from house_combination where venue_id = v.id) as combinations,
      array(select ${productObject(tx)}
        from house_product h join house_seating seating using (product_id) join product p on p.id = h.product_id
        where h.venue_id = v.id) as products
    from venue v where v.id = ${venueId}`;
  return rows && compileBook(rows);
}

function productObject(tx: Tx) {
  return tx`json_build_object(
    'id', p.id,
    'intervalMinutes', p.time_interval_minutes,
    'minGuests', seating.min_guests,
    'maxGuests', seating.max_guests,
    'turnTimes', h.turn_times,
    'bounds', json_build_object('minMinutes', h.min_duration_minutes, 'maxMinutes', h.max_duration_minutes,
      'stepMinutes', h.duration_step_minutes),
    'coversPerStart', h.covers_per_start,
    'instantLimit', h.instant_limit,
    'isRequestOnly', h.is_request_only,
    'takesEnquiries', h.takes_enquiries,
    'noticeMinutes', h.notice_minutes,
    'horizonDays', h.horizon_days,
    'policy', h.policy,
    'cancellationPolicy', h.cancellation_policy,
    'hours', array(select json_build_object('weekday', weekday, 'opens', opens_minute, 'closes', closes_minute)
      from product_hours where product_id = p.id),
    'exceptions', array(select json_build_object('date', date, 'opens', opens_minute, 'closes', closes_minute)
      from product_dated_hours where product_id = p.id),
    'zoneIds', seating.zone_ids,
    'spaces', array(select json_build_object('spaceId', s.space_id, 'zoneId', z.zone_id)
      from product_space s left join house_space_zone z using (space_id) where s.product_id = p.id))`;
}
