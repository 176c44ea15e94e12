import { type Static, Type } from 'typebox';
import { Page } from '../../http/validation/paging.ts';
import { CLOCK_TIME, named, nullable, oneOf, text, URI } from '../../http/validation/schema-helpers.ts';
import { CAPABILITIES } from '../../tms/contract.ts';
import { Location, Product, Venue, venueExample, WeekdaySchema } from '../venues/service.ts';

const date = (description: string) => nullable(Type.String({ format: 'date', description }));

const CalendarRule = Type.Object(
  {
    kind: oneOf(['opening_hours', 'occurrence', 'blackout'], {
      description:
        '`opening_hours`: guests are received; `occurrence`: the event takes place; `blackout`: nothing is to be had, whatever the other rules say',
    }),
    compositeId: nullable(text('The one bookable that it is about; null: the whole listing')),
    weekdays: nullable(Type.Array(WeekdaySchema, { description: 'Null: whatever the weekday' })),
    startDate: date('First trading day; null: since ever'),
    endDate: date('Last trading day, included; null: for good. A rule for one date has it in both'),
    startTime: nullable(text('Local time, `HH:MM`; null: the whole day', CLOCK_TIME)),
    endTime: nullable(
      text(
        'Local time, `HH:MM`, excluded; at or before `startTime` it is on the next day; null with `startTime`',
        CLOCK_TIME,
      ),
    ),
    reason: nullable(text('What the venue says about it; the act, where it is an occurrence')),
  },
  named(
    'CalendarRule',
    'When something can be had, or cannot. On a date that has hours of its own, those take the place of weekly ones. Hours of a bookable take the place of those of its listing; blackouts of the listing hold for all its bookables',
  ),
);

const { slug, category, preOrderRequiredType, depositRequired, paymentRules, spaces } = Product.properties;

const Bookable = Type.Object(
  {
    compositeId: text('The id for availability and orders: that of the listing and a fourth segment'),
    name: Type.String(),
    slug,
    category,
    timeInterval: nullable(Type.Integer({ description: 'Minutes between two slot times; null for tickets' })),
    preOrderRequiredType,
    depositRequired,
    paymentRules,
    spaces: nullable(Type.Array(spaces.items, { description: 'Null for tickets' })),
    price: nullable(Type.Integer({ description: 'Of one ticket, in pence; null for tables' })),
    currency: nullable(text('Of `price`')),
    minQuantity: nullable(
      Type.Integer({ description: 'Fewest covers or tickets of one booking; null: not told' }),
    ),
    maxQuantity: nullable(
      Type.Integer({ description: 'Most covers or tickets of one booking on your channel; null: not told' }),
    ),
  },
  named('Bookable', 'A product or a ticket type'),
);

const { content, timeZone, types, photos, preorders } = Venue.properties;

const Listing = Type.Object(
  {
    id: text(
      'Three segments, those of the venue or of the event itself. It is not a `compositeId`: what is booked are the bookable products',
    ),
    capability: oneOf(CAPABILITIES, { description: 'What is booked here; one thing for each listing' }),
    name: Type.String(),
    content,
    timeZone,
    reservable: Type.Boolean({ description: 'You can book here now' }),
    phoneNumber: nullable(Type.String()),
    website: nullable(Type.String(URI)),
    types,
    photos,
    bookableProducts: Type.Array(Bookable, { description: 'What can be booked, and where its ids are' }),
    availabilityOccurrence: Type.Array(CalendarRule, {
      description:
        'Opening hours, occurrences and days without; what is still free only live availability says',
    }),
    preorders,
  },
  named('Listing', 'One thing that a venue offers, tables or an event'),
);

const ListingItem = Type.Object(
  {
    name: Type.String(),
    location: Location,
    capabilities: Type.Array(Listing, { description: 'The venue’s own first, then the events it hosts' }),
  },
  named('ListingItem', 'A venue with the events it hosts, or an event by itself'),
);

export const ListingGroup = Type.Object(
  {
    groupName: text('The operator'),
    items: Type.Array(ListingItem),
  },
  named('ListingGroup', 'The items of one operator on this page; more of them may follow on the next'),
);

export const ListingPage = Type.Object(
  { meta: Page(ListingGroup).properties.meta, listings: Type.Array(ListingGroup) },
  named('ListingPage', 'One page; `meta` counts items'),
);

export type CalendarRule = Static<typeof CalendarRule>;
export type Bookable = Static<typeof Bookable>;
export type Listing = Static<typeof Listing>;
export type ListingItem = Static<typeof ListingItem>;
export type ListingGroup = Static<typeof ListingGroup>;

const always: CalendarRule = {
  kind: 'opening_hours',
  compositeId: null,
  weekdays: null,
  startDate: null,
  endDate: null,
  startTime: null,
  endTime: null,
  reason: null,
};

const shared = {
  content: venueExample.content,
  timeZone: venueExample.timeZone,
  reservable: true,
  phoneNumber: venueExample.phone_number,
  website: venueExample.website,
  types: venueExample.types,
  photos: venueExample.photos,
};

const tables: Listing = {
  ...shared,
  id: '1|house|soho-grill',
  capability: 'table_reservation',
  name: 'Soho Grill',
  bookableProducts: venueExample.products.map((product) => ({
    compositeId: product.compositeId,
    name: product.productName,
    slug: product.slug,
    category: product.category,
    timeInterval: product.timeInterval,
    preOrderRequiredType: product.preOrderRequiredType,
    depositRequired: product.depositRequired,
    paymentRules: product.paymentRules,
    spaces: product.spaces,
    price: null,
    currency: null,
    minQuantity: 1,
    maxQuantity: 12,
  })),
  availabilityOccurrence: [
    { ...always, weekdays: [1, 2, 3, 4, 5, 6, 7], startTime: '12:00', endTime: '23:00' },
    {
      ...always,
      kind: 'blackout',
      startDate: '2026-12-25',
      endDate: '2026-12-25',
      reason: 'Christmas Day',
    },
  ],
  preorders: venueExample.preorders,
};

const event: Listing = {
  ...shared,
  id: '1|tickets|wine-evening',
  capability: 'event_ticket',
  name: 'Wine evening',
  bookableProducts: [
    {
      compositeId: '1|tickets|wine-evening|standard',
      name: 'Standard ticket',
      slug: 'standard',
      category: null,
      timeInterval: null,
      preOrderRequiredType: 'none',
      depositRequired: false,
      paymentRules: [],
      spaces: null,
      price: 3500,
      currency: 'GBP',
      minQuantity: 1,
      maxQuantity: 8,
    },
  ],
  availabilityOccurrence: [
    {
      ...always,
      kind: 'occurrence',
      startDate: '2026-12-10',
      endDate: '2026-12-10',
      startTime: '19:00',
      endTime: '22:00',
      reason: 'Rhône in winter',
    },
  ],
  preorders: { packages: [], menus: [] },
};

/** What the OpenAPI document shows: a restaurant, and an evening that it hosts. */
export const listingPageExample: Static<typeof ListingPage> = {
  meta: { currentPage: 1, pageSize: 20, totalItems: 1, totalPages: 1 },
  listings: [
    {
      groupName: venueExample.venueGroupName,
      items: [{ name: venueExample.name, location: venueExample.location, capabilities: [tables, event] }],
    },
  ],
};
