import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLUE_NOTE, JAZZ_NIGHT, listedIn, listingsApp } from './support.ts';

const { get, groups, items, ids } = listingsApp();

const headsOf = async (query?: string, as?: string) => (await ids(query, as)).map(([head]) => head);

/** The items one by one: groups hide the order of items across operators, and pages of one item show it. */
async function orderOf(query: string): Promise<string[][]> {
  const order: string[][] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const fields = 'fields=items(capabilities(id))';
    const { meta, listings } = (await get(`${query}pageSize=1&pageNumber=${page}&${fields}`)).json;
    pages = meta.totalPages;
    for (const group of listings) order.push(...group.items.map(listedIn));
  }
  return order;
}

test('a page has twenty items, and what is counted are items', async () => {
  const { meta, listings } = (await get()).json;
  const everything = await ids();
  assert.deepEqual(meta, {
    currentPage: 1,
    pageSize: 20,
    totalItems: everything.length,
    totalPages: Math.ceil(everything.length / 20),
  });
  const listed = listings.flatMap((group: { items: object[] }) => group.items);
  assert.deepEqual(listed.map(listedIn), everything.slice(0, 20));
});

test('there are as many items as venues, less the events that are hosted', async () => {
  for (const as of ['demo-partner', 'other-partner', 'demo-admin']) {
    const everything = await ids('', as);
    const { totalItems } = (await get('', as)).json.meta;
    assert.equal(totalItems, everything.length, as);
    assert.equal(new Set(everything.flat()).size, everything.flat().length, 'nothing is listed twice');
  }
});

test('pages of any size join up to the whole list without gaps or repeats, whatever the filter', async () => {
  for (const query of [
    '?',
    '?sortBy=city&',
    '?features=event&',
    '?capability=table_reservation&sortBy=name&',
  ]) {
    const everything = await orderOf(query);
    for (const size of [7, 20]) {
      const joined: string[][] = [];
      let counted = 1;
      for (let page = 1; page <= counted; page++) {
        const { meta, listings } = (await get(`${query}pageNumber=${page}&pageSize=${size}`)).json;
        counted = meta.totalPages;
        assert.equal(meta.totalItems, everything.length, query);
        for (const { items: listed } of listings) joined.push(...listed.map(listedIn));
      }
      const onPages = pagesOf(everything, size).flatMap(byOperator);
      assert.deepEqual(joined, onPages, `${query} by ${size}`);
    }
  }
});

/** What a page shows of its items: those of an operator together, where the first of them stands. */
const byOperator = (page: string[][]) =>
  [...Map.groupBy(page, ([head]) => head?.split('|')[0]).values()].flat();
function pagesOf(everything: string[][], size: number): string[][][] {
  const count = Math.ceil(everything.length / size);
  return Array.from({ length: count }, (_, page) => everything.slice(page * size, (page + 1) * size));
}

test('a group goes on where the page before it ended', async () => {
  const everything = await groups();
  const largest = everything.toSorted((a, b) => b.items.length - a.items.length)[0];
  assert.ok(largest && largest.items.length > 20);
  const pages = [];
  for (let page = 1; page <= 10; page++)
    pages.push((await get(`?pageSize=7&pageNumber=${page}`)).json.listings);
  const parts = pages.flat().filter(({ groupName }) => groupName === largest.groupName);
  assert.ok(parts.length > 2);
  assert.deepEqual(
    parts.flatMap((part) => part.items),
    largest.items,
  );
});

test('each operator has one group on a page, however the items are sorted', async () => {
  for (const sortBy of ['default', 'name', 'city', 'area']) {
    const names = (await groups(`?sortBy=${sortBy}`)).map(({ groupName }) => groupName);
    assert.deepEqual(names, [...new Set(names)], sortBy);
  }
});

test('every sort gives the same items, and the other direction is its mirror', async () => {
  const everything = (await headsOf()).toSorted();
  for (const sortBy of ['default', 'name', 'city', 'area']) {
    const ascending = await orderOf(`?sortBy=${sortBy}&`);
    assert.deepEqual(ascending.map(([head]) => head).toSorted(), everything, sortBy);
    assert.deepEqual(await orderOf(`?sortBy=${sortBy}&sortDirection=DESC&`), ascending.toReversed(), sortBy);
  }
  const best = await orderOf('?sortBy=relevance&query=london&');
  assert.ok(best.length > 10);
  assert.deepEqual(await orderOf('?sortBy=relevance&query=london&sortDirection=ASC&'), best.toReversed());
});

test('names, cities and areas sort by the order of the alphabet, and names break ties', async () => {
  const collator = new Intl.Collator('und');
  const all = new Map((await items()).map((item) => [listedIn(item)[0], item]));
  for (const sortBy of ['name', 'city', 'area'] as const) {
    const sorted = (await orderOf(`?sortBy=${sortBy}&`)).map(([id]) => all.get(id));
    for (const [index, item] of sorted.entries()) {
      const next = sorted[index + 1];
      if (!item || !next) break;
      const [key, nextKey] = [item, next].map((each) =>
        sortBy === 'name' ? each.name : each.location[sortBy],
      );
      const byKey = collator.compare(key ?? '', nextKey ?? '');
      assert.ok(
        byKey < 0 || (byKey === 0 && collator.compare(item.name, next.name) <= 0),
        `${key}, ${nextKey}`,
      );
    }
  }
});

test('relevance puts the best match first', async () => {
  assert.deepEqual((await orderOf('?sortBy=relevance&query=soho%20grill&'))[0], ['1|house|soho-grill']);
  assert.deepEqual((await orderOf('?sortBy=relevance&query=blue%20note%20jazz&'))[0], [
    BLUE_NOTE,
    JAZZ_NIGHT,
  ]);
});

test('a page after the last one is empty and still counts', async () => {
  const { meta, listings } = (await get('?pageNumber=1000')).json;
  assert.deepEqual(listings, []);
  assert.ok(meta.totalItems > 40);
});
