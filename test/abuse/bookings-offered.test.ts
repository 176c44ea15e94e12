import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, book, bookingsApp, guest } from '../features/bookings/support.ts';

/** Whatever live availability offers can be had as it was offered, in every form in which a partner may say it. */

const app = bookingsApp();

const soon = Temporal.Now.plainDateISO('Europe/London').add({ days: 16 }).toString();
const asOffered = ({ date, time, dateTime, duration }: Body) => ({ date, time, dateTime, duration });

/** Without those that need a pre-order: what has to be ordered, availability does not say. */
async function listProducts(): Promise<{ compositeId: string; zone: string }[]> {
  const { data } = (await app().call('/venues?pageSize=100')).json;
  return data.flatMap(({ products, timeZone }: Body) =>
    products
      .filter((product: Body) => !product.preOrderRequired)
      .map(({ compositeId }: Body) => ({ compositeId, zone: timeZone })),
  );
}

async function offered(compositeId: string): Promise<Body[]> {
  const query = `date=${soon}&partySize=2`;
  const answer = await app().call(`/venues/${encodeURIComponent(compositeId)}/availability?${query}`);
  return answer.status === 200 ? answer.json.times : [];
}

test('the last start of a day is booked, moved nowhere and given back, however it is written', async () => {
  const zones = new Set<string>();
  for (const { compositeId, zone } of await listProducts()) {
    const slot = (await offered(compositeId)).at(-1);
    if (slot === undefined) continue;
    zones.add(zone);
    const { date, time, dateTime, type, duration } = slot;
    for (const moment of [{ dateTime }, { date, time }, { date, time, dateTime, duration }]) {
      const made = await book(app(), { date: undefined, ...moment, type }, { productId: compositeId });
      assert.equal(made.status, 201, `${compositeId} ${JSON.stringify(moment)} ${made.text}`);
      assert.deepEqual(asOffered(made.json), asOffered(slot), compositeId);
      const path = `/venues/bookings/${made.json.id}`;
      const body = { ...guest, compositeId, type, ...moment };
      const put = await app().call(path, { method: 'PUT', body });
      assert.equal(put.status, 200, put.text);
      assert.deepEqual([asOffered(put.json), put.json.status], [asOffered(slot), made.json.status]);
      assert.equal((await app().call(path, { method: 'DELETE' })).status, 204);
    }
  }
  assert.ok(zones.size >= 3, `products of several zones were open, not only of ${[...zones]}`);
});
