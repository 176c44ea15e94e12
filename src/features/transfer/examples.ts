import type { OperatorDocument } from '../venues/service.ts';

const evenings = {
  weekly: [{ weekdays: [4, 5, 6] as (4 | 5 | 6)[], periods: [{ opens: '18:00', closes: '23:00' }] }],
};

export const operatorDocumentExample: OperatorDocument = {
  id: 7,
  name: 'Quayside Kitchens',
  settings: {
    contactEmail: 'hello@quayside.example',
    bookingReplyTo: null,
    defaultTimeZone: 'Europe/London',
  },
  systems: ['house', 'tickets'],
  partnerCategories: [{ id: 701, slug: 'concierges', name: 'Hotel concierges', partners: ['other-partner'] }],
  bookingRules: [
    {
      id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e2',
      effect: 'party_size_limit',
      name: 'Concierges seat up to twelve',
      priority: 0,
      conditions: [],
      params: { min: 1, max: 12 },
      partnerCategories: ['concierges'],
      venues: [{ tms: 'house', resourceId: 'net-loft' }],
    },
  ],
  venues: [
    {
      tms: 'house',
      resourceId: 'net-loft',
      name: 'The Net Loft',
      timeZone: 'Europe/London',
      content: { summary: 'Fish over embers', description: 'Under the roof of a net store.', highlights: [] },
      website: 'https://net-loft.example',
      location: { lat: 54.97, lng: -1.6, area: 'Quayside', city: 'Newcastle', countryCode: 'GB' },
      types: ['restaurant'],
      photos: [{ url: 'https://net-loft.example/loft.jpg', caption: 'The loft', width: 1600, height: 900 }],
      hours: evenings,
      products: [
        {
          key: 'dinner',
          name: 'Dinner',
          slug: 'dinner',
          category: 'dinner',
          timeIntervalMinutes: 15,
          hours: evenings,
        },
      ],
      availabilityRules: [
        { type: 'specific_dates', definition: { dates: ['2027-01-01'], reason: 'We sleep' } },
      ],
      siteFaqs: [{ question: 'Is there a lift?', answer: 'No, but there is a hoist.' }],
      house: {
        zones: [
          {
            id: 7011,
            name: 'Loft',
            areas: [
              {
                id: 70111,
                name: 'Beams',
                tables: [
                  { id: 701101, name: '1', maxCovers: 2 },
                  { id: 701102, name: '2', maxCovers: 4 },
                ],
              },
            ],
          },
        ],
        combinations: [{ tableIds: [701101, 701102] }],
        products: [{ key: 'dinner', maxGuests: 6 }],
      },
    },
  ],
};

export const importResultExample = {
  operatorId: 7,
  isDryRun: false,
  venues: 1,
  products: 1,
  spaces: 0,
  packages: 0,
  menus: 0,
  menuItems: 0,
  zones: 1,
  areas: 1,
  tables: 2,
  occurrences: 0,
  photos: 1,
  siteFaqs: 1,
  partnerCategories: 1,
  availabilityRules: 1,
  bookingRules: 1,
  renumbered: { zones: { '7011': 8012 } },
  notes: [],
};
