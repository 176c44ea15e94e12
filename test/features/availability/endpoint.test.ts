import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const DINNER = '1|house|soho-grill|dinner';
const PRIVATE = '1|house|soho-grill|private-dining';

/** A weekday a few weeks ahead, far from any exception of the demo data. */
const soon = (() => {
  let date = Temporal.Now.plainDateISO('Europe/London').add({ days: 21 });
  while (date.dayOfWeek !== 3 || (date.month === 12 && date.day > 20)) date = date.add({ days: 1 });
  return date;
})();
const day = soon.toString();

const ask = (productId: string, query: string, as = 'demo-partner', headers = {}) =>
  maitred.call(`/venues/${encodeURIComponent(productId)}/availability?${query}`, { as, headers });

interface SlotBody {
  time: string;
  date: string;
  dateTime: string;
  type: string;
  requestReason?: string;
  unavailableReasons?: string[];
  product: { id: string; spaces: { id: number; policies: { minimumSpend: { amount: number }[] } }[] };
}

const timesOf = (answer: { json: { times: SlotBody[] } }) => answer.json.times.map(({ time }) => time);

test('a day of a restaurant has starts with every field of the interface', async () => {
  const answer = await ask(DINNER, `date=${day}&partySize=2`);
  assert.equal(answer.status, 200, answer.text);
  const body = answer.json;
  for (const name of [
    'name',
    'deposit',
    'policy',
    'cancellationPolicy',
    'times',
    'noAvailabilityReason',
    'noAvailabilityCode',
  ]) {
    assert.ok(name in body, name);
  }
  assert.equal(body.name, 'Dinner');
  assert.equal(body.noAvailabilityReason, null);
  assert.equal(body.noAvailabilityCode, null);
  assert.ok(body.times.length > 10);
  for (const slot of body.times) {
    for (const name of [
      'time',
      'duration',
      'minDuration',
      'maxDuration',
      'durationInterval',
      'type',
      'product',
      'productId',
    ]) {
      assert.ok(name in slot, name);
    }
    assert.equal(slot.product.id, DINNER);
    assert.equal(slot.productId, DINNER);
    assert.equal(slot.date, day);
    assert.ok(slot.dateTime.startsWith(`${day}T${slot.time}`), slot.dateTime);
    assert.equal(slot.type, 'book');
    assert.ok(!('requestReason' in slot));
    assert.ok(!('unavailableReasons' in slot));
  }
});

test('starts are every fifteen minutes and in order', async () => {
  const times = timesOf(await ask(DINNER, `date=${day}&partySize=2`));
  const minutes = times.map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  for (const [index, minute] of minutes.entries()) {
    const next = minutes[index + 1];
    if (next !== undefined) assert.equal(next - minute, 15);
  }
});

test('above the instant limit a start is an enquiry and says why', async () => {
  const { times } = (await ask(DINNER, `date=${day}&partySize=9`)).json;
  assert.ok(times.length > 0);
  for (const slot of times) {
    assert.equal(slot.type, 'request');
    assert.equal(slot.requestReason, 'exceeds_auto_confirm');
  }
});

test('children need seats: eight adults are instant, with a child they are an enquiry', async () => {
  assert.equal((await ask(DINNER, `date=${day}&partySize=8`)).json.times[0].type, 'book');
  assert.equal((await ask(DINNER, `date=${day}&partySize=8&children=1`)).json.times[0].type, 'request');
});

test('a party that can never fit has no eligible product', async () => {
  const body = (await ask(DINNER, `date=${day}&partySize=500`)).json;
  assert.deepEqual(body.times, []);
  assert.equal(body.noAvailabilityCode, 'NO_ELIGIBLE_PRODUCTS');
  assert.match(body.noAvailabilityReason, /500 people/);
});

test('a product that is enquiry only says request_only', async () => {
  const { times } = (await ask(PRIVATE, `date=${day}&partySize=12`)).json;
  assert.ok(times.length > 0);
  for (const slot of times) assert.deepEqual([slot.type, slot.requestReason], ['request', 'request_only']);
});

