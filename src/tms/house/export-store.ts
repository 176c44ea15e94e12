import { sparseRows } from '../../db/bulk-insert.ts';
import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { HouseDocument } from './document.ts';
import { statedZones } from './manage-store.ts';

/** The house documents of these venues, as `importHouse` reads them; what follows from the layout is left out. */
export async function exportHouses(
  tx: Tx,
  venueIds: readonly VenueId[],
): Promise<Map<VenueId, HouseDocument>> {
  const found = await tx<{ venueId: VenueId; house: HouseDocument }[]>`
    select v.id as "venueId", json_build_object(
      'zones', ${zonesOf(tx)},
      'combinations', ${sparseRows(
        tx,
        tx`select table_ids as "tableIds", min_covers as "minCovers", max_covers as "maxCovers"
           from house_combination c where c.venue_id = v.id order by c.id`,
      )},
      'spaceZones', ${sparseRows(
        tx,
        tx`select space_id as "spaceId", zone_id as "zoneId"
           from house_space_zone s where s.venue_id = v.id order by space_id`,
      )},
      'products', ${productsOf(tx)}) as house
    from unnest(${[...venueIds] as string[]}::text[]) as v (id)`;
  return new Map(found.map(({ venueId, house }) => [venueId, house]));
}

function zonesOf(tx: Tx): Fragment {
  const tables = sparseRows(
    tx,
    tx`select id, name, min_covers as "minCovers", max_covers as "maxCovers", is_active as "isActive",
         x, y, width, height, shape, rotation
       from house_table t where t.area_id = a.id order by t.id`,
  );
  const areas = sparseRows(
    tx,
    tx`select id, name, ${tables} as tables from house_area a where a.zone_id = z.id order by a.id`,
  );
  return sparseRows(
    tx,
    tx`select id, name, ${areas} as areas from house_zone z where z.venue_id = v.id order by z.id`,
  );
}

function productsOf(tx: Tx): Fragment {
  return sparseRows(
    tx,
    tx`select split_part(h.product_id, '|', 4) as key,
         ${statedZones(tx)} as "zoneIds",
         min_guests as "minGuests", max_guests as "maxGuests", turn_times as "turnTimes",
         json_build_object('minMinutes', min_duration_minutes, 'maxMinutes', max_duration_minutes,
           'stepMinutes', duration_step_minutes) as duration,
         covers_per_start as "coversPerStart", instant_limit as "instantLimit",
         is_request_only as "isRequestOnly", takes_enquiries as "takesEnquiries",
         notice_minutes as "noticeMinutes", horizon_days as "horizonDays", policy,
         cancellation_policy as "cancellationPolicy"
       from house_product h join product p on p.id = h.product_id
       where h.venue_id = v.id order by p.position, p.id`,
  );
}
