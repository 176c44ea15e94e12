/** What somebody gets wrong in the first hour is answered with what to do about it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const askForToken = (more: object) =>
  maitred.call('/oauth/token', {
    method: 'POST',
    as: null,
    body: { grant_type: 'client_credentials', client_id: 'demo-partner', ...more },
  });

const remedyOf = async (code: string) =>
  (await maitred.call(`/problems/${code}`, { as: null, headers: { accept: 'application/json' } })).json
    .remedy;

test('a request for a token says what it lacks, and which audience is the right one', async () => {
  const client_secret = 'demo-partner-secret';
  assert.match((await askForToken({})).json.error_description, /client_id and client_secret|audience/);
  assert.match((await askForToken({ client_secret })).json.error_description, /audience is missing: send/);
  const other = await askForToken({ client_secret, audience: 'elsewhere' });
  assert.match(other.json.error_description, /maitred/);
});

test('an address that is not there leads to the reference', async () => {
  const answer = await maitred.call('/api', { as: null });
  assert.match(assertProblem(answer, 404, 'HTTP-N-404').detail, /\/docs/);
});

test('without a token one learns where to get it', async () => {
  const { detail } = assertProblem(await maitred.call('/venues', { as: null }), 401, 'IDENT-N-001');
  assert.match(detail, /POST \/oauth\/token/);
});

test('an id of the wrong kind is told from the right one', async () => {
  const answer = await maitred.call('/venues/1|house|soho-grill/availability?partySize=2');
  assert.match(assertProblem(answer, 400, 'VALID-N-001').detail, /three segments.*four/);
});

test('a receiver on the own machine is refused with the setting that allows it', async () => {
  const answer = await maitred.call('/webhooks/subscriptions', {
    method: 'POST',
    body: { callbackUrl: 'http://127.0.0.1:4000/maitred' },
  });
  assertProblem(answer, 400, 'WHK-N-002');
  assert.match(await remedyOf('WHK-N-002'), /WEBHOOK_ALLOW_LOOPBACK=true/);
});