test('a start shows its spaces with the minimum-spend bands that the stay crosses, in order', async () => {
  const friday = soon.add({ days: 2 }).toString();
  const { times } = (await ask(PRIVATE, `date=${friday}&partySize=12`)).json as { times: SlotBody[] };
  assert.ok(times.some(({ product }) => product.spaces.length === 2));
  const venue = (await maitred.call('/venues/1|house|soho-grill')).json;
  const all = venue.products[1].spaces.map(
    (space: SlotBody['product']['spaces'][number]) => space.policies.minimumSpend.length,
  );
  for (const { product } of times) {
    for (const space of product.spaces) assert.ok(space.policies.minimumSpend.length < Math.max(...all));
  }
  assert.ok(
    times.some(({ product }) => product.spaces.some(({ policies }) => policies.minimumSpend.length >= 2)),
  );
});

test('minimumSpend keeps spaces that demand no more than that in all', async () => {
  const friday = soon.add({ days: 2 }).toString();
  const { times } = (await ask(PRIVATE, `date=${friday}&partySize=12&minimumSpend=100000`)).json as {
    times: SlotBody[];
  };
  for (const { product } of times) {
    for (const { policies } of product.spaces) {
      assert.ok(policies.minimumSpend.reduce((sum, { amount }) => sum + amount, 0) <= 100_000);
    }
  }
  const none = (await ask(PRIVATE, `date=${friday}&partySize=12&minimumSpend=0`)).json;
  assert.ok(none.times.length < (await ask(PRIVATE, `date=${friday}&partySize=12`)).json.times.length);
});

test('space filters keep the spaces whose policy is the one asked for', async () => {
  const venue = (await maitred.call('/venues/1|house|soho-grill')).json;
  const spaces = venue.products[1].spaces as { id: number; policies: Record<string, unknown> }[];
  for (const filter of ['under18s', 'promotedEvents', 'accessibility', 'servesFood']) {
    for (const wish of [true, false]) {
      const expected = spaces.filter(({ policies }) => policies[filter] === wish).map(({ id }) => id);
      const body = (await ask(PRIVATE, `date=${day}&partySize=12&${filter}=${wish}`)).json;
      const offered = new Set(
        body.times.flatMap((slot: SlotBody) => slot.product.spaces.map(({ id }) => id)),
      );
      for (const id of offered) assert.ok(expected.includes(id as number), `${filter}=${wish}`);
      if (expected.length === 0) assert.equal(body.noAvailabilityCode, 'NO_ELIGIBLE_PRODUCTS');
    }
  }
  const [occasion] = (spaces[0]?.policies.occasionTypes ?? []) as string[];
  const { times } = (await ask(PRIVATE, `date=${day}&partySize=12&occasionTypes=${occasion}`)).json;
  assert.ok(times.length > 0);
  const absurd = (await ask(PRIVATE, `date=${day}&partySize=12&occasionTypes=${occasion},moon-landing`)).json;
  assert.equal(absurd.noAvailabilityCode, 'NO_ELIGIBLE_PRODUCTS');
});

test('time, startTime and endTime narrow the starts', async () => {
  assert.deepEqual(timesOf(await ask(DINNER, `date=${day}&partySize=2&time=19:30`)), [
    '18:30',
    '18:45',
    '19:00',
    '19:15',
    '19:30',
    '19:45',
    '20:00',
    '20:15',
    '20:30',
  ]);
  assert.deepEqual(timesOf(await ask(DINNER, `date=${day}&partySize=2&startTime=19:00&endTime=19:30`)), [
    '19:00',
    '19:15',
    '19:30',
  ]);
});

test('a window of instants gives the starts in it, also over two trading days', async () => {
  const next = soon.add({ days: 1 }).toString();
  const query = `partySize=2&startDateTime=${day}T20:30:00Z&endDateTime=${next}T18:00:00Z`;
  const slots = (await ask(DINNER, query)).json.times as SlotBody[];
  assert.deepEqual([...new Set(slots.map(({ date }) => date))], [day, next]);
  for (const { dateTime } of slots) {
    const at = Date.parse(dateTime);
    assert.ok(at >= Date.parse(`${day}T20:30:00Z`) && at <= Date.parse(`${next}T18:00:00Z`));
  }
});

