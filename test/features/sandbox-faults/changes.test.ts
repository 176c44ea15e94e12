import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Answer } from '../../support/app.ts';
import { assertAgreed } from '../../support/remote-tms/bistros.ts';
import { type Body, traces } from '../bookings/support.ts';
import {
  assertMet,
  expectedAt,
  KINDS,
  type Kind,
  OUTCOMES,
  type Place,
  type Places,
  startPlaces,
} from './support.ts';

let places: Places;
before(async () => {
  places = await startPlaces(24);
});
after(() => places.close());

const readBooking = async (id: string): Promise<Body> =>
  (await places.call(`/venues/bookings/${id}`, null)).json;

async function made(place: Place, key: string): Promise<string> {
  const answer = await places.book(place, key);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

const fewerGuests = (id: string, fault: string | null) =>
  places.call(`/venues/bookings/${id}`, fault, {
    method: 'PATCH',
    body: [{ op: 'replace', path: '/partySize', value: 1 }],
  });
const cancel = (id: string, fault: string | null) =>
  places.call(`/venues/bookings/${id}`, fault, { method: 'DELETE' });

const isMade = (fault: string, kind: Kind) => fault === 'unknown-applied' && kind !== 'remote';

for (const kind of KINDS) {
  test(`amend at ${kind}: each outcome is met, nothing else changes, and the same request then amends`, async () => {
    for (const fault of Object.keys(OUTCOMES)) {
      const place = places.next(kind);
      const id = await made(place, `amend-${fault}-${kind}`);
      const answer = await fewerGuests(id, `amend=${fault}`);
      assertMet(answer, `amend=${fault}`, expectedAt(kind, fault), `${fault} at ${kind}`);
      assert.equal((await readBooking(id)).partySize, isMade(fault, kind) ? 1 : 2, fault);
      const again = await fewerGuests(id, null);
      assert.equal(again.status, 200, again.text);
      assert.equal(again.json.partySize, 1);
      await places.bistros.settle();
      if (place.bistro) assert.equal((await assertAgreed(places.bistros, place.bistro)).length, 1);
    }
  });

  test(`cancel at ${kind}: each outcome is met, nothing else changes, and the same request then cancels`, async () => {
    for (const fault of Object.keys(OUTCOMES).filter((each) => each !== 'taken')) {
      const place = places.next(kind);
      const id = await made(place, `cancel-${fault}-${kind}`);
      const answer = await cancel(id, `cancel=${fault}`);
      assertMet(answer, `cancel=${fault}`, expectedAt(kind, fault), `${fault} at ${kind}`);
      const { status } = await readBooking(id);
      assert.equal(status, isMade(fault, kind) ? 'cancelled' : 'confirmed', fault);
      const again = await cancel(id, null);
      assert.equal(again.status, 204, again.text);
      await places.bistros.settle();
      assert.equal((await readBooking(id)).status, 'cancelled');
      if (place.bistro) assert.deepEqual(await assertAgreed(places.bistros, place.bistro), []);
    }
  });
}

test('an amendment in doubt that is not repeated stays undone on both sides', async () => {
  const place = places.next('remote');
  const id = await made(place, 'amend-left');
  await fewerGuests(id, 'amend=unknown-applied');
  assert.equal(place.bistro?.held()[0]?.guests, 1, 'the system has applied it');
  await places.bistros.settle();
  assert.equal((await readBooking(id)).partySize, 2);
  assert.ok(place.bistro);
  await assertAgreed(places.bistros, place.bistro);
});

const hold = ({ productId, stay }: Place, fault: string | null): Promise<Answer> =>
  places.call(`/venues/${encodeURIComponent(productId)}/holds`, fault, {
    method: 'POST',
    body: { ...stay, partySize: 2 },
  });

test('hold: each outcome is met at each kind of system, and the place can be had afterwards', async () => {
  for (const kind of KINDS) {
    const place = places.next(kind);
    for (const fault of Object.keys(OUTCOMES)) {
      const before = await traces(places.bistros.app.sql);
      const answer = await hold(place, `hold=${fault}`);
      assertMet(answer, `hold=${fault}`, expectedAt(kind, fault), `${fault} at ${kind}`);
      assert.deepEqual(await traces(places.bistros.app.sql), before, `${fault} at ${kind}`);
    }
    const held = await hold(place, null);
    assert.equal(held.status, 201, held.text);
    // The booking that takes the hold over can be in doubt, too.
    const body = { holdId: held.json.id };
    const doubtful = await places.book(place, `held-${kind}`, 'booking=unknown-applied', body);
    assertMet(doubtful, 'booking=unknown-applied', expectedAt(kind, 'unknown-applied'), kind);
    const booked = await places.book(place, `held-${kind}`, null, body);
    assert.equal(booked.status, 201, booked.text);
    assert.equal(booked.json.id, held.json.id);
    await places.bistros.settle();
  }
});
