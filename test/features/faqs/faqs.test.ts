import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem, type CallOptions, startTestApp, type TestApp } from '../../support/app.ts';

const GRILL = '1|house|soho-grill';
const GARDEN = '1|house|garden-room';
const CLOSED = '1|house|closed-cafe';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const address = (venue: string) => `/venues/${encodeURIComponent(venue)}/site-faqs`;
const faq = (question: string, answer = 'Yes.') => ({ question, answer });

const asOperator = (venue: string, method: CallOptions['method'], body?: unknown) =>
  maitred.call(address(venue), { as: 'demo-operator', method: method ?? 'GET', body });
const read = async (venue: string, as = 'demo-partner') => (await maitred.call(address(venue), { as })).json;

/** A token with the scopes that the client has by now. */
async function newToken(client_id: string): Promise<string> {
  const body = {
    grant_type: 'client_credentials',
    client_id,
    client_secret: `${client_id}-secret`,
    audience: 'maitred',
  };
  return (await maitred.call('/oauth/token', { as: null, method: 'POST', body })).json.access_token;
}

test('a venue has no FAQs until somebody writes them', async () => {
  const answer = await maitred.call(address('1|house|garden-room'));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, []);
});

test('what an operator writes is read by mapped partners, agents, itself and the platform, to the last character', async () => {
  const written = [
    faq('<b>Dogs?</b> 🐕', '  *Yes*\r\n\r\n| a | b |\n\t"quoted" \\u0041 \u2028 <script>alert(1)</script>  '),
    faq('', ''),
  ];
  const answer = await asOperator(GRILL, 'PUT', written);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, written);
  for (const as of ['demo-partner', 'other-partner', 'demo-operator', 'demo-admin'])
    assert.deepEqual(await read(GRILL, as), written, as);
  const agent = { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };
  assert.deepEqual((await maitred.call(address(GRILL), agent)).json, written);
});

