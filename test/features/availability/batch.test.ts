import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../support/app.ts';
import { asking, DINNER, day, type SlotBody, soon } from './soho-grill.ts';

const { maitred, ask } = asking();

const BOOTH = '2|house|night-owl|booth';
const STANDARD = '2|tickets|jazz-night|standard';

const check = (body: unknown, headers = {}, as = 'demo-partner') =>
  maitred().call('/v1/availabilities', { method: 'POST', body, headers, as });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
async function resultsOf(body: unknown): Promise<any[]> {
  const answer = await check(body);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.json), ['results']);
  return answer.json.results;
}

const alone = async (productId: string, query: string) => (await ask(productId, query)).json;
const timesOf = ({ availability }: { availability: { times: SlotBody[] } }) =>
  availability.times.map(({ time }) => time);

async function jazzDay(): Promise<string> {
  const [occurrence] = await maitred().sql<[{ date: string }]>`
    select date from ticket_occurrence where venue_id = '2|tickets|jazz-night' and date > now() + interval '5 days'
    order by date limit 1`;
  return occurrence.date;
}

test('results stand in the order of the entries, each with the id that was sent', async () => {
  const ids = [BOOTH, DINNER, '1|house|nowhere|dinner', STANDARD, DINNER];
  const bookableProducts = ids.map((compositeId) => ({ compositeId }));
  const results = await resultsOf({ date: day, quantity: 2, bookableProducts });
  assert.deepEqual(
    results.map(({ compositeId }) => compositeId),
    ids,
  );
  for (const result of results) assert.equal('availability' in result, !('error' in result));
  assert.equal(results[0].availability.name, 'A booth');
  assert.equal(results[1].availability.name, 'Dinner');
  assert.equal(results[2].error.code, 'VENUE-N-001');
});

test('what the request says holds for entries that say nothing else, and null says nothing', async () => {
  const nextDay = soon.add({ days: 1 }).toString();
  const results = await resultsOf({
    date: day,
    quantity: 2,
    time: '19:00',
    bookableProducts: [
      { compositeId: DINNER },
      { compositeId: DINNER, date: null, quantity: null, time: null },
      { compositeId: DINNER, date: nextDay },
      { compositeId: DINNER, quantity: 12 },
      { compositeId: DINNER, time: '12:30' },
    ],
  });
  const expected = [
    `date=${day}&partySize=2&time=19:00`,
    `date=${day}&partySize=2&time=19:00`,
    `date=${nextDay}&partySize=2&time=19:00`,
    `date=${day}&partySize=12&time=19:00`,
    `date=${day}&partySize=2&time=12:30`,
  ];
  for (const [index, query] of expected.entries()) {
    assert.deepEqual(results[index].availability, await alone(DINNER, query), query);
  }
  assert.notDeepEqual(timesOf(results[0]), timesOf(results[4]));
  assert.notDeepEqual(results[0].availability.times, results[3].availability.times);
});

test('an entry may bring everything itself, and an absent time leaves the whole day', async () => {
  const [result] = await resultsOf({
    date: null,
    bookableProducts: [{ compositeId: DINNER, date: day, quantity: 3 }],
  });
  assert.deepEqual(result.availability, await alone(DINNER, `date=${day}&partySize=3`));
});

test('events are asked for by date alone', async () => {
  const date = await jazzDay();
  const bookableProducts = [
    { compositeId: STANDARD },
    { compositeId: '2|tickets|jazz-night|vip', quantity: 1 },
    { compositeId: BOOTH },
  ];
  const [standard, vip, booth] = await resultsOf({ date, time: '04:00', quantity: 2, bookableProducts });
  assert.deepEqual(standard.availability, await alone(STANDARD, `date=${date}&partySize=2`));
  assert.equal(standard.availability.times.length, 1);
  assert.equal(vip.availability.times.length, 1);
  assert.deepEqual(timesOf(booth), [], 'a table is not to be had at four in the morning');
});

