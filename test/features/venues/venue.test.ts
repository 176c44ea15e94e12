import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const SOHO = '/venues/1%7Chouse%7Csoho-grill';

test('a venue carries every field of the interface', async () => {
  const { json: venue } = await maitred.call(SOHO);
  for (const name of [
    'id',
    'name',
    'venueGroupName',
    'content',
    'phone_number',
    'website',
    'reservable',
    'location',
    'types',
    'photos',
    'media',
    'is_active',
    'created_at',
    'updated_at',
    'products',
    'preorders',
    'opening_times',
    'bookingRequirements',
    'bookingOverrides',
    'operatorAvailabilityRules',
  ]) {
    assert.ok(name in venue, name);
  }
  for (const name of ['lat', 'lng', 'city', 'area']) assert.ok(name in venue.location, name);
  assert.equal(venue.id, '1|house|soho-grill');
  assert.equal(venue.is_active, true);
  assert.equal(venue.reservable, true);
  assert.equal(venue.opening_times.weekly.length, 7);
});

test('a product carries every field of the interface', async () => {
  const { json: venue } = await maitred.call(SOHO);
  for (const product of venue.products) {
    for (const name of [
      'compositeId',
      'productName',
      'slug',
      'timeInterval',
      'preOrderRequired',
      'preOrderRequiredType',
      'depositRequired',
      'paymentRules',
      'availabilityRules',
      'category',
      'preorders',
      'spaces',
      'feedUrl',
    ]) {
      assert.ok(name in product, name);
    }
    assert.equal(product.availabilityRules.weekly.length, 7);
  }
  const ids = venue.products.map(({ compositeId }: { compositeId: string }) => compositeId);
  assert.deepEqual(ids, ['1|house|soho-grill|dinner', '1|house|soho-grill|private-dining']);
});

test('a space carries every capacity and policy', async () => {
  const { json: venue } = await maitred.call(SOHO);
  const spaces = venue.products.find(({ compositeId }: { compositeId: string }) =>
    compositeId.endsWith('private-dining'),
  ).spaces;
  assert.equal(spaces.length, 2);
  for (const space of spaces) {
    assert.ok(Number.isInteger(space.id));
    for (const layout of [
      'Standing',
      'Seated',
      'Cabaret',
      'Theatre',
      'Boardroom',
      'Classroom',
      'UShape',
      'Banquet',
      'Reception',
    ]) {
      assert.deepEqual(Object.keys(space[`capacity${layout}`]), ['min', 'max'], layout);
    }
    assert.deepEqual(Object.keys(space.policies).toSorted(), [
      'accessibility',
      'minimumSpend',
      'occasionTypes',
      'promotedEvents',
      'servesFood',
      'under18s',
    ]);
    assert.ok(space.policies.minimumSpend.length > 0);
    for (const name of ['spaceName', 'description', 'floorLocation', 'facilities'])
      assert.ok(name in space, name);
  }
});

test('pre-orders show packages and menus with items and options', async () => {
  const { json: venue } = await maitred.call('/venues/1|house|garden-room');
  const [brunch] = venue.products;
  assert.equal(brunch.preOrderRequired, true);
  assert.notEqual(brunch.preOrderRequiredType, 'none');
  assert.equal(brunch.depositRequired, true);
  assert.ok(brunch.preorders.packages.length > 0);
  const items = brunch.preorders.menus.flatMap((menu: { items: object[] }) => menu.items);
  for (const item of items) {
    for (const name of [
      'name',
      'price',
      'description',
      'diet_types',
      'allergens',
      'configurable_options',
      'type',
      'subType',
      'displayOrder',
    ]) {
      assert.ok(name in item, name);
    }
  }
  assert.ok(items.some((item: { configurable_options: object[] }) => item.configurable_options.length > 0));
  assert.deepEqual(venue.preorders, brunch.preorders);
});

test('the company list belongs to the channel: one partner must name a company, an operator sees no list', async () => {
  const forPartner = (await maitred.call('/venues/1|house|garden-room')).json.bookingRequirements;
  assert.equal(forPartner.company.mode, 'list');
  assert.equal(forPartner.company.isRequired, true);
  assert.ok(forPartner.company.companyNames.length > 0);
  assert.ok(forPartner.requiredFields.includes('company'));
  const forOperator = (await maitred.call('/venues/1|house|garden-room', { as: 'demo-operator' })).json
    .bookingRequirements;
  assert.deepEqual(forOperator.company, { mode: 'none', isRequired: false, companyNames: [] });
  assert.equal((await maitred.call(SOHO)).json.bookingRequirements.company.isRequired, false);
});

test('a list brings booking requirements only when asked', async () => {
  const [plain] = (await maitred.call('/venues?pageSize=1')).json.data;
  assert.ok(!('bookingRequirements' in plain));
  const [asked] = (await maitred.call('/venues?pageSize=1&fields=bookingRequirements')).json.data;
  assert.deepEqual(Object.keys(asked), ['bookingRequirements']);
});

test('a closed venue can be read and cannot be booked', async () => {
  const { json } = await maitred.call('/venues/1|house|closed-cafe');
  assert.equal(json.reservable, false);
  assert.equal(json.is_active, false);
});

