import { type Static, Type } from 'typebox';
import { pageQuery, windowOf } from '../../http/validation/paging.ts';
import { Defaulted } from '../../http/validation/query-schema.ts';
import { oneOf } from '../../http/validation/schema-helpers.ts';
import { invalid } from '../../kernel/problem.ts';
import { weekdayOf } from '../../kernel/zone-time.ts';
import { CAPABILITIES } from '../../tms/contract.ts';
import { VenueQuery, type VenueSearch } from '../venues/service.ts';

const { sortDirection, query, venueName, city, area, features } = VenueQuery.properties;

/** What both lists filter by means the same in both, and has the same limits. */
export const ListingQuery = Type.Object({
  ...pageQuery,
  sortBy: Defaulted(
    Type.Enum(['default', 'name', 'city', 'area', 'relevance'], {
      default: 'default',
      description:
        'By what is said of the venue of an item. `default`: its id; `city` and `area`: then by name; `relevance` needs `query`',
    }),
  ),
  sortDirection,
  capability: Type.Optional(
    oneOf(CAPABILITIES, { description: 'Only listings of this kind; venues without one are left out' }),
  ),
  venueName,
  operatorName: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 100,
      description: 'Part of the name of the operator, in any case',
    }),
  ),
  city,
  area,
  features,
  date: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Only what trades or takes place on this day (the trading day)',
    }),
  ),
  query,
  fields: Type.Optional(
    Type.String({
      description:
        'What to return of each group, for example `groupName,items(name,capabilities(id,bookableProducts(compositeId)))`',
    }),
  ),
});

export type ListingQuery = Static<typeof ListingQuery>;

/** `eventSystems` are the slugs of the systems that sell tickets; every other one counts as selling tables. */
export function searchOf(asked: ListingQuery, eventSystems: readonly string[]): VenueSearch {
  const { pageNumber, pageSize, sortBy, sortDirection, capability, date, fields: _, ...texts } = asked;
  if (sortBy === 'relevance' && texts.query === undefined) {
    throw invalid('query', 'is required when sortBy is relevance');
  }
  return {
    filter: {
      ...texts,
      ...(capability !== undefined && {
        systems: { slugs: eventSystems, areMeant: capability === 'event_ticket' },
      }),
      ...(date !== undefined && { open: { date, weekday: weekdayOf(date) } }),
    },
    sortBy,
    direction: sortDirection ?? (sortBy === 'relevance' ? 'DESC' : 'ASC'),
    ...windowOf({ pageNumber, pageSize }),
  };
}
