import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { refusalOf } from '../../src/http/framework-errors.ts';
import { problem } from '../../src/kernel/problem.ts';
import { type SecondNode, startSecondNode } from '../abuse/support/second-node.ts';
import { addRoom, startsApart } from '../race/venues.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type ForgetfulProxy, startForgetfulProxy } from '../support/forgetful-proxy.ts';

let maitred: TestApp;
let proxy: ForgetfulProxy;
let node: SecondNode;
before(async () => {
  maitred = await startTestApp();
  proxy = await startForgetfulProxy(maitred.url);
  node = await startSecondNode({ ...maitred, url: proxy.url });
});
after(async () => {
  await node.close();
  await proxy.close();
  await maitred.close();
});

const guest = { type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' };

test('a booking whose commit nobody heard of is not said to be undone, and is had again under its key', async () => {
  const productId = await addRoom(maitred.sql, 3);
  const [start] = startsApart(1);
  const book = async () =>
    node.app.inject({
      method: 'POST',
      url: `/venues/${encodeURIComponent(productId)}/booking`,
      headers: {
        authorization: `Bearer ${await maitred.token('demo-partner')}`,
        'idempotency-key': 'lost-commit',
      },
      payload: { ...guest, ...start },
    });
  proxy.forgetCommitsOf('insert into booking');
  let answer = await book();
  // A node that has just started on a busy machine turns calls away before they reach the database.
  while (proxy.forgotten() === 0) answer = await book();
  assert.equal(answer.statusCode, 503, answer.body);
  assert.equal(answer.json().code, 'HTTP-R-503');
  assert.equal(answer.json().isOutcomeKnown, false, 'it is there, whatever the node believes');
  const rows = await maitred.sql<{ id: string }[]>`select id from booking where product_id = ${productId}`;
  assert.equal(rows.length, 1);

  for (answer = await book(); answer.statusCode === 503; ) answer = await book();
  assert.equal(answer.statusCode, 201, answer.body);
  assert.equal(answer.json().id, rows[0]?.id);
});

test('a change that the database went away from is in doubt; a read and a refusal of our own are not', () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const told = (method: string, error: Error) =>
    refusalOf(error, { method, raw: { complete: true } } as FastifyRequest).options.extensions
      ?.isOutcomeKnown;
  // What was committed a moment before stays, whatever a look at it afterwards meets.
  assert.equal(told('POST', away), false);
  assert.equal(told('GET', away), undefined);
  assert.equal(told('POST', problem('HTTP-R-503')), undefined);
});

test('what the database has undone because of others can be asked again, and nothing is in doubt', () => {
  for (const code of ['55P03', '40P01', '23503']) {
    const undone = Object.assign(new Error('no'), { code });
    const refusal = refusalOf(undone, { method: 'POST', raw: { complete: true } } as FastifyRequest);
    assert.equal(refusal.code, 'HTTP-R-503');
    assert.equal(refusal.options.extensions?.isOutcomeKnown, undefined);
  }
});
