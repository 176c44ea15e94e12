import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Caller } from '../../../src/http/auth/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const platform: Caller = { kind: 'platform', clientId: 'x', scopes: new Set() };

async function found(query: string, more = '', as = 'demo-partner'): Promise<string[]> {
  const path = `/venues?sortBy=relevance&pageSize=100&fields=id&query=${encodeURIComponent(query)}${more}`;
  const { json } = await maitred.call(path, { as });
  return json.data.map(({ id }: { id: string }) => id.split('|')[2] ?? '');
}

for (const [query, first] of [
  ['shorditch', 'night-owl'],
  ['anatolya fire', 'anatolia-fire'],
  ['lant', 'lantern-house'],
  ['NEUKOLLN', 'nachtschatten'],
  ['rollstuhlgerecht manchester', 'skyline-nine'],
  ['kebab', 'anatolia-fire'],
  ['vegan and halal in peckham', 'pepper-lane'],
  ['for four on saturday in covent garden', 'juniper-and-rye'],
] as const) {
  test(`«${query}» finds ${first} first`, async () => {
    assert.equal((await found(query))[0], first);
  });
}

/** Names as other writings and short numbers make them. */
for (const [name, query] of [
  ['김치나라', '김치나라'],
  ['がんこ', 'がんこ'.normalize('NFD')],
  ['Кофейня', 'кофейня'],
  ['ร้านอาหาร', 'ร้านอาหาร'],
  ['मिठाईवाला', 'मिठाईवाला'],
  ['28-50', '28-50'],
  ['Bar 61', '61'],
  ['Bar 61', 'bar 61'],
  ['Håkan’s Köket', 'hakan’s koket'],
] as const) {
  test(`«${query}» finds the venue named ${name}`, async () => {
    await maitred.sql`update venue set name = ${name} where id = '4|house|tamarind-row'`;
    await eventually(async () => (await found(query))[0] === 'tamarind-row');
  });
}

test('a text that only says what is not wanted finds the others', async () => {
  const venues = await found('no seafood');
  assert.ok(venues.length > 30 && !venues.includes('saltmarsh'), venues.join());
  const { json } = await maitred.call('/venues?query=no%20seafood&fields=id&pageSize=100', {
    as: 'demo-partner',
  });
  const inAnyOrder = json.data.map(({ id }: { id: string }) => id.split('|')[2]);
  assert.deepEqual(inAnyOrder.toSorted(), venues.toSorted());
});

test('«not too loud» asks for quiet, and not for loud', async () => {
  const venues = await found('not too loud in paris');
  assert.equal(venues[0], 'petit-quai');
  const others = await found('london without seafood');
  assert.ok(others.includes('tamarind-row') && !others.includes('saltmarsh'), others.join());
});

test('filters bind a search by relevance', async () => {
  assert.deepEqual(await found('oysters', '&city=Paris'), ['le-comptoir-bleu']);
  assert.deepEqual(await found('oysters', '&city=Bristol'), []);
});

test('every venue that has one of the words is found, in whatever order', async () => {
  const { json } = await maitred.call('/venues?query=oysters&fields=id&pageSize=100', { as: 'demo-partner' });
  const byId = json.data.map(({ id }: { id: string }) => id.split('|')[2]);
  assert.deepEqual(byId.toSorted(), (await found('oysters')).toSorted());
});

test('words of a venue that the caller does not see change nothing for it', async () => {
  assert.deepEqual(await found('hidden'), []);
  const operators = await maitred.services.venues.rank(platform, { query: 'hidden' }, 5);
  assert.equal(operators[0]?.id, '3|house|hidden-kitchen');
});

test('a venue is found by its new words at once, and no longer by the old ones', async () => {
  const id = '5|house|petit-quai';
  assert.deepEqual(await found('Wunderkammer'), []);
  await maitred.sql`update venue set name = 'Wunderkammer', area = 'Zwischenort' where id = ${id}`;
  await eventually(async () => (await found('wunderkamer zwischenort', '&pageNumber=1'))[0] === 'petit-quai');
  assert.ok(!(await found('petit')).includes('petit-quai'));
  await maitred.sql`delete from venue where id = ${id}`;
  const left = await maitred.sql`select from venue_term where venue_id = ${id}`;
  assert.equal(left.length, 0);
});

test('each venue says what speaks for it, and where', async () => {
  const [first] = await maitred.services.venues.rank(
    platform,
    { query: 'Japanese cocktails in shorditch' },
    1,
  );
  assert.equal(first?.id, '2|house|night-owl');
  assert.deepEqual(first?.why, [
    { asked: 'cocktails', where: 'type', isExact: true },
    { asked: 'shoreditch', where: 'area', isExact: true },
  ]);
  const [turkish] = await maitred.services.venues.rank(platform, { query: 'turkish', city: 'London' }, 1);
  assert.deepEqual(turkish?.why, [{ asked: 'turkish', where: 'name', isExact: true }]);
});

test('hostile texts find nothing or something, and break nothing', async () => {
  for (const query of [
    "' | 'a",
    "o'brien's & !(x)",
    'a\\b',
    '<-> :*',
    '\u2019\u2019',
    'not not not',
    '%%__',
    'œ ß ı',
    '🍕🍕',
  ])
    assert.equal(
      (await maitred.call(`/venues?sortBy=relevance&query=${encodeURIComponent(query)}`)).status,
      200,
      query,
    );
});
