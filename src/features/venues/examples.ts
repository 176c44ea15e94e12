import { datedHours, weeklyHours } from './hours/hours.ts';
import type { Venue } from './schema.ts';

const weekly = weeklyHours([1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: 720, closes: 1380 })));
const exceptions = datedHours([{ date: '2026-12-25', opens: null, closes: null, reason: 'Christmas Day' }]);
const photo = {
  url: 'https://images.maitred.example/soho-grill/room.jpg',
  caption: 'The room',
  width: 1600,
  height: 1067,
};

const preorders: Venue['preorders'] = {
  packages: [
    {
      id: 101,
      slug: 'sharing-feast',
      name: 'Sharing feast',
      description: 'Six dishes for the table',
      price: 4500,
      currency: 'GBP',
      pricePer: 'guest',
    },
  ],
  menus: [
    {
      id: 201,
      slug: 'set-menu',
      name: 'Set menu',
      description: null,
      items: [
        {
          id: 301,
          name: 'Ribeye',
          price: 3200,
          description: '35 days aged',
          diet_types: ['gluten-free'],
          allergens: ['milk'],
          configurable_options: [
            { id: 'cooked', name: 'Cooked', required: true, values: [{ value: 'medium', price: 0 }] },
          ],
          type: 'main',
          subType: 'grill',
          displayOrder: 1,
        },
      ],
    },
  ],
};

/** What the OpenAPI document shows for a venue. */
export const venueExample: Venue = {
  id: '1|house|soho-grill',
  name: 'Soho Grill',
  venueGroupName: 'Grill & Garden',
  content: {
    summary: 'Fire and good company',
    description: 'An open grill in Soho.',
    highlights: ['Open kitchen'],
  },
  phone_number: '+442079460000',
  website: 'https://soho-grill.example',
  reservable: true,
  timeZone: 'Europe/London',
  location: {
    lat: 51.5136,
    lng: -0.1337,
    address: '12 Dean Street',
    area: 'Soho',
    city: 'London',
    postcode: 'W1D 3RW',
    countryCode: 'GB',
  },
  types: [{ slug: 'restaurant', name: 'Restaurant' }],
  photos: [photo],
  media: [photo],
  is_active: true,
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-11-02T16:20:31.250Z',
  products: [
    {
      compositeId: '1|house|soho-grill|dinner',
      productName: 'Dinner',
      slug: 'dinner',
      timeInterval: 15,
      preOrderRequired: false,
      preOrderRequiredType: 'none',
      depositRequired: false,
      paymentRules: [
        {
          amount: 1000,
          currency: 'GBP',
          per: 'guest',
          minPartySize: 9,
          maxPartySize: null,
          weekdays: [5, 6],
        },
      ],
      availabilityRules: {
        weekly,
        exceptions,
        rules: [
          {
            id: '0b9d4a52-6c0e-4b0e-9a3c-0c6f6f1a9d11',
            type: 'recurring_with_time',
            effect: 'disable',
            productId: '1|house|soho-grill|dinner',
            spaceId: null,
            startDate: null,
            endDate: null,
            weekdays: [1],
            dates: null,
            startTime: '21:00',
            endTime: '23:00',
            reason: 'Kitchen closes early',
          },
        ],
      },
      category: { id: 1, name: 'Dinner', slug: 'dinner' },
      preorders,
      spaces: [
        {
          id: 11,
          spaceName: 'The Cellar',
          description: 'A vaulted room for a party',
          floorLocation: 'Basement',
          facilities: ['projector'],
          capacityStanding: { min: 10, max: 40 },
          capacitySeated: { min: 8, max: 24 },
          capacityCabaret: { min: null, max: null },
          capacityTheatre: { min: null, max: null },
          capacityBoardroom: { min: 6, max: 14 },
          capacityClassroom: { min: null, max: null },
          capacityUShape: { min: null, max: null },
          capacityBanquet: { min: null, max: null },
          capacityReception: { min: null, max: null },
          policies: {
            minimumSpend: [{ weekdays: [5, 6], startTime: '18:00', endTime: '23:00', amount: 80_000 }],
            occasionTypes: ['birthday', 'business'],
            under18s: true,
            promotedEvents: false,
            accessibility: false,
            servesFood: true,
          },
        },
      ],
      feedUrl: null,
    },
  ],
  preorders,
  opening_times: { weekly, exceptions },
  bookingOverrides: { maxPartySize: null, requestOnly: false },
  operatorAvailabilityRules: [],
  bookingRequirements: {
    requiredFields: ['type', 'partySize', 'firstName', 'lastName', 'dateTime'],
    company: { mode: 'none', isRequired: false, companyNames: [] },
  },
};

export const categoryListExample = { data: [{ id: 1, name: 'Dinner', slug: 'dinner' }] };
