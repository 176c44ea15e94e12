import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertMet, KINDS, type Place, type Places, startPlaces } from './support.ts';

let places: Places;
before(async () => {
  places = await startPlaces(4);
});
after(() => places.close());

const ask = ({ productId, stay }: Place, fault: string | null) =>
  places.call(`/venues/${encodeURIComponent(productId)}/availability?date=${stay.date}&partySize=2`, fault);

for (const kind of KINDS) {
  test(`availability at ${kind} can be limited and away, for this request alone`, async () => {
    const place = places.next(kind);
    const limited = { status: 503, code: 'AVAIL-R-001', retryAfter: '2' };
    assertMet(await ask(place, 'availability=rate-limited'), 'availability=rate-limited', limited, kind);
    const away = { status: 503, code: 'AVAIL-R-001', retryAfter: '5' };
    assertMet(await ask(place, 'availability=unavailable'), 'availability=unavailable', away, kind);
    const answer = await ask(place, null);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.json.times.length > 0);
  });

  test(`availability and a booking at ${kind} can be slow, and are the same as otherwise`, async () => {
    const place = places.next(kind);
    const [slow, usual] = await Promise.all([ask(place, 'availability=slow:1'), ask(place, null)]);
    assert.deepEqual(slow.json, usual.json);
    assert.equal(slow.headers['x-sandbox-fault'], 'availability=slow:1');
    const booked = await places.book(place, `slow-${kind}`, 'booking=slow:1');
    assert.equal(booked.status, 201, booked.text);
    assert.equal(booked.headers['x-sandbox-fault'], 'booking=slow:1');
    assert.deepEqual((await places.book(place, `slow-${kind}`)).json, booked.json);
  });
}

test('several questions of one request fail together', async () => {
  const bookableProducts = KINDS.map((kind) => {
    const { productId, stay } = places.next(kind);
    return { compositeId: productId, date: stay.date };
  });
  const answer = await places.call('/v1/availabilities', 'availability=unavailable', {
    method: 'POST',
    body: { quantity: 2, date: bookableProducts[0]?.date, bookableProducts },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.json.results.map(({ error }: { error?: { code: string } }) => error?.code),
    KINDS.map(() => 'AVAIL-R-001'),
    answer.text,
  );
});

test('what is slower than the deadline is answered by the deadline, and the booking is found afterwards', async () => {
  const [house, remote] = [places.next('house'), places.next('remote')];
  const [booked, asked] = await Promise.all([
    places.book(house, 'too-slow', 'booking=slow:60'),
    ask(remote, 'availability=slow'),
  ]);
  const inDoubt = { status: 503, code: 'HTTP-R-503', retryAfter: '5', isOutcomeKnown: false };
  assertMet(booked, 'booking=slow:60', inDoubt, 'house');
  // A system over the network is given two seconds for such a question.
  assertMet(asked, 'availability=slow:5', { status: 503, code: 'AVAIL-R-001', retryAfter: '5' }, 'remote');
  assert.equal(await places.countOf('too-slow'), 1);
  assert.equal((await places.book(house, 'too-slow')).status, 201);
  assert.equal(await places.countOf('too-slow'), 1);
});
