import { type Static, Type } from 'typebox';
import { operatorId, venueId } from '../../../http/manage-route.ts';
import { named, nullable, optional } from '../../../http/validation/schema-helpers.ts';
import { ownFields, sentFields, wholeFields } from '../fields.ts';
import { newVenueBodyExample, venueBodyExample } from './examples.ts';
import { closed, HoursBody, label, segment, slug, whole } from './schema-helpers.ts';

const hostVenueId = optional(venueId, 'Of an event: the venue that it takes place in');

const body = { ...ownFields, hostVenueId, content: sentFields.content, location: sentFields.location };

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
    ...whole({ ...ownFields, hostVenueId }),
    content: wholeFields.content,
    location: wholeFields.location,
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
