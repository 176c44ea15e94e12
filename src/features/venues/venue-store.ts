import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';

/** What a venue says of itself, without anything below it. */
export interface VenueFields {
  name: string;
  timeZone: string;
  content: { summary: string | null; description: string | null; highlights: string[] };
  phoneNumber: string | null;
  website: string | null;
  location: {
    lat: number;
    lng: number;
    address: string | null;
    area: string;
    city: string;
    postcode: string | null;
    countryCode: string;
  };
  types: string[];
}

export interface NewVenue extends VenueFields {
  id: VenueId;
  operatorId: number;
  tms: string;
  resourceId: string;
  closedAt: string | null;
}

/** False when it is there already. */
export async function insertVenue(tx: Tx, venue: NewVenue): Promise<boolean> {
  const { location } = venue;
  const { count } = await tx`
    insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, phone_number, website,
      address, area, city, postcode, country_code, lat, lng, types, closed_at, search)
    values (${venue.id}, ${venue.operatorId}, ${venue.tms}, ${venue.resourceId}, ${venue.name}, ${venue.timeZone},
      ${tx.json(venue.content)}, ${venue.phoneNumber}, ${venue.website}, ${location.address}, ${location.area},
      ${location.city}, ${location.postcode}, ${location.countryCode}, ${location.lat}, ${location.lng},
      ${venue.types}, ${venue.closedAt}, ${searchVector(tx, venue)})
    on conflict (id) do nothing`;
  return count > 0;
}

export async function updateVenue(tx: Tx, id: VenueId, venue: VenueFields): Promise<void> {
  const { location } = venue;
  await tx`
    update venue set name = ${venue.name}, time_zone = ${venue.timeZone}, content = ${tx.json(venue.content)},
      phone_number = ${venue.phoneNumber}, website = ${venue.website}, address = ${location.address},
      area = ${location.area}, city = ${location.city}, postcode = ${location.postcode},
      country_code = ${location.countryCode}, lat = ${location.lat}, lng = ${location.lng},
      types = ${venue.types}, search = ${searchVector(tx, venue)}
    where id = ${id}`;
}

export async function updateHost(tx: Tx, id: VenueId, hostVenueId: VenueId | null): Promise<void> {
  await tx`update venue set host_venue_id = ${hostVenueId}
    where id = ${id} and host_venue_id is distinct from ${hostVenueId}`;
}

/** What a search finds the venue by: its name above where and what it is, and that above its own words. */
function searchVector(tx: Tx, { name, location, types, content }: VenueFields): Fragment {
  const place = [location.city, location.area, ...types].join(' ');
  const words = [content.summary ?? '', content.description ?? '', ...content.highlights].join(' ');
  return tx`setweight(to_tsvector('english', ${name}), 'A')
    || setweight(to_tsvector('english', ${place}), 'B')
    || setweight(to_tsvector('english', ${words}), 'C')`;
}