test('a bar that trades past midnight offers late starts on the trading day they belong to', async () => {
  const booth = '2|house|night-owl|booth';
  const slots = (await ask(booth, `date=${day}&partySize=4&time=00:30`)).json.times as SlotBody[];
  const late = slots.find(({ time }) => time === '00:30');
  assert.ok(late);
  assert.equal(late.date, day);
  assert.ok(late.dateTime.startsWith(`${soon.add({ days: 1 })}T00:30`));
  const open = (await ask(booth, `partySize=4&startDateTime=${soon.add({ days: 1 })}T00:15:00Z`)).json
    .times as SlotBody[];
  assert.ok(open.length > 0);
  for (const { date } of open) assert.equal(date, day, 'until the end of that trading day');
});

test('a duration outside the bounds or off the steps is AVAIL-N-006', async () => {
  for (const duration of [5, 1000, 97]) {
    assertProblem(await ask(DINNER, `date=${day}&partySize=2&duration=${duration}`), 422, 'AVAIL-N-006');
  }
  const [slot] = (await ask(DINNER, `date=${day}&partySize=2&duration=120`)).json.times;
  assert.equal(slot.duration, 120);
});

test('a closed day, too soon and too far are empty answers with a sentence', async () => {
  await maitred.sql`insert into product_exception (product_id, venue_id, date, reason)
    values (${DINNER}, '1|house|soho-grill', ${soon.add({ days: 30 }).toString()}, 'Staff party')`;
  const closed = await maitred.call(
    `/venues/${encodeURIComponent(DINNER)}/availability?date=${soon.add({ days: 30 })}&partySize=2`,
  );
  assert.equal(closed.json.noAvailabilityCode, 'NO_AVAILABILITY');
  assert.match(closed.json.noAvailabilityReason, /closed on/);
  for (const date of ['2020-01-01', '2099-01-01']) {
    const body = (await ask(DINNER, `date=${date}&partySize=2`)).json;
    assert.deepEqual(body.times, []);
    assert.equal(body.noAvailabilityCode, 'NO_AVAILABILITY');
    assert.ok(body.noAvailabilityReason.length > 10);
  }
});

test('includeUnavailable shows what cannot be had and why', async () => {
  const { times, noAvailabilityCode } = (
    await ask(DINNER, 'date=2020-01-01&partySize=2&includeUnavailable=true')
  ).json;
  assert.equal(noAvailabilityCode, null);
  assert.ok(times.length > 0);
  for (const slot of times) assert.deepEqual(slot.unavailableReasons, ['AVAIL-N-007']);
  const [free] = (await ask(DINNER, `date=${day}&partySize=2&includeUnavailable=true`)).json.times;
  assert.deepEqual(free.unavailableReasons, []);
});

test('tickets of an event have one start per occurrence and the deposit is theirs', async () => {
  const { opening_times } = (await maitred.call('/venues/2|tickets|jazz-night')).json;
  const occurrence = opening_times.exceptions[2];
  const body = (await ask('2|tickets|jazz-night|standard', `date=${occurrence.date}&partySize=2`)).json;
  assert.equal(body.times.length, 1);
  assert.equal(body.times[0].type, 'book');
  const none = (await ask('2|tickets|jazz-night|standard', `date=${day}&partySize=2`)).json;
  assert.deepEqual(none.times, []);
});

test('a deposit is counted for the party', async () => {
  const sunday = soon.add({ days: 4 }).toString();
  const { deposit } = (await ask('1|house|garden-room|brunch', `date=${sunday}&partySize=3&children=1`)).json;
  assert.deepEqual(deposit, { amount: 1000, currency: 'GBP', per: 'guest', total: 4000 });
});

