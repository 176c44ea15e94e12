import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  choiceOf,
  type PreorderContext,
  preorderOf,
  priceOf,
} from '../../../../src/features/bookings/preorder.ts';
import type { PreOrderRequirement } from '../../../../src/features/venues/transfer/document.ts';
import { Problem } from '../../../../src/kernel/problem.ts';

const sauce = {
  id: 'sauce',
  name: 'Sauce',
  required: true,
  values: [
    { value: 'Green', pricePence: 0 },
    { value: 'Red', pricePence: 150 },
  ],
};
const side = { id: 'side', name: 'Side', required: false, values: [{ value: 'Chips', pricePence: 400 }] };
const itemOf = (id: number, pricePence: number, options: (typeof sauce)[]) => ({
  ...{ id, name: `Item ${id}`, description: null, pricePence, options },
  ...{ dietTypes: [], allergens: [], type: 'main', subType: null, displayOrder: id },
});
const packageOf = (id: number, pricePence: number, pricePer: 'guest' | 'booking') => ({
  ...{ id, slug: `package-${id}`, name: `Package ${id}`, description: null, pricePence, pricePer },
});

const PACKAGES = [packageOf(1, 3000, 'guest'), packageOf(2, 1999, 'guest'), packageOf(3, 5000, 'booking')];
const MENUS = [
  {
    id: 10,
    slug: 'food',
    name: 'Food',
    description: null,
    items: [itemOf(11, 1200, [sauce, side]), itemOf(12, 800, [])],
  },
  { id: 20, slug: null, name: 'Drinks', description: null, items: [itemOf(21, 450, [])] },
  { id: 30, slug: 'other', name: 'Of another product', description: null, items: [itemOf(31, 100, [])] },
];

const contextOf = (
  context: Partial<PreorderContext> & { required?: PreOrderRequirement } = {},
): PreorderContext => ({
  venue: { packages: PACKAGES, menus: MENUS },
  product: { packageIds: [1, 2, 3], menuIds: [10, 20], preOrderRequiredType: context.required ?? 'none' },
  guests: 2,
  submitted: 'pre',
  ...context,
});

const quantity = fc.integer({ min: 1, max: 40 });
interface Name {
  id?: number;
  slug?: string;
}
const named = (id: number, slug: string | null): fc.Arbitrary<Name> =>
  slug === null ? fc.constant({ id }) : fc.constantFrom<Name>({ id }, { slug }, { id, slug });
const packages = fc
  .subarray(PACKAGES)
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map(({ id, slug }) =>
        fc.tuple(named(id, slug), quantity).map(([name, count]) => ({ ...name, quantity: count })),
      ),
    ),
  );
const saucy = fc
  .tuple(fc.constantFrom('Green', 'Red'), fc.boolean())
  .map(([value, hasSide]) => [{ id: 'sauce', value }, ...(hasSide ? [{ id: 'side', value: 'Chips' }] : [])]);
const food = fc.array(
  fc.oneof(
    fc.record({ id: fc.constant(11), quantity, options: saucy }),
    fc.record({ id: fc.constant(12), quantity }),
  ),
  { maxLength: 5 },
);
const drinks = fc.array(fc.record({ id: fc.constant(21), quantity }), { maxLength: 3 });
const menus = fc
  .tuple(named(10, 'food'), food, named(20, null), drinks, fc.subarray([0, 1]))
  .map(([foodName, foods, drinkName, drunk, chosen]) =>
    [
      { ...foodName, items: foods },
      { ...drinkName, items: drunk },
    ].filter((_, index) => chosen.includes(index)),
  );
/** A choice that the product offers in every point. */
const choice = fc.record({ packages, menus });

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.code;
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

test('a pre-order costs what its parts cost', () => {
  const prices = new Map([
    ...PACKAGES.map(({ id, pricePence }) => [id, pricePence] as const),
    ...MENUS.flatMap(({ items }) => items.map(({ id, pricePence }) => [id, pricePence] as const)),
  ]);
  const extras = new Map([
    ['Red', 150],
    ['Chips', 400],
  ]);
  fc.assert(
    fc.property(choice, (chosen) => {
      const ids = new Map(PACKAGES.map(({ slug, id }) => [slug, id]));
      const ofPackages = chosen.packages.map(
        (each) => (prices.get(each.id ?? ids.get(each.slug ?? '') ?? 0) ?? 0) * each.quantity,
      );
      const ofItems = chosen.menus.flatMap(({ items }) =>
        items.map((item) => {
          const options = 'options' in item ? item.options : [];
          const added = sum(options.map(({ value }) => extras.get(value) ?? 0));
          return ((prices.get(item.id) ?? 0) + added) * item.quantity;
        }),
      );
      assert.equal(priceOf(preorderOf(chosen, contextOf())), sum([...ofPackages, ...ofItems]));
    }),
  );
});

