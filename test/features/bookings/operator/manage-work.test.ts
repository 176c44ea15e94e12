import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { addOperatorClient, assertUnchanged, callNow, read, standingClock } from '../amend/amending.ts';
import { BOOTH, type Body, booked, bookingsApp, freeDay, tablesOf } from '../support.ts';
import { act, assertLeft, auditLogOf, done, look, NOWHERE } from './manage-support.ts';

/** The operator's daily work, over HTTP. */

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } }, ({ sql }) => addOperatorClient(sql, 2));
const enquire = (body: Body = {}) => booked(maitred(), { type: 'request', ...body });
const etagOf = async (id: string) => String((await look(maitred(), `/${id}`)).headers.etag);

/** Runs `work` when the visit of a booking has begun. */
async function during<Result>({ dateTime }: Body, work: () => Promise<Result>): Promise<Result> {
  const before = time.clock();
  time.moveTo(Temporal.Instant.from(dateTime).add({ minutes: 10 }));
  try {
    return await work();
  } finally {
    time.moveTo(before);
  }
}

test('an operator reads a booking with what partners are not told', async () => {
  const { id } = await booked(
    maitred(),
    { admin_notes: 'A regular' },
    { headers: { 'x-booking-source': 'phone' } },
  );
  const answer = await look(maitred(), `/${id}`);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.headers.etag);
  const { partner, source, admin_notes, tmsTables, autoConfirmed, flags } = answer.json;
  assert.deepEqual(partner, { id: 1, name: 'Demo Partner' });
  assert.deepEqual([source, admin_notes, tmsTables.length, autoConfirmed], ['phone', 'A regular', 1, true]);
  assert.deepEqual(flags, []);
});

test('an accepted enquiry is confirmed, has a table, reaches the partner and is written down', async () => {
  const enquiry = await enquire();
  const accepted = await done(maitred(), enquiry.id, 'accept');
  assert.deepEqual(
    [accepted.status, accepted.autoConfirmed, accepted.tmsTables.length],
    ['confirmed', false, 1],
  );
  assert.equal((await tablesOf(maitred().sql, enquiry.id)).length, 1);
  const [entry, ...others] = await auditLogOf(maitred(), enquiry.id);
  assert.deepEqual(others, []);
  assert.deepEqual([entry?.action, entry?.actor.id], ['booking.accept', 'demo-operator']);
  assert.deepEqual([entry?.before.status, entry?.after.status], ['pending', 'confirmed']);
  assert.equal(entry?.after.lastUpdate, accepted.lastUpdate);
  assert.doesNotMatch(JSON.stringify(entry), /Ada|Lovelace|example\.com|7946/);
  const { data: events } = (await callNow(maitred(), '/webhooks/events?limit=100')).json;
  const told = events.filter(({ body }: Body) => body?.bookings?.[0]?.id === enquiry.id);
  assert.deepEqual(
    told.map(({ body }: Body) => body.bookings[0].status),
    ['pending', 'confirmed'],
  );
});

test('who announces JSON and sends nothing is understood where nothing is needed', async () => {
  const { id } = await enquire();
  const headers = { 'content-type': 'application/json' };
  assert.equal((await done(maitred(), id, 'accept', { headers })).status, 'confirmed');
  const refused = await act(maitred(), id, 'messages', { headers });
  assert.deepEqual(assertProblem(refused, 400, 'VALID-N-001').errors, { body: ['is required'] });
});

test('an enquiry that finds no place left stays as it was', async () => {
  const at = { date: freeDay(), time: '19:00', partySize: 8 };
  for (const _ of [1, 2, 3]) await booked(maitred(), at);
  const { id } = await enquire(at);
  await assertLeft(maitred(), id, () => act(maitred(), id, 'accept'), [409, 'AVAIL-N-005']);
});

test('an enquiry is taken up once, and rejected with a message in the same breath', async () => {
  const { id } = await enquire();
  assert.equal((await done(maitred(), id, 'take-up')).status, 'in_progress');
  assert.equal((await done(maitred(), id, 'take-up')).status, 'in_progress');
  const message = { text: 'We are full that night.', replyTo: null };
  const rejected = await done(maitred(), id, 'reject', { body: { message } });
  assert.equal(rejected.status, 'rejected');
  const { data } = (await look(maitred(), `/${id}/messages`)).json;
  assert.deepEqual([data.length, data[0].text, data[0].replyTo], [1, message.text, null]);
  const auditLog = await auditLogOf(maitred(), id);
  assert.deepEqual(auditLog.map(({ action }) => action).sort(), [
    'booking.message',
    'booking.reject',
    'booking.take-up',
  ]);
  assert.doesNotMatch(JSON.stringify(auditLog), /full that night/);
  await assertLeft(maitred(), id, () => act(maitred(), id, 'accept'), [409, 'BOOK-N-014']);
});

