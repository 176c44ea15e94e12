import { type Static, Type } from 'typebox';
import { operatorId, venueId } from '../../../http/manage-route.ts';
import { named, nullable, optional } from '../../../http/validation/schema-helpers.ts';
import { newVenueBodyExample, venueBodyExample } from './examples.ts';
import { closed, HoursBody, label, prose, segment, slug, whole } from './schema-helpers.ts';

const content = {
  summary: optional(prose('One line', 500)),
  description: optional(prose('As many as it takes', 20_000)),
  highlights: Type.Optional(Type.Array(label('What it is known for'), { maxItems: 50 })),
};

const location = {
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

const fields = {
  name: label('Name'),
  timeZone: label('IANA zone of every local time of this venue', 100),
  phoneNumber: optional(prose('Phone number', 50)),
  website: optional(prose('Its own site, with http or https', 2000)),
  types: Type.Array(slug('Slug of a venue type'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'What kind of place it is',
  }),
  hostVenueId: optional(venueId, 'Of an event: the venue that it takes place in'),
};

const body = {
  ...fields,
  content: Type.Object(content, { ...closed, description: 'What the venue says about itself' }),
  location: Type.Object(location, { ...closed, description: 'Where it is' }),
};

const origin = {
  tms: segment('The system behind it, one of the operator’s: second segment of its id'),
  resourceId: segment('What it is called there: third segment of its id'),
};

export const NewVenueBody = Type.Object(
  { ...origin, ...body },
  { ...closed, examples: [newVenueBodyExample] },
);
export const VenueBody = Type.Object(body, { ...closed, examples: [venueBodyExample] });
export type VenueBody = Static<typeof VenueBody>;

export const ManagedVenue = Type.Object(
  {
    id: venueId,
    operatorId,
    ...origin,
    ...whole(fields),
    content: Type.Object(whole(content)),
    location: Type.Object(whole(location)),
    closedAt: nullable(Type.String({ format: 'date-time', description: 'When it closed for good' })),
  },
  named('ManagedVenue', 'A venue or event, as its operator keeps it'),
);
export type ManagedVenue = Static<typeof ManagedVenue>;

export const VenueHours = Type.Object(
  whole(HoursBody.properties),
  named('VenueHours', 'When a venue trades, by trading days in local time'),
);
export type VenueHours = Static<typeof VenueHours>;

export const VocabularyBody = Type.Object(
  { name: label('As people read it', 100) },
  { ...closed, examples: [{ name: 'Supper club' }] },
);

const entry = { slug: slug('Its name in data'), name: label('Its name for people', 100) };

export const ManagedCategory = Type.Object(
  { id: Type.Integer(), ...entry },
  named('ManagedCategory', 'A category of products'),
);
export const ManagedVenueType = Type.Object(entry, named('ManagedVenueType', 'A kind of place'));
export const CategoryEntries = Type.Object({ data: Type.Array(ManagedCategory) });
export const VenueTypeEntries = Type.Object({ data: Type.Array(ManagedVenueType) });
export const Vocabulary = Type.Object(
  { categories: Type.Array(ManagedCategory), venueTypes: Type.Array(ManagedVenueType) },
  named('Vocabulary', 'The words that venues and products are sorted by'),
);

export type ManagedCategory = Static<typeof ManagedCategory>;
export type ManagedVenueType = Static<typeof ManagedVenueType>;
