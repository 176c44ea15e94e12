/** Tools that find a place: venues, and what can be had there. */
import { type Static, Type } from 'typebox';
import { type Availability, AvailabilityQuery } from '../../features/availability/service.ts';
import { searchOf, type Venue, VenueQuery } from '../../features/venues/service.ts';
import { oneOf } from '../../http/validation/schema-helpers.ts';
import { parseProductId, parseVenueId } from '../../kernel/ids.ts';
import { defineTool } from './tool.ts';

const VENUES_PER_PAGE = 10;
const MOST_TIMES = 24;
const closed = { additionalProperties: false };

const { city, area, query, features, date: openOn, pageNumber: page } = VenueQuery.properties;

const BookableProduct = Type.Object({ compositeId: Type.String(), name: Type.String() });

const ShortVenue = Type.Object({
  venueId: Type.String(),
  name: Type.String(),
  area: Type.String(),
  city: Type.String(),
  types: Type.Array(Type.String()),
  products: Type.Array(BookableProduct),
});

const shortVenue = (venue: Venue): Static<typeof ShortVenue> => ({
  venueId: venue.id,
  name: venue.name,
  area: venue.location.area,
  city: venue.location.city,
  types: venue.types.map(({ slug }) => slug),
  products: venue.products.map(({ compositeId, productName }) => ({ compositeId, name: productName })),
});

export const getVenues = defineTool({
  name: 'get_venues',
  description: 'List venues and their products. To find a free table in one call, use find_tables.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object({ city, area, query, features, date: openOn, page: Type.Optional(page) }, closed),
  output: Type.Object({ venues: Type.Array(ShortVenue), nextPage: Type.Optional(Type.Integer()) }),
  async run({ venues, caller }, { page = 1, ...filter }) {
    const search = searchOf({
      ...filter,
      pageNumber: page,
      pageSize: VENUES_PER_PAGE,
      sortBy: filter.query === undefined ? 'default' : 'relevance',
    });
    const { venues: found, total } = await venues.list(caller, search);
    const data = { venues: found.map(shortVenue), ...nextPage(page, VENUES_PER_PAGE, total) };
    return { text: `${total} venues. ${found.map(({ id, name }) => `${name} (${id})`).join(', ')}`, data };
  },
});

const nextPage = (page: number, pageSize: number, total: number) =>
  page * pageSize < total ? { nextPage: page + 1 } : {};

export const getVenueById = defineTool({
  name: 'get_venue_by_id',
  description: 'Read one venue: address, products, and what a booking there must say.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object({ venueId: Type.String() }, closed),
  output: Type.Object({ ...ShortVenue.properties, summary: Type.Union([Type.String(), Type.Null()]) }),
  async run({ venues, caller }, { venueId }) {
    const venue = await venues.get(caller, parseVenueId(venueId));
    return {
      text: `${venue.name}, ${venue.location.area}.`,
      data: { ...shortVenue(venue), summary: venue.content.summary },
    };
  },
});

const { partySize, children, date, time, startTime, endTime } = AvailabilityQuery.properties;

const AvailableTimes = Type.Object({
  name: Type.String(),
  times: Type.Array(Type.Object({ time: Type.String(), type: oneOf(['book', 'request'] as const) })),
});

export const checkVenueAvailability = defineTool({
  name: 'check_venue_availability',
  description:
    'Starts of one product that are free at this moment. `book` is confirmed at once, `request` by the venue.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object(
    {
      compositeId: Type.String(),
      partySize,
      children: Type.Optional(children),
      date,
      time,
      startTime,
      endTime,
    },
    closed,
  ),
  output: AvailableTimes,
  async run({ availability, caller }, { compositeId, ...question }) {
    const found: Availability = await availability.get(caller, parseProductId(compositeId), {
      children: 0,
      includeUnavailable: false,
      ...question,
    });
    const times = found.times.slice(0, MOST_TIMES).map(({ time, type }) => ({ time, type }));
    return {
      text:
        times.length === 0
          ? (found.noAvailabilityReason ?? 'Nothing is free.')
          : `${found.name}: ${times.map(({ time }) => time).join(', ')}`,
      data: { name: found.name, times },
    };
  },
});