test('the choice read from a pre-order makes the same pre-order again', () => {
  fc.assert(
    fc.property(choice, (chosen) => {
      const record = preorderOf(chosen, contextOf());
      assert.deepEqual(preorderOf(choiceOf(record), contextOf()), record);
      assert.deepEqual(
        preorderOf(choiceOf(record), contextOf({ submitted: 'post', before: record })),
        record,
      );
    }),
  );
});

test('what is required is there for every guest, or it is BOOK-N-007', () => {
  const required = fc.constantFrom<PreOrderRequirement>('none', 'package', 'menu', 'packageAndMenu');
  fc.assert(
    fc.property(choice, required, fc.integer({ min: 1, max: 60 }), (chosen, kind, guests) => {
      const perGuest = chosen.packages.filter((each) => each.id !== 3 && each.slug !== 'package-3');
      const covered = sum(perGuest.map(({ quantity: count }) => count));
      const dishes = sum(chosen.menus.flatMap(({ items }) => items.map(({ quantity: count }) => count)));
      const isEnough =
        (covered >= guests || kind === 'none' || kind === 'menu') &&
        (dishes >= guests || kind === 'none' || kind === 'package');
      const code = codeOf(() => preorderOf(chosen, contextOf({ required: kind, guests })));
      assert.equal(code, isEnough ? undefined : 'BOOK-N-007');
    }),
  );
});

test('where packages are priced for the booking one of them covers everybody', () => {
  const context = contextOf({ required: 'package', guests: 12 });
  context.product = { ...context.product, packageIds: [3] };
  assert.equal(priceOf(preorderOf({ packages: [{ id: 3, quantity: 1 }] }, context)), 5000);
  assert.equal(
    codeOf(() => preorderOf({ packages: [] }, context)),
    'BOOK-N-007',
  );
});

test('an entry that stays keeps price, name and moment; one that changes has those of the day', () => {
  fc.assert(
    fc.property(choice, (chosen) => {
      const before = preorderOf(chosen, contextOf());
      const dearer = {
        packages: PACKAGES.map((each) => ({ ...each, pricePence: each.pricePence + 100, name: 'New' })),
        menus: MENUS.map((menu) => ({
          ...menu,
          items: menu.items.map((item) => ({ ...item, pricePence: item.pricePence + 100 })),
        })),
      };
      const later = contextOf({ venue: dearer, submitted: 'post', before });
      assert.deepEqual(preorderOf(chosen, later), before);
      const oneMore = <Entry extends { quantity: number }>(each: Entry) => ({
        ...each,
        quantity: each.quantity + 1,
      });
      const more = {
        packages: chosen.packages.map(oneMore),
        menus: chosen.menus.map((menu) => ({ ...menu, items: menu.items.map((item) => oneMore(item)) })),
      };
      const changed = preorderOf(more, later);
      for (const each of changed.packages) assert.equal(each.name, 'New');
      for (const menu of changed.menus) assert.equal(menu.submitted, menu.items.length > 0 ? 'post' : 'pre');
    }),
  );
});

test('whatever fits the form of the body is ordered or refused, and never anything else', () => {
  const anyId = fc.constantFrom(1, 2, 3, 4, 10, 11, 12, 20, 21, 30, 31, -1, 0, 2 ** 31);
  const anySlug = fc.constantFrom('package-1', 'food', 'other', '__proto__', 'constructor', '');
  const name = fc.record({ id: anyId, slug: anySlug }, { requiredKeys: [] });
  const option = fc.record({
    id: fc.constantFrom('sauce', 'side', '__proto__', 'x'),
    value: fc.constantFrom('Green', 'Red', 'Chips', 'toString'),
  });
  const item = fc.record(
    { id: anyId, quantity, options: fc.array(option, { maxLength: 3 }) },
    { requiredKeys: ['id', 'quantity'] },
  );
  const anyChoice = fc.record(
    {
      packages: fc.array(
        fc.tuple(name, quantity).map(([each, count]) => ({ ...each, quantity: count })),
        { maxLength: 4 },
      ),
      menus: fc.array(
        fc.tuple(name, fc.array(item, { maxLength: 3 })).map(([each, items]) => ({ ...each, items })),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  );
  const seen = new Set<string | undefined>();
  fc.assert(
    fc.property(fc.option(anyChoice, { nil: null }), fc.boolean(), (chosen, isRequired) => {
      const code = codeOf(() =>
        preorderOf(chosen, contextOf({ required: isRequired ? 'packageAndMenu' : 'none' })),
      );
      seen.add(code);
      assert.ok([undefined, 'VALID-N-001', 'BOOK-N-007'].includes(code), `${code}`);
    }),
    { numRuns: 3000, seed: 5 },
  );
  assert.equal(seen.size, 3, 'all three came up');
});

test('a menu of the venue that the product does not have is not offered', () => {
  assert.equal(
    codeOf(() => preorderOf({ menus: [{ id: 30, items: [] }] }, contextOf())),
    'VALID-N-001',
  );
});
