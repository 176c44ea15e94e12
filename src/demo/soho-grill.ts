import type {
  MenuDocument,
  MinimumSpendBand,
  SpaceDocument,
  VenueDocument,
} from '../features/venues/transfer/document.ts';
import { daily, onNewYearsEve, photosOf } from './hours.ts';
import { sohoGrillHouse } from './houses.ts';
import { freeUntilTheDayBefore, roomFreeUntilAFortnightBefore } from './terms.ts';

/** An evening has several bands, so that one booking can cross two or three of them. */
function bands(earlyWeek: [number, number, number], lateWeek: [number, number, number]): MinimumSpendBand[] {
  const times = [
    { startTime: '12:00', endTime: '17:00' },
    { startTime: '17:00', endTime: '20:00' },
    { startTime: '20:00', endTime: '00:00' },
  ];
  const parts = [
    { weekdays: [7, 1, 2, 3] as const, amounts: earlyWeek },
    { weekdays: [4, 5, 6] as const, amounts: lateWeek },
  ];
  return parts.flatMap(({ weekdays, amounts }) =>
    times.map((time, index) => ({ weekdays: [...weekdays], ...time, amount: amounts[index] ?? 0 })),
  );
}

const spaces: SpaceDocument[] = [
  {
    id: 101,
    name: 'The Copper Room',
    description:
      'A panelled room on the first floor with its own bar, a fireplace and two tall windows over the street.',
    floorLocation: 'First floor',
    facilities: ['Private bar', 'Screen and HDMI', 'Lift', 'Air conditioning', 'Wi-Fi'],
    capacities: {
      seated: { min: 10, max: 28 },
      boardroom: { min: 8, max: 18 },
      uShape: { min: 8, max: 16 },
      standing: { min: 20, max: 45 },
      reception: { min: 20, max: 45 },
    },
    policies: {
      minimumSpend: bands([40_000, 60_000, 90_000], [60_000, 120_000, 180_000]),
      occasionTypes: ['birthday', 'anniversary', 'corporate-dinner', 'meeting', 'wedding-reception'],
      under18s: true,
      promotedEvents: false,
      accessibility: true,
      servesFood: true,
    },
  },
  {
    id: 102,
    name: 'The Cellar',
    description:
      'A brick vault below the grill: one long oak table, candlelight and eight hundred bottles for company.',
    floorLocation: 'Basement',
    facilities: ['Wine wall', 'Own sound system', 'Cloakroom', 'Wi-Fi'],
    capacities: { seated: { min: 8, max: 16 }, banquet: { min: 8, max: 16 }, standing: { min: 12, max: 24 } },
    policies: {
      minimumSpend: bands([25_000, 40_000, 60_000], [40_000, 80_000, 120_000]),
      occasionTypes: ['birthday', 'wine-tasting', 'corporate-dinner', 'hen-party', 'stag-party'],
      under18s: false,
      promotedEvents: true,
      accessibility: false,
      servesFood: true,
    },
  },
];

const feastingMenu: MenuDocument = {
  id: 101,
  slug: 'feasting-menu',
  name: 'Feasting menu',
  description: 'Brought to the table on boards and shared. Choose a dish of each course for everybody.',
  items: [
    {
      id: 10101,
      name: 'Charred leeks, hazelnut and egg yolk',
      pricePence: 1100,
      dietTypes: ['vegetarian'],
      allergens: ['eggs', 'nuts', 'mustard'],
      type: 'starter',
      subType: 'vegetable',
    },
    {
      id: 10102,
      name: 'Beef tartare on dripping toast',
      pricePence: 1400,
      dietTypes: [],
      allergens: ['gluten', 'eggs', 'mustard'],
      type: 'starter',
      subType: 'meat',
    },
    {
      id: 10103,
      name: 'Forty-day aged rib of beef',
      description: 'Carved at the table, with bone-marrow gravy and watercress.',
      pricePence: 4200,
      dietTypes: ['gluten-free'],
      allergens: ['milk', 'celery', 'sulphites'],
      options: [
        {
          id: 'cooking',
          name: 'How it is cooked',
          required: true,
          values: ['Rare', 'Medium rare', 'Medium', 'Well done'].map((value) => ({ value, pricePence: 0 })),
        },
        {
          id: 'sauce',
          name: 'Sauce',
          required: false,
          values: [
            { value: 'Béarnaise', pricePence: 250 },
            { value: 'Green peppercorn', pricePence: 250 },
          ],
        },
      ],
      type: 'main',
      subType: 'meat',
    },
    {
      id: 10104,
      name: 'Coal-roast celeriac, chestnut and sage',
      pricePence: 2400,
      dietTypes: ['vegan', 'vegetarian', 'gluten-free'],
      allergens: ['celery', 'nuts'],
      type: 'main',
      subType: 'vegetable',
    },
    {
      id: 10105,
      name: 'Burnt honey tart',
      pricePence: 950,
      dietTypes: ['vegetarian'],
      allergens: ['gluten', 'eggs', 'milk'],
      type: 'dessert',
      subType: 'sweet',
    },
    {
      id: 10106,
      name: 'A glass of English sparkling wine',
      pricePence: 1300,
      dietTypes: ['vegan', 'gluten-free'],
      allergens: ['sulphites'],
      type: 'drink',
      subType: 'wine',
    },
  ],
};

