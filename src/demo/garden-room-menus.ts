import type { ConfigurableOption, MenuDocument } from '../features/venues/transfer/document.ts';

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

export const gardenRoomMenus: MenuDocument[] = [plates, drinks];
