import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

test('an operator reads its own audit log and no other', async () => {
  const own = await maitred.call('/manage/operators/1/audit', { as: 'demo-operator' });
  assert.equal(own.status, 200, own.text);
  assertProblem(await maitred.call('/manage/operators/2/audit', { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  assertProblem(await maitred.call('/manage/operators/x/audit', { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  assertProblem(await maitred.call('/manage/operators/x/audit', { as: 'demo-admin' }), 400, 'VALID-N-001');
});

test('the audit log of everybody is for the platform, and partners have no business there', async () => {
  assert.equal((await maitred.call('/manage/audit', { as: 'demo-admin' })).status, 200);
  assertProblem(await maitred.call('/manage/audit', { as: 'demo-operator' }), 403, 'USER-N-009');
  assertProblem(await maitred.call('/manage/audit', { as: 'demo-partner' }), 403, 'USER-N-009');
  assertProblem(await maitred.call('/manage/audit', { as: null }), 401, 'IDENT-N-001');
});

test('what is long is left out of lists and shown by itself, to those whose audit log it is in', async () => {
  const faqs = [{ question: 'Why?', answer: 'Because. '.repeat(2_000) }];
  const path = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}/site-faqs`;
  const [short] = [[{ question: 'When?', answer: 'Now.' }]];
  for (const body of [faqs, faqs.concat(faqs), short]) {
    const answer = await maitred.call(path, { method: 'PUT', as: 'demo-operator', body });
    assert.equal(answer.status, 200, answer.text);
  }
  const { data } = (await maitred.call('/manage/operators/1/audit', { as: 'demo-operator' })).json;
  const shown = data.map(({ isShortened, before, after }: Record<string, unknown>) => ({
    isShortened,
    before,
    after,
  }));
  assert.deepEqual(shown.slice(0, 3), [
    { isShortened: true, before: null, after: null },
    { isShortened: true, before: null, after: null },
    { isShortened: false, before: [], after: faqs },
  ]);
  const { id } = data[0];
  const whole = await maitred.call(`/manage/operators/1/audit/${id}`, { as: 'demo-operator' });
  assert.deepEqual(whole.json.after, short);
  assert.deepEqual(whole.json.before, faqs.concat(faqs));
  assert.deepEqual((await maitred.call(`/manage/audit/${id}`, { as: 'demo-admin' })).json, whole.json);
  for (const [at, as] of [
    [`/manage/operators/2/audit/${id}`, 'demo-admin'],
    ['/manage/audit/nothing', 'demo-admin'],
  ])
    assertProblem(await maitred.call(at ?? '', { as: as ?? null }), 404, 'HTTP-N-404');
});

test('the audit log is narrowed to a kind of thing and to a time', async () => {
  const path = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}/site-faqs`;
  const body = [{ question: 'Where?', answer: 'Here.' }];
  assert.equal((await maitred.call(path, { method: 'PUT', as: 'demo-operator', body })).status, 200);
  const list = async (query: string) =>
    (await maitred.call(`/manage/operators/1/audit?${query}`, { as: 'demo-operator' })).json;
  const [entry] = (await list('kind=faqs')).data;
  assert.equal(entry.subject, 'faqs 1|house|soho-grill');
  assert.equal((await list('kind=faq')).meta.totalItems, 0, 'the whole word counts');
  const at = encodeURIComponent(entry.at);
  assert.ok((await list(`kind=faqs&from=${at}`)).data.some(({ id }: { id: string }) => id === entry.id));
  assert.ok(!(await list(`kind=faqs&to=${at}`)).data.some(({ id }: { id: string }) => id === entry.id));
  assertProblem(
    await maitred.call('/manage/operators/1/audit?from=yesterday', { as: 'demo-operator' }),
    400,
    'VALID-N-001',
  );
});
