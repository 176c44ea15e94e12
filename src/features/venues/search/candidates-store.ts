/** Venues that a search for tables may ask: where they are, seen from what was asked for. */
import type { Fragment, Tx } from '../../../db/database.ts';
import type { Visibility } from '../../../http/auth/caller.ts';
import { visibleVenues } from '../../../http/auth/visibility-store.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { metresFrom } from './search-store.ts';

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
  area: string;
  /** From the nearest of the points; null without any. */
  metres: number | null;
}

/** Those that take bookings and meet the condition, the nearest first, then by id. */
export async function listNearest(
  tx: Tx,
  visibility: Visibility,
  condition: Fragment | undefined,
  { from, limit }: { from: readonly Point[]; limit: number },
): Promise<MeasuredVenue[]> {
  const [first, ...rest] = from.map((point) => metresFrom(tx, point));
  const metres = first ? rest.reduce((left, right) => tx`least(${left}, ${right})`, first) : tx`null::float8`;
  return [
    ...(await tx<MeasuredVenue[]>`
      select v.id, v.area, ${metres} as metres from venue v
      where ${visibleVenues(tx, visibility)} and v.closed_at is null and ${condition ?? tx`true`}
      order by metres, v.id limit ${limit}`),
  ];
}

/** One for each area of each city among the venues that meet the condition. */
export async function listCentres(
  tx: Tx,
  visibility: Visibility,
  condition: Fragment | undefined,
): Promise<AreaCentre[]> {
  return [
    ...(await tx<AreaCentre[]>`
      select v.city, avg(v.lat) as lat, avg(v.lng) as lng from venue v
      where ${visibleVenues(tx, visibility)} and ${condition ?? tx`true`}
      group by v.city, v.area order by v.city, v.area`),
  ];
}
