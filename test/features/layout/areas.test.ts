import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const AT = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}`;

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const answer = await maitred.call(AT + path, { method, as: 'demo-operator', ...(body && { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.text === '' ? undefined : answer.json;
}

test('an area is renamed, moved to another zone and taken away, and each step is in the trail', async () => {
  const ground = await call('POST', '/zones', { name: 'Yard' });
  const upstairs = await call('POST', '/zones', { name: 'Roof' });
  const { id } = await call('POST', '/areas', { zoneId: ground.id, name: 'Under the tree' });
  const moved = await call('PUT', `/areas/${id}`, { zoneId: upstairs.id, name: 'Under the sky' });
  assert.deepEqual([moved.zoneId, moved.name], [upstairs.id, 'Under the sky']);
  assert.deepEqual(await call('GET', `/areas/${id}`), moved);
  await call('DELETE', `/areas/${id}`);
  const gone = await maitred.call(`${AT}/areas/${id}`, { as: 'demo-operator' });
  assert.equal(gone.status, 404, gone.text);
  const { data } = (await maitred.call('/manage/operators/1/audit', { as: 'demo-operator' })).json;
  const [removed, changed] = data;
  assert.deepEqual([removed.before, removed.after], [moved, null]);
  assert.deepEqual([changed.before.name, changed.after], ['Under the tree', moved]);
});
