import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

const GRILL = '1|house|soho-grill';
const GARDEN = '1|house|garden-room';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const faq = (question: string, answer = 'Yes.') => ({ question, answer });
const replacement = (venueCompositeId: string, ...faqs: object[]) => ({
  venueCompositeId,
  mode: 'replace',
  faqs,
});
const patch = (venueCompositeId: string, ...operations: object[]) => ({
  venueCompositeId,
  mode: 'patch',
  patch: operations,
});
const append = (question: string) => ({ op: 'add', path: '/-', value: faq(question) });

const bulk = (items: unknown[], as = 'demo-operator') =>
  maitred.call('/venues/site-faqs/bulk', { as, method: 'POST', body: { items } });
const read = async (venue: string) =>
  (await maitred.call(`/venues/${encodeURIComponent(venue)}/site-faqs`, { as: 'demo-admin' })).json;

test('many venues are changed at once, and answered in the order of the request', async () => {
  await bulk([replacement(GARDEN, faq('Old?'))]);
  const answer = await bulk([patch(GARDEN, append('New?')), replacement(GRILL, faq('Only?'))]);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, {
    items: [
      { venueCompositeId: GARDEN, faqs: [faq('Old?'), faq('New?')] },
      { venueCompositeId: GRILL, faqs: [faq('Only?')] },
    ],
  });
  assert.deepEqual(await read(GARDEN), [faq('Old?'), faq('New?')]);
});

test('one item that is refused takes all others with it, and is named', async () => {
  await bulk([replacement(GRILL, faq('Kept?')), replacement(GARDEN)]);
  const [foreign] = await maitred.sql<{ id: string }[]>`select id from venue where operator_id = 2 limit 1`;
  assert.ok(foreign);
  const good = replacement(GRILL, faq('Lost?'));
  const cases: [unknown, number, string, string?][] = [
    [replacement('1|house|nowhere'), 404, 'VENUE-N-001'],
    [replacement(foreign.id), 403, 'OPRTR-N-002'],
    [replacement('soho-grill'), 400, 'VALID-N-001', 'items.1.venueCompositeId'],
    [replacement(GRILL), 400, 'VALID-N-001', 'items.1.venueCompositeId'],
    [patch(GARDEN, { op: 'remove', path: '/3' }), 400, 'VALID-N-001', 'items.1.patch.0.path'],
    [
      patch(GARDEN, { op: 'add', path: '/-', value: { question: 'q' } }),
      400,
      'VALID-N-001',
      'items.1.patch.0.answer',
    ],
    [patch(GARDEN, { op: 'replace', path: '', value: 'x' }), 400, 'VALID-N-001', 'items.1.patch'],
    [{ venueCompositeId: GARDEN, mode: 'replace' }, 400, 'VALID-N-001', 'items.1.faqs'],
    [{ venueCompositeId: GARDEN, mode: 'patch' }, 400, 'VALID-N-001', 'items.1.patch'],
    [{ ...replacement(GARDEN), patch: [] }, 400, 'VALID-N-001', 'items.1.patch'],
    [{ venueCompositeId: GARDEN, mode: 'merge', faqs: [] }, 400, 'VALID-N-001', 'items.1.mode'],
    [replacement(GARDEN, { question: 'q' }), 400, 'VALID-N-001', 'items.1.faqs.0.answer'],
    [
      replacement(GARDEN, ...Array(101).fill(faq('', 'a'.repeat(20_000)))),
      400,
      'VALID-N-001',
      'items.1.faqs',
    ],
  ];
  for (const [bad, status, code, field] of cases) {
    const problem = assertProblem(await bulk([good, bad]), status, code);
    if (field) assert.deepEqual(Object.keys(problem.errors), [field], JSON.stringify(bad));
  }
  assert.deepEqual(await read(GRILL), [faq('Kept?')]);
});

test('a call has at least one item and at most 500', async () => {
  assertProblem(await bulk([]), 400, 'VALID-N-001');
  const many = Array.from({ length: 501 }, (_, index) => replacement(`1|house|v${index}`));
  assertProblem(await bulk(many), 400, 'VALID-N-001');
  await maitred.sql`insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, area, city,
      country_code, lat, lng, types, search)
    select '1|house|v' || number, 1, 'house', 'v' || number, name, time_zone, content, area, city,
      country_code, lat, lng, types, search
    from venue, generate_series(0, 499) as number where id = ${GRILL}`;
  const answer = await bulk(many.slice(0, 500));
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  assert.equal(answer.json.items.length, 500);
});

test('what a call makes is bounded, however little it says', async () => {
  const venues = Array.from({ length: 5 }, (_, index) => `1|house|v${index}`);
  const large = Array.from({ length: 99 }, () => faq('', 'a'.repeat(20_000)));
  for (const venue of venues) assert.equal((await bulk([replacement(venue, ...large)])).status, 200);
  const all = await bulk(venues.map((venue) => patch(venue, append('More?'))));
  assert.deepEqual(Object.keys(assertProblem(all, 400, 'VALID-N-001').errors), ['items']);
  assert.equal((await read('1|house|v0')).length, 99);
  assert.equal((await bulk(venues.slice(1).map((venue) => patch(venue, append('More?'))))).status, 200);
});

test('calls that name the same venues the other way round all succeed, and lose nothing', async () => {
  await bulk([replacement(GRILL), replacement(GARDEN)]);
  const both = (index: number) => [patch(GRILL, append(`Q${index}`)), patch(GARDEN, append(`Q${index}`))];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => bulk(index % 2 === 0 ? both(index) : both(index).reverse())),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
  assert.deepEqual([(await read(GRILL)).length, (await read(GARDEN)).length], [10, 10]);
});

test('each venue has its entry in the audit log', async () => {
  await bulk([replacement(GRILL, faq('Old?')), replacement(GARDEN)]);
  await bulk([replacement(GRILL, faq('New?')), patch(GARDEN, append('New?'))]);
  for (const [venue, before] of [
    [GRILL, [faq('Old?')]],
    [GARDEN, []],
  ] as const) {
    const auditLog = await maitred.call(
      `/manage/operators/1/audit?subject=${encodeURIComponent(`faqs ${venue}`)}&pageSize=1`,
      { as: 'demo-operator' },
    );
    const [entry] = auditLog.json.data;
    assert.deepEqual([entry.before, entry.after], [before, [faq('New?')]]);
  }
});

test('the address of bulk calls is no venue, and takes nothing but POST', async () => {
  assertProblem(await maitred.call('/venues/site-faqs/bulk', { as: 'demo-operator' }), 405, 'HTTP-N-405');
});
