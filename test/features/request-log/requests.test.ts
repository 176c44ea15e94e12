import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, type CallOptions, startTestApp, type TestApp } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';
import type { Body } from '../bookings/support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ config: { rateLimit: 0 } });
});
after(() => maitred.close());

const SOHO = encodeURIComponent('1|house|soho-grill');
const recorder = () => maitred.services.requestLog.recorder;

/** What the platform is shown of the calls of a partner that have been answered by now. */
async function logged(query = '', partnerId = 1): Promise<Body[]> {
  const answer = await page(query, partnerId);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

async function page(query = '', partnerId = 1) {
  await recorder().flush();
  return maitred.call(`/manage/partners/${partnerId}/requests${query}`, { as: 'demo-admin' });
}

let marks = 0;
/** Calls under a correlation id of their own, which finds them again. */
async function marked(path: string, options: CallOptions = {}): Promise<string> {
  const id = `mark-${++marks}`;
  await maitred.call(path, { ...options, headers: { ...options.headers, 'x-correlation-id': id } });
  return id;
}

test('a call is shown by its pattern, with venue, client, status and duration', async () => {
  const id = await marked(`/venues/${SOHO}|dinner/availability?date=2026-13-01&partySize=2`);
  const [entry] = await logged(`?correlationId=${id}`);
  const { id: _, at, durationMs, ...rest } = entry as Body;
  assert.deepEqual(rest, {
    clientId: 'demo-partner',
    method: 'GET',
    route: '/venues/{compositeId}/availability',
    venueId: '1|house|soho-grill',
    status: 400,
    code: 'VALID-N-001',
    correlationId: id,
  });
  assert.ok(durationMs >= 0 && durationMs < 60_000);
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
});

test('an agent is shown to the partner that it acts for', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  const id = await marked('/venues', { as: 'demo-agent', headers });
  const [entry] = await logged(`?correlationId=${id}`);
  assert.deepEqual([entry?.clientId, entry?.status], ['demo-agent', 200]);
});

test('nothing is logged of operators, the platform, unknown callers and what is not the interface', async () => {
  await recorder().flush();
  const before = recorder().counts.written;
  await maitred.call('/manage/operators/1/bookings', { as: 'demo-operator' });
  await maitred.call('/manage/partners', { as: 'demo-admin' });
  await maitred.call('/venues', { as: 'demo-admin' });
  await maitred.call('/venues', { as: null });
  for (const path of ['/health/ready', '/docs', '/openapi.json', '/nowhere'])
    await maitred.call(path, { as: null });
  await recorder().flush();
  assert.equal(recorder().counts.written, before);
});

test('no address, no query, no body and no correlation id that may name a guest is stored', async () => {
  const secrets = ['Featherstonehaugh', 'minnie', 'quagmire', '900461'];
  const body = { firstName: 'Minnie', lastName: 'Featherstonehaugh', email: 'minnie@quagmire.example' };
  await maitred.call(`/venues/${SOHO}|dinner/booking`, { method: 'POST', body });
  await maitred.call('/venues/bookings/minnie@quagmire.example?phone=900461', {
    headers: { 'x-correlation-id': 'minnie@quagmire.example' },
  });
  await maitred.call(`/venues/${encodeURIComponent('minnie@quagmire.example')}/availability`);
  const entries = await logged();
  assert.ok(entries.length >= 3);
  assert.deepEqual(
    secrets.filter((secret) => JSON.stringify(entries).toLowerCase().includes(secret.toLowerCase())),
    [],
  );
  assert.equal(entries.filter(({ correlationId }) => correlationId === null).length, 1);
});

test('each filter holds, alone and with others', async () => {
  await marked('/venues/category');
  await marked('/venues/bookings/019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60', { method: 'DELETE' });
  const all = await logged('?limit=100');
  const filters: [string, (entry: Body) => boolean][] = [
    ['status=2xx', ({ status }) => status >= 200 && status < 300],
    ['status=4xx', ({ status }) => status >= 400 && status < 500],
    ['status=404', ({ status }) => status === 404],
    ['code=BOOK-N-006', ({ code }) => code === 'BOOK-N-006'],
    ['method=DELETE', ({ method }) => method === 'DELETE'],
    ['route=/venues/category', ({ route }) => route === '/venues/category'],
    ['clientId=demo-agent', ({ clientId }) => clientId === 'demo-agent'],
    [`from=${all[2]?.at}`, ({ at }) => at >= all[2]?.at],
    [`to=${all[2]?.at}`, ({ at }) => at < all[2]?.at],
  ];
  for (const [query, holds] of filters) {
    const found = await logged(`?limit=100&${query}`);
    assert.deepEqual(found, all.filter(holds), query);
    assert.ok(found.length > 0, query);
    assert.ok(found.length < all.length, query);
  }
  const both = await logged('?status=2xx&method=GET&route=/venues/category&clientId=demo-partner');
  assert.equal(both.length, 1);
  assert.deepEqual(await logged('?status=5xx'), []);
});