/** Open every day of the year and never shorter than usual: the venue that examples and first tries are made with. */
export function sohoGrill(today: Temporal.PlainDate): VenueDocument {
  return {
    tms: 'house',
    resourceId: 'soho-grill',
    name: 'Soho Grill',
    timeZone: 'Europe/London',
    content: {
      summary: 'A charcoal grill in the middle of Soho, loud, warm and open every day of the year.',
      description:
        'Everything at Soho Grill starts over English oak charcoal: native-breed beef, day-boat fish and the vegetables of a ' +
        'market garden in Kent. Sit at the counter to watch the fire, or take a booth by the window. Upstairs and ' +
        'downstairs are two rooms for parties who would rather have a door to close.',
      highlights: ['Open fire kitchen', 'Counter seats', 'Two private rooms', 'Open on Christmas Day'],
    },
    phoneNumber: '+44 20 7946 0101',
    website: 'https://soho-grill.example',
    location: {
      lat: 51.5136,
      lng: -0.1319,
      address: '64 Dean Street',
      area: 'Soho',
      city: 'London',
      postcode: 'W1D 4QQ',
      countryCode: 'GB',
    },
    types: ['restaurant', 'steakhouse', 'private-dining', 'sunday-roast', 'wheelchair-accessible'],
    photos: photosOf('soho-grill', 'The dining room', 'The charcoal grill', 'The Copper Room', 'The Cellar'),
    hours: { weekly: daily('12:00-23:30'), exceptions: onNewYearsEve(today, '12:00-01:30') },
    spaces,
    packages: [
      {
        id: 101,
        slug: 'grill-feast',
        name: 'The grill feast',
        description: 'Three courses from the fire with sides for the table.',
        pricePence: 6500,
        pricePer: 'guest',
      },
      {
        id: 102,
        slug: 'cellar-flight',
        name: 'The cellar flight',
        description: 'Five wines poured by our sommelier, one with each plate.',
        pricePence: 4000,
        pricePer: 'guest',
      },
      {
        id: 103,
        slug: 'celebration-cake',
        name: 'Celebration cake',
        description: 'A cake for up to sixteen, with a name on it and candles.',
        pricePence: 5500,
        pricePer: 'booking',
      },
    ],
    menus: [feastingMenu],
    products: [
      {
        key: 'dinner',
        name: 'Dinner',
        slug: 'dinner',
        category: 'dinner',
        timeIntervalMinutes: 15,
        refundTerms: freeUntilTheDayBefore.refundTerms,
        hours: { weekly: daily('17:00-23:00'), exceptions: onNewYearsEve(today, '17:00-00:30') },
      },
      {
        key: 'private-dining',
        name: 'Private dining',
        slug: 'private-dining',
        category: 'private-hire',
        timeIntervalMinutes: 30,
        refundTerms: roomFreeUntilAFortnightBefore.refundTerms,
        hours: { weekly: daily('12:00-23:30') },
        spaceIds: [101, 102],
        packageIds: [101, 102, 103],
        menuIds: [101],
      },
    ],
    house: sohoGrillHouse(spaces),
  };
}