test('an enquiry is rejected without a word, and a message that is none rejects nothing', async () => {
  const { id } = await enquire();
  for (const message of [
    { text: '', replyTo: null },
    { text: 'No' },
    'No',
    { text: 'x\u0000', replyTo: null },
  ]) {
    const attempt = () => act(maitred(), id, 'reject', { body: { message } });
    await assertLeft(maitred(), id, attempt, [400, 'VALID-N-001']);
  }
  assert.equal((await done(maitred(), id, 'reject', { body: { message: null } })).status, 'rejected');
  const silent = await enquire();
  assert.equal((await done(maitred(), silent.id, 'reject')).status, 'rejected');
});

test('a visit is completed or missed once it has begun, and actuals can be put right', async () => {
  const at = { date: freeDay(), time: '19:00' };
  const [kept, missed] = [await booked(maitred(), at), await booked(maitred(), at)];
  for (const step of ['complete', 'no-show'])
    await assertLeft(maitred(), kept.id, () => act(maitred(), kept.id, step), [409, 'BOOK-N-014']);
  const early = () => act(maitred(), kept.id, 'actuals', { body: { guests: 2, spendPence: 9000 } });
  await assertLeft(maitred(), kept.id, early, [409, 'BOOK-N-014']);
  await during(kept, async () => {
    assert.equal((await done(maitred(), kept.id, 'complete')).status, 'completed');
    assert.equal((await done(maitred(), missed.id, 'no-show')).status, 'no_show');
    const first = await done(maitred(), kept.id, 'actuals', { body: { guests: 3, spendPence: 12_050 } });
    assert.deepEqual([first.actualGuests, first.actualSpend, first.status], [3, 12_050, 'completed']);
    const second = await done(maitred(), kept.id, 'actuals', { body: { guests: 2, spendPence: null } });
    assert.deepEqual([second.actualGuests, second.actualSpend], [2, null]);
    const [latest] = await auditLogOf(maitred(), kept.id);
    assert.deepEqual(
      [latest?.action, latest?.before.actualSpend, latest?.after.actualSpend],
      ['booking.actuals', 12_050, null],
    );
  });
});

test('actuals that no column holds, or that are not all there, are refused', async () => {
  const booking = await booked(maitred());
  await during(booking, async () => {
    for (const body of [
      { guests: 32_768, spendPence: null },
      { guests: null, spendPence: 2_147_483_648 },
      { guests: -1, spendPence: 0 },
      { guests: 1.5, spendPence: 0 },
      { guests: 1 },
      { guests: 1, spendPence: 1, status: 'completed' },
    ]) {
      const attempt = () => act(maitred(), booking.id, 'actuals', { body });
      await assertLeft(maitred(), booking.id, attempt, [400, 'VALID-N-001']);
    }
    const most = { guests: 32_767, spendPence: 2_147_483_647 };
    assert.equal((await done(maitred(), booking.id, 'actuals', { body: most })).actualGuests, 32_767);
  });
});

test('what was changed since it was read is not changed again', async () => {
  const { id } = await enquire();
  const stale = await etagOf(id);
  await done(maitred(), id, 'take-up', { headers: { 'if-match': stale } });
  for (const step of ['accept', 'reject', 'take-up', 'cancel', 'forget-guest']) {
    const attempt = () => act(maitred(), id, step, { headers: { 'if-match': stale } });
    await assertLeft(maitred(), id, attempt, [412, 'HTTP-N-412']);
  }
  const message = { text: 'Hello', replyTo: null };
  const writing = () => act(maitred(), id, 'messages', { body: message, headers: { 'if-match': stale } });
  await assertLeft(maitred(), id, writing, [412, 'HTTP-N-412']);
  const fresh = await etagOf(id);
  const accepted = await done(maitred(), id, 'accept', { headers: { 'if-match': fresh } });
  assert.equal(accepted.status, 'confirmed');
});

