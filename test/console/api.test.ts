import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ApiProblem, api, isConnected, sessionEnded } from '../../src/console/browser/app/api.ts';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

const answerWith = (status: number, body: object) => {
  globalThis.fetch = async () => Response.json(body, { status });
};

test('a call without a session ends it on the screen, a mistyped password does not', async () => {
  const before = sessionEnded.peek();
  answerWith(401, { code: 'USER-N-003', detail: 'Wrong.' });
  await assert.rejects(api.put('/manage/account/password', {}), ApiProblem);
  assert.equal(sessionEnded.peek(), before);
  answerWith(401, { code: 'USER-N-013', detail: 'Over.' });
  await assert.rejects(api.get('/manage/account'), ApiProblem);
  assert.equal(sessionEnded.peek(), before + 1);
});

test('a proxy that answers without JSON is a problem like any other', async () => {
  globalThis.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  await assert.rejects(api.get('/manage/account'), { status: 502 });
  assert.equal(isConnected.peek(), true);
});
