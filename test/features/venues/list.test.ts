import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { respelt } from '../../support/respelt.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const idsOf = (answer: { json: { data: { id: string }[] } }) => answer.json.data.map(({ id }) => id);
const get = (query: string, as = 'demo-partner') => maitred.call(`/venues${query}`, { as });

async function allIds(query = '', as = 'demo-partner'): Promise<string[]> {
  const separator = query === '' ? '?' : '&';
  return idsOf(await get(`${query}${separator}pageSize=100&fields=id`, as));
}

test('a page has twenty venues by id and says how many there are', async () => {
  const answer = await get('');
  assert.equal(answer.status, 200);
  const { data, meta } = answer.json;
  assert.equal(data.length, 20);
  const everything = await allIds();
  assert.deepEqual(meta, {
    currentPage: 1,
    pageSize: 20,
    totalItems: everything.length,
    totalPages: Math.ceil(everything.length / 20),
  });
  assert.deepEqual(idsOf(answer), everything.toSorted().slice(0, 20));
});

test('pages of any size join up to the whole list without gaps or repeats', async () => {
  const everything = await allIds();
  for (const size of [1, 7, 20, 100]) {
    const joined: string[] = [];
    for (let page = 1; page <= Math.ceil(everything.length / size); page++) {
      joined.push(...idsOf(await get(`?pageNumber=${page}&pageSize=${size}&fields=id`)));
    }
    assert.deepEqual(joined, everything);
  }
});

test('a page after the last one is empty and still counts', async () => {
  const { data, meta } = (await get('?pageNumber=1000')).json;
  assert.deepEqual(data, []);
  assert.equal(meta.currentPage, 1000);
  assert.ok(meta.totalItems > 40);
});

test('every sort gives the same venues, and the other direction is its mirror', async () => {
  const everything = await allIds();
  for (const sortBy of ['default', 'name', 'city', 'area']) {
    const ascending = await allIds(`?sortBy=${sortBy}`);
    const descending = await allIds(`?sortBy=${sortBy}&sortDirection=DESC`);
    assert.deepEqual(ascending.toSorted(), everything.toSorted(), sortBy);
    assert.deepEqual(descending, ascending.toReversed(), sortBy);
  }
});

test('names, cities and areas sort by the order of the alphabet, and names break ties', async () => {
  const collator = new Intl.Collator('und');
  for (const sortBy of ['name', 'city', 'area'] as const) {
    const answer = await get(`?sortBy=${sortBy}&pageSize=100&fields=id,name,location(city,area)`);
    const rows: { name: string; location: { city: string; area: string } }[] = answer.json.data;
    const keyOf = (row: (typeof rows)[number]) => (sortBy === 'name' ? row.name : row.location[sortBy]);
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      if (!next) break;
      const byKey = collator.compare(keyOf(row), keyOf(next));
      assert.ok(
        byKey < 0 || (byKey === 0 && collator.compare(row.name, next.name) <= 0),
        `${keyOf(row)} before ${keyOf(next)}`,
      );
    }
  }
});

test('the operator filter is exact, takes any case, and carries the sort by venue group', async () => {
  const { venueGroupName } = (await maitred.call('/venues/1%7Chouse%7Csoho-grill')).json;
  const expected = (await allIds()).filter((id) => id.startsWith('1|'));
  assert.deepEqual(
    await allIds(`?venueGroupName=${encodeURIComponent(venueGroupName.toUpperCase())}`),
    expected,
  );
  const sorted = await allIds(`?sortBy=venueGroup&venueGroupName=${encodeURIComponent(venueGroupName)}`);
  assert.deepEqual(sorted.toSorted(), expected.toSorted());
  assert.deepEqual(await allIds(`?venueGroupName=${encodeURIComponent(venueGroupName.slice(0, 3))}`), []);
});

