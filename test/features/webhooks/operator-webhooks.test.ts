import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import { assertProblem, type CallOptions } from '../../support/app.ts';
import { emptyEventLog } from '../../support/databases/empty-event-log.ts';
import { eventually } from '../../support/eventually.ts';
import { answer } from '../../support/peers/receiver.ts';
import { addOperatorClient, callNow } from '../bookings/amend/amending.ts';
import { act } from '../bookings/operator/manage-support.ts';
import { type Body, booked } from '../bookings/support.ts';
import { deliveringApp, freePath, subscribe as subscribePartner } from './delivering.ts';
import { madeUpBooking } from './made-up.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });
const SOHO = parseVenueId('1|house|soho-grill');
const BASE = '/manage/operators/1/webhooks';

beforeEach(async () => {
  const { sql } = maitred();
  await sql`delete from webhook`;
  await emptyEventLog(sql);
  await sql`delete from webhook_test_window`;
});

const call = (path: string, options: CallOptions = {}) =>
  callNow(maitred(), path, { as: 'demo-operator', ...options });

async function subscribe(more: Body = {}) {
  const path = freePath();
  const made = await call(BASE, { method: 'POST', body: { callbackUrl: receiver().url + path, ...more } });
  assert.equal(made.status, 201, made.text);
  const posts = () => receiver().received.filter((post) => post.path === path);
  return { path, posts, ...made.json } as Body;
}

/** A booking of the house, as far as events are concerned. */
const happenAtHouse = (mark: string) =>
  maitred().services.events.append(maitred().sql, {
    type: 'booking.updated',
    partnerId: null,
    operatorId: 1,
    venueId: SOHO,
    occurredAt: time.clock(),
    content: { bookings: [madeUpBooking({ notes: mark })] },
  });

const ofWebhook = async (id: string) =>
  (await call(`/manage/operators/1/audit?subject=${encodeURIComponent(`webhook ${id}`)}`)).json.data;

test('a webhook is made, read, changed, given a new secret and ended, all of it in the audit log', async () => {
  const { webhookId, secretKey, ...made } = await subscribe({
    eventTypes: ['booking.updated'],
    label: 'Till',
  });
  assert.match(secretKey, /^whsec_/);
  assert.deepEqual([made.eventTypes, made.label, made.active], [['booking.updated'], 'Till', true]);
  const one = `${BASE}/${webhookId}`;
  const read = await call(one);
  assert.equal(read.json.secretKey, undefined);
  assert.deepEqual((await call(BASE)).json.data, [read.json]);
  const headers = { 'if-match': String(read.headers.etag) };
  const changed = await call(one, { method: 'PUT', body: { active: false, label: null }, headers });
  assert.deepEqual([changed.status, changed.json.active, changed.json.label], [200, false, null]);
  assertProblem(await call(one, { method: 'PUT', body: { active: true }, headers }), 412, 'HTTP-N-412');
  assertProblem(await call(one, { method: 'DELETE', headers }), 412, 'HTTP-N-412');
  assertProblem(await call(`${one}/secret`, { method: 'POST', headers }), 412, 'HTTP-N-412');
  const rotated = await call(`${one}/secret`, { method: 'POST' });
  assert.equal(rotated.status, 200, rotated.text);
  assert.notEqual(rotated.json.secretKey, secretKey);
  assert.equal((await call(one, { method: 'DELETE' })).status, 204);
  assertProblem(await call(one), 404, 'WHK-N-001');
  const entries = await ofWebhook(webhookId);
  assert.deepEqual(entries.map(({ action }: Body) => action).reverse(), [
    'webhook.create',
    'webhook.change',
    'webhook.rotate-secret',
    'webhook.remove',
  ]);
  assert.doesNotMatch(JSON.stringify(entries), /whsec_/);
});