test('a suspended partner still reads, and sees that it cannot book', async () => {
  await maitred.sql`update partner_operator set is_suspended = true
    where operator_id = 2 and partner_id = (select id from partner where reference = 'demo-partner')`;
  const { json } = await maitred.call('/venues/2|house|night-owl');
  assert.equal(json.reservable, false);
  assert.equal(json.is_active, true);
});

test('raw and percent-encoded pipes name the same venue', async () => {
  assert.equal((await maitred.call('/venues/1|house|soho-grill')).text, (await maitred.call(SOHO)).text);
});

for (const [id, message] of [
  ['soho-grill', /three|venue id/],
  ['1|house|soho-grill|dinner', /four segments/],
  ['x|house|soho-grill', /venue id/],
  ['99999999999|house|x', /venue id/],
  ['1|house|', /venue id/],
  ['1||x', /venue id/],
  ['1|house|a b', /venue id/],
  ["1|house|x'--", /venue id/],
] as const) {
  test(`the id ${id} is refused`, async () => {
    const body = assertProblem(await maitred.call(`/venues/${encodeURIComponent(id)}`), 400, 'VALID-N-001');
    assert.match(body.errors.venueId[0], message);
  });
}

test('an unknown venue, one that is not mapped, and one of another operator are told apart', async () => {
  assertProblem(await maitred.call('/venues/1|house|nowhere'), 404, 'VENUE-N-001');
  assertProblem(await maitred.call('/venues/3|house|hidden-kitchen'), 403, 'PMAP-N-001');
  assertProblem(
    await maitred.call('/venues/3|house|hidden-kitchen', { as: 'demo-operator' }),
    403,
    'OPRTR-N-002',
  );
  assert.equal((await maitred.call('/venues/3|house|hidden-kitchen', { as: 'demo-admin' })).status, 200);
  assert.equal((await maitred.call('/venues/3|house|hidden-kitchen', { as: 'other-partner' })).status, 200);
});

test('fields select to any depth and keep the order of the resource', async () => {
  const { json } = await maitred.call(
    `${SOHO}?fields=${encodeURIComponent('products( spaces (capacitySeated(max), id) ), name,id')}`,
  );
  assert.deepEqual(Object.keys(json), ['id', 'name', 'products']);
  assert.deepEqual(Object.keys(json.products[1].spaces[0]), ['id', 'capacitySeated']);
  assert.deepEqual(Object.keys(json.products[1].spaces[0].capacitySeated), ['max']);
});

test('fields of a list select inside each entry and leave meta alone', async () => {
  const { json } = await maitred.call('/venues?fields=name&pageSize=2');
  assert.deepEqual(json.data.map(Object.keys), [['name'], ['name']]);
  assert.equal(json.meta.pageSize, 2);
});

for (const [fields, path] of [
  ['nope', 'nope'],
  ['products(spaces(nope))', 'products.spaces.nope'],
  ['name(first)', 'name'],
  ['__proto__', '__proto__'],
  ['products(constructor)', 'products.constructor'],
] as const) {
  test(`fields=${fields} is refused with the path ${path}`, async () => {
    const body = assertProblem(await maitred.call(`${SOHO}?fields=${fields}`), 400, 'FSEL-N-001');
    assert.equal(body.path, path);
    assert.ok(body.detail.includes(path), body.detail);
  });
}

for (const fields of ['', '(', 'name,', 'name,,id', 'products(', 'products()', 'products)', ',']) {
  test(`the malformed fields "${fields}" are refused`, async () => {
    assertProblem(await maitred.call(`${SOHO}?fields=${encodeURIComponent(fields)}`), 400, 'FSEL-N-001');
  });
}

test('TOON says the same as JSON', async () => {
  for (const path of [SOHO, '/venues?pageSize=3', '/venues?fields=id,name', '/venues/category']) {
    const toon = await maitred.call(path, { headers: { accept: 'text/toon' } });
    assert.match(String(toon.headers['content-type']), /^text\/toon/);
    assert.equal(toon.headers.vary, 'Accept, Accept-Encoding');
    assert.deepEqual(decode(toon.text), (await maitred.call(path)).json, path);
  }
});

test('errors are JSON whatever was accepted, and an Accept we cannot meet is 406', async () => {
  assertProblem(
    await maitred.call('/venues/1|house|nowhere', { headers: { accept: 'text/toon' } }),
    404,
    'VENUE-N-001',
  );
  assertProblem(await maitred.call(SOHO, { headers: { accept: 'image/png' } }), 406, 'HTTP-N-406');
  assertProblem(
    await maitred.call(SOHO, { headers: { accept: 'application/vnd.service.toon+json' } }),
    406,
    'HTTP-N-406',
  );
});

test('a caller that has the present version gets 304', async () => {
  const first = await maitred.call(SOHO);
  const etag = String(first.headers.etag);
  const again = await maitred.call(SOHO, { headers: { 'if-none-match': `"x", W/${etag}` } });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
  assert.equal(again.headers.etag, etag);
  const toon = await maitred.call(SOHO, { headers: { accept: 'text/toon', 'if-none-match': etag } });
  assert.equal(toon.status, 200);
});
