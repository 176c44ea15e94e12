/** The webhooks of a partner as its developers manage them; most of it is shared with operators, see beside. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { assertProblem, type CallOptions } from '../../support/app.ts';
import { emptyEventLog } from '../../support/databases/empty-event-log.ts';
import { eventually } from '../../support/eventually.ts';
import { answer, type Behaviour } from '../../support/peers/receiver.ts';
import { DEMO_PASSWORD } from '../../support/people.ts';
import { callNow } from '../bookings/amend/amending.ts';
import { type Body, booked } from '../bookings/support.ts';
import { assertSigned, deliveringApp, freePath, happen } from './delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });
const BASE = '/manage/partners/1/webhooks';
let session: string;

before(async () => {
  const body = { email: 'developer@partner.example', password: DEMO_PASSWORD };
  const signedIn = await maitred().call('/manage/sessions', { method: 'POST', as: null, body });
  assert.equal(signedIn.status, 201, signedIn.text);
  session = signedIn.json.token;
});
beforeEach(async () => {
  const { sql } = maitred();
  await sql`delete from webhook`;
  await emptyEventLog(sql);
  await sql`delete from webhook_test_window`;
});

/** As a developer of partner 1. */
const call = (path: string, { headers = {}, ...options }: CallOptions = {}) =>
  maitred().call(path, { ...options, as: null, headers: { authorization: `Bearer ${session}`, ...headers } });
/** As a client of partner 1. */
const asClient = (path: string, options: CallOptions = {}) => callNow(maitred(), path, options);

async function subscribe(more: Body = {}) {
  const path = freePath();
  const made = await call(BASE, { method: 'POST', body: { callbackUrl: receiver().url + path, ...more } });
  assert.equal(made.status, 201, made.text);
  const posts = () => receiver().received.filter((post) => post.path === path);
  return { path, posts, ...made.json } as Body;
}

const delivered = async (status = 'delivered') => {
  let found: Body[] = [];
  await eventually(async () => {
    found = (await call(`${BASE}/deliveries?status=${status}`)).json.data;
    return found.length > 0 && found[0]?.attempts.length > 0;
  });
  return found[0] as Body;
};

test('what a developer makes, a client of the partner has, and the other way round', async () => {
  const { webhookId, secretKey } = await subscribe({ eventTypes: ['booking.updated'], label: 'Till' });
  const one = `${BASE}/${webhookId}`;
  const read = await call(one);
  const asPartner = await asClient(`/webhooks/subscriptions/${webhookId}`);
  assert.deepEqual(asPartner.json, read.json);
  const headers = { 'if-match': String(read.headers.etag) };
  assert.equal((await call(one, { method: 'PUT', body: { active: false }, headers })).status, 200);
  assertProblem(await call(one, { method: 'PUT', body: { active: true }, headers }), 412, 'HTTP-N-412');
  assert.equal((await asClient(`/webhooks/subscriptions/${webhookId}`)).json.active, false);
  const rotated = await call(`${one}/secret`, { method: 'POST' });
  assert.notEqual(rotated.json.secretKey, secretKey);
  const body = { callbackUrl: receiver().url + freePath() };
  const other = await asClient('/webhooks/subscriptions', { method: 'POST', body });
  assert.equal((await call(BASE)).json.data.length, 2);
  assert.equal((await call(`${BASE}/${other.json.webhookId}`, { method: 'DELETE' })).status, 204);
  assertProblem(await asClient(`/webhooks/subscriptions/${other.json.webhookId}`), 404, 'WHK-N-001');
});

test('each change is in the audit log of the platform, with its actor and without secrets', async () => {
  const { webhookId } = await subscribe();
  const one = `${BASE}/${webhookId}`;
  await call(one, { method: 'PUT', body: { label: 'New' } });
  await call(`${one}/secret`, { method: 'POST' });
  await call(`${one}/replay`, { method: 'POST', body: { since: '2026-01-01T00:00:00.000Z' } });
  await call(one, { method: 'DELETE' });
  const subject = encodeURIComponent(`webhook ${webhookId}`);
  const { data } = (await maitred().call(`/manage/audit?subject=${subject}`, { as: 'demo-admin' })).json;
  assert.deepEqual(data.map(({ action }: Body) => action).reverse(), [
    'webhook.create',
    'webhook.change',
    'webhook.rotate-secret',
    'webhook.replay',
    'webhook.remove',
  ]);
  assert.deepEqual([...new Set(data.map(({ actor }: Body) => actor.kind))], ['user']);
  assert.deepEqual([...new Set(data.map(({ operatorId }: Body) => operatorId))], [null]);
  assert.doesNotMatch(JSON.stringify(data), /whsec_/);
});

