/** What an operator says of a venue itself. A field stands here once: its column, its schema and its type. */
import { type Static, type TProperties, Type } from 'typebox';
import { optional } from '../../http/validation/schema-helpers.ts';
import { closed, label, prose, slug, whole } from './manage/schema-helpers.ts';

const contentFields = {
  summary: optional(prose('One line', 500)),
  description: optional(prose('As many as it takes', 20_000)),
  highlights: Type.Optional(Type.Array(label('What it is known for'), { maxItems: 50 })),
};

const locationFields = {
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
  address: optional(prose('Street and number', 500)),
  area: label('Part of the city', 100),
  city: label('City', 100),
  postcode: optional(prose('Postcode', 20)),
  countryCode: Type.String({
    pattern: '^[A-Z]{2}$',
    'x-message': 'must be two capital letters, such as GB',
    description: 'ISO 3166-1, two letters',
  }),
};

export const ownFields = {
  name: label('Name'),
  timeZone: label('IANA zone of every local time of this venue', 100),
  phoneNumber: optional(prose('Phone number', 50)),
  website: optional(prose('Its own site, with http or https', 2000)),
  types: Type.Array(slug('Slug of a venue type'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'What kind of place it is',
  }),
};

/** As they are sent. */
export const sentFields = {
  ...ownFields,
  content: Type.Object(contentFields, { ...closed, description: 'What the venue says about itself' }),
  location: Type.Object(locationFields, { ...closed, description: 'Where it is' }),
};
const SentFields = Type.Object(sentFields);

/** As they are stored and read: nothing is left out. */
export const wholeFields = {
  ...whole(ownFields),
  content: Type.Object(whole(contentFields)),
  location: Type.Object(whole(locationFields)),
};
const WholeFields = Type.Object(wholeFields);
export type VenueFields = Static<typeof WholeFields>;

export const COLUMNS: Record<Exclude<keyof VenueFields, 'location'>, string> = {
  name: 'name',
  timeZone: 'time_zone',
  phoneNumber: 'phone_number',
  website: 'website',
  types: 'types',
  content: 'content',
};

export const LOCATION_COLUMNS: Record<keyof VenueFields['location'], string> = {
  lat: 'lat',
  lng: 'lng',
  address: 'address',
  area: 'area',
  city: 'city',
  postcode: 'postcode',
  countryCode: 'country_code',
};

/** Everything that is not a field of the venue itself is left out. */
export function venueFieldsOf(sent: Static<typeof SentFields>): VenueFields {
  return {
    ...complete(ownFields, sent),
    content: complete(contentFields, sent.content),
    location: complete(locationFields, sent.location),
  } as VenueFields;
}

/** What was left out is null, or an empty list. */
function complete(fields: TProperties, sent: object): object {
  const given: Record<string, unknown> = { ...sent };
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    given[name] ?? ('items' in schema ? [] : null),
  ]);
  return Object.fromEntries(entries);
}
