import type {
  ConfigurableOption,
  MenuDocument,
  VenueDocument,
} from '../features/venues/transfer/document.ts';
import { closedAtChristmas, daily, photosOf } from './hours.ts';
import { gardenRoomHouse } from './houses.ts';
import { returnedUntilTwoDaysBefore } from './terms.ts';

/** The venue with everything that a booking can be asked for: a pre-order, a deposit and, by its mapping, a company. */
export function gardenRoom(today: Temporal.PlainDate): VenueDocument {
  const exceptions = closedAtChristmas(today);
  return {
    tms: 'house',
    resourceId: 'garden-room',
    name: 'The Garden Room',
    timeZone: 'Europe/London',
    content: {
      summary: 'Brunch under glass in Hampstead, with a walled garden for the days that allow it.',
      description:
        'A Victorian glasshouse behind a row of bookshops, planted with lemons and tree ferns. Brunch runs from early coffee ' +
        'to mid-afternoon and is ordered ahead, so that a table of twelve is served as quickly as a table of two. ' +
        'Dogs are welcome in the garden and offered water before anybody else.',
      highlights: ['Glasshouse dining room', 'Walled garden', 'Ordered ahead, served together'],
    },
    phoneNumber: '+44 20 7946 0111',
    website: 'https://garden-room.example',
    location: {
      lat: 51.5561,
      lng: -0.1781,
      address: '12 Flask Walk',
      area: 'Hampstead',
      city: 'London',
      postcode: 'NW3 1HE',
      countryCode: 'GB',
    },
    types: ['cafe', 'outdoor-seating', 'vegan-friendly', 'halal-options', 'family-friendly', 'dog-friendly'],
    photos: photosOf('garden-room', 'The glasshouse', 'Brunch in the walled garden', 'Cardamom buns'),
    hours: { weekly: daily('08:30-17:00'), exceptions },
    packages: [
      {
        id: 111,
        slug: 'bottomless-brunch',
        name: 'Bottomless brunch',
        description: 'A plate, a dessert and ninety minutes of sparkling wine or spritz.',
        pricePence: 3800,
        pricePer: 'guest',
      },
      {
        id: 112,
        slug: 'garden-brunch',
        name: 'Garden brunch',
        description: 'A plate, a pastry and all the coffee and tea you like.',
        pricePence: 2400,
        pricePer: 'guest',
      },
      {
        id: 113,
        slug: 'flowers-on-the-table',
        name: 'Flowers on the table',
        description: 'Cut from the garden that morning, and yours to take home.',
        pricePence: 3000,
        pricePer: 'booking',
      },
    ],
    menus: gardenRoomMenus,
    products: [
      {
        key: 'brunch',
        name: 'Brunch',
        slug: 'brunch',
        category: 'brunch',
        timeIntervalMinutes: 30,
        preOrderRequiredType: 'packageAndMenu',
        paymentRules: [
          {
            amount: 1000,
            currency: 'GBP',
            per: 'guest',
            minPartySize: null,
            maxPartySize: null,
            weekdays: null,
          },
        ],
        refundTerms: returnedUntilTwoDaysBefore.refundTerms,
        hours: { weekly: daily('09:00-16:00'), exceptions },
        packageIds: [111, 112, 113],
        menuIds: [111, 112],
      },
    ],
    house: gardenRoomHouse,
  };
}

const eggs: ConfigurableOption = {
  id: 'eggs',
  name: 'How the eggs are cooked',
  required: true,
  values: ['Poached', 'Fried', 'Scrambled'].map((value) => ({ value, pricePence: 0 })),
};

const extras: ConfigurableOption = {
  id: 'extra',
  name: 'Something extra',
  required: false,
  values: [
    { value: 'Avocado', pricePence: 250 },
    { value: 'Smoked streaky bacon', pricePence: 300 },
    { value: 'Grilled halloumi', pricePence: 300 },
    { value: 'Smoked salmon', pricePence: 450 },
  ],
};

const milk: ConfigurableOption = {
  id: 'milk',
  name: 'Milk',
  required: true,
  values: [
    { value: 'Whole milk', pricePence: 0 },
    { value: 'Oat drink', pricePence: 40 },
    { value: 'Almond drink', pricePence: 40 },
  ],
};