test('FAQs come as TOON too, and once to each caller that keeps them', async () => {
  await asOperator(GRILL, 'PUT', [faq('Parking?')]);
  const toon = await maitred.call(address(GRILL), { headers: { accept: 'text/toon' } });
  assert.deepEqual(decode(toon.text), [faq('Parking?')]);
  const { headers } = await maitred.call(address(GRILL));
  const again = await maitred.call(address(GRILL), { headers: { 'if-none-match': String(headers.etag) } });
  assert.equal(again.status, 304);
  await asOperator(GRILL, 'PUT', []);
  const changed = await maitred.call(address(GRILL), { headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual(changed.json, []);
});

test('those of a venue that is not mapped, not known or not a venue are refused', async () => {
  assertProblem(await maitred.call(address(GARDEN), { as: 'other-partner' }), 403, 'PMAP-N-001');
  assertProblem(await maitred.call(address('1|house|nowhere')), 404, 'VENUE-N-001');
  assertProblem(await maitred.call(address('soho-grill')), 400, 'VALID-N-001');
  assertProblem(await maitred.call(address(GRILL), { as: null }), 401, 'IDENT-N-001');
  const [foreign] = await maitred.sql<{ id: string }[]>`select id from venue where operator_id = 2 limit 1`;
  assert.ok(foreign);
  assertProblem(await asOperator(foreign.id, 'GET'), 403, 'OPRTR-N-002');
});

test('only the operator of a venue and the platform write', async () => {
  const [foreign] = await maitred.sql<{ id: string }[]>`select id from venue where operator_id = 2 limit 1`;
  assert.ok(foreign);
  const add = [{ op: 'add', path: '/-', value: faq('?') }];
  const bulk = { items: [{ venueCompositeId: foreign.id, mode: 'replace', faqs: [] }] };
  for (const [method, body] of [
    ['PUT', []],
    ['PATCH', add],
    ['DELETE', undefined],
  ] as const) {
    assertProblem(await asOperator(foreign.id, method, body), 403, 'OPRTR-N-002');
    assertProblem(await asOperator('1|house|nowhere', method, body), 404, 'VENUE-N-001');
    const byPartner = await maitred.call(address(GRILL), { method, body });
    assertProblem(byPartner, 403, 'USER-N-009');
  }
  assertProblem(
    await maitred.call('/venues/site-faqs/bulk', { method: 'POST', body: bulk }),
    403,
    'USER-N-009',
  );
  const byPlatform = await maitred.call(address(foreign.id), {
    as: 'demo-admin',
    method: 'PUT',
    body: [faq('Mine?')],
  });
  assert.equal(byPlatform.status, 200, byPlatform.text);
});

test('a partner whose client was given the scope writes no more than others', async () => {
  await maitred.sql`update client set scopes = array_append(scopes, 'operator:write') where id = 'other-partner'`;
  const other = await newToken('other-partner');
  const answer = await maitred.call(address(GRILL), {
    as: null,
    headers: { authorization: `Bearer ${other}` },
    method: 'PUT',
    body: [],
  });
  assertProblem(answer, 403, 'USER-N-009');
});

test('a closed venue keeps its FAQs, and they can be changed', async () => {
  await asOperator(CLOSED, 'PUT', [faq('Why?', 'Retired.')]);
  assert.deepEqual(await read(CLOSED), [faq('Why?', 'Retired.')]);
});

test('a patch changes answers, inserts, appends and removes, all of it or nothing', async () => {
  await asOperator(GRILL, 'PUT', [faq('A'), faq('B'), faq('C')]);
  const answer = await asOperator(GRILL, 'PATCH', [
    { op: 'replace', path: '/0/answer', value: 'No.' },
    { op: 'remove', path: '/1' },
    { op: 'add', path: '/-', value: faq('D') },
    { op: 'add', path: '/0', value: faq('First') },
  ]);
  const expected = [faq('First'), faq('A', 'No.'), faq('C'), faq('D')];
  assert.deepEqual(answer.json, expected);

  const half = await asOperator(GRILL, 'PATCH', [
    { op: 'remove', path: '/0' },
    { op: 'replace', path: '/17/answer', value: 'x' },
  ]);
  assert.deepEqual(Object.keys(assertProblem(half, 400, 'VALID-N-001').errors), ['1.path']);
  assert.deepEqual(await read(GRILL), expected);
});

test('a patch is sent as JSON Patch too, and begins with an empty list where there is none', async () => {
  await asOperator(GRILL, 'DELETE');
  const answer = await maitred.call(address(GRILL), {
    as: 'demo-operator',
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: JSON.stringify([{ op: 'add', path: '/-', value: faq('Made?') }]),
  });
  assert.deepEqual(answer.json, [faq('Made?')]);
});

test('a patch whose result is no list of FAQs is refused, and nothing is changed', async () => {
  await asOperator(GRILL, 'PUT', [faq('Kept?')]);
  const long = Array.from({ length: 500 }, () => ({ op: 'add', path: '/-', value: faq('x') }));
  const bad: unknown[] = [
    [{ op: 'add', path: '/0/colour', value: 'red' }],
    [{ op: 'remove', path: '/0/answer' }],
    [{ op: 'replace', path: '/0/answer', value: 7 }],
    [{ op: 'replace', path: '', value: {} }],
    [{ op: 'add', path: '/-', value: 'text' }],
    [{ op: 'replace', path: '/0/answer', value: 'x'.repeat(20_001) }],
    [{ op: 'move', from: '/0', path: '/1' }],
    [{ op: 'replace', path: '/0/__proto__', value: {} }],
    long,
    { op: 'remove', path: '/0' },
  ];
  for (const patch of bad) assertProblem(await asOperator(GRILL, 'PATCH', patch), 400, 'VALID-N-001');
  assert.deepEqual(await read(GRILL), [faq('Kept?')]);
});

test('lists, texts and properties beyond the limits are refused, those at the limit are not', async () => {
  const most = Array.from({ length: 500 }, (_, index) => faq(`Question ${index}`));
  const longest = [faq('q'.repeat(1000), 'a'.repeat(20_000))];
  assert.equal((await asOperator(GRILL, 'PUT', most)).status, 200);
  assert.equal((await asOperator(GRILL, 'PUT', longest)).status, 200);
  const bad: unknown[] = [
    [...most, faq('One more?')],
    [faq('q'.repeat(1001))],
    [faq('q', 'a'.repeat(20_001))],
    [{ question: 'No answer?' }],
    [{ ...faq('More?'), author: 'me' }],
    [faq('null?\u0000')],
    { data: [] },
    Array.from({ length: 101 }, () => faq('q', 'a'.repeat(20_000))),
  ];
  for (const body of bad) assertProblem(await asOperator(GRILL, 'PUT', body), 400, 'VALID-N-001');
  assert.deepEqual(await read(GRILL), longest);
});

test('two million characters fit into one call, in any script', async () => {
  const written = Array.from({ length: 100 }, () => faq('', '質'.repeat(20_000)));
  assert.equal((await asOperator(GRILL, 'PUT', written)).status, 200);
  assert.deepEqual(await read(GRILL), written);
});

test('removing FAQs answers 204 whether there were any or not', async () => {
  await asOperator(GRILL, 'PUT', [faq('Gone?')]);
  assert.equal((await asOperator(GRILL, 'DELETE')).status, 204);
  assert.equal((await asOperator(GRILL, 'DELETE')).status, 204);
  assert.deepEqual(await read(GRILL), []);
});

test('patches at the same moment are all applied, also where there was no list before', async () => {
  await asOperator(GRILL, 'DELETE');
  const questions = Array.from({ length: 12 }, (_, index) => `Q${index}`);
  const answers = await Promise.all(
    questions.map((question) =>
      asOperator(GRILL, 'PATCH', [{ op: 'add', path: '/-', value: faq(question) }]),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    questions.map(() => 200),
  );
  const stored: { question: string }[] = await read(GRILL);
  assert.deepEqual(stored.map(({ question }) => question).sort(), questions.sort());
});

test('without waiting for each other, patches at the same moment lose one', async () => {
  const rival = async (question: string, hasRead: () => void, mayWrite: Promise<void>) => {
    const found: object[] = await read(GRILL);
    hasRead();
    await mayWrite;
    await asOperator(GRILL, 'PUT', [...found, faq(question)]);
  };
  await asOperator(GRILL, 'DELETE');
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await Promise.all([rival('A', one.resolve, other.promise), rival('B', other.resolve, one.promise)]);
  assert.equal((await read(GRILL)).length, 1);
});

test('what clients write stands in the audit log of the operator', async () => {
  await asOperator(GRILL, 'PUT', [faq('Before?')]);
  await asOperator(GRILL, 'PATCH', [{ op: 'replace', path: '/0/question', value: 'After?' }]);
  await asOperator(GRILL, 'DELETE');
  const auditLog = await maitred.call(
    `/manage/operators/1/audit?subject=${encodeURIComponent(`faqs ${GRILL}`)}&pageSize=2`,
    { as: 'demo-operator' },
  );
  const [removed, changed] = auditLog.json.data;
  assert.deepEqual(changed.actor, { kind: 'client', id: 'demo-operator', name: 'demo-operator' });
  assert.deepEqual(
    [changed.action, changed.before, changed.after],
    ['faqs.change', [faq('Before?')], [faq('After?')]],
  );
  assert.deepEqual([removed.action, removed.before, removed.after], ['faqs.remove', [faq('After?')], null]);
});