test('a delivery shows what was posted, each attempt, and how the receiver answered', async () => {
  const { path, posts, secretKey, webhookId, callbackUrl } = await subscribe();
  receiver().behave(answer(500, {}, `no tenant${'!'.repeat(5000)}`), path);
  const booking = await booked(maitred());
  const pending = await delivered('pending');
  receiver().behave(answer(200, {}, 'ok'), path);
  time.move({ minutes: 2 });
  const { id, eventId } = await delivered();
  assert.equal(id, pending.id);
  const detail = await call(`${BASE}/deliveries/${id}`);
  assert.equal(detail.status, 200, detail.text);
  const { request, attempts } = detail.json;
  assert.deepEqual(
    attempts.map(({ statusCode, answer: kept }: Body) => [statusCode, kept.slice(0, 10), kept.length]),
    [
      [500, 'no tenant!', 2000],
      [200, 'ok', 2],
    ],
  );
  assert.deepEqual(request.headers, {
    'content-type': 'application/json',
    'user-agent': 'maitred',
    'x-webhook-id': webhookId,
    'webhook-id': eventId,
  });
  assert.equal(request.url, callbackUrl);
  assert.equal(request.body.bookings[0].id, booking.id);
  const post = posts().at(-1);
  assertSigned(post, secretKey);
  assert.deepEqual(request.body, JSON.parse(post.body.toString()));
  for (const [name, value] of Object.entries(request.headers)) assert.equal(post.headers[name], value);
  assert.doesNotMatch(detail.text, /whsec_|x-api-key|signature/);
  const asPartner = await asClient(`/webhooks/deliveries/${id}`);
  assert.equal(asPartner.json.attempts[0].answer, undefined);
  await call(`${BASE}/${webhookId}`, { method: 'DELETE' });
  assert.equal((await call(`${BASE}/deliveries/${id}`)).json.request.url, null);
});

/** Answers with what it was sent. */
const echo: Behaviour = (response, { body }) => response.writeHead(200).end(body);

test('an answer that repeats the guest is sealed, and goes with the guest', async () => {
  const { path } = await subscribe();
  receiver().behave(echo, path);
  const booking = await booked(maitred(), { lastName: 'Featherstonehaugh' });
  const { id } = await delivered();
  const show = async () => (await call(`${BASE}/deliveries/${id}`)).json;
  assert.match((await show()).attempts[0].answer, /Featherstonehaugh/);
  const stored = async () => {
    const [row] = await maitred().sql`select answer from delivery_attempt where delivery_id = ${id}`;
    return row?.answer as Buffer | null;
  };
  assert.doesNotMatch((await stored())?.toString('latin1') ?? assert.fail('nothing is stored'), /Feather/);
  const forgotten = await maitred().call(`/manage/operators/1/bookings/${booking.id}/forget-guest`, {
    method: 'POST',
    as: 'demo-operator',
  });
  assert.equal(forgotten.status, 200, forgotten.text);
  assert.equal(await stored(), null);
  const { attempts, request } = await show();
  assert.deepEqual([attempts[0].answer, request.body], [null, null]);
});

test('an answer that arrives after the guest was forgotten is not kept', async () => {
  const { path, posts } = await subscribe();
  const late: (() => void)[] = [];
  receiver().behave((response, post) => late.push(() => echo(response, post)), path);
  const booking = await booked(maitred());
  await eventually(async () => late.length === 1);
  await maitred().call(`/manage/operators/1/bookings/${booking.id}/forget-guest`, {
    method: 'POST',
    as: 'demo-operator',
  });
  late[0]?.();
  const { id } = await delivered();
  assert.equal(posts().length, 1);
  const { attempts } = (await call(`${BASE}/deliveries/${id}`)).json;
  assert.deepEqual([attempts[0].statusCode, attempts[0].answer], [200, null]);
});

test('a test event of any type of a partner is posted; what is not the partner’s is refused', async () => {
  const { webhookId, posts } = await subscribe();
  const send = (body: unknown) => call(`${BASE}/${webhookId}/test`, { method: 'POST', body });
  for (const eventType of ['webhook.ping', 'message.received', 'booking.updated', 'venue.updated'])
    assert.equal((await send({ eventType })).json.deliveries[0].delivered, true, eventType);
  assert.equal(posts().length, 4);
  assertProblem(await send({ eventType: 'nothing' }), 400, 'WHK-N-005');
  const foreign = { eventType: 'booking.updated', bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60' };
  assertProblem(await send(foreign), 403, 'PMAP-N-003');
  assertProblem(await send({ eventType: 'booking.updated', changes: { partySize: 4 } }), 400, 'VALID-N-001');
});

test('events of the partner are read and delivered again; another partner’s are not there', async () => {
  const { webhookId, posts } = await subscribe({ eventTypes: ['venue.updated'] });
  await happen(maitred(), time.clock, 'mine');
  await happen(maitred(), time.clock, 'theirs', 2);
  const { data } = (await call(`${BASE}/events`)).json;
  assert.deepEqual(
    data.map(({ body }: Body) => body.bookings[0].mark),
    ['mine'],
  );
  const replay = { method: 'POST', body: { eventId: data[0].id } } as const;
  assert.equal((await call(`${BASE}/${webhookId}/replay`, replay)).json.deliveries, 1);
  await eventually(async () => posts().length === 1);
  assertProblem(await call('/manage/partners/2/webhooks'), 403, 'USER-N-009');
  const admin = (path: string) => maitred().call(path, { as: 'demo-admin' });
  assert.equal((await admin('/manage/partners/2/webhooks/events')).json.data.length, 1);
  assertProblem(await admin('/manage/partners/987654/webhooks'), 404, 'PMAP-N-004');
});
