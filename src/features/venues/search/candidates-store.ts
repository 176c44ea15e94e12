/** Venues that a search for tables may ask: where they are, seen from what was asked for. */
import type { Fragment, Tx } from '../../../db/database.ts';
import type { Visibility } from '../../../http/auth/caller.ts';
import { visibleVenues } from '../../../http/auth/visibility-store.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { isInOneOf, metresFrom } from './search-store.ts';

export interface Point {
  lat: number;
  lng: number;
}

/** The middle of what there is of an area. */
export interface AreaCentre extends Point {
  city: string;
}

export interface MeasuredVenue {
  id: VenueId;
  /** In one of the areas that were asked for, or none was. */
  isInAreas: boolean;
  /** From the nearest of the points; null without any. */
  metres: number | null;
}

/** Those that take bookings and are meant, by a condition or by their ids, the nearest first, then by id. */
export async function listNearest(
  tx: Tx,
  visibility: Visibility,
  meant: { condition: Fragment | undefined } | { ids: readonly VenueId[] },
  { from, areas, limit }: { from: readonly Point[]; areas: readonly string[] | undefined; limit: number },
): Promise<MeasuredVenue[]> {
  const condition = 'ids' in meant ? tx`v.id = any(${[...meant.ids]}::text[])` : meant.condition;
  const [first, ...rest] = from.map((point) => metresFrom(tx, point));
  const metres = first
    ? tx`least(${rest.reduce((all, one) => tx`${all}, ${one}`, first)})`
    : tx`null::float8`;
  const isInAreas = areas ? isInOneOf(tx, 'area', areas) : tx`true`;
  return [
    ...(await tx<MeasuredVenue[]>`
      select v.id, ${isInAreas} as "isInAreas", ${metres} as metres from venue v
      where ${visibleVenues(tx, visibility)} and v.closed_at is null and ${condition ?? tx`true`}
      order by metres, v.id limit ${limit}`),
  ];
}

/** Each distance is measured from all of them. */
const MOST_CENTRES = 30;

/** One for each area of each city among the venues that meet the condition, those with most venues if there are many. */
export async function listCentres(
  tx: Tx,
  visibility: Visibility,
  condition: Fragment | undefined,
): Promise<AreaCentre[]> {
  return [
    ...(await tx<AreaCentre[]>`
      select v.city, avg(v.lat) as lat, avg(v.lng) as lng from venue v
      where ${visibleVenues(tx, visibility)} and ${condition ?? tx`true`}
      group by v.city, v.area order by count(*) desc, v.city, v.area limit ${MOST_CENTRES}`),
  ];
}
