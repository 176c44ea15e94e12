import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { startPeople } from '../../support/people.ts';

test('whoever has not signed in can make a hundred calls a minute from one address', async () => {
  const people = await startPeople({ rateLimit: 200 });
  const ask = () => people.post('/manage/password-resets', { email: 'nobody@lamp.example' });
  const answers = await Promise.all(Array.from({ length: 100 }, ask));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assertProblem(await ask(), 429, 'RATE-R-001');
  await people.later({ seconds: 61 }, async () => assert.equal((await ask()).status, 202));
  await people.close();
});
