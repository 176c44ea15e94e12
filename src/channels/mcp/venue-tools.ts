/** Tools that find a place: venues, and what can be had there. */
import { type Static, Type } from 'typebox';
import { AvailabilityQuery, FoundTables, TableQuestion } from '../../features/availability/service.ts';
import { searchOf, type Venue, VenueQuery } from '../../features/venues/service.ts';
import { oneOf, text } from '../../http/validation/schema-helpers.ts';
import { parseProductId, parseVenueId } from '../../kernel/ids.ts';
import { closed, defineTool, goesOn, money, nextPage, page, told } from './tool.ts';

const VENUES_PER_PAGE = 10;
const MOST_TIMES = 24;

const ProductName = Type.Object({ compositeId: Type.String(), name: Type.String() });

const VenueName = Type.Object({
  venueId: Type.String(),
  name: Type.String(),
  area: Type.String(),
  city: Type.String(),
  types: Type.Array(Type.String()),
  products: Type.Array(ProductName),
});

const nameOf = (venue: Venue): Static<typeof VenueName> => ({
  venueId: venue.id,
  name: venue.name,
  area: venue.location.area,
  city: venue.location.city,
  types: venue.types.map(({ slug }) => slug),
  products: venue.products.map(({ compositeId, productName }) => ({ compositeId, name: productName })),
});

const { city, area, query, features } = VenueQuery.properties;

export const getVenues = defineTool({
  name: 'get_venues',
  description: 'List venues with their products. For free tables, find_tables is one call.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object(
    {
      query: told(query, 'Words to search for'),
      city: told(city),
      area: told(area),
      types: told(features, 'Slugs; all of them'),
      page,
    },
    closed,
  ),
  output: Type.Object({ venues: Type.Array(VenueName), nextPage }),
  async run({ venues, caller }, { page: pageNumber = 1, types, ...filter }) {
    const paging = { pageNumber, pageSize: VENUES_PER_PAGE };
    const sortBy = filter.query === undefined ? ('default' as const) : ('relevance' as const);
    const found = await venues.list(
      caller,
      searchOf({ ...filter, ...(types !== undefined && { features: types }), ...paging, sortBy }),
    );
    const names = found.venues.map(nameOf);
    const list = names.map(({ venueId, name, area: where }) => `${name}, ${where} (${venueId})`).join('; ');
    const next = pageNumber * VENUES_PER_PAGE < found.total ? pageNumber + 1 : undefined;
    const line =
      names.length === 0 ? `${found.total} venues, none on this page.` : `${found.total} venues: ${list}.`;
    return {
      text: found.total === 0 ? 'No venue fits.' : [line, ...goesOn(next)].join(' '),
      data: { venues: names, ...(next && { nextPage: next }) },
    };
  },
});

export const getVenueById = defineTool({
  name: 'get_venue_by_id',
  description: 'One venue: what it is, its hours, and what a booking there has to say.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object({ venueId: text('Such as 1|house|soho-grill') }, closed),
  output: Type.Object({
    ...VenueName.properties,
    products: Type.Array(
      Type.Object({
        ...ProductName.properties,
        preorder: Type.Optional(Type.String()),
        packages: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }))),
      }),
    ),
    address: Type.Optional(Type.String()),
    about: Type.Optional(Type.String()),
    hours: Type.Array(Type.String()),
    requiredFields: Type.Array(Type.String()),
    companies: Type.Optional(Type.Array(Type.String())),
    maxPartySize: Type.Optional(Type.Integer()),
  }),
  async run({ venues, caller }, { venueId }) {
    const venue = await venues.get(caller, parseVenueId(venueId));
    const { location, content, bookingRequirements, bookingOverrides } = venue;
    const { companyNames } = bookingRequirements.company;
    const data = {
      ...nameOf(venue),
      products: venue.products.map(productFacts),
      ...(location.address !== null && { address: location.address }),
      ...(content.summary !== null && { about: content.summary }),
      hours: hoursOf(venue),
      requiredFields: bookingRequirements.requiredFields,
      ...(companyNames.length > 0 && { companies: companyNames }),
      ...(bookingOverrides.maxPartySize !== null && { maxPartySize: bookingOverrides.maxPartySize }),
    };
    const products = data.products.map(({ compositeId, name }) => `${name} (${compositeId})`).join('; ');
    const { requiredFields } = data;
    const needed = requiredFields.length === 0 ? '' : ` A booking needs ${requiredFields.join(', ')}.`;
    return { text: `${venue.name}, ${location.area}, ${location.city}: ${products}.${needed}`, data };
  },
});

function productFacts({
  compositeId,
  productName,
  preOrderRequired,
  preOrderRequiredType,
  preorders,
}: Venue['products'][number]) {
  if (!preOrderRequired) return { compositeId, name: productName };
  const packages = preorders.packages.map(({ id, name }) => ({ id, name }));
  return { compositeId, name: productName, preorder: preOrderRequiredType, packages };
}

