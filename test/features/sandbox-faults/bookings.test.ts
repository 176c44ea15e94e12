import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAgreed, countIntents } from '../../support/remote-tms/bistros.ts';
import { type Body, traces } from '../bookings/support.ts';
import { assertMet, expectedAt, KINDS, OUTCOMES, type Places, startPlaces } from './support.ts';

let places: Places;
before(async () => {
  places = await startPlaces(14);
});
after(() => places.close());

const isMade = (fault: string) => fault === 'unknown-applied';

for (const fault of Object.keys(OUTCOMES)) {
  for (const kind of KINDS) {
    test(`booking=${fault} at ${kind}: the outcome is met, and the same request then books once`, async () => {
      const place = places.next(kind);
      const key = `${fault}-${kind}`;
      const before = await traces(places.bistros.app.sql);
      assertMet(
        await places.book(place, key, `booking=${fault}`),
        `booking=${fault}`,
        expectedAt(kind, fault),
        key,
      );
      // A remote system has the booking, and our side knows that it may.
      const isHeldThere = kind === 'remote' && isMade(fault);
      if (place.bistro) assert.equal(place.bistro.held().length, isHeldThere ? 1 : 0);
      if (!isMade(fault)) {
        const { intents: _, ...left } = await traces(places.bistros.app.sql);
        assert.deepEqual({ ...left, intents: before.intents }, before, 'nothing is left behind');
      }
      const [made] = place.bistro?.held() ?? [];
      const again = await places.book(place, key);
      assert.equal(again.status, 201, again.text);
      assert.equal(again.headers['x-sandbox-fault'], undefined);
      assert.equal(await places.countOf(key), 1);
      if (made) assert.equal(again.json.id, made.id, 'the booking that was in doubt is the one');
      const third = await places.book(place, key);
      assert.deepEqual(third.json, again.json, 'the key gives the booking from then on');
      await places.bistros.settle();
      if (place.bistro) assert.equal((await assertAgreed(places.bistros, place.bistro)).length, 1);
    });
  }
}

test('a booking in doubt that is not asked for again is given back by the resolver, with its intent', async () => {
  for (const fault of ['unknown-applied', 'unknown-not-applied']) {
    const place = places.next('remote');
    await places.book(place, `left-${fault}`, `booking=${fault}`);
    assert.equal(await countIntents(places.bistros.app), 1);
    await places.bistros.settle();
    assert.deepEqual(place.bistro?.held(), []);
    assert.equal(await countIntents(places.bistros.app), 0);
    assert.equal(await places.countOf(`left-${fault}`), 0);
  }
});

test('faults leave the breaker of a system closed, so that others are served', async () => {
  const place = places.next('remote');
  for (let count = 0; count < 8; count += 1)
    await places.book(place, `breaker-${count}`, 'booking=unavailable');
  const [connector] = places.bistros.app.services.remoteSystems.filter(
    ({ slug }) => slug === place.bistro?.slug,
  );
  assert.equal(connector?.isResting(), false);
  assert.equal((await places.book(place, 'breaker')).status, 201);
});

test('an order meets them item by item', async () => {
  const items = KINDS.map((kind) => {
    const { productId, stay } = places.next(kind);
    return { compositeId: productId, quantity: 2, type: 'book', ...stay };
  });
  const order = (key: string, fault: string | null) =>
    places.call('/v1/orders', fault, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: { firstName: 'Ada', lastName: 'Lovelace', items },
    });
  const refused = await order('order-rejected', 'booking=rejected');
  assert.deepEqual(
    refused.json.items.map(({ error }: { error: { code: string } }) => error.code),
    ['BOOK-N-009', 'BOOK-N-009', 'BOOK-N-009'],
    refused.text,
  );
});

test('an order whose answer is lost is found under its key, with every item booked once', async () => {
  const items = (['house', 'tickets'] as const).map((kind) => {
    const { productId, stay } = places.next(kind);
    return { compositeId: productId, quantity: 2, type: 'book', ...stay };
  });
  const order = (fault: string | null) =>
    places.call('/v1/orders', fault, {
      method: 'POST',
      headers: { 'idempotency-key': 'order-lost' },
      body: { firstName: 'Ada', lastName: 'Lovelace', items },
    });
  const before = await traces(places.bistros.app.sql);
  assertMet(
    await order('booking=unknown-applied'),
    'booking=unknown-applied',
    expectedAt('house', 'unknown-applied'),
    'order',
  );
  const found = await order(null);
  assert.equal(found.json.status, 'complete', found.text);
  const { bookings } = await traces(places.bistros.app.sql);
  assert.equal(Number(bookings), Number(before.bookings) + items.length);
});

test('an atomic order over all kinds of systems is whole or nothing', async () => {
  const at = KINDS.map((kind) => places.next(kind));
  const items = at.map(({ productId, stay }) => ({ compositeId: productId, quantity: 2, ...stay }));
  const order = (key: string, fault: string | null) =>
    places.call('/v1/orders', fault, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: { firstName: 'Ada', lastName: 'Lovelace', atomic: true, items },
    });
  const bistro = at.find(({ kind }) => kind === 'remote')?.bistro;
  const before = await traces(places.bistros.app.sql);
  for (const fault of ['booking=taken', 'booking=unknown-not-applied', 'hold=unknown-applied']) {
    const answer = await order(`atomic ${fault}`, fault);
    assert.ok(answer.status >= 400 || answer.json.items.every(({ bookingId }: Body) => bookingId === null));
    await places.bistros.settle();
    assert.deepEqual(bistro?.held(), [], fault);
    assert.deepEqual(await traces(places.bistros.app.sql), before, fault);
  }
  const made = await order('atomic', null);
  assert.equal(made.json.status, 'complete', made.text);
  assert.equal(bistro?.held().length, 1);
});
