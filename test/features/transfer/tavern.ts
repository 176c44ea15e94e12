/** An operator with a little of everything, as somebody might write it by hand. */
import type { OperatorDocument, VenueDocument } from '../../../src/features/venues/transfer/document.ts';

const hours = {
  weekly: [{ weekdays: [1 as const, 5 as const], periods: [{ opens: '18:00', closes: '23:00' }] }],
};
const policies = {
  minimumSpend: [{ weekdays: [5 as const], startTime: '18:00', endTime: '22:00', amount: 50_000 }],
  occasionTypes: ['birthday'],
  under18s: true,
  promotedEvents: false,
  accessibility: true,
  servesFood: true,
};

const tavern: VenueDocument = {
  tms: 'house',
  resourceId: 'tavern',
  name: 'The Tavern',
  timeZone: 'Europe/London',
  content: { summary: 'By the river', description: null, highlights: ['Terrace'] },
  location: { lat: 51.4, lng: -0.3, area: 'Richmond', city: 'London', countryCode: 'GB' },
  types: ['restaurant'],
  photos: [{ url: 'https://tavern.example/1.jpg', caption: 'Terrace' }],
  hours,
  spaces: [
    {
      id: 31,
      name: 'Snug',
      facilities: ['Piano'],
      capacities: { seated: { min: 2, max: 12 } },
      policies,
      minimumSpendOverrides: [
        { startDate: '2030-12-24', endDate: '2030-12-26', startTime: '00:00', endTime: '24:00', amount: 0 },
      ],
    },
  ],
  packages: [{ id: 32, slug: 'feast', name: 'Feast', pricePence: 4500, pricePer: 'guest' }],
  menus: [
    {
      id: 33,
      name: 'Supper',
      items: [{ id: 34, name: 'Pie', pricePence: 1800, dietTypes: [], allergens: ['gluten'], type: 'main' }],
    },
  ],
  products: [
    {
      key: 'supper',
      name: 'Supper',
      slug: 'supper',
      category: 'dinner',
      timeIntervalMinutes: 30,
      hours,
      packageIds: [32],
      menuIds: [33],
    },
    {
      key: 'snug',
      name: 'The Snug',
      timeIntervalMinutes: 60,
      hours,
      spaceIds: [31],
      availabilityRules: [
        {
          id: '019a8a11-0000-7000-8000-000000000001',
          type: 'time_based',
          effect: 'reserve',
          partnerCategories: ['friends'],
          spaceId: 31,
          definition: { startTime: '18:00', endTime: '19:00' },
        },
      ],
    },
  ],
  availabilityRules: [
    {
      type: 'recurring',
      definition: { weekdays: [1] },
      scope: { '==': [{ var: 'product.slug' }, 'supper'] },
      partners: ['other-partner'],
    },
  ],
  siteFaqs: [{ question: 'Dogs?', answer: 'Yes.' }],
  house: {
    zones: [
      {
        id: 35,
        name: 'Inside',
        areas: [
          {
            id: 36,
            name: 'Bar',
            tables: [
              {
                id: 37,
                name: '1',
                maxCovers: 2,
                x: 10,
                y: 0,
                width: 60,
                height: 60,
                shape: 'round',
                rotation: 0,
              },
              { id: 38, name: '2', maxCovers: 4, isActive: false },
              { id: 39, name: '3', maxCovers: 4 },
            ],
          },
        ],
      },
    ],
    combinations: [{ tableIds: [37, 39] }],
    spaceZones: [{ spaceId: 31, zoneId: 35 }],
    products: [{ key: 'supper', zoneIds: [35], maxGuests: 6 }, { key: 'snug' }],
  },
};

const quiz: VenueDocument = {
  ...tavern,
  ...{ tms: 'tickets', resourceId: 'quiz', name: 'Quiz Night', photos: [] },
  ...{ spaces: [], packages: [], menus: [], availabilityRules: [], siteFaqs: [] },
  host: { tms: 'house', resourceId: 'tavern' },
  products: [{ key: 'seat', name: 'Seat', timeIntervalMinutes: 15, hours: { weekly: [] } }],
  tickets: {
    occurrences: [{ date: '2030-05-02', startsMinute: 1140, durationMinutes: 120 }],
    ticketTypes: [{ key: 'seat', pricePence: 500, capacity: 40, maxPerBooking: 6 }],
  },
};
delete quiz.house;

let count = 0;

/** Another one every time, apart from its ids. */
export function tavernOperator(changes: Partial<OperatorDocument> = {}): Omit<OperatorDocument, 'id'> {
  count += 1;
  return {
    name: `Tavern ${count}`,
    settings: { contactEmail: 'inn@tavern.example', bookingReplyTo: null, defaultTimeZone: 'Europe/London' },
    systems: ['house', 'tickets'],
    partnerCategories: [{ id: 30, slug: 'friends', name: 'Friends', partners: ['demo-partner'] }],
    bookingRules: [
      {
        id: '019a8a11-0000-7000-8000-000000000002',
        effect: 'party_size_limit',
        name: 'Six for friends',
        params: { max: 6 },
        partners: ['other-partner'],
        partnerCategories: ['friends'],
        venues: [{ tms: 'house', resourceId: 'tavern' }],
      },
      {
        effect: 'expression',
        name: 'Mondays are asked about',
        hook: 'booking.create',
        when: { '===': [{ var: 'booking.weekday' }, 1] },
        // biome-ignore lint/suspicious/noThenProperty: rules say «when … then …».
        then: [{ set: { fact: 'booking.type', value: 'request' } }],
      },
    ],
    venues: [tavern, quiz],
    ...changes,
  };
}