test('what cannot be is refused and leaves nothing', async () => {
  const post = (body: unknown) => call(BASE, { method: 'POST', body });
  assertProblem(await post({ callbackUrl: 'http://10.0.0.1/' }), 400, 'WHK-N-002');
  const { callbackUrl } = await subscribe();
  assertProblem(await post({ callbackUrl }), 409, 'WHK-N-003');
  assertProblem(
    await post({ callbackUrl: `${callbackUrl}x`, eventTypes: ['message.received'] }),
    400,
    'WHK-N-005',
  );
  for (let count = 1; count < 10; count += 1) await subscribe();
  assertProblem(await post({ callbackUrl: `${callbackUrl}y` }), 409, 'WHK-N-004');
  assert.equal((await call(BASE)).json.data.length, 10);
});

test('a booking of a partner reaches partner and operator in the same bytes, under the same id', async () => {
  const partner = await subscribePartner(maitred(), receiver(), { path: freePath() });
  const own = await subscribe();
  await booked(maitred());
  await eventually(async () => own.posts().length === 1 && partner.posts().length === 1);
  const [told, toldPartner] = [own.posts()[0], partner.posts()[0]];
  assert.deepEqual(told.body, toldPartner?.body);
  assert.equal(told.headers['webhook-id'], toldPartner?.headers['webhook-id']);
  assert.notEqual(told.headers['webhook-signature'], toldPartner?.headers['webhook-signature']);
});

test('a booking of the house reaches the operator alone, and no partner finds a trace of it', async () => {
  const partner = await subscribePartner(maitred(), receiver(), { path: freePath() });
  const own = await subscribe();
  await happenAtHouse('house');
  await booked(maitred());
  await eventually(async () => own.posts().length === 2 && partner.posts().length === 1);
  const { data } = (await call(`${BASE}/events`)).json;
  assert.equal(data.length, 2);
  const [house] = data;
  assert.equal(house.body.bookings[0].notes, 'house');
  const { data: deliveries } = (await call(`${BASE}/deliveries?eventId=${house.id}`)).json;
  assert.equal(deliveries.length, 1);

  const asPartner = (path: string, options: CallOptions = {}) => callNow(maitred(), path, options);
  assert.equal((await asPartner('/webhooks/events')).json.data.length, 1);
  assert.deepEqual((await asPartner(`/webhooks/deliveries?eventId=${house.id}`)).json.data, []);
  assertProblem(await asPartner(`/webhooks/deliveries/${deliveries[0].id}`), 404, 'HTTP-N-404');
  assertProblem(await asPartner(`/webhooks/events?cursor=${house.id}`), 400, 'VALID-N-001');
  assertProblem(await asPartner(`/webhooks/subscriptions/${own.webhookId}`), 404, 'WHK-N-001');
  const replay = { method: 'POST', body: { eventId: house.id } } as const;
  assertProblem(
    await asPartner(`/webhooks/subscriptions/${partner.webhookId}/replay`, replay),
    400,
    'VALID-N-001',
  );
  const since = { method: 'POST', body: { since: '2000-01-01T00:00:00Z' } } as const;
  const replayed = await asPartner(`/webhooks/subscriptions/${partner.webhookId}/replay`, since);
  assert.equal(replayed.json.deliveries, 1);
});

test('another operator sees and touches none of it', async () => {
  const own = await subscribe();
  await happenAtHouse('house');
  const { data } = (await call(`${BASE}/deliveries`)).json;
  const other = await addOperatorClient(maitred().sql, 2);
  const asOther = (path: string, options: CallOptions = {}) => call(path, { as: other, ...options });
  const theirs = '/manage/operators/2/webhooks';
  assert.deepEqual((await asOther(theirs)).json.data, []);
  assert.deepEqual((await asOther(`${theirs}/events`)).json.data, []);
  assertProblem(await asOther(`${theirs}/${own.webhookId}`), 404, 'WHK-N-001');
  assertProblem(await asOther(`${theirs}/deliveries/${data[0].id}`), 404, 'HTTP-N-404');
  assertProblem(await asOther(BASE), 403, 'OPRTR-N-002');
});