test('text filters match parts of names in any case and treat wildcards as letters', async () => {
  assert.deepEqual(await allIds('?venueName=OHO%20gri'), ['1|house|soho-grill']);
  assert.deepEqual(await allIds('?venueName=%25%25'), []);
  assert.deepEqual(await allIds('?venueName=s__o'), []);
  const brunches = await get('?productName=BRUNCH&pageSize=100&fields=id,products(productName)');
  assert.ok(idsOf(brunches).includes('1|house|garden-room'));
  for (const { products } of brunches.json.data) {
    assert.ok(products.some(({ productName }: { productName: string }) => /brunch/i.test(productName)));
  }
});

test('city and area are whole names in any case', async () => {
  const soho = await get('?area=SOHO&pageSize=100&fields=id,location(area)');
  assert.ok(soho.json.data.length > 0);
  for (const venue of soho.json.data) assert.equal(venue.location.area, 'Soho');
  const london = await allIds('?city=london');
  assert.ok(london.includes('1|house|soho-grill'));
  assert.deepEqual(await allIds('?city=lond'), []);
});

test('features must all be present', async () => {
  const everything = (await get('?pageSize=100&fields=id,types(slug)')).json.data as {
    id: string;
    types: { slug: string }[];
  }[];
  const withBoth = everything.find(({ types }) => types.length >= 2);
  assert.ok(withBoth);
  const [first, second] = withBoth.types.map(({ slug }) => slug);
  const expected = everything
    .filter(({ types }) => [first, second].every((slug) => types.some((type) => type.slug === slug)))
    .map(({ id }) => id);
  assert.deepEqual(await allIds(`?features=${first},%20${second}`), expected);
  assert.deepEqual(await allIds('?features=no-such-feature'), []);
});

test('a circle keeps what lies inside it', async () => {
  const { location } = (await maitred.call('/venues/1|house|soho-grill')).json;
  const near = await allIds(`?lat=${location.lat}&lng=${location.lng}&radius=50`);
  assert.ok(near.includes('1|house|soho-grill'));
  const wide = await allIds(`?lat=${location.lat}&lng=${location.lng}&radius=5000`);
  assert.ok(wide.length > near.length);
  assert.ok(near.every((id) => wide.includes(id)));
  assert.deepEqual(await allIds('?lat=-45&lng=170&radius=1000'), []);
});

test('a circle reaches across the date line, around a pole, and no further', async () => {
  const [id] = await allIds();
  const [before] = await maitred.sql`select lat, lng from venue where id = ${id ?? ''}`;
  const moveTo = (lat: number, lng: number) =>
    maitred.sql`update venue set lat = ${lat}, lng = ${lng} where id = ${id ?? ''}`;
  let asked = 0;
  const isFound = async (query: string) => {
    const answer = await get(`?${respelt(`${query}&pageSize=100&fields=id`, asked++)}`);
    return idsOf(answer).includes(id ?? '');
  };
  try {
    await moveTo(-17, 179.99);
    await eventually(() => isFound('lat=-17&lng=-179.99&radius=3000'));
    assert.equal(await isFound('lat=-17&lng=179.98&radius=3000'), true);
    assert.equal(await isFound('lat=-17&lng=-179.9&radius=3000'), false);
    await moveTo(89.9, 10);
    await eventually(() => isFound('lat=89.9&lng=-170&radius=30000'));
    await moveTo(70, 10);
    await eventually(() => isFound('lat=70&lng=13.9&radius=150000'));
    assert.equal(await isFound('lat=70&lng=14.1&radius=150000'), false);
  } finally {
    await moveTo(before?.lat, before?.lng);
  }
});

test('relevance puts the best match first and needs a query', async () => {
  const [best] = await allIds('?sortBy=relevance&query=soho%20grill');
  assert.equal(best, '1|house|soho-grill');
  const found = await allIds('?sortBy=relevance&query=jazz');
  assert.ok(found.includes('2|house|blue-note'), found.join());
  assert.deepEqual(await allIds('?sortBy=relevance&query=zzzzqqqq'), []);
  assertProblem(await get('?sortBy=relevance'), 400, 'VALID-N-001');
});

