/** Who holds a connection must not wait for another: when all of them are held, everybody would wait for ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSecondNode } from '../../../abuse/support/second-node.ts';
import { bookTickets } from '../../payments/support.ts';
import { type Body, booked, bookingsApp, DINNER, freeDay, guest, PRIVATE } from '../support.ts';

const maitred = bookingsApp();

type Send = (path: string, body: Body | Body[], as?: string) => Promise<void>;

/** A node that remembers nothing yet and has one connection shows what a busy one does when all are in use. */
async function onOneConnection(work: (post: Send, patch: Send) => Promise<void>): Promise<void> {
  const node = await startSecondNode(maitred(), { pool: { max: 1 } });
  const sending =
    (method: 'POST' | 'PATCH'): Send =>
    async (url, payload, as = 'demo-partner') => {
      const authorization = `Bearer ${await maitred().token(as)}`;
      const answer = await node.app.inject({ method, url, headers: { authorization }, payload });
      assert.ok(answer.statusCode < 300, answer.body);
    };
  try {
    await work(sending('POST'), sending('PATCH'));
  } finally {
    await node.close();
  }
}

test('a payment needs one connection at a time, and so does a change of what was paid', () =>
  onOneConnection(async (post, patch) => {
    const { id } = await bookTickets(maitred(), 2);
    await post(`/venues/bookings/${id}/payments`, { option: 'full', token: 'tok_success' });
    await patch(`/venues/bookings/${id}`, [{ op: 'replace', path: '/partySize', value: 1 }]);
  }));

test('so do answers to enquiries, simulations and orders', () =>
  onOneConnection(async (post) => {
    const enquire = () => booked(maitred(), { type: 'request', partySize: 12 }, { productId: PRIVATE });
    const manage = '/manage/operators/1/bookings';
    await post(`${manage}/${(await enquire()).id}/accept`, {}, 'demo-operator');
    const message = { text: 'We are full that night.', replyTo: null };
    await post(`${manage}/${(await enquire()).id}/reject`, { message }, 'demo-operator');
    const { id: bookingId } = await booked(maitred());
    const changes = { partySize: 3, date: freeDay() };
    await post('/webhooks/test', { eventType: 'booking.updated', bookingId, changes });
    const { firstName, lastName } = guest;
    const item = { compositeId: DINNER, quantity: 2, time: '19:00', firstName, lastName };
    const items = [
      { ...item, date: freeDay() },
      { ...item, date: freeDay() },
    ];
    await post('/v1/orders', { items });
    await post('/v1/orders', { items, atomic: true });
  }));