test('messages to partners are not told to operators, venues that close are told once', async () => {
  const own = await subscribe();
  const { id } = await booked(maitred(), { type: 'request' });
  const message = { body: { text: 'Do you need a high chair?', replyTo: null } };
  assert.equal((await act(maitred(), id, 'messages', message)).status, 201);
  const closing = await call(`/manage/venues/${encodeURIComponent('1|house|garden-room')}/close`, {
    method: 'POST',
  });
  assert.equal(closing.status, 200, closing.text);
  await eventually(async () => own.posts().length >= 2);
  const types = (await call(`${BASE}/events`)).json.data.map(({ eventType }: Body) => eventType);
  assert.deepEqual(types, ['booking.updated', 'venue.updated']);
  assert.equal(own.posts().length, 2);
});

test('a filter by type holds, and a replay delivers again, recorded with its actor', async () => {
  const own = await subscribe({ eventTypes: ['venue.updated'] });
  await happenAtHouse('unheard');
  const { data } = (await call(`${BASE}/events`)).json;
  assert.deepEqual((await call(`${BASE}/deliveries`)).json.data, []);
  const replay = (body: unknown) => call(`${BASE}/${own.webhookId}/replay`, { method: 'POST', body });
  assert.deepEqual((await replay({ eventId: data[0].id })).json, { deliveries: 1, continueFrom: null });
  await eventually(async () => own.posts().length === 1);
  assert.equal(JSON.parse(own.posts()[0].body.toString()).bookings[0].notes, 'unheard');
  assertProblem(await replay({}), 400, 'VALID-N-001');
  const [entry] = await ofWebhook(own.webhookId);
  assert.deepEqual([entry.action, entry.after.deliveries], ['webhook.replay', 1]);
});

test('one event is read by its id, and none of another owner', async () => {
  await happenAtHouse('first');
  await happenAtHouse('second');
  const [first] = (await call(`${BASE}/events`)).json.data;
  assert.deepEqual((await call(`${BASE}/events?eventId=${first.id}`)).json.data, [first]);
  const ofPartner = await callNow(maitred(), `/webhooks/events?eventId=${first.id}`, { as: 'demo-partner' });
  assert.deepEqual(ofPartner.json.data, []);
});

test('a test event is posted at once and reported; ten a minute, apart from those of partners', async () => {
  const own = await subscribe({ eventTypes: ['venue.updated'] });
  const send = (body: unknown) => call(`${BASE}/${own.webhookId}/test`, { method: 'POST', body });
  const { id } = await booked(maitred());
  const sent = await send({ eventType: 'booking.updated', bookingId: id });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.json.deliveries[0].delivered, true);
  const post = own.posts()[0];
  assert.equal(post.headers['x-webhook-test'], 'true');
  assert.equal(JSON.parse(post.body.toString()).bookings[0].id, id);
  receiver().behave(answer(500), own.path);
  assert.equal((await send({ eventType: 'webhook.ping' })).json.deliveries[0].statusCode, 500);
  assert.equal((await send({ eventType: 'venue.updated', venueId: SOHO })).status, 200);
  assertProblem(await send({ eventType: 'message.received' }), 400, 'WHK-N-005');
  assertProblem(await send({ eventType: 'venue.updated', bookingId: id }), 422, 'WHK-N-007');
  const foreign = { eventType: 'booking.updated', bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60' };
  assertProblem(await send(foreign), 404, 'BOOK-N-006');
  for (let count = 6; count < 10; count += 1) await send({ eventType: 'webhook.ping' });
  assertProblem(await send({ eventType: 'webhook.ping' }), 429, 'RATE-R-001');
  const partner = await callNow(maitred(), '/webhooks/test', {
    method: 'POST',
    body: { eventType: 'webhook.ping' },
  });
  assert.equal(partner.status, 200);
});
