import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openNotifications } from '../../../../src/db/notifications.ts';
import { nowOf, timestampOf } from '../../../../src/kernel/clock.ts';
import { type Answer, assertProblem } from '../../../support/app.ts';
import { emptyEventLog } from '../../../support/databases/empty-event-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { callNow, cancel, operator } from '../../bookings/amend/amending.ts';
import { booked } from '../../bookings/support.ts';
import {
  assertSigned,
  change,
  deliveringApp,
  happen,
  marksOf,
  type Subscribed,
  subscribe,
} from '../delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: false });
beforeEach(async () => {
  await maitred().sql`delete from webhook`;
  await emptyEventLog(maitred().sql);
});

const replay = (webhookId: string, body: unknown, as = 'demo-partner') =>
  callNow(maitred(), `/webhooks/subscriptions/${webhookId}/replay`, { method: 'POST', body, as });

async function replayed({ webhookId }: Subscribed, body: object): Promise<Answer['json']> {
  const { status, text, json } = await replay(webhookId, body);
  assert.equal(status, 202, text);
  return json;
}

const logged = async () => (await callNow(maitred(), '/webhooks/events?limit=100')).json.data;
const happenNow = (mark: string | number) => happen(maitred(), time.clock, mark);
const now = () => timestampOf(nowOf(time.clock));

/** Delivers whatever is due, until all of it has been. */
async function deliverAll(): Promise<void> {
  const { services, sql } = maitred();
  time.move({ seconds: 1 });
  const dispatcher = services.webhooks.startDispatcher();
  await eventually(
    async () => (await sql`select from delivery where status = 'pending' limit 1`).length === 0,
  );
  await dispatcher.stop();
}

test('an event is delivered again in the very same bytes, under the same id, and signed anew', async () => {
  const subscription = await subscribe(maitred(), receiver());
  await booked(maitred(), { comments: 'Ça va? 🌞' });
  await deliverAll();
  const [event] = await logged();
  time.move({ minutes: 5 });
  const askedAt = now();
  assert.deepEqual(await replayed(subscription, { eventId: event.id }), {
    deliveries: 1,
    continueFrom: null,
  });
  await deliverAll();
  const [first, again, ...more] = subscription.posts();
  assert.ok(first && again && more.length === 0);
  assert.ok(again.body.equals(first.body));
  assert.equal(again.headers['webhook-id'], first.headers['webhook-id']);
  assert.equal(again.headers['x-api-key'], first.headers['x-api-key']);
  assert.ok(
    Number(again.headers['webhook-timestamp']) >= Number(first.headers['webhook-timestamp']) + 5 * 60,
  );
  assertSigned(again, subscription.secretKey);
  const { data } = (await callNow(maitred(), `/webhooks/deliveries?eventId=${event.id}`)).json;
  assert.deepEqual(
    data.map(({ isReplay }: { isReplay: boolean }) => isReplay),
    [true, false],
  );
  assert.equal(data[0].createdAt, askedAt);
});

test('everything since a time goes to that subscription alone, even if it is paused and has not asked for it', async () => {
  const other = await subscribe(maitred(), receiver());
  await happenNow('too early');
  time.move({ seconds: 1 });
  const since = now();
  const { id } = await booked(maitred());
  await maitred().services.bookings.sendMessage(operator(1), id, { text: 'Welcome', replyTo: null });
  await cancel(maitred(), id);
  await deliverAll();
  const subscription = await subscribe(maitred(), receiver(), { eventTypes: ['venue.updated'] });
  await change(maitred(), subscription, { active: false });
  assert.equal((await replayed(subscription, { since })).deliveries, 3);
  await deliverAll();
  const bodies = (posts: Subscribed['posts']) => posts().map(({ body }) => body.toString());
  assert.deepEqual(bodies(subscription.posts).sort(), bodies(other.posts).slice(1).sort());
  assert.equal(other.posts().length, 4, 'nothing more came there');
});

test('what is delivered again can be narrowed: from then on, before then, of a type', async () => {
  const { webhookId, ...rest } = await subscribe(maitred(), receiver());
  await deliverAll();
  const times: string[] = [];
  for (const mark of [0, 1, 2]) {
    times.push(now());
    await happenNow(mark);
    time.move({ seconds: 1 });
  }
  await deliverAll();
  const again = async (body: object) => {
    const before = rest.posts().length;
    await replayed({ webhookId, ...rest }, body);
    await deliverAll();
    return marksOf(rest.posts().slice(before)).sort();
  };
  assert.deepEqual(await again({ since: times[1] }), [1, 2]);
  assert.deepEqual(await again({ since: times[0], until: times[1] }), [0]);
  assert.deepEqual(await again({ since: times[0], eventTypes: ['venue.updated', 'message.received'] }), []);
  assert.deepEqual(await again({ since: times[2], eventTypes: ['venue.updated', 'booking.updated'] }), [2]);
  assert.deepEqual(await again({ since: times[2], until: times[0] }), []);
});

