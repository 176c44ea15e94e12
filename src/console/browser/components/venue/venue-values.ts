/** The fields of a venue as forms hold them: everything is text, lists are lines. */
import type { ManagedVenue, VenueBody } from '../../../../features/venues/manage/venue-schema.ts';

export interface VenueValues {
  name: string;
  timeZone: string;
  phoneNumber: string;
  website: string;
  types: readonly string[];
  hostVenueId: string;
  summary: string;
  description: string;
  /** One a line. */
  highlights: string;
  address: string;
  area: string;
  city: string;
  postcode: string;
  countryCode: string;
  lat: string;
  lng: string;
}

export const valuesOfVenue = (venue: ManagedVenue): VenueValues => ({
  name: venue.name,
  timeZone: venue.timeZone,
  phoneNumber: venue.phoneNumber ?? '',
  website: venue.website ?? '',
  types: venue.types,
  hostVenueId: venue.hostVenueId ?? '',
  summary: venue.content.summary ?? '',
  description: venue.content.description ?? '',
  highlights: venue.content.highlights.join('\n'),
  address: venue.location.address ?? '',
  area: venue.location.area,
  city: venue.location.city,
  postcode: venue.location.postcode ?? '',
  countryCode: venue.location.countryCode,
  lat: String(venue.location.lat),
  lng: String(venue.location.lng),
});

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
/** What is no number is sent as it was typed: the service says what is wrong with it. */
const numberOf = (text: string) => {
  const number = Number(text.trim().replace(',', '.'));
  return (text.trim() === '' || Number.isNaN(number) ? text : number) as number;
};

export const bodyOfVenue = (values: VenueValues): VenueBody => ({
  name: values.name.trim(),
  timeZone: values.timeZone.trim(),
  phoneNumber: orNull(values.phoneNumber),
  website: orNull(values.website),
  types: [...values.types],
  hostVenueId: orNull(values.hostVenueId) as NonNullable<VenueBody['hostVenueId']> | null,
  content: {
    summary: orNull(values.summary),
    description: orNull(values.description),
    highlights: values.highlights
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  },
  location: {
    lat: numberOf(values.lat),
    lng: numberOf(values.lng),
    address: orNull(values.address),
    area: values.area.trim(),
    city: values.city.trim(),
    postcode: orNull(values.postcode),
    countryCode: values.countryCode.trim().toUpperCase(),
  },
});

/** `51.5, -0.1`, as maps show it, as two fields. */
export function coordinatesOf(text: string): { lat: string; lng: string } | undefined {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  return found ? { lat: found[1] ?? '', lng: found[2] ?? '' } : undefined;
}