test('the worst match first is the mirror of the best first, also where venues match equally well', async () => {
  const best = await allIds('?sortBy=relevance&query=london');
  assert.ok(best.length > 10);
  assert.deepEqual(await allIds('?sortBy=relevance&query=london&sortDirection=ASC'), best.toReversed());
});

test('a date keeps the venues that trade on it, a time those that are open then', async () => {
  const open = await allIds('?date=2027-03-05&time=01:30');
  assert.ok(open.includes('2|house|night-owl'), 'trades until three');
  assert.ok(!open.includes('1|house|soho-grill'));
  assert.ok(!(await allIds('?date=2027-03-05')).includes('1|house|closed-cafe'), 'closed for good');
  assert.ok((await allIds()).includes('1|house|closed-cafe'));
});

test('an exception takes the place of the weekly hours', async () => {
  // Dates that nothing else asks about: an answer that is kept already would hide the change for a moment.
  const venue = '1|house|soho-grill';
  await maitred.sql`insert into venue_exception (venue_id, date, reason) values (${venue}, '2027-04-02', 'Staff party')`;
  await maitred.sql`insert into venue_exception (venue_id, date, opens_minute, closes_minute)
    values (${venue}, '2027-04-03', 60, 120)`;
  assert.ok(!(await allIds('?date=2027-04-02')).includes(venue));
  assert.ok((await allIds('?date=2027-04-03&time=01:30')).includes(venue));
  assert.ok(!(await allIds('?date=2027-04-03&time=19:30')).includes(venue));
  assert.ok((await allIds('?date=2027-04-04&time=19:30')).includes(venue));
});

for (const [query, field] of [
  ['?pageNumber=0', 'pageNumber'],
  ['?pageNumber=-1', 'pageNumber'],
  ['?pageNumber=1.5', 'pageNumber'],
  ['?pageNumber=abc', 'pageNumber'],
  ['?pageNumber=', 'pageNumber'],
  ['?pageNumber=1&pageNumber=2', 'pageNumber'],
  ['?pageNumber=99999999999999999999', 'pageNumber'],
  ['?pageSize=0', 'pageSize'],
  ['?pageSize=101', 'pageSize'],
  ['?sortBy=price', 'sortBy'],
  ['?sortBy=venueGroup', 'venueGroupName'],
  ['?sortBy=relevance', 'query'],
  ['?sortDirection=asc', 'sortDirection'],
  ['?date=2026-02-30', 'date'],
  ['?date=0000-01-01', 'date'],
  ['?date=tomorrow', 'date'],
  ['?date=2026-05-01&time=25:00', 'time'],
  ['?time=19:30', 'date'],
  ['?venueName=x', 'venueName'],
  [`?city=${'x'.repeat(101)}`, 'city'],
  ['?features=', 'features'],
  ['?features=a,b,c,d,e,f,g,h,i,j,k', 'features'],
  ['?lat=51.5', 'lng'],
  ['?lat=91&lng=0&radius=5', 'lat'],
  ['?lat=51&lng=0&radius=-5', 'radius'],
  ['?query=x', 'query'],
  ['?venueName=a%00b', 'venueName'],
] as const) {
  test(`${query.slice(0, 60)} is refused and names ${field}`, async () => {
    const body = assertProblem(await get(query), 400, 'VALID-N-001');
    assert.ok(body.errors[field]?.length > 0, JSON.stringify(body));
  });
}

test('all wrong parameters are reported at once', async () => {
  const body = assertProblem(await get('?pageNumber=0&pageSize=500&sortBy=x&date=no'), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(body.errors).toSorted(), ['date', 'pageNumber', 'pageSize', 'sortBy']);
});

test('categories are listed with id, name and slug', async () => {
  const { data } = (await maitred.call('/venues/category')).json;
  assert.ok(data.length >= 4);
  for (const category of data) assert.deepEqual(Object.keys(category).toSorted(), ['id', 'name', 'slug']);
});