test('what is said of a guest who was forgotten is not said again', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const since = now();
  const { id } = await booked(maitred());
  await happenNow('remembered');
  const [forgotten] = await logged();
  await maitred().services.events.forget(maitred().sql, [id]);
  assert.equal((await replayed(subscription, { since })).deliveries, 1);
  assert.equal((await replayed(subscription, { eventId: forgotten.id })).deliveries, 0);
});

test('asked for twice before it was delivered it is delivered once, and asked for after that once more', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const other = await subscribe(maitred(), receiver());
  const since = now();
  await happenNow('told');
  await deliverAll();
  const [{ id: eventId }] = await logged();
  assert.equal((await replayed(subscription, { since })).deliveries, 1);
  assert.equal((await replayed(subscription, { since })).deliveries, 0);
  assert.equal((await replayed(subscription, { eventId })).deliveries, 0);
  assert.equal((await replayed(other, { since })).deliveries, 1);
  await deliverAll();
  assert.deepEqual([subscription.posts().length, other.posts().length], [2, 2]);
  assert.equal((await replayed(subscription, { eventId })).deliveries, 1);
});

test('more than ten thousand are delivered again in several calls, which join up', async () => {
  const { sql } = maitred();
  const subscription = await subscribe(maitred(), receiver());
  const start = Temporal.Instant.from('2026-03-01T12:00:00Z');
  // The last three of the first ten thousand are of the same moment as the three after them.
  await sql`
    insert into event (id, type, partner_id, venue_id, occurred_at, body)
    select gen_random_uuid(), 'venue.updated', 1, '1|house|soho-grill',
      ${start}::timestamptz + least(n, 9998) * interval '1 second', '' from generate_series(1, 10003) n`;
  const first = await replayed(subscription, { since: start.toString() });
  assert.deepEqual(first, { deliveries: 9997, continueFrom: timestampOf(start.add({ seconds: 9998 })) });
  const second = await replayed(subscription, { since: first.continueFrom });
  assert.deepEqual(second, { deliveries: 6, continueFrom: null });
  const [made] = await sql`select count(*) as count, count(distinct event_id) as events from delivery`;
  assert.deepEqual({ ...made }, { count: 10_003, events: 10_003 });
});

test('dispatchers hear of it', async () => {
  const subscription = await subscribe(maitred(), receiver());
  await happenNow('told');
  await deliverAll();
  const topics: string[] = [];
  const notifications = await openNotifications(maitred().url);
  notifications.subscribe({ changed: (topic) => void topics.push(topic), lost() {} });
  const [{ id: eventId }] = await logged();
  await replayed(subscription, { eventId });
  await eventually(() => topics.includes('deliveries'));
  await notifications.close();
});

test('only to a subscription of the caller, and only its own events', async () => {
  const mine = await subscribe(maitred(), receiver());
  const theirs = await subscribe(maitred(), receiver(), { as: 'other-partner' });
  await happenNow('mine');
  const [{ id: eventId }] = await logged();
  const since = '2026-01-01T00:00:00Z';
  for (const webhookId of [theirs.webhookId, eventId, 'none'])
    for (const body of [{ eventId }, { since }])
      assertProblem(await replay(webhookId, body), 404, 'WHK-N-001');
  const stolen = await replay(theirs.webhookId, { eventId }, 'other-partner');
  assert.deepEqual(assertProblem(stolen, 400, 'VALID-N-001').errors, { eventId: ['is none of your events'] });
  const { json } = await replay(theirs.webhookId, { since }, 'other-partner');
  assert.deepEqual(json, { deliveries: 0, continueFrom: null });
  assertProblem(await replay(mine.webhookId, { since }, 'demo-admin'), 403, 'IDENT-N-002');
});

test('an order that says nothing, or two things, is refused by the field that is wrong', async () => {
  const { webhookId } = await subscribe(maitred(), receiver());
  await happenNow('told');
  const [{ id: eventId }] = await logged();
  const since = '2026-01-01T00:00:00Z';
  const wrong: [body: object, field: string][] = [
    [{}, 'since'],
    [{ until: since }, 'since'],
    [{ eventTypes: ['booking.updated'] }, 'since'],
    [{ eventId, since }, 'eventId'],
    [{ eventId, until: since }, 'eventId'],
    [{ eventId, eventTypes: ['booking.updated'] }, 'eventId'],
    [{ eventId: webhookId }, 'eventId'],
    [{ eventId: 17 }, 'eventId'],
    [{ since: 'yesterday' }, 'since'],
    [{ since, eventTypes: [] }, 'eventTypes'],
    [{ since, eventTypes: ['webhook.ping'] }, 'eventTypes.0'],
    [{ since, force: true }, 'force'],
  ];
  for (const [body, field] of wrong) {
    const { errors } = assertProblem(await replay(webhookId, body), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field], JSON.stringify(body));
  }
});
