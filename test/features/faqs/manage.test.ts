import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

const VENUE = '1|house|soho-grill';
const ADDRESS = `/manage/venues/${encodeURIComponent(VENUE)}/site-faqs`;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const faq = (question: string) => ({ question, answer: 'Yes.' });
const put = (body: unknown, headers = {}) =>
  maitred.call(ADDRESS, { as: 'demo-operator', method: 'PUT', body, headers });

test('what is written under /manage is what partners read', async () => {
  const written = await put([faq('Dogs?')]);
  assert.equal(written.status, 200, written.text);
  assert.deepEqual(written.json, [faq('Dogs?')]);
  assert.deepEqual((await maitred.call(ADDRESS, { as: 'demo-operator' })).json, [faq('Dogs?')]);
  const seen = await maitred.call(`/venues/${encodeURIComponent(VENUE)}/site-faqs`);
  assert.deepEqual(seen.json, [faq('Dogs?')]);
});

test('two people do not overwrite each other, nor a client that patched meanwhile', async () => {
  await put([faq('First?')]);
  const { headers } = await maitred.call(ADDRESS, { as: 'demo-operator' });
  const read = { 'if-match': String(headers.etag) };
  await maitred.call(`/venues/${encodeURIComponent(VENUE)}/site-faqs`, {
    as: 'demo-operator',
    method: 'PATCH',
    body: [{ op: 'add', path: '/-', value: faq('Second?') }],
  });
  assertProblem(await put([faq('Third?')], read), 412, 'HTTP-N-412');
  const now = await maitred.call(ADDRESS, { as: 'demo-operator' });
  assert.deepEqual(now.json, [faq('First?'), faq('Second?')]);
  assert.equal((await put([faq('Third?')], { 'if-match': String(now.headers.etag) })).status, 200);
});

test('it stands in the audit log with what was there before', async () => {
  await put([faq('Before?')]);
  await put([faq('After?')]);
  const auditLog = await maitred.call(
    `/manage/operators/1/audit?subject=${encodeURIComponent(`faqs ${VENUE}`)}`,
    {
      as: 'demo-operator',
    },
  );
  const [entry] = auditLog.json.data;
  assert.deepEqual(
    [entry.action, entry.before, entry.after],
    ['faqs.change', [faq('Before?')], [faq('After?')]],
  );
});

test('a venue of another operator, an unknown one and a list that does not fit are refused', async () => {
  const at = (venue: string) => `/manage/venues/${encodeURIComponent(venue)}/site-faqs`;
  assertProblem(await maitred.call(at('2|house|x'), { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  assertProblem(await maitred.call(at('1|house|nowhere'), { as: 'demo-operator' }), 404, 'VENUE-N-001');
  assertProblem(
    await maitred.call(at('1|house|nowhere'), { as: 'demo-operator', method: 'PUT', body: [] }),
    404,
    'VENUE-N-001',
  );
  assertProblem(await put([{ question: 'Half?' }]), 400, 'VALID-N-001');
});
