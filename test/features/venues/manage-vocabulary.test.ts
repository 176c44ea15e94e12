import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import {
  assertGuarded,
  assertUnfit,
  at,
  type Body,
  done,
  keepingApp,
  read,
  SOHO,
  send,
  venueChange,
} from './keeping.ts';

const maitred = keepingApp();
const CATEGORIES = '/manage/product-categories';
const TYPES = '/manage/venue-types';

test('the platform adds, renames and removes categories, and partners see them', async () => {
  const shown = async () => (await maitred().call('/venues/category')).json.data;
  const made = await done(maitred(), 'PUT', `${CATEGORIES}/supper-club`, { name: 'Supper club' });
  assert.deepEqual(made, { id: made.id, slug: 'supper-club', name: 'Supper club' });
  const entry = await assertGuarded(maitred(), `${CATEGORIES}/supper-club`, { name: 'Supper clubs' });
  assert.deepEqual([entry.action, entry.operatorId], ['productCategory.change', null]);
  await eventually(async () => (await shown()).some(({ name }: Body) => name === 'Supper clubs'));
  await done(maitred(), 'DELETE', `${CATEGORIES}/supper-club`);
  await eventually(async () => (await shown()).every(({ slug }: Body) => slug !== 'supper-club'));
  assertProblem(await send(maitred(), 'DELETE', `${CATEGORIES}/supper-club`), 404, 'HTTP-N-404');
});

test('a type of venues is known from the moment it is added', async () => {
  const venue = await read(maitred(), at(SOHO));
  const body = venueChange(venue, { types: [...venue.types, 'smokehouse'] });
  await assertUnfit(maitred(), 'PUT', at(SOHO), body, 'types');
  await done(maitred(), 'PUT', `${TYPES}/smokehouse`, { name: 'Smokehouse' });
  await done(maitred(), 'PUT', at(SOHO), body);
  const found = async () => (await maitred().call('/venues?features=smokehouse&fields=id')).json.data;
  await eventually(async () => (await found()).length === 1);
  await assertUnfit(maitred(), 'DELETE', `${TYPES}/smokehouse`, undefined, 'slug');
  await done(maitred(), 'PUT', at(SOHO), venueChange(venue));
  await done(maitred(), 'DELETE', `${TYPES}/smokehouse`);
});

test('what products and venues go by stays', async () => {
  const before = await read(maitred(), '/manage/operators/1/vocabulary');
  await assertUnfit(maitred(), 'DELETE', `${CATEGORIES}/dinner`, undefined, 'slug');
  await assertUnfit(maitred(), 'DELETE', `${TYPES}/restaurant`, undefined, 'slug');
  await assertUnfit(maitred(), 'PUT', `${TYPES}/No-Slug`, { name: 'x' }, 'slug');
  await assertUnfit(maitred(), 'PUT', `${TYPES}/blank`, { name: ' ' }, 'name');
  assert.deepEqual(await read(maitred(), '/manage/operators/1/vocabulary'), before);
});

test('operators read both lists and change neither', async () => {
  const as = 'demo-operator';
  const { json } = await maitred().call('/manage/operators/1/vocabulary', { as });
  assert.deepEqual(json.categories, (await read(maitred(), CATEGORIES)).data);
  assert.deepEqual(json.venueTypes, (await read(maitred(), TYPES)).data);
  assert.ok(json.categories.length > 0 && json.venueTypes.length > 0);
  for (const path of [CATEGORIES, TYPES]) {
    assertProblem(await maitred().call(path, { as }), 403, 'USER-N-009');
    assertProblem(await send(maitred(), 'PUT', `${path}/mine`, { name: 'x' }, { as }), 403, 'USER-N-009');
  }
});

test('a type that goes while a venue takes it on is either kept or unknown', async () => {
  const venue = await read(maitred(), at(SOHO));
  for (const round of [1, 2, 3, 4]) {
    const type = `fleeting-${round}`;
    await done(maitred(), 'PUT', `${TYPES}/${type}`, { name: 'Fleeting' });
    const [change, removal] = await Promise.all([
      send(maitred(), 'PUT', at(SOHO), venueChange(venue, { types: [type] })),
      send(maitred(), 'DELETE', `${TYPES}/${type}`),
    ]);
    assert.deepEqual([change.status, removal.status].sort(), change.status === 200 ? [200, 400] : [204, 400]);
  }
});