test('each way of not having a product has its code', async () => {
  const query = `date=${day}&partySize=2`;
  assertProblem(await ask('1|house|nowhere|dinner', query), 404, 'VENUE-N-001');
  assertProblem(await ask('1|house|soho-grill|supper', query), 404, 'AVAIL-N-001');
  assertProblem(await ask('3|house|hidden-kitchen|dinner', query), 403, 'PMAP-N-001');
  assertProblem(await ask('1|house|closed-cafe|table', query), 409, 'VENUE-N-009');
  assertProblem(await ask('1|house|soho-grill', query), 400, 'VALID-N-001');
  assertProblem(await ask('3|house|hidden-kitchen|dinner', query, 'demo-operator'), 403, 'OPRTR-N-002');
});

test('unmapped products and a suspended arrangement have theirs', async () => {
  const query = `date=${day}&partySize=2`;
  const until = async (productId: string, code: string, as: string) => {
    for (let tries = 0; tries < 100; tries++) {
      const answer = await ask(productId, query, as);
      if (answer.json.code === code) return assertProblem(answer, answer.status, code);
      await maitred.sql`select pg_sleep(0.02)`;
    }
    assert.fail(`${code} never came`);
  };
  await maitred.sql`delete from product_mapping where partner_id = 2 and product_id = ${PRIVATE}`;
  await until(PRIVATE, 'PMAP-N-002', 'other-partner');
  await maitred.sql`delete from product_mapping where partner_id = 2 and venue_id = '1|house|soho-grill'`;
  await until(DINNER, 'AVAIL-N-003', 'other-partner');
  await maitred.sql`update partner_operator set is_suspended = true where partner_id = 2 and operator_id = 3`;
  await until('3|house|hidden-kitchen|dinner', 'AVAIL-N-002', 'other-partner');
});

test('operators and the platform read availability without a mapping', async () => {
  for (const as of ['demo-operator', 'demo-admin']) {
    assert.equal((await ask(DINNER, `date=${day}&partySize=2`, as)).status, 200);
  }
});

for (const [query, field] of [
  ['partySize=2', 'date'],
  ['date=2026-12-05', 'partySize'],
  ['date=2026-12-05&partySize=0', 'partySize'],
  ['date=2026-12-05&partySize=-2', 'partySize'],
  ['date=2026-12-05&partySize=2.5', 'partySize'],
  ['date=2026-12-05&partySize=two', 'partySize'],
  ['date=2026-12-05&partySize=2&children=-1', 'children'],
  ['date=2026-02-30&partySize=2', 'date'],
  ['date=2026-12-05&partySize=2&time=24:00', 'time'],
  ['date=2026-12-05&partySize=2&duration=0', 'duration'],
  ['date=2026-12-05&partySize=2&includeUnavailable=maybe', 'includeUnavailable'],
  ['date=2026-12-05&partySize=2&minimumSpend=-5', 'minimumSpend'],
  ['date=2026-12-05&partySize=2&under18s=1', 'under18s'],
  ['date=2026-12-05&partySize=2&occasionTypes=', 'occasionTypes'],
  ['partySize=2&startDateTime=soon', 'startDateTime'],
] as const) {
  test(`${query} is refused and names ${field}`, async () => {
    const body = assertProblem(await ask(DINNER, query), 400, 'VALID-N-001');
    assert.ok(body.errors[field], JSON.stringify(body.errors));
  });
}

test('windows that cannot be are refused over HTTP as well', async () => {
  assertProblem(await ask(DINNER, 'partySize=2&startDateTime=2026-12-05T19:00:00'), 400, 'AVAIL-N-010');
  assertProblem(
    await ask(DINNER, 'partySize=2&date=2026-12-09&startDateTime=2026-12-05T19:00:00Z'),
    400,
    'AVAIL-N-009',
  );
});

test('fields and TOON shape the answer', async () => {
  const { json } = await ask(DINNER, `date=${day}&partySize=2&time=19:30&fields=times(time,product(id))`);
  assert.deepEqual(Object.keys(json), ['times']);
  assert.deepEqual(Object.keys(json.times[0]), ['time', 'product']);
  const query = `date=${day}&partySize=2&time=19:30`;
  const toon = await ask(DINNER, query, 'demo-partner', { accept: 'text/toon' });
  assert.deepEqual(decode(toon.text), (await ask(DINNER, query)).json);
  assertProblem(await ask(DINNER, `${query}&fields=areas`), 400, 'FSEL-N-001');
});
