import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, type Body, BRUNCH, book, booked, bookingsApp, COMPANY, PRIVATE } from '../support.ts';

const app = bookingsApp();

const dish = { id: 11106, quantity: 2 };
const menu = { id: 111, items: [dish] };
const whole = { packages: [{ id: 112, quantity: 2 }], menus: [menu] };

const bodyOf = (preorders: unknown, body: Body = {}) => ({
  time: '11:00',
  company: COMPANY,
  preorders,
  ...body,
});
const brunch = (preorders: unknown, body?: Body) => bookBrunch(bodyOf(preorders, body));
let day = Temporal.Now.plainDateISO('Europe/London').add({ days: 4 });

/** The kitchen takes thirty guests at a time, so each attempt has a day of its own. */
function bookBrunch(body: Body) {
  do day = day.add({ days: 1 });
  while (day.month === 12 && day.day === 25);
  return book(app(), { date: day.toString(), ...body }, { productId: BRUNCH });
}

async function ordered(preorders: unknown, body?: Body) {
  const answer = await brunch(preorders, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

test('what was ordered is answered with names, prices and totals', async () => {
  const booking = await ordered({
    packages: [
      { id: 112, quantity: 2 },
      { slug: 'flowers-on-the-table', quantity: 1 },
    ],
    menus: [
      {
        slug: 'brunch-plates',
        items: [
          {
            id: 11103,
            quantity: 1,
            options: [
              { id: 'eggs', value: 'Poached' },
              { id: 'extra', value: 'Smoked salmon' },
            ],
          },
          { id: 11106, quantity: 2 },
        ],
      },
      { id: 112, items: [{ id: 11201, quantity: 3, options: [{ id: 'milk', value: 'Oat drink' }] }] },
    ],
  });
  assert.equal(booking.status, 'confirmed');
  assert.deepEqual(booking.preorders, {
    packages: [
      {
        id: 112,
        slug: 'garden-brunch',
        name: 'Garden brunch',
        quantity: 2,
        price: 2400,
        pricePer: 'guest',
        total: 4800,
      },
      {
        id: 113,
        slug: 'flowers-on-the-table',
        name: 'Flowers on the table',
        quantity: 1,
        price: 3000,
        pricePer: 'booking',
        total: 3000,
      },
    ],
    menus: [
      {
        id: 111,
        slug: 'brunch-plates',
        name: 'Brunch plates',
        submitted: 'pre',
        items: [
          {
            id: 11103,
            name: 'The garden plate',
            quantity: 1,
            price: 1800,
            options: [
              { id: 'eggs', name: 'How the eggs are cooked', value: 'Poached', price: 0 },
              { id: 'extra', name: 'Something extra', value: 'Smoked salmon', price: 450 },
            ],
            total: 1800,
          },
          { id: 11106, name: 'Crab crumpet', quantity: 2, price: 1550, options: [], total: 3100 },
        ],
        total: 4900,
      },
      {
        id: 112,
        slug: 'brunch-drinks',
        name: 'Brunch drinks',
        submitted: 'pre',
        items: [
          {
            id: 11201,
            name: 'Flat white',
            quantity: 3,
            price: 420,
            options: [{ id: 'milk', name: 'Milk', value: 'Oat drink', price: 40 }],
            total: 1260,
          },
        ],
        total: 1260,
      },
    ],
  });
  const read = await app().call(`/venues/bookings/${booking.id}`);
  assert.deepEqual(read.json, booking);
});

test('prices stay as they were when the booking was made', async () => {
  const booking = await ordered(whole);
  await app().sql`update package set price_pence = 9999 where id = 112`;
  const read = await app().call(`/venues/bookings/${booking.id}`);
  assert.equal(read.json.preorders.packages[0].price, 2400);
  await app().sql`update package set price_pence = 2400 where id = 112`;
});

for (const [what, preorders, body] of [
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['an empty pre-order', {}, {}],
  ['no package', { menus: [menu] }, {}],
  ['no menu', { packages: whole.packages }, {}],
  ['a menu without items', { packages: whole.packages, menus: [{ id: 111, items: [] }] }, {}],
  ['a package for one of two', { packages: [{ id: 112, quantity: 1 }], menus: [menu] }, {}],
  [
    'a dish for one of two',
    { packages: whole.packages, menus: [{ id: 111, items: [{ id: 11106, quantity: 1 }] }] },
    {},
  ],
  ['nothing for the child', whole, { children: 1 }],
  ['flowers instead of brunch', { packages: [{ id: 113, quantity: 2 }], menus: [menu] }, {}],
] as const) {
  test(`a product that must be ordered ahead is not booked with ${what}`, async () => {
    for (const type of ['book', 'request']) {
      const { detail } = await assertRefused(
        app(),
        () => brunch(preorders, { ...body, type }),
        422,
        'BOOK-N-007',
      );
      assert.match(detail, /for [23]/);
    }
  });
}

test('enough can be made of several packages and menus, and more than enough is fine', async () => {
  const mixed = {
    packages: [
      { id: 111, quantity: 1 },
      { id: 112, quantity: 1 },
    ],
    menus: [
      { id: 111, items: [{ id: 11101, quantity: 1 }] },
      { id: 112, items: [{ id: 11202, quantity: 1 }] },
    ],
  };
  assert.equal((await ordered(mixed)).status, 'confirmed');
  assert.equal((await ordered(mixed, { partySize: 1 })).status, 'confirmed');
  assert.equal((await ordered(whole, { partySize: 1, children: 1 })).status, 'confirmed');
});

/** Wrong in one place each, besides which the order would do. */
const wrong: [what: string, preorders: Body, field: string][] = [
  ['a package of another product', { ...whole, packages: [{ id: 101, quantity: 2 }] }, 'packages.0.id'],
  ['a package by a wrong slug', { ...whole, packages: [{ slug: 'brunch', quantity: 2 }] }, 'packages.0.slug'],
  [
    'an id and a slug of two packages',
    { ...whole, packages: [{ id: 111, slug: 'garden-brunch', quantity: 2 }] },
    'packages.0.id',
  ],
  ['a package without a name', { ...whole, packages: [{ quantity: 2 }] }, 'packages.0.id'],
  [
    'a package twice',
    {
      ...whole,
      packages: [
        { id: 112, quantity: 1 },
        { slug: 'garden-brunch', quantity: 1 },
      ],
    },
    'packages',
  ],
  ['a menu of another product', { ...whole, menus: [{ ...menu, id: 101 }] }, 'menus.0.id'],
  ['a menu by a wrong slug', { ...whole, menus: [{ slug: 'x', items: [dish] }] }, 'menus.0.slug'],
  ['a menu twice', { ...whole, menus: [menu, menu] }, 'menus'],
  [
    'an item of another menu',
    { ...whole, menus: [{ id: 111, items: [dish, { id: 11201, quantity: 1 }] }] },
    'menus.0.items.1.id',
  ],
  [
    'eggs cooked in no way',
    { ...whole, menus: [{ id: 111, items: [{ id: 11103, quantity: 2 }] }] },
    'menus.0.items.0.options',
  ],
  [
    'eggs cooked in two ways',
    {
      ...whole,
      menus: [
        {
          id: 111,
          items: [
            {
              id: 11103,
              quantity: 2,
              options: [
                { id: 'eggs', value: 'Fried' },
                { id: 'eggs', value: 'Poached' },
              ],
            },
          ],
        },
      ],
    },
    'menus.0.items.0.options',
  ],
  [
    'eggs cooked in a way of their own',
    {
      ...whole,
      menus: [{ id: 111, items: [{ id: 11103, quantity: 2, options: [{ id: 'eggs', value: 'Raw' }] }] }],
    },
    'menus.0.items.0.options.0.value',
  ],
  [
    'an option that the dish does not have',
    {
      ...whole,
      menus: [
        menu,
        { id: 112, items: [{ id: 11202, quantity: 1, options: [{ id: 'milk', value: 'Whole milk' }] }] },
      ],
    },
    'menus.1.items.0.options.0.id',
  ],
];

for (const [what, preorders, field] of wrong) {
  test(`${what} is refused and named`, async () => {
    const { errors } = await assertRefused(app(), () => brunch(preorders), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [`preorders.${field}`]);
  });
}

test('several faults of a pre-order are named together', async () => {
  const faulty = {
    packages: [{ id: 1, quantity: 2 }],
    menus: [
      { id: 111, items: [{ id: 5, quantity: 2 }] },
      { id: 9, items: [] },
    ],
  };
  const { errors } = await assertRefused(app(), () => brunch(faulty), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors).sort(), [
    'preorders.menus.0.items.0.id',
    'preorders.menus.1.id',
    'preorders.packages.0.id',
  ]);
});

test('where nothing is required something can be ordered all the same', async () => {
  const enquiry = { type: 'request', partySize: 12 };
  const plain = await booked(app(), enquiry, { productId: PRIVATE });
  assert.deepEqual(plain.preorders, { packages: [], menus: [] });
  const cake = { packages: [{ slug: 'celebration-cake', quantity: 1 }] };
  const festive = await booked(app(), { ...enquiry, preorders: cake }, { productId: PRIVATE });
  assert.equal(festive.preorders.packages[0].total, 5500);
});

test('the channel of the Garden Room asks for a company of its list', async () => {
  for (const type of ['book', 'request']) {
    for (const company of [undefined, null])
      await assertRefused(app(), () => brunch(whole, { type, company }), 422, 'BOOK-N-016');
    for (const company of ['Nobody & Co', COMPANY.toUpperCase(), `${COMPANY} `])
      await assertRefused(app(), () => brunch(whole, { type, company }), 422, 'BOOK-N-015');
  }
  const { json } = await app().call('/venues/1%7Chouse%7Cgarden-room');
  for (const company of json.bookingRequirements.company.companyNames)
    assert.equal((await ordered(whole, { company })).company, company);
});