/** A line for each weekday on which the venue opens. */
const hoursOf = ({ opening_times: { weekly } }: Venue): string[] =>
  weekly.flatMap(({ day, periods }) =>
    periods.length === 0
      ? []
      : [`${day} ${periods.map(({ opens, closes }) => `${opens}–${closes}`).join(', ')}`],
  );

const asked = TableQuestion.properties;

export const findTables = defineTool({
  name: 'find_tables',
  description:
    'Free tables over many venues, the best first, each with what create_venue_booking needs and why it fits.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object(
    {
      ...asked,
      date: told(asked.date),
      time: told(asked.time, 'HH:MM, an hour either way'),
      latest: told(asked.latest, 'Latest start'),
      city: told(asked.city),
      areas: told(asked.areas),
      near: told(asked.near, '{lat,lng,radius in metres}'),
      types: told(asked.types, 'Slugs of venue types; all of them'),
      maxPrice: told(asked.maxPrice, 'Pence per guest'),
      accessibility: told(asked.accessibility, 'Step-free'),
      limit: told(asked.limit),
      cursor: told(asked.cursor, 'nextCursor, with the same question'),
    },
    closed,
  ),
  output: FoundTables,
  async run({ availability, caller }, question) {
    const found = await availability.findTables(caller, question);
    const lines = found.tables.map(lineOf);
    const next = found.nextCursor === undefined ? [] : [`More with cursor ${found.nextCursor}`];
    const relaxed =
      found.relaxed.length > 0 ? [`Nothing fits all; relaxed: ${found.relaxed.join(', ')}.`] : [];
    const silent = found.unanswered ? [`No answer from ${found.unanswered.join(', ')}.`] : [];
    const none = found.noVenues ? 'No venue fits; see get_venues for cities.' : 'Nothing is free.';
    const said = lines.length === 0 ? [none] : [...relaxed, ...lines];
    return { text: [...said, ...silent, ...next].join('\n'), data: found };
  },
});

/** With all that a booking of it has to say or to bring. */
function lineOf({
  venue,
  area: where,
  spaceId,
  deposit,
  currency,
  needs,
  ...table
}: Static<typeof FoundTables>['tables'][number]): string {
  return [
    `${venue}, ${where}: ${table.date} ${table.time}, ${table.type}, ${table.compositeId}`,
    ...(spaceId === undefined ? [] : [`spaceId ${spaceId}`]),
    ...(deposit === undefined || currency === undefined ? [] : [`deposit ${money(deposit, currency)}`]),
    ...(needs === undefined ? [] : [`needs ${needs.join(' and ')}`]),
  ].join(', ');
}

const { partySize, children, date, time, startTime, endTime } = AvailabilityQuery.properties;

export const checkVenueAvailability = defineTool({
  name: 'check_venue_availability',
  description:
    'Starts of one product that are free now: `book` is confirmed at once, `request` by the venue.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object(
    {
      compositeId: text('Product id'),
      partySize,
      children: Type.Optional(told(children)),
      date: told(date, 'Local day'),
      time: told(time, 'HH:MM, an hour either way'),
      startTime: told(startTime, 'Earliest'),
      endTime: told(endTime, 'Latest'),
    },
    closed,
  ),
  output: Type.Object({
    product: Type.String(),
    times: Type.Array(Type.Object({ time: Type.String(), type: oneOf(['book', 'request'] as const) })),
    deposit: Type.Optional(Type.Integer()),
    currency: Type.Optional(Type.String()),
    cancellationPolicy: Type.Optional(Type.String()),
    moreFrom: Type.Optional(text('Ask again with this startTime')),
  }),
  async run({ availability, caller }, { compositeId, ...question }) {
    const found = await availability.get(caller, parseProductId(compositeId), {
      children: 0,
      includeUnavailable: false,
      ...question,
    });
    const times = found.times.slice(0, MOST_TIMES).map((start) => ({ time: start.time, type: start.type }));
    const more = found.times[MOST_TIMES];
    const { deposit, cancellationPolicy } = found;
    const list = times.map((start) => `${start.time}${start.type === 'request' ? ' (request)' : ''}`);
    const owed = deposit ? ` Deposit ${money(deposit.total, deposit.currency)}.` : '';
    return {
      text:
        times.length === 0
          ? (found.noAvailabilityReason ?? 'Nothing is free then.')
          : `${found.name}: ${list.join(', ')}.${owed}`,
      data: {
        product: found.name,
        times,
        ...(deposit && { deposit: deposit.total, currency: deposit.currency }),
        ...(cancellationPolicy !== null && { cancellationPolicy }),
        ...(more && { moreFrom: more.time }),
      },
    };
  },
});
