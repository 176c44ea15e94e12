import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { FAULTS } from '../../../src/kernel/sandbox-faults.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';
import { listen } from '../../support/pages/console.ts';
import { type Body, book, freeDay, guest, traces } from '../bookings/support.ts';

let maitred: TestApp;
let url: string;
before(async () => {
  maitred = await startTestApp();
  url = await listen(maitred);
});
after(() => maitred.close());

const faulty = (fault: string) => ({ 'x-sandbox-fault': fault });
const bookWith = (fault: string, key = `key-${fault}`) =>
  book(maitred, { partnerBookingId: key, date: DATE, time: '19:00' }, { headers: faulty(fault) });
const DATE = freeDay();

for (const environment of ['live', 'staging'] as const) {
  test(`in ${environment} whatever carries the header is refused, and nothing is done`, async () => {
    const node = await startTestApp({ config: { environment } });
    try {
      const before = await traces(node.sql);
      for (const fault of ['booking=slow', 'answer=RATE-R-001', 'connection=cut', 'nonsense', '']) {
        const headers = faulty(fault);
        const refused = assertProblem(await book(node, {}, { headers }), 400, 'VALID-N-001');
        assert.match(refused.errors['X-Sandbox-Fault'][0], /sandbox alone/);
        assertProblem(await node.call('/venues', { headers }), 400, 'VALID-N-001');
        assertProblem(await node.call('/manage/partners', { headers, as: 'demo-admin' }), 400, 'VALID-N-001');
        assertProblem(await node.call('/problems', { headers, as: null }), 400, 'VALID-N-001');
      }
      assert.deepEqual(await traces(node.sql), before);
      assert.equal((await book(node)).status, 201);
    } finally {
      await node.close();
    }
  });
}

test('what is not understood is refused with all that there is, and nothing is done', async () => {
  const before = await traces(maitred.sql);
  const wrong = [
    ...['', 'booking', 'booking=', 'booking=explode', 'weather=rain', 'booking=taken,booking=slow'],
    ...['booking=taken:3', 'booking=slow:0', 'booking=slow:61', 'booking=slow:1:2', 'booking=slow:x'],
    ...['webhook=late:3601', 'answer=', 'answer=NONE-N-001', 'answer=PAYM-N-001', 'booking==taken'],
    ...['availability=taken', 'cancel=taken', 'constructor=taken', 'answer=HTTP-R-503,answer=HTTP-R-503'],
  ];
  for (const fault of wrong) {
    const { errors } = assertProblem(await bookWith(fault), 400, 'VALID-N-001');
    const [message] = errors['X-Sandbox-Fault'];
    if (fault.startsWith('answer=') && !fault.includes(',')) assert.match(message, /BOOK-R-002/, fault);
    else for (const name of Object.values(FAULTS).flat()) assert.ok(message.includes(name), fault);
  }
  assert.deepEqual(await traces(maitred.sql), before);
});

test('faults are for partners and their agents; pages and tokens pass the header over', async () => {
  const headers = faulty('booking=taken');
  for (const as of ['demo-admin', 'demo-operator'])
    assertProblem(await maitred.call('/venues', { headers, as }), 400, 'VALID-N-001');
  assertProblem(await maitred.call('/manage/partners', { headers, as: 'demo-admin' }), 400, 'VALID-N-001');
  assert.equal((await maitred.call('/problems', { headers, as: null })).status, 200);
  assertProblem(await maitred.call('/venues', { headers, as: null }), 401, 'IDENT-N-001');
  assertProblem(await maitred.call('/nowhere', { headers }), 404, 'HTTP-N-404');
  const agent = { ...headers, 'x-partner-reference': 'demo-partner' };
  const refused = await book(maitred, { date: DATE, time: '18:00' }, { as: 'demo-agent', headers: agent });
  assertProblem(refused, 409, 'AVAIL-N-005');
});

