import { type Static, Type } from 'typebox';
import { pageQuery, windowOf } from '../../../http/validation/paging.ts';
import { CommaList, Defaulted } from '../../../http/validation/query-schema.ts';
import { type FieldErrors, problem } from '../../../kernel/problem.ts';
import { minuteOfDay, weekdayOf } from '../../../kernel/zone-time.ts';
import { SORTS, type VenueFilter, type VenueSearch } from './search-store.ts';

const shortText = (description: string) =>
  Type.Optional(Type.String({ minLength: 2, maxLength: 100, description }));

export const VenueQuery = Type.Object({
  ...pageQuery,
  sortBy: Defaulted(
    Type.Enum([...SORTS], {
      default: 'default',
      description:
        '`default`: by id; `city` and `area`: then by name; `venueGroup` needs `venueGroupName`; `relevance` needs `query`, and gives the best 600 at most',
    }),
  ),
  sortDirection: Type.Optional(
    Type.Enum(['ASC', 'DESC'], {
      description: '`ASC` unless given; by relevance, the best match first unless given',
    }),
  ),
  date: Type.Optional(
    Type.String({ format: 'date', description: 'Only venues that trade on this day (their trading day)' }),
  ),
  time: Type.Optional(
    Type.String({
      format: 'clock-time',
      description: 'With `date`: only venues that are open at this local time, `HH:MM`',
    }),
  ),
  venueGroupName: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Name of the operator, in any case' }),
  ),
  query: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 200,
      description:
        'Free text; keeps venues that match any of its words, synonyms and near spellings included',
    }),
  ),
  venueName: shortText('Part of the name, in any case'),
  city: shortText('Name of the city, in any case'),
  area: shortText('Name of the area, in any case'),
  productName: shortText('Part of the name of one of the products, in any case'),
  features: CommaList(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 10,
    description: 'Slugs of venue types separated by commas; a venue must have all of them',
  }),
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'With `lng` and `radius`' })),
  lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'With `lat` and `radius`' })),
  radius: Type.Optional(
    Type.Number({ minimum: 1, maximum: 1_000_000, description: 'Metres around `lat` and `lng`' }),
  ),
  fields: Type.Optional(
    Type.String({
      description: 'What to return of each venue, for example `id,name,products(compositeId,productName)`',
    }),
  ),
});

export type VenueQuery = Static<typeof VenueQuery>;

/** What the schema alone cannot say, above all what one parameter demands of another. */
function errorsOf(query: VenueQuery): FieldErrors {
  const errors: FieldErrors = {};
  if (query.sortBy === 'venueGroup' && query.venueGroupName === undefined) {
    errors.venueGroupName = ['is required when sortBy is venueGroup'];
  }
  if (query.sortBy === 'relevance' && query.query === undefined) {
    errors.query = ['is required when sortBy is relevance'];
  }
  if (query.time !== undefined && query.date === undefined) errors.date = ['is required when time is given'];
  const around = ['lat', 'lng', 'radius'] as const;
  if (around.some((name) => query[name] !== undefined)) {
    for (const name of around) {
      if (query[name] === undefined) errors[name] = ['is required: lat, lng and radius go together'];
    }
  }
  return errors;
}

function filterOf(query: VenueQuery): VenueFilter {
  const { venueGroupName, venueName, city, area, productName, features, date, time, lat, lng, radius } =
    query;
  return {
    ...(venueGroupName !== undefined && { venueGroupName }),
    ...(venueName !== undefined && { venueName }),
    ...(city !== undefined && { city }),
    ...(area !== undefined && { area }),
    ...(productName !== undefined && { productName }),
    ...(features !== undefined && { features }),
    ...(query.query !== undefined && { query: query.query }),
    ...(lat !== undefined &&
      lng !== undefined &&
      radius !== undefined && { near: { lat, lng, radiusMetres: radius } }),
    ...(date !== undefined && {
      open: {
        date,
        weekday: weekdayOf(date),
        ...(time !== undefined && { minute: minuteOfDay(time) }),
      },
    }),
  };
}

export function searchOf(query: VenueQuery): VenueSearch {
  const errors = errorsOf(query);
  if (Object.keys(errors).length > 0) {
    throw problem('VALID-N-001', { detail: 'Some parameters do not go together.', errors });
  }
  const { sortBy } = query;
  return {
    filter: filterOf(query),
    sortBy,
    direction: query.sortDirection ?? (sortBy === 'relevance' ? 'DESC' : 'ASC'),
    ...windowOf(query),
  };
}
