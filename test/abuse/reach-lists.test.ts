import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admin, demoPartner, leaksIn, otherPartner, type Watcher, watchers } from './support/sight.ts';
import { FORMATS, watching } from './support/watching.ts';

const { look, products, see, sight, venues } = watching();

interface Listed {
  ids: string[];
  total: number;
}

/** A whole list, put together from pages of an odd size. */
async function listed(watcher: Watcher, query: string): Promise<Listed> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await look(watcher, `/venues?pageSize=37&pageNumber=${page}&fields=id&${query}`);
    assert.equal(answer.status, 200, `${query}: ${answer.text}`);
    const { data, meta } = answer.json;
    ids.push(...data.map((venue: { id: string }) => venue.id));
    if (page >= meta.totalPages) return { ids, total: meta.totalItems };
  }
}

const parameter = (name: string, value: string | number) => `${name}=${encodeURIComponent(value)}`;

/** Sorts and filters of the list, each with values that only some callers may know of. */
function listQueries(): string[] {
  const byVenue = ['3|house|hidden-kitchen', '1|house|garden-room', '2|house|night-owl'].flatMap((id) => {
    const venue = venues().find((one) => one.id === id);
    assert.ok(venue);
    return [
      parameter('venueName', venue.name),
      parameter('query', venue.name),
      parameter('city', venue.city),
      parameter('area', venue.area),
      parameter('venueGroupName', venue.operator),
      `${parameter('lat', venue.lat)}&${parameter('lng', venue.lng)}&radius=200`,
      `sortBy=relevance&${parameter('query', venue.name)}`,
      `sortBy=venueGroup&${parameter('venueGroupName', venue.operator)}`,
    ];
  });
  const sorts = ['default', 'name', 'city', 'area'].flatMap((sortBy) =>
    ['ASC', 'DESC'].map((direction) => `sortBy=${sortBy}&sortDirection=${direction}`),
  );
  return [
    '',
    ...sorts,
    ...byVenue,
    'date=2026-11-20',
    'date=2026-11-20&time=19:30',
    'lat=51.5&lng=0&radius=1000000',
  ];
}

test("every list is the platform's list without what the caller may not see, in the same order", async () => {
  for (const query of listQueries()) {
    const everything = await listed(admin, query);
    for (const watcher of watchers) {
      const expected = everything.ids.filter((id) => sight(watcher).venueIds.has(id));
      assert.deepEqual(
        await listed(watcher, query),
        { ids: expected, total: expected.length },
        `${watcher.name} ${query}`,
      );
    }
  }
});

test('the whole list is exactly the mapping', async () => {
  for (const watcher of watchers) {
    const { ids } = await listed(watcher, '');
    assert.deepEqual(ids, [...sight(watcher).venueIds].sort());
  }
});

test('a filter on product names finds no venue by a product that is not mapped', async () => {
  for (const name of new Set(products().map((product) => product.name))) {
    const isNamed = (product: { name: string }) => product.name.toLowerCase().includes(name.toLowerCase());
    for (const watcher of watchers) {
      const { venueIds, productIds } = sight(watcher);
      const expected = products()
        .filter((product) => isNamed(product) && productIds.has(product.id) && venueIds.has(product.venueId))
        .map(({ venueId }) => venueId);
      const { ids } = await listed(watcher, parameter('productName', name));
      assert.deepEqual(ids, [...new Set(expected)].sort(), `${watcher.name} ${name}`);
    }
  }
});

test('whole pages, selected fields and TOON show nothing of other venues and products', async () => {
  const selections = [
    '',
    'fields=products,preorders,operatorAvailabilityRules,bookingRequirements',
    'fields=name,content',
  ];
  for (const watcher of watchers) {
    for (const selection of selections) {
      for (const accept of FORMATS) await look(watcher, `/venues?pageSize=100&${selection}`, accept);
    }
  }
});

test("the tag of somebody else's answer brings the caller its own answer", async () => {
  const paths = ['/venues', '/venues?pageSize=100', `/venues/${encodeURIComponent('1|house|soho-grill')}`];
  for (const path of paths) {
    for (const accept of FORMATS) {
      const tags = new Map<Watcher, string>();
      for (const watcher of watchers)
        tags.set(watcher, String((await see(watcher, path, { accept })).headers.etag));
      for (const watcher of watchers) {
        for (const [owner, tag] of tags) {
          const answer = await see(watcher, path, { accept, 'if-none-match': tag });
          const isSame = tags.get(watcher) === tag;
          assert.equal(answer.status, isSame ? 304 : 200, `${watcher.name} with the tag of ${owner.name}`);
          assert.deepEqual(leaksIn(answer.text, sight(watcher).secrets), []);
        }
      }
      assert.notEqual(tags.get(demoPartner), tags.get(otherPartner));
    }
  }
});
