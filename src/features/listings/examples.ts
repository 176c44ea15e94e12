import type { Static } from 'typebox';
import { venueExample } from '../venues/examples.ts';
import type { CalendarRule, Listing, ListingPage } from './schema.ts';

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