test('of two who have read the same one changes it', async () => {
  const { id } = await enquire();
  const headers = { 'if-match': await etagOf(id) };
  const answers = await Promise.all(
    ['accept', 'reject', 'take-up'].map((step) => act(maitred(), id, step, { headers })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.equal(statuses[0], 200);
  assert.deepEqual(statuses.slice(1), [412, 412]);
  assert.equal((await auditLogOf(maitred(), id)).length, 1);
});

test('messages are written, listed by page and told to the partner', async () => {
  const { id } = await booked(maitred());
  for (const text of ['One', 'Two', 'Three']) {
    const sent = await act(maitred(), id, 'messages', { body: { text, replyTo: 'desk@soho-grill.example' } });
    assert.equal(sent.status, 201, sent.text);
    assert.equal(sent.json.text, text);
  }
  const refused = await act(maitred(), id, 'messages', { body: { text: 'Four', replyTo: 'the desk' } });
  assertProblem(refused, 400, 'VALID-N-001');
  const page = (await look(maitred(), `/${id}/messages?pageSize=2&pageNumber=2`)).json;
  assert.deepEqual([page.meta.totalItems, page.data.length, page.data[0].text], [3, 1, 'Three']);
  const events = await maitred().services.events.listOfBooking(maitred().sql, id);
  assert.equal(events.filter(({ type }) => type === 'message.received').length, 3);
  assert.equal((await auditLogOf(maitred(), id)).length, 3);
});

test('a guest is forgotten by an owner, and nothing can be written about them afterwards', async () => {
  const { id } = await booked(maitred());
  await act(maitred(), id, 'messages', { body: { text: 'Dear Ada', replyTo: null } });
  const forgotten = await done(maitred(), id, 'forget-guest');
  assert.deepEqual([forgotten.firstName, forgotten.email, forgotten.status], [null, null, 'confirmed']);
  const { data } = (await look(maitred(), `/${id}/messages`)).json;
  assert.deepEqual([data[0].text, data[0].replyTo], [null, null]);
  const [entry] = await auditLogOf(maitred(), id);
  assert.deepEqual([entry?.before.isGuestKnown, entry?.after.isGuestKnown], [true, false]);
  const attempt = () => act(maitred(), id, 'messages', { body: { text: 'Hello', replyTo: null } });
  await assertLeft(maitred(), id, attempt, [409, 'BOOK-N-014']);
  const enquiry = await enquire();
  await done(maitred(), enquiry.id, 'forget-guest');
  const body = { message: { text: 'Sorry', replyTo: null } };
  const rejecting = () => act(maitred(), enquiry.id, 'reject', { body });
  await assertLeft(maitred(), enquiry.id, rejecting, [409, 'BOOK-N-014']);
  assert.equal((await done(maitred(), enquiry.id, 'reject')).status, 'rejected');
});

test('bookings of others and bookings that are not there stay out of reach', async () => {
  const { id } = await booked(maitred(), {}, { productId: BOOTH });
  const mine = { as: 'operator-2', operatorId: 2 };
  for (const step of ['accept', 'reject', 'take-up', 'complete', 'no-show', 'cancel', 'forget-guest']) {
    const attempt = () => act(maitred(), id, step);
    await assertUnchanged(maitred(), id, attempt, 403, 'OPRTR-N-002');
    assertProblem(await act(maitred(), NOWHERE, step), 404, 'BOOK-N-006');
    assertProblem(await act(maitred(), 'x', step), 404, 'BOOK-N-006');
    // The path names the operator, and its booking is not at that operator's, whoever asks.
    assertProblem(await act(maitred(), id, step, { as: 'demo-admin' }), 403, 'OPRTR-N-002');
    assertProblem(await act(maitred(), id, step, { operatorId: 2 }), 403, 'OPRTR-N-002');
  }
  assertProblem(await look(maitred(), `/${id}`), 403, 'OPRTR-N-002');
  assertProblem(await look(maitred(), `/${id}/messages`), 403, 'OPRTR-N-002');
  assertProblem(await look(maitred(), `/${NOWHERE}`), 404, 'BOOK-N-006');
  assertProblem(await look(maitred(), `/${id}`, { as: 'demo-partner', operatorId: 2 }), 403, 'USER-N-009');
  assert.equal((await look(maitred(), `/${id}`, mine)).status, 200);
  assert.equal((await look(maitred(), `/${id}`, { as: 'demo-admin', operatorId: 2 })).status, 200);
  assert.equal((await read(maitred(), id)).json.status, 'confirmed');
});