for (const [what, entry, code, status, field] of [
  ['no date', { compositeId: DINNER, quantity: 2 }, 'VALID-N-001', 400, 'date'],
  ['no quantity', { compositeId: DINNER, date: day }, 'VALID-N-001', 400, 'quantity'],
  [
    'a date that is none',
    { compositeId: DINNER, date: '2026-02-30', quantity: 2 },
    'VALID-N-001',
    400,
    'date',
  ],
  [
    'a day out of reach',
    { compositeId: DINNER, date: '9999-12-31', quantity: 2 },
    'VALID-N-001',
    400,
    'date',
  ],
  ['half a guest', { compositeId: DINNER, date: day, quantity: 2.5 }, 'VALID-N-001', 400, 'quantity'],
  ['nobody', { compositeId: DINNER, date: day, quantity: 0 }, 'VALID-N-001', 400, 'quantity'],
  ['a crowd', { compositeId: DINNER, date: day, quantity: 1001 }, 'VALID-N-001', 400, 'quantity'],
  [
    'a time that is none',
    { compositeId: DINNER, date: day, quantity: 2, time: '24:00' },
    'VALID-N-001',
    400,
    'time',
  ],
  [
    'an id that is none',
    { compositeId: 'dinner', date: day, quantity: 2 },
    'VALID-N-001',
    400,
    'compositeId',
  ],
  ['an unknown venue', { compositeId: '1|house|nowhere|dinner', date: day, quantity: 2 }, 'VENUE-N-001', 404],
  [
    'an unknown product',
    { compositeId: '1|house|soho-grill|tea', date: day, quantity: 2 },
    'AVAIL-N-001',
    404,
  ],
  ['a stranger', { compositeId: '3|house|hidden-kitchen|dinner', date: day, quantity: 2 }, 'PMAP-N-001', 403],
  [
    'a closed venue',
    { compositeId: '1|house|closed-cafe|table', date: day, quantity: 2 },
    'VENUE-N-009',
    409,
  ],
] as const) {
  test(`${what} is a problem of its entry alone`, async () => {
    const good = { compositeId: DINNER, date: day, quantity: 2 };
    const [before, result, after] = await resultsOf({ bookableProducts: [good, entry, good] });
    assert.deepEqual(Object.keys(result), ['compositeId', 'error']);
    assert.equal(result.compositeId, entry.compositeId);
    assert.equal(result.error.code, code);
    assert.equal(result.error.status, status);
    assert.match(result.error.type, new RegExp(`/problems/${code}$`));
    if (field) assert.deepEqual(Object.keys(result.error.errors), [field]);
    assert.ok(before.availability.times.length > 0);
    assert.deepEqual(after, before);
  });
}

test('the id of a listing is told that a product belongs in its place', async () => {
  const [result] = await resultsOf({
    date: day,
    quantity: 2,
    bookableProducts: [{ compositeId: '1|house|soho-grill' }],
  });
  assert.match(result.error.detail, /three segments.*four/);
});

const entries = (count: number) => Array.from({ length: count }, () => ({ compositeId: DINNER }));

test('a batch has one to a hundred entries', async () => {
  assert.equal((await resultsOf({ date: day, quantity: 2, bookableProducts: entries(100) })).length, 100);
  for (const count of [0, 101]) {
    const answer = await check({ date: day, quantity: 2, bookableProducts: entries(count) });
    assert.ok(assertProblem(answer, 400, 'VALID-N-001').errors.bookableProducts);
  }
});

for (const [what, body, field] of [
  ['no entries', { date: day }, 'bookableProducts'],
  ['a date for all that is none', { date: 'soon', bookableProducts: entries(1) }, 'date'],
  ['a quantity for all that is none', { quantity: 0, bookableProducts: entries(1) }, 'quantity'],
  ['a time for all that is none', { time: '7pm', bookableProducts: entries(1) }, 'time'],
  ['a member that nobody knows', { partySize: 2, bookableProducts: entries(1) }, 'partySize'],
  ['an entry without id', { bookableProducts: [{ date: day }] }, 'bookableProducts.0.compositeId'],
  [
    'an unknown member of an entry',
    { bookableProducts: [{ compositeId: DINNER, children: 1 }] },
    'bookableProducts.0.children',
  ],
  [
    'text for a number',
    { bookableProducts: [{ compositeId: DINNER, quantity: '2' }] },
    'bookableProducts.0.quantity',
  ],
  ['a number for text', { bookableProducts: [{ compositeId: DINNER, date: 5 }] }, 'bookableProducts.0.date'],
] as const) {
  test(`${what} fails the call`, async () => {
    const { errors } = assertProblem(await check(body), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field]);
  });
}

test('reading listings is what it takes', async () => {
  const body = { date: day, quantity: 2, bookableProducts: entries(1) };
  assertProblem(await check(body, {}, 'demo-operator'), 403, 'USER-N-009');
  assertProblem(
    await maitred().call('/v1/availabilities', { method: 'POST', body, as: null }),
    401,
    'IDENT-N-001',
  );
  const agent = { 'x-partner-reference': 'demo-partner' };
  assert.equal((await check(body, agent, 'demo-agent')).status, 200);
});

test('every form says the same, and nobody may keep any', async () => {
  const body = {
    date: day,
    quantity: 2,
    time: '19:00',
    bookableProducts: [{ compositeId: DINNER }, { compositeId: '1|house|"nowhere"|x' }],
  };
  const json = await check(body);
  assert.match(String(json.headers['content-type']), /^application\/json/);
  const toon = await check(body, { accept: 'text/toon' });
  assert.match(String(toon.headers['content-type']), /^text\/toon/);
  assert.deepEqual(decode(toon.text), json.json);
  const wrapped = await check(body, { accept: 'application/vnd.service.toon+json' });
  assert.match(String(wrapped.headers['content-type']), /^application\/vnd\.service\.toon\+json/);
  assert.deepEqual(wrapped.json, { toon: toon.text });
  for (const { headers } of [json, toon, wrapped]) {
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers.vary, 'Accept, Accept-Encoding');
    assert.equal(headers.etag, undefined);
    assert.ok(headers['x-correlation-id']);
  }
  assertProblem(await check(body, { accept: 'text/html' }), 400, 'HTTP-N-406');
});
