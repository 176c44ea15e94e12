import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { bodyOf, deskOf, idIn, lastEntry, newOperator, newPartner, tagOf } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const desk = deskOf(() => maitred);
const own = deskOf(() => maitred, 'demo-operator');
const CATEGORIES = '/manage/operators/1/partner-categories';

test('an operator groups partners, and every step is written down', async () => {
  const partnerId = await newPartner(desk);
  const body = { slug: 'hotels', name: 'Hotels', partnerIds: [partnerId, 1] };
  const created = bodyOf(await own.post(CATEGORIES, body), 201);
  assert.deepEqual(created, { id: created.id, ...body, partnerIds: [1, partnerId] });
  const path = `${CATEGORIES}/${created.id}`;
  assert.deepEqual(bodyOf(await own.get(path)), created);
  const { data } = bodyOf(await own.get(CATEGORIES));
  assert.deepEqual(
    data.find(({ id }: { id: number }) => id === created.id),
    created,
  );
  const read = await tagOf(own, path);
  const changed = bodyOf(await own.put(path, { slug: 'inns', name: 'Inns', partnerIds: [2] }, read));
  assert.deepEqual(changed, { id: created.id, slug: 'inns', name: 'Inns', partnerIds: [2] });
  const entry = await lastEntry(desk, `partner category ${created.id}`);
  assert.deepEqual([entry.before, entry.after, entry.operatorId], [created, changed, 1]);
  assert.equal(entry.actor.id, 'demo-operator');
  assertProblem(await own.put(path, body, read), 412, 'HTTP-N-412');
  assertProblem(await own.remove(path, read), 412, 'HTTP-N-412');
  assert.equal((await own.remove(path)).status, 204);
  for (const answer of [await own.get(path), await own.put(path, body), await own.remove(path)])
    assertProblem(answer, 404, 'OPRUL-N-014');
});

test('slugs are there once, also when many ask, and partners must exist', async () => {
  const body = { slug: 'rush', name: 'Rush', partnerIds: [] };
  const answers = await Promise.all([1, 2, 3].map(() => own.post(CATEGORIES, body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  const refused = answers.find(({ status }) => status === 400);
  assert.ok(refused && assertProblem(refused, 400, 'VALID-N-001').errors.slug);
  assertProblem(await own.post(CATEGORIES, { ...body, slug: 'x', partnerIds: [99_999] }), 404, 'PMAP-N-004');
  const { id } = bodyOf(await own.post(CATEGORIES, { ...body, slug: 'calm' }), 201);
  assertProblem(await own.put(`${CATEGORIES}/${id}`, body), 400, 'VALID-N-001');
  assertProblem(
    await own.put(`${CATEGORIES}/${id}`, { ...body, slug: 'calm', partnerIds: [99_999] }),
    404,
    'PMAP-N-004',
  );
  for (const wrong of [{ slug: 'A B' }, { partnerIds: [1, 1] }, { name: '' }, { partnerIds: [0] }])
    assertProblem(await own.post(CATEGORIES, { ...body, ...wrong }), 400, 'VALID-N-001');
});

test('rules that lose a category say so in the audit log', async () => {
  const [kept, going] = await Promise.all(
    ['kept', 'going'].map(async (slug) =>
      bodyOf(await own.post(CATEGORIES, { slug, name: slug, partnerIds: [] }), 201),
    ),
  );
  const rules = `/manage/venues/${idIn('1|house|soho-grill')}/availability-rules`;
  const rule = { type: 'recurring', definition: { weekdays: [2] } };
  const alone = bodyOf(await own.post(rules, { ...rule, categoryIds: [going.id] }), 201);
  const beside = bodyOf(await own.post(rules, { ...rule, categoryIds: [kept.id, going.id] }), 201);
  assert.equal((await own.remove(`${CATEGORIES}/${going.id}`)).status, 204);
  const gone = await lastEntry(desk, `availability-rule ${alone.id}`);
  assert.deepEqual([gone.action, gone.before, gone.after], ['availability-rule.remove', alone, null]);
  const left = await lastEntry(desk, `availability-rule ${beside.id}`);
  assert.deepEqual([left.action, left.before], ['availability-rule.change', beside]);
  assert.deepEqual(left.after, bodyOf(await own.get(`${rules}/${beside.id}`)));
  assert.deepEqual([left.after.categoryIds, left.actor.id], [[kept.id], 'demo-operator']);
});

test('a category of another operator is out of reach', async () => {
  const operatorId = await newOperator(desk);
  const others = `/manage/operators/${operatorId}/partner-categories`;
  const body = { slug: 'theirs', name: 'Theirs', partnerIds: [] };
  const { id } = bodyOf(await desk.post(others, body), 201);
  assertProblem(await own.get(others), 403, 'OPRTR-N-002');
  assertProblem(await own.put(`${others}/${id}`, body), 403, 'OPRTR-N-002');
  assertProblem(await own.put(`${CATEGORIES}/${id}`, body), 404, 'OPRUL-N-014');
  assertProblem(await own.remove(`${CATEGORIES}/${id}`), 404, 'OPRUL-N-014');
  assert.deepEqual(bodyOf(await desk.get(`${others}/${id}`)).slug, 'theirs');
  assertProblem(await desk.get('/manage/operators/99999/partner-categories'), 404, 'OPRTR-N-001');
});
