import type { VenueId } from '../../../kernel/ids.ts';

/** What the OpenAPI document shows: what is read, and what is sent to make it so. */

export const managedVenueExample = {
  id: '1|house|soho-grill' as VenueId,
  operatorId: 1,
  tms: 'house',
  resourceId: 'soho-grill',
  name: 'Soho Grill',
  timeZone: 'Europe/London',
  phoneNumber: '+442079460000',
  website: 'https://soho-grill.example',
  types: ['restaurant'],
  hostVenueId: null,
  content: {
    summary: 'Fire and good company',
    description: 'An open grill in Soho.',
    highlights: ['Open kitchen'],
  },
  location: {
    lat: 51.5136,
    lng: -0.1337,
    address: '12 Dean Street',
    area: 'Soho',
    city: 'London',
    postcode: 'W1D 3RW',
    countryCode: 'GB',
  },
  closedAt: null,
};

export const hoursExample = {
  weekly: [
    { weekdays: [1, 2, 3, 4] as (1 | 2 | 3 | 4)[], periods: [{ opens: '12:00', closes: '23:00' }] },
    { weekdays: [5, 6] as (5 | 6)[], periods: [{ opens: '12:00', closes: '01:00' }] },
  ],
  exceptions: [{ date: '2026-12-25', periods: [], reason: 'Christmas Day' }],
};

const { id: _id, operatorId: _operator, tms, resourceId, closedAt: _closed, ...venue } = managedVenueExample;
export const venueBodyExample = venue;
export const newVenueBodyExample = { tms, resourceId, ...venue };

export const managedProductExample = {
  compositeId: '1|house|soho-grill|dinner',
  key: 'dinner',
  name: 'Dinner',
  slug: 'dinner',
  category: 'dinner',
  timeIntervalMinutes: 15,
  preOrderRequiredType: 'none' as const,
  paymentRules: [
    {
      amount: 1000,
      currency: 'GBP' as const,
      per: 'guest' as const,
      minPartySize: 9,
      maxPartySize: null,
      weekdays: [5, 6] as (5 | 6)[],
    },
  ],
  refundTerms: [{ hoursBefore: 48, percent: 100 }],
  spaceIds: [],
  packageIds: [101],
  menuIds: [201],
  hours: hoursExample,
  isWithdrawn: false,
  house: {
    zoneIds: null,
    minGuests: null,
    maxGuests: 12,
    turnTimes: [
      { upTo: 2, minutes: 90 },
      { upTo: 6, minutes: 120 },
    ],
    duration: { minMinutes: 60, maxMinutes: 240, stepMinutes: 15 },
    coversPerStart: null,
    instantLimit: 8,
    isRequestOnly: false,
    takesEnquiries: true,
    noticeMinutes: 60,
    horizonDays: 180,
    policy: null,
    cancellationPolicy: 'Free until two days before.',
  },
  effective: { zoneIds: [1], minGuests: 1, maxGuests: 12 },
  tickets: null,
};

const {
  compositeId: _composite,
  key,
  isWithdrawn: _withdrawn,
  effective: _effective,
  ...product
} = managedProductExample;
export const productBodyExample = product;
export const newProductBodyExample = { key, ...product };

export const occurrenceExample = {
  id: 12,
  date: '2026-12-03',
  startsMinute: 1230,
  durationMinutes: 150,
  isWithdrawn: false,
  hasTickets: true,
};

export const newOccurrenceBodyExample = { date: '2026-12-03', startsMinute: 1230, durationMinutes: 150 };

export const packageExample = {
  id: 101,
  name: 'Sharing feast',
  slug: 'sharing-feast',
  description: 'Six dishes for the table',
  pricePence: 4500,
  pricePer: 'guest' as const,
};

const { id: _package, ...packageFields } = packageExample;
export const packageBodyExample = packageFields;

export const menuExample = {
  id: 201,
  name: 'Set menu',
  slug: 'set-menu',
  description: null,
  items: [
    {
      id: 301,
      name: 'Ribeye',
      description: '35 days aged',
      pricePence: 3200,
      dietTypes: ['gluten-free'],
      allergens: ['milk'],
      options: [
        { id: 'cooked', name: 'Cooked', required: true, values: [{ value: 'medium', pricePence: 0 }] },
      ],
      type: 'main',
      subType: 'grill',
    },
  ],
};

const { id: _menu, ...menuFields } = menuExample;
export const menuBodyExample = menuFields;

export const vocabularyExample = {
  categories: [{ id: 1, slug: 'dinner', name: 'Dinner' }],
  venueTypes: [{ slug: 'restaurant', name: 'Restaurant' }],
};