test('pages join up to the whole list, the newest first', async () => {
  for (let count = 0; count < 12; count += 1) await marked('/venues/category');
  const all = await logged('?limit=100');
  const times = all.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted().reverse());
  const joined: Body[] = [];
  let cursor: string | null = null;
  do {
    const { data, meta }: Body = (await page(`?limit=5${cursor ? `&cursor=${cursor}` : ''}`)).json;
    joined.push(...data);
    cursor = meta.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(joined, all);
});

test('a partner is shown its own calls alone, and one that is not there is named', async () => {
  const id = await marked('/venues', { as: 'other-partner' });
  assert.deepEqual(await logged(`?correlationId=${id}`), []);
  assert.equal((await logged(`?correlationId=${id}`, 2)).length, 1);
  assertProblem(await page('', 987_654), 404, 'PMAP-N-004');
});

const ownLog = async (query: string, options: CallOptions = {}) => {
  await recorder().flush();
  return maitred.call(`/request-log${query}`, options);
};

test('the client of a partner reads the same as its people, and nothing of another partner', async () => {
  const mine = await marked('/venues/category');
  const foreign = await marked('/venues/category', { as: 'other-partner' });
  const all = (await page('?route=/venues/category')).json;
  assert.deepEqual((await ownLog('?route=/venues/category')).json, all);
  assert.equal((await ownLog(`?correlationId=${mine}`)).json.data.length, 1);
  assert.deepEqual((await ownLog(`?correlationId=${foreign}`)).json.data, []);
  assert.deepEqual((await ownLog('?clientId=other-partner')).json.data, []);
});

test('an agent reads its own calls for the partner, and not those of the partner', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  await marked('/venues/category');
  const id = await marked('/venues/category', { as: 'demo-agent', headers });
  const asAgent = async (query: string) => (await ownLog(query, { as: 'demo-agent', headers })).json.data;
  const clients = (await asAgent('?limit=100')).map(({ clientId }: Body) => clientId);
  assert.deepEqual([...new Set(clients)], ['demo-agent']);
  assert.equal((await asAgent(`?correlationId=${id}`)).length, 1);
  assert.deepEqual(await asAgent('?clientId=demo-partner'), []);
  assert.equal((await asAgent('?clientId=demo-agent&limit=1')).length, 1);
});

test('the request log belongs to partners, with the scope for it', async () => {
  assertProblem(await ownLog('', { as: 'demo-admin' }), 403, 'IDENT-N-002');
  assertProblem(await ownLog('', { as: 'demo-operator' }), 403, 'USER-N-009');
  assertProblem(await ownLog('', { as: null }), 401, 'IDENT-N-001');
});

test('queries that make no sense are refused', async () => {
  for (const query of ['status=6xx', 'status=40', 'limit=0', 'limit=101', 'from=yesterday', 'cursor=1'])
    assertProblem(await page(`?${query}`), 400, 'VALID-N-001');
});

test('a call is in the log of the partitions of its day, and is gone with them after seven days', async () => {
  const { sql } = maitred;
  const days = async () =>
    (
      await sql<{ name: string }[]>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass order by 1`
    ).map(({ name }) => name.slice('request_log_'.length));
  const today = Temporal.Now.instant();
  const day = (offset: number) =>
    today
      .add({ hours: 24 * offset })
      .toString()
      .slice(0, 10)
      .replaceAll('-', '');
  const mark = await marked('/venues');
  for (const age of [6, 7, 8, 30])
    recorder().note({
      arrivedMs: today.subtract({ hours: 24 * age }).epochMilliseconds + 60_000,
      partnerId: 1,
      clientId: `aged-${age}`,
      method: 'GET',
      route: '/venues',
      venueId: null,
      status: 200,
      code: null,
      correlationId: null,
      durationMs: 1,
    });
  const ages = async () =>
    (await logged('?limit=100')).flatMap(({ clientId }) =>
      clientId.startsWith('aged') ? [clientId.slice(5)] : [],
    );
  assert.deepEqual(await ages(), ['6', '7'], 'older ones are not shown');
  assert.ok((await days()).includes(day(-30)));
  await maitred.services.requestLog.keepPartitions();
  await maitred.services.requestLog.keepPartitions();
  assert.deepEqual(await days(), [-7, -6, 0, 1, 2, 3].map(day));
  assert.deepEqual(await ages(), ['6', '7']);
  assert.equal((await logged(`?correlationId=${mark}`)).length, 1);
});

test('metrics count what was written', async () => {
  await recorder().flush();
  assert.equal(await metricOf(maitred, 'request_log_written_total'), recorder().counts.written);
  assert.equal(await metricOf(maitred, 'request_log_dropped_total'), 0);
});

test('a cursor that is made up is one like any other, however late or early it is', async () => {
  await marked('/venues/category');
  const late = await logged('?limit=1&cursor=ffffffff-ffff-ffff-ffff-ffffffffffff');
  assert.equal(late.length, 1, 'everything comes before it');
  assert.deepEqual(await logged('?cursor=00000000-0000-0000-0000-000000000000'), []);
});
