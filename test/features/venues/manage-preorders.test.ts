import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { booked, DINNER } from '../bookings/support.ts';
import {
  assertGuarded,
  assertUnfit,
  at,
  type Body,
  done,
  keepingApp,
  openVenue,
  productChange,
  read,
  SOHO,
  send,
} from './keeping.ts';

const maitred = keepingApp();
const [PACKAGES, MENUS, DINNER_PATH] = ['/packages', '/menus', '/products/dinner'].map((rest) =>
  at(SOHO, rest),
) as [string, string, string];

const dish = (changes: Body = {}): Body => ({
  name: 'Soup',
  pricePence: 700,
  dietTypes: ['vegan'],
  allergens: [],
  type: 'starter',
  ...changes,
});
const feast = { name: 'Feast', slug: 'feast', pricePence: 5000, pricePer: 'guest' };

/** What partners are offered with dinner. */
async function offered() {
  const { products } = (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json;
  return products.find(({ compositeId }: Body) => compositeId === DINNER).preorders;
}

async function changeDinner(changes: Body) {
  return done(maitred(), 'PUT', DINNER_PATH, productChange(await read(maitred(), DINNER_PATH), changes));
}

test('a package is offered with the products that name it, and orders keep the price they were made at', async () => {
  const made = await done(maitred(), 'POST', PACKAGES, feast);
  assert.deepEqual(made, { id: made.id, ...feast, description: null });
  const { packageIds } = await read(maitred(), DINNER_PATH);
  await changeDinner({ packageIds: [...packageIds, made.id] });
  await eventually(async () => (await offered()).packages.some(({ id }: Body) => id === made.id));
  const preorders = { packages: [{ id: made.id, quantity: 2 }] };
  const booking = await booked(maitred(), { preorders });
  const path = `${PACKAGES}/${made.id}`;
  await assertGuarded(maitred(), path, { ...feast, pricePence: 6000 });
  await eventually(
    async () => (await offered()).packages.find(({ id }: Body) => id === made.id).price === 6000,
  );
  const priceIn = async (id: string) =>
    (await maitred().call(`/venues/bookings/${id}`)).json.preorders.packages[0].price;
  assert.equal(await priceIn(booking.id), 5000);
  assert.equal(await priceIn((await booked(maitred(), { preorders })).id), 6000);

  await done(maitred(), 'DELETE', path);
  assert.deepEqual((await read(maitred(), DINNER_PATH)).packageIds, packageIds);
  await eventually(async () => (await offered()).packages.every(({ id }: Body) => id !== made.id));
  assert.equal(await priceIn(booking.id), 5000);
});

test('items of a menu that are sent with their id stay the same ones', async () => {
  const options = [
    { id: 'bread', name: 'Bread', required: false, values: [{ value: 'rye', pricePence: 50 }] },
  ];
  const menu = await done(maitred(), 'POST', MENUS, {
    name: 'Winter',
    items: [dish(), dish({ name: 'Stew', options }), dish({ name: 'Pie' })],
  });
  const [soup, stew, pie] = menu.items;
  assert.deepEqual(stew, {
    ...dish({ name: 'Stew', options }),
    id: stew.id,
    description: null,
    subType: null,
  });
  const path = `${MENUS}/${menu.id}`;
  const { id: _, ...body } = menu;
  const changed = {
    ...body,
    items: [pie, dish({ name: 'Tart' }), { ...soup, pricePence: 800, subType: 'cold' }],
  };
  const entry = await assertGuarded(maitred(), path, changed);
  assert.equal(entry.action, 'menu.change');
  const now = await read(maitred(), path);
  assert.deepEqual(
    now.items.map(({ name }: Body) => name),
    ['Pie', 'Tart', 'Soup'],
  );
  const [first, second, third] = now.items;
  assert.equal(first.id, pie.id);
  assert.deepEqual(third, { ...soup, pricePence: 800, subType: 'cold' });
  assert.ok(![soup.id, stew.id, pie.id].includes(second.id) && second.id > pie.id);

  await changeDinner({ menuIds: [...(await read(maitred(), DINNER_PATH)).menuIds, menu.id] });
  await eventually(async () => (await offered()).menus.some(({ id }: Body) => id === menu.id));
  const shown = (await offered()).menus.find(({ id }: Body) => id === menu.id);
  assert.deepEqual(
    shown.items.map(({ id, displayOrder }: Body) => [id, displayOrder]),
    [pie.id, second.id, soup.id].map((id, index) => [id, index + 1]),
  );
});

test('items, options and values that are named twice, or belong elsewhere, are refused', async () => {
  const menu = await done(maitred(), 'POST', MENUS, { name: 'Odd', items: [dish()] });
  const { id: other } = await done(maitred(), 'POST', MENUS, { name: 'Other', items: [dish()] });
  const [stranger] = (await read(maitred(), `${MENUS}/${other}`)).items;
  const [item] = menu.items;
  const option = { id: 'a', name: 'A', required: true, values: [{ value: 'x', pricePence: 0 }] };
  const value = { value: 'x', pricePence: 1 };
  const wrong: [string, Body[]][] = [
    ['items.0.id', [{ ...item, id: stranger.id }]],
    ['items.1.id', [item, item]],
    ['items.0.options', [dish({ options: [option, option] })]],
    ['items.0.options.0.values', [dish({ options: [{ ...option, values: [value, value] }] })]],
    ['items.0.options.0.values', [dish({ options: [{ ...option, values: [] }] })]],
    ['items.0.pricePence', [dish({ pricePence: -1 })]],
    ['items.0.pricePence', [dish({ pricePence: 3_000_000_000 })]],
  ];
  for (const [field, items] of wrong)
    await assertUnfit(maitred(), 'PUT', `${MENUS}/${menu.id}`, { name: 'Odd', items }, field);
  await assertUnfit(maitred(), 'POST', MENUS, { name: 'New', items: [item] }, 'items.0.id');
  assert.deepEqual(await read(maitred(), `${MENUS}/${menu.id}`), menu);
});

test('a slug names one package and one menu of a venue', async () => {
  const { id } = await openVenue(maitred(), 'slugs');
  const [packages, menus] = [at(id, '/packages'), at(id, '/menus')];
  const made = await done(maitred(), 'POST', packages, feast);
  await assertUnfit(maitred(), 'POST', packages, feast, 'slug');
  await done(maitred(), 'POST', menus, { name: 'Feast', slug: 'feast', items: [] });
  await assertUnfit(maitred(), 'POST', menus, { name: 'Feast', slug: 'feast', items: [] }, 'slug');
  await done(maitred(), 'PUT', `${packages}/${made.id}`, { ...feast, name: 'Banquet' });
  const plain = { ...feast, slug: null };
  const second = await done(maitred(), 'POST', packages, plain);
  await assertUnfit(maitred(), 'PUT', `${packages}/${second.id}`, feast, 'slug');
  assert.deepEqual(
    (await read(maitred(), packages)).data.map((each: Body) => each.id),
    [made.id, second.id],
  );
  assert.equal((await read(maitred(), menus)).data.length, 1);
});

test('what a product requires and has no other of cannot be removed', async () => {
  const [one, two] = [
    await done(maitred(), 'POST', PACKAGES, { ...feast, slug: 'one' }),
    await done(maitred(), 'POST', PACKAGES, { ...feast, slug: 'two' }),
  ];
  const menu = await done(maitred(), 'POST', MENUS, { name: 'Only', items: [dish()] });
  const before = await read(maitred(), DINNER_PATH);
  await changeDinner({
    preOrderRequiredType: 'packageAndMenu',
    packageIds: [one.id, two.id],
    menuIds: [menu.id],
  });
  const named = await read(maitred(), DINNER_PATH);
  await done(maitred(), 'DELETE', `${PACKAGES}/${one.id}`);
  const auditLog = (await read(maitred(), '/manage/audit?pageSize=2')).data as Body[];
  assert.deepEqual(
    auditLog.map(({ action, before: was, after: is }) => [action, was, is]),
    [
      ['package.remove', one, null],
      ['product.change', named, { ...named, packageIds: [two.id] }],
    ],
    'what a product loses stands in its own audit log too',
  );
  await assertUnfit(maitred(), 'DELETE', `${PACKAGES}/${two.id}`, undefined, 'packageId');
  await assertUnfit(maitred(), 'DELETE', `${MENUS}/${menu.id}`, undefined, 'menuId');
  assert.deepEqual((await read(maitred(), DINNER_PATH)).packageIds, [two.id]);
  await done(maitred(), 'PUT', DINNER_PATH, productChange(before));
  await done(maitred(), 'DELETE', `${PACKAGES}/${two.id}`);
  await done(maitred(), 'DELETE', `${MENUS}/${menu.id}`);
});

test('packages and menus of another venue are not found', async () => {
  const [elsewhere] = (await read(maitred(), at('1|house|garden-room', '/menus'))).data;
  const { id } = await done(maitred(), 'POST', at('2|house|night-owl', '/packages'), feast);
  assertProblem(await send(maitred(), 'DELETE', `${MENUS}/${elsewhere.id}`), 404, 'HTTP-N-404');
  assertProblem(await send(maitred(), 'PUT', `${PACKAGES}/${id}`, feast), 404, 'HTTP-N-404');
  const foreign = at('2|house|night-owl', `/packages/${id}`);
  assertProblem(await maitred().call(foreign, { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  assertProblem(
    await maitred().call(at('1|house|nowhere', '/menus'), { as: 'demo-admin' }),
    404,
    'VENUE-N-001',
  );
});
