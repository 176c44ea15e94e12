import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { inTransaction } from '../../../../src/db/database.ts';
import { timestampOf } from '../../../../src/kernel/clock.ts';
import { parseVenueId } from '../../../../src/kernel/ids.ts';
import { eventually } from '../../../support/eventually.ts';
import type { ReceivedPost } from '../../../support/peers/receiver.ts';
import { cancel, operator, patch, replacing, taken } from '../../bookings/amend/amending.ts';
import { booked } from '../../bookings/support.ts';
import { assertSigned, deliveringApp, happen, marksOf, type Subscribed, subscribe } from '../delivering.ts';
import { madeUpBooking } from '../made-up.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });
beforeEach(() => maitred().sql`delete from webhook`);

const MESSAGE = { text: 'The terrace is open 🌞', replyTo: 'desk@soho-grill.example' };

/** What has come, once there is as much as that; the clock moves on, as it does between one thing and the next. */
async function arrived({ posts }: Subscribed, count: number): Promise<ReceivedPost[]> {
  time.move({ seconds: 1 });
  await eventually(() => posts().length >= count);
  return posts();
}

const bodyOf = (post: ReceivedPost | undefined) => JSON.parse(post?.body.toString() ?? '');

/** Everything that was due when it is called has been posted when it returns. */
async function afterNextClaim(): Promise<void> {
  const probe = await subscribe(maitred(), receiver(), {
    as: 'other-partner',
    eventTypes: ['booking.updated'],
  });
  await booked(maitred(), {}, { as: 'other-partner' });
  await arrived(probe, 1);
}

test('a booking made, amended and cancelled is told each time, with the fields of the interface and no more', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const made = await booked(maitred(), { comments: 'By the window, s’il vous plaît' });
  await arrived(subscription, 1);
  const amended = await taken(patch(maitred(), made.id, [replacing('/partySize', 3)]));
  await arrived(subscription, 2);
  await cancel(maitred(), made.id);
  const posts = await arrived(subscription, 3);
  assert.equal(posts.length, 3);
  const cancelled = (await maitred().call(`/venues/bookings/${made.id}`)).json;
  for (const [index, booking] of [made, amended, cancelled].entries()) {
    const told = bodyOf(posts[index]);
    assert.deepEqual(told, {
      eventType: 'booking.updated',
      timestamp: booking.lastUpdate,
      bookings: [
        {
          id: made.id,
          venueId: '1|house|soho-grill',
          date: booking.date,
          time: booking.time,
          partySize: index === 0 ? 2 : 3,
          status: index === 2 ? 'cancelled' : 'confirmed',
          reference: booking.reference,
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          phone: '+44 20 7946 0018',
          actualGuests: null,
          actualSpend: null,
          duration: booking.duration,
          notes: 'By the window, s’il vous plaît',
          createdDate: booking.createdDate,
          lastUpdate: booking.lastUpdate,
        },
      ],
    });
  }
});

test('a message of the operator is told', async () => {
  const subscription = await subscribe(maitred(), receiver(), { eventTypes: ['message.received'] });
  const { id: bookingId } = await booked(maitred());
  const sentAt = time.clock().round({ smallestUnit: 'millisecond', roundingMode: 'trunc' });
  const { id } = await maitred().services.bookings.sendMessage(operator(1), bookingId, MESSAGE);
  const [post, ...more] = await arrived(subscription, 1);
  assert.deepEqual(bodyOf(post), {
    eventType: 'message.received',
    timestamp: timestampOf(sentAt),
    messages: [{ id, bookingId, ...MESSAGE }],
  });
  assert.equal(more.length, 0, 'the booking was not asked for');
});

