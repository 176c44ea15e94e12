import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../support/app.ts';
import { asking, DINNER, day, type SlotBody, soon } from './soho-grill.ts';

const { maitred, ask } = asking();

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

test('a closed day, too soon and too far are empty answers with a sentence', async () => {
  await maitred().sql`insert into product_exception (product_id, venue_id, date, reason)
    values (${DINNER}, '1|house|soho-grill', ${soon.add({ days: 30 }).toString()}, 'Staff party')`;
  const closed = await ask(DINNER, `date=${soon.add({ days: 30 })}&partySize=2`);
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
  const { opening_times } = (await maitred().call('/venues/2|tickets|jazz-night')).json;
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

test('operators and the platform read availability without a mapping', async () => {
  for (const as of ['demo-operator', 'demo-admin']) {
    assert.equal((await ask(DINNER, `date=${day}&partySize=2`, as)).status, 200);
  }
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

test('a live answer may not be kept by anybody', async () => {
  const answer = await ask(DINNER, `date=${day}&partySize=2`);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.ok(!('etag' in answer.headers));
  assert.equal(answer.headers.vary, 'Accept, Accept-Encoding');
});
