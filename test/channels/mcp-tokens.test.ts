/** What a model has to read before it can book, and while it does. `npm run tokens` shows it call by call. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AgentTokens, MOST_TOKENS, measureAgent } from '../../bench/agents/agent-tokens.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

let maitred: TestApp;
let measured: AgentTokens;
before(async () => {
  maitred = await startTestApp();
  measured = await measureAgent(maitred);
});
after(() => maitred.close());

test('the list of tools takes at most 3,000 tokens', (t) => {
  t.diagnostic(`${measured.list} tokens`);
  assert.ok(measured.tools.length >= 12);
  assert.ok(measured.list <= MOST_TOKENS.tools, JSON.stringify(measured.tools));
});

test('four people in London on Saturday, booked, moved and cancelled, take at most 2,500 tokens of answers', (t) => {
  t.diagnostic(`${measured.conversation} tokens: ${JSON.stringify(measured.answers)}`);
  assert.equal(measured.answers.length, 4);
  assert.ok(measured.conversation <= MOST_TOKENS.conversation, JSON.stringify(measured.answers));
});