test('a post says whose it is, what it is, and when, and both signatures verify', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const { id } = await booked(maitred());
  const [post] = await arrived(subscription, 1);
  assert.ok(post);
  assertSigned(post, subscription.secretKey);
  const [event] = await maitred().services.events.listOfBooking(maitred().sql, id);
  assert.equal(post.body.toString(), event?.body);
  const { host, connection, 'x-api-key': _, 'webhook-signature': __, ...headers } = post.headers;
  const sentAt = Number(headers['webhook-timestamp']);
  assert.ok(Math.abs(sentAt - time.clock().epochMilliseconds / 1000) <= 3);
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'content-length': String(post.body.length),
    'user-agent': 'maitred',
    'x-webhook-id': subscription.webhookId,
    'webhook-id': event?.id,
    'webhook-timestamp': String(sentAt),
  });
  assert.equal(post.method, 'POST');
});

test('every subscription of the partner is told of what it asked for, under one message id, with its own secret', async () => {
  const requested = [null, ['booking.updated'], ['booking.updated', 'message.received'], ['venue.updated']];
  const subscriptions = await Promise.all(
    requested.map((eventTypes) => subscribe(maitred(), receiver(), { eventTypes })),
  );
  const { id } = await booked(maitred());
  await maitred().services.bookings.sendMessage(operator(1), id, MESSAGE);
  const [all, bookings, both, venues] = subscriptions as [Subscribed, Subscribed, Subscribed, Subscribed];
  for (const subscription of [all, both]) await arrived(subscription, 2);
  await arrived(bookings, 1);
  await afterNextClaim();
  assert.deepEqual(
    [all, bookings, both, venues].map(({ posts }) => posts().length),
    [2, 1, 2, 0],
  );
  const messageIds = new Set(
    [all, bookings, both].flatMap(({ posts }) => posts().map(({ headers }) => headers['webhook-id'])),
  );
  assert.equal(messageIds.size, 2);
  for (const { posts, secretKey } of subscriptions) for (const post of posts()) assertSigned(post, secretKey);
});

test('no partner is told of the bookings of another, and what an agent does belongs to the partner', async () => {
  const mine = await subscribe(maitred(), receiver());
  const theirs = await subscribe(maitred(), receiver(), { as: 'other-partner' });
  const byAgent = await booked(
    maitred(),
    {},
    { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } },
  );
  const byOther = await booked(maitred(), {}, { as: 'other-partner' });
  const [told] = await arrived(mine, 1);
  const [toldOther] = await arrived(theirs, 1);
  assert.equal(bodyOf(told).bookings[0].id, byAgent.id);
  assert.equal(bodyOf(toldOther).bookings[0].id, byOther.id);
  await afterNextClaim();
  assert.deepEqual([mine.posts().length, theirs.posts().length], [1, 2]);
});

const VENUE = parseVenueId('1|house|soho-grill');
const unheard = () => ({
  type: 'booking.updated' as const,
  partnerId: 1,
  venueId: VENUE,
  occurredAt: time.clock().round({ smallestUnit: 'millisecond', roundingMode: 'trunc' }),
  content: { bookings: [madeUpBooking({ mark: 'unheard' })] },
});

test('a change that is rolled back is told to nobody', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const { sql, services } = maitred();
  const refused = inTransaction(sql, async (tx) => {
    await services.events.append(tx, unheard());
    throw new Error('Changed my mind.');
  });
  await assert.rejects(refused, /Changed my mind/);
  await happen(maitred(), time.clock, 'heard');
  await arrived(subscription, 1);
  assert.deepEqual(marksOf(subscription.posts()), ['heard']);
  const [{ count } = { count: 0 }] =
    await sql`select count(*) from delivery where webhook_id = ${subscription.webhookId}`;
  assert.equal(count, 1);
});

test('written beside the transaction instead of in it, the same change would be told', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const { sql, services } = maitred();
  const refused = inTransaction(sql, async () => {
    await services.events.append(sql, unheard());
    throw new Error('Changed my mind.');
  });
  await assert.rejects(refused, /Changed my mind/);
  await arrived(subscription, 1);
  assert.deepEqual(marksOf(subscription.posts()), ['unheard']);
});
