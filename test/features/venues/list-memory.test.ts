import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { respelt } from '../../support/respelt.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

interface Page {
  data: { id: string }[];
  meta: { totalItems: number };
}

/** Finished answers are kept too, so each question is spelt in a way of its own. */
let asked = 0;
async function page(number: number, query = '', path = '/venues'): Promise<Page> {
  const spelling = respelt(`pageSize=5&pageNumber=${number}${query}`, ++asked);
  const answer = await maitred.call(`${path}?${spelling}`, {
    as: 'demo-partner',
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Page;
}

const paths = ['/venues', '/v1/listings'] as const;

/** Of venues, wherever in a page they are named. */
const idsOf = (answer: object) => JSON.stringify(answer).match(/"\d+\|[a-z]+\|[a-z0-9-]+"/g) ?? [];

for (const path of paths) {
  test(`a page of ${path} that follows one is the same as one that is asked for by itself`, async () => {
    for (const direction of ['ASC', 'DESC']) {
      const query = `&sortDirection=${direction}`;
      const alone = idsOf(await page(3, query, path));
      await page(1, query, path);
      await page(2, query, path);
      assert.deepEqual(idsOf(await page(3, query, path)), alone);
      assert.notEqual(alone.length, 0);
    }
  });
}

test('a page of another size begins where it should', async () => {
  await page(1);
  const { data } = (await maitred.call('/venues?pageSize=10&pageNumber=2', { as: 'demo-partner' })).json;
  const [third, fourth] = [await page(3), await page(4)];
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [...third.data, ...fourth.data].map(({ id }) => id),
  );
});

test('what is remembered of a list goes with a mapping that is taken away', async () => {
  const [first, second] = [await page(1), await page(2)];
  const total = first.meta.totalItems;
  const gone = first.data.at(-1)?.id ?? '';
  await maitred.sql`delete from venue_mapping where venue_id = ${gone} and partner_id = 1`;
  await eventually(async () => (await page(1)).meta.totalItems === total - 1);
  const after = await page(2);
  assert.equal(after.meta.totalItems, total - 1);
  assert.deepEqual(
    after.data.slice(0, 4).map(({ id }) => id),
    second.data.slice(1).map(({ id }) => id),
  );
});

test('what another caller may see is not taken for one’s own', async () => {
  const mine = await page(1);
  const other = await maitred.call('/venues?pageSize=5', { as: 'other-partner' });
  assert.notEqual(other.json.meta.totalItems, mine.meta.totalItems);
});
