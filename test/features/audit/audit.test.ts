import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

test('an operator reads its own trail and no other', async () => {
  const own = await maitred.call('/manage/operators/1/audit', { as: 'demo-operator' });
  assert.equal(own.status, 200, own.text);
  assertProblem(await maitred.call('/manage/operators/2/audit', { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  assertProblem(await maitred.call('/manage/operators/x/audit', { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  assertProblem(await maitred.call('/manage/operators/x/audit', { as: 'demo-admin' }), 400, 'VALID-N-001');
});

test('the trail of everybody is for the platform, and partners have no business there', async () => {
  assert.equal((await maitred.call('/manage/audit', { as: 'demo-admin' })).status, 200);
  assertProblem(await maitred.call('/manage/audit', { as: 'demo-operator' }), 403, 'USER-N-009');
  assertProblem(await maitred.call('/manage/audit', { as: 'demo-partner' }), 403, 'USER-N-009');
  assertProblem(await maitred.call('/manage/audit', { as: null }), 401, 'IDENT-N-001');
});
