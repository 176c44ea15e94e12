import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOTH, type Body, bookingsApp, freeDay } from '../bookings/support.ts';
import { assertRefusedWhole, cancel, dinner, done, ordered, tickets, wordsOf } from './support.ts';

const app = bookingsApp();
const idsOf = ({ items }: Body): string[] => items.map(({ bookingId }: Body) => bookingId);
const booth = () => ({ compositeId: BOOTH, quantity: 2, date: freeDay(), time: '20:00' });
const statusOf = async (id: string) => (await app().call(`/venues/bookings/${id}`)).json.status;

test('bookings can be named in the query too, but not in both places', async () => {
  const made = await ordered(app(), [dinner(), booth(), tickets()]);
  const [first, second, third] = idsOf(made);
  const path = `/v1/orders/${made.orderId}?bookingIds=${first},${second}`;
  const both = { bookingIds: [third] };
  await assertRefusedWhole(app(), () => app().call(path, { method: 'DELETE', body: both }), 'VALID-N-001');
  const gone = await done(app().call(path, { method: 'DELETE' }));
  assert.deepEqual(wordsOf(gone), ['cancelled', 'cancelled']);
  assert.equal(gone.status, 'partial');
  assert.equal(await statusOf(String(third)), 'confirmed');
});

test('what nobody foresaw about one booking stays with it, and the others are cancelled', async () => {
  const { sql } = app();
  const made = await ordered(app(), [dinner(), booth()]);
  const [dinnerId, boothId] = idsOf(made);
  await sql.unsafe(`
    create function stumble() returns trigger language plpgsql as $$ begin raise 'stumbled'; end $$;
    create trigger stumble before update on booking for each row when (old.id = '${dinnerId}')
      execute function stumble()`);
  const gone = await done(cancel(app(), made.orderId));
  await sql`drop function stumble cascade`;
  assert.deepEqual(wordsOf(gone), ['failed HTTP-R-500', 'cancelled']);
  assert.equal(gone.items[0].error.detail.includes('stumbled'), false);
  assert.deepEqual(
    [await statusOf(String(dinnerId)), await statusOf(String(boothId))],
    ['confirmed', 'cancelled'],
  );
});