test('a fault that concerns nothing of the call changes nothing, and is not said to be met', async () => {
  const answer = await maitred.call('/venues', {
    headers: faulty('booking=taken, availability=unavailable'),
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['x-sandbox-fault'], undefined);
});

interface Documented {
  method: string;
  path: string;
  /** By code, the status that goes with it. */
  codes: Map<string, number>;
}

/** What the published document says partners can be answered, operation by operation. */
function documentedOperations(): Documented[] {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const resolve = (node: Body): Body =>
    node.$ref
      ? node.$ref
          .slice(2)
          .split('/')
          .reduce((at: Body, key: string) => at[key], document)
      : node;
  const found: Documented[] = [];
  for (const [path, item] of Object.entries(document.paths as Record<string, Body>)) {
    for (const [method, operation] of Object.entries(item)) {
      const names = operation.parameters.map((parameter: Body) => resolve(parameter).name);
      if (!names.includes('X-Sandbox-Fault')) continue;
      const codes = Object.entries(operation.responses as Record<string, Body>).flatMap(
        ([status, response]) =>
          Object.values(resolve(response).content ?? {}).flatMap((media) =>
            Object.keys((media as Body).examples ?? {}).map((code): [string, number] => [
              code,
              Number(status),
            ]),
          ),
      );
      found.push({ method: method.toUpperCase(), path, codes: new Map(codes) });
    }
  }
  return found;
}

test('every code of every operation can be had with answer=CODE, with its status and nothing done', async () => {
  const operations = documentedOperations();
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const before = await traces(maitred.sql);
  let answers = 0;
  const met = new Set<string>();
  for (const { method, path, codes } of operations) {
    const target = path.replaceAll(/\{\w+\}/g, '1%7Chouse%7Csoho-grill%7Cdinner');
    for (const [code, status] of codes) {
      // Not through `call`, which would note the codes as seen in earnest.
      const response = await maitred.app.inject({
        method: method as 'GET',
        url: target,
        headers: { authorization, ...faulty(`answer=${code}`) },
      });
      const what = `${method} ${path} ${code}: ${response.statusCode} ${response.body.slice(0, 200)}`;
      assert.equal(response.statusCode, status, what);
      assert.equal(response.headers['x-sandbox-fault'], `answer=${code}`, what);
      if (response.headers['content-type']?.toString().startsWith('application/problem+json')) {
        const body = response.json();
        assert.equal(body.code, code, what);
        assert.equal(response.headers['retry-after'] !== undefined, body.isRetryable, what);
      }
      met.add(code);
      answers += 1;
    }
  }
  assert.ok(operations.length > 50, `only ${operations.length} operations`);
  assert.ok(met.size > 80, `only ${met.size} codes`);
  assert.ok(answers > 700, `only ${answers} answers`);
  assert.deepEqual(await traces(maitred.sql), before);
});

test('an answer that is asked for has the members and headers that the real one has', async () => {
  const ask = (code: string) =>
    maitred.app.inject({
      method: 'POST',
      url: `/venues/${encodeURIComponent('1|house|soho-grill|dinner')}/booking`,
      headers: { ...faulty(`answer=${code}`), authorization },
    });
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  assert.match(
    String((await ask('IDENT-N-001')).headers['www-authenticate']),
    /^Bearer error="invalid_token"/,
  );
  assert.deepEqual(Object.keys((await ask('VALID-N-001')).json().errors), ['partySize']);
  assert.ok((await ask('BKRUL-N-001')).json().violations.length > 0);
  assert.ok((await ask('BOOK-N-002')).json().bookingId);
});

/** The status that a real client gets, or the code of the error in its place. */
async function post(body: Body, headers: Record<string, string>): Promise<number | string> {
  const request = http.request(`${url}/venues/${encodeURIComponent('1|house|soho-grill|dinner')}/booking`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await maitred.token('demo-partner')}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  request.end(JSON.stringify(body));
  try {
    const [response] = await once(request, 'response');
    response.resume();
    return response.statusCode;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('a connection can be cut after the work is done or before it, and the same request is then answered', async () => {
  const countOf = async (key: string) =>
    (await maitred.sql`select from booking where partner_booking_id = ${key}`).length;
  for (const [fault, made] of [
    ['cut', 1],
    ['cut-before', 0],
  ] as const) {
    const body = { ...guest, date: freeDay(), time: '19:00', partnerBookingId: `gone-${fault}` };
    const headers = { 'idempotency-key': `gone-${fault}` };
    assert.equal(await post(body, { ...headers, ...faulty(`connection=${fault}`) }), 'ECONNRESET');
    assert.equal(await countOf(body.partnerBookingId), made, fault);
    assert.equal(await post(body, headers), 201);
    assert.equal(await countOf(body.partnerBookingId), 1, fault);
  }
});

test('faults are counted by what failed and how', async () => {
  const count = async () =>
    (await metricOf(maitred, 'sandbox_faults_total{subject="booking",fault="rejected"}')) ?? 0;
  const before = await count();
  await bookWith('booking=rejected');
  assert.equal(await count(), before + 1);
});