const plates: MenuDocument = {
  id: 111,
  slug: 'brunch-plates',
  name: 'Brunch plates',
  description: 'Chosen ahead, so that everything reaches the table together.',
  items: [
    {
      id: 11101,
      name: 'Stewed plums, yoghurt and buckwheat',
      pricePence: 700,
      dietTypes: ['vegetarian', 'gluten-free'],
      allergens: ['milk'],
      type: 'starter',
      subType: 'fruit',
    },
    {
      id: 11102,
      name: 'Warm cardamom bun',
      description: 'From the oven every half hour.',
      pricePence: 450,
      dietTypes: ['vegetarian'],
      allergens: ['gluten', 'eggs', 'milk'],
      type: 'starter',
      subType: 'pastry',
    },
    {
      id: 11103,
      name: 'The garden plate',
      description: 'Two eggs, roast tomatoes, mushrooms, greens and sourdough.',
      pricePence: 1350,
      dietTypes: ['vegetarian'],
      allergens: ['gluten', 'eggs', 'milk'],
      options: [eggs, extras],
      type: 'main',
      subType: 'eggs',
    },
    {
      id: 11104,
      name: 'Buttermilk pancakes',
      description: 'A stack of three with maple butter.',
      pricePence: 1250,
      dietTypes: ['vegetarian'],
      allergens: ['gluten', 'eggs', 'milk'],
      options: [
        {
          id: 'topping',
          name: 'Topping',
          required: true,
          values: [
            { value: 'Berries', pricePence: 0 },
            { value: 'Banana and pecan', pricePence: 100 },
            { value: 'Bacon', pricePence: 300 },
          ],
        },
      ],
      type: 'main',
      subType: 'sweet',
    },
    {
      id: 11105,
      name: 'Tofu shakshuka',
      pricePence: 1300,
      dietTypes: ['vegan', 'vegetarian', 'gluten-free', 'halal'],
      allergens: ['soya', 'celery'],
      options: [extras],
      type: 'main',
      subType: 'vegetable',
    },
    {
      id: 11106,
      name: 'Crab crumpet',
      description: 'Brown crab, fennel and lemon mayonnaise.',
      pricePence: 1550,
      dietTypes: ['pescatarian'],
      allergens: ['crustaceans', 'gluten', 'eggs', 'mustard'],
      type: 'main',
      subType: 'fish',
    },
    {
      id: 11107,
      name: 'Rhubarb and pistachio mess',
      pricePence: 750,
      dietTypes: ['vegetarian', 'gluten-free'],
      allergens: ['eggs', 'milk', 'nuts'],
      type: 'dessert',
      subType: 'sweet',
    },
    {
      id: 11108,
      name: 'Chocolate and sesame cookie',
      pricePence: 400,
      dietTypes: ['vegan', 'vegetarian'],
      allergens: ['gluten', 'sesame'],
      type: 'dessert',
      subType: 'pastry',
    },
  ],
};

const drinks: MenuDocument = {
  id: 112,
  slug: 'brunch-drinks',
  name: 'Brunch drinks',
  items: [
    {
      id: 11201,
      name: 'Flat white',
      pricePence: 380,
      dietTypes: ['vegetarian', 'gluten-free'],
      allergens: ['milk', 'nuts'],
      options: [milk],
      type: 'drink',
      subType: 'hot',
    },
    {
      id: 11202,
      name: 'Pot of Darjeeling',
      pricePence: 420,
      dietTypes: ['vegan', 'gluten-free'],
      allergens: [],
      type: 'drink',
      subType: 'hot',
    },
    {
      id: 11203,
      name: 'Apple, ginger and sorrel juice',
      pricePence: 500,
      dietTypes: ['vegan', 'gluten-free', 'halal'],
      allergens: [],
      type: 'drink',
      subType: 'juice',
    },
    {
      id: 11204,
      name: 'Elderflower spritz',
      pricePence: 950,
      dietTypes: ['vegan', 'gluten-free'],
      allergens: ['sulphites'],
      type: 'drink',
      subType: 'cocktail',
    },
  ],
};

const gardenRoomMenus: MenuDocument[] = [plates, drinks];
