/** What a person has to confirm, and what their yes is good for. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { resellerOf, units } from '../../channels/octo-support.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { cancel, patch, put, read, replacing } from '../bookings/amend/amending.ts';
import { type Body, book, booked, bookingsApp, DINNER, freeDay, guest, traces } from '../bookings/support.ts';
import { bookHeld, hold, stoppedClock } from '../holds/support.ts';
import { change, ordered } from '../orders/support.ts';
import { limitTo, tokenOf, unlimited } from './support.ts';

const { clock, pass } = stoppedClock();
const app = bookingsApp({ deps: { clock } });
const reseller = resellerOf(app);
const at = (time = '19:00') => ({ date: freeDay(), time });
const LARGE = { partySize: 4 };

afterEach(() => unlimited(app()));

const asking = (mandate: Body = { partySize: 3 }) => limitTo(app(), { confirmAbove: mandate });

test('above it nothing is booked until a person has said yes, and then once', async () => {
  await asking();
  await booked(app(), { partySize: 3 });
  const wanted = { ...LARGE, ...at() };
  const past = await traces(app().sql);
  const answer = await book(app(), wanted);
  const confirmationToken = tokenOf(answer);
  assert.equal(
    answer.json.detail,
    `A person has to confirm: a booking at Soho Grill, London, on ${wanted.date} at 19:00 for 4 guests, with no deposit.`,
  );
  assert.deepEqual(await traces(app().sql), past);
  await booked(app(), { ...wanted, confirmationToken });
  const again = await book(app(), { ...wanted, confirmationToken });
  assert.match(again.json.detail, /^The confirmationToken was used, has expired, or is for something else\./);
  assert.notEqual(tokenOf(again), confirmationToken);
});

test('a token is for this client and just this booking, and not for a changed one', async () => {
  await asking();
  const wanted = { ...LARGE, ...at() };
  const confirmationToken = tokenOf(await book(app(), wanted));
  const others: Body[] = [
    { partySize: 5 },
    { children: 1 },
    { time: '19:30' },
    { date: freeDay() },
    { duration: 90 },
    { depositAmount: 100 },
    { lastName: 'Hopper' },
    { type: 'request' },
    { confirmationToken: `${confirmationToken.slice(0, -2)}AA` },
    { confirmationToken: 'nonsense' },
  ];
  for (const other of others) tokenOf(await book(app(), { ...wanted, confirmationToken, ...other }));
  await limitTo(app(), { confirmAbove: { partySize: 3 } }, 'other-partner');
  tokenOf(await book(app(), { ...wanted, confirmationToken }, { as: 'other-partner' }));
  await unlimited(app(), 'other-partner');
  await booked(app(), { ...wanted, confirmationToken, notes: 'By the window.' });
});

test('a token ends after ten minutes', async () => {
  await asking();
  const wanted = { ...LARGE, ...at() };
  const confirmationToken = tokenOf(await book(app(), wanted));
  pass(600);
  const fresh = tokenOf(await book(app(), { ...wanted, confirmationToken }));
  pass(599);
  await booked(app(), { ...wanted, confirmationToken: fresh });
});

test('a booking that is refused does not use it up, and neither does its Idempotency-Key', async () => {
  await asking();
  const wanted = { ...LARGE, ...at() };
  const headers = { 'idempotency-key': 'one-for-both' };
  const confirmationToken = tokenOf(await book(app(), wanted, { headers }));
  await app().sql`update venue_mapping set is_request_only = true where venue_id = '1|house|soho-grill'`;
  assertProblem(await book(app(), { ...wanted, confirmationToken }), 409, 'AVAIL-N-005');
  await app().sql`update venue_mapping set is_request_only = false where venue_id = '1|house|soho-grill'`;
  await eventually(async () => (await book(app())).status === 201);
  const { id } = await booked(app(), { ...wanted, confirmationToken }, { headers });
  assert.equal((await booked(app(), { ...wanted, confirmationToken }, { headers })).id, id);
});

test('of forty that send one token at once a single one gets its booking', async () => {
  await asking();
  const wanted = { ...LARGE, ...at(), type: 'request' };
  const confirmationToken = tokenOf(await book(app(), wanted));
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => book(app(), { ...wanted, confirmationToken })),
  );
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const answer of answers) if (!made.includes(answer)) tokenOf(answer);
});

test('a deposit is confirmed like a party', async () => {
  await asking({ depositPence: 1000 });
  await booked(app(), { depositAmount: 1000 });
  const wanted = { depositAmount: 1001, ...at() };
  const answer = await book(app(), wanted);
  assert.match(answer.json.detail, /with a deposit of £10\.01\.$/);
  await booked(app(), { ...wanted, confirmationToken: tokenOf(answer) });
});

test('a hold is confirmed, and its booking then is not', async () => {
  await asking();
  const wanted = { ...LARGE, ...at() };
  const confirmationToken = tokenOf(await hold(app(), wanted));
  const kept = await hold(app(), { ...wanted, confirmationToken });
  assert.equal(kept.status, 201, kept.text);
  tokenOf(await hold(app(), { ...wanted, confirmationToken }));
  tokenOf(await bookHeld(app(), kept.json, { depositAmount: 500 }));
  assert.equal((await bookHeld(app(), kept.json)).status, 201);
});

test('a change is confirmed where it changes what was confirmed', async () => {
  const { id } = await booked(app(), { ...LARGE, ...at() });
  const small = await booked(app(), at());
  await asking();
  assert.equal((await patch(app(), id, [replacing('/notes', 'A quiet table.')])).status, 200);
  const steps = [replacing('/time', '19:30')];
  const confirmationToken = tokenOf(await patch(app(), id, steps));
  const confirming = { op: 'add', path: '/confirmationToken', value: confirmationToken };
  tokenOf(await patch(app(), small.id, [replacing('/partySize', 4), confirming]));
  assert.equal((await patch(app(), id, [...steps, confirming])).status, 200);
  assert.equal((await read(app(), id)).json.time, '19:30');
  assert.equal((await patch(app(), id, [...steps, confirming])).status, 200, 'it is so already');
  assert.equal((await patch(app(), small.id, [replacing('/partySize', 3)])).status, 200);
  const whole = { ...guest, compositeId: DINNER, ...at('20:00'), ...LARGE };
  const token = tokenOf(await put(app(), small.id, whole));
  assert.equal((await put(app(), small.id, { ...whole, confirmationToken: token })).status, 200);
  assert.equal((await cancel(app(), small.id)).status, 204);
});

test('an enquiry becomes a booking only if a person has said yes to that', async () => {
  const { id } = await booked(app(), { ...LARGE, ...at(), type: 'request' });
  await asking();
  const steps = [replacing('/type', 'book')];
  const answer = await patch(app(), id, steps);
  assert.match(answer.json.detail, /: a changed booking at Soho Grill, /);
  assert.equal((await read(app(), id)).json.status, 'pending');
  const confirming = { op: 'add', path: '/confirmationToken', value: tokenOf(answer) };
  assert.equal((await patch(app(), id, [...steps, confirming])).json.status, 'confirmed');
});

test('who plays the venue in the sandbox does not get around it', async () => {
  const { id } = await booked(app(), at());
  await limitTo(app(), { maxPartySize: 4, maxOpenBookings: 1, confirmAbove: { partySize: 3 } });
  const simulate = async (changes: Body) => {
    await app().sql`delete from webhook_test_window`;
    const body = { eventType: 'booking.updated', bookingId: id, changes };
    return app().call('/webhooks/test', { method: 'POST', body });
  };
  const assertImpossible = async (changes: Body, reason: RegExp) => {
    const { detail } = assertProblem(await simulate(changes), 400, 'SBOX-N-004');
    assert.match(detail, reason);
  };
  await assertImpossible({ partySize: 5 }, /at most 4 guests/);
  await assertImpossible({ partySize: 4 }, /A person has to confirm/);
  for (const changes of [{ partySize: 3 }, { status: 'cancelled' }]) {
    const answer = await simulate(changes);
    assert.ok(answer.status < 300, answer.text);
  }
  await app().sql`update booking set client_id = 'another' where id <> ${id}`;
  await booked(app(), at());
  await assertImpossible({ status: 'confirmed' }, /at most 1 open bookings/);
});

test('an item for which there is no place is confirmed as an enquiry', async () => {
  const start = at();
  while ((await book(app(), { ...LARGE, ...start })).status === 201);
  await asking();
  const item = { compositeId: DINNER, quantity: 4, ...start };
  const orderWith = async (confirmationToken?: string) => {
    const [made] = (await ordered(app(), [{ ...item, ...(confirmationToken && { confirmationToken }) }]))
      .items;
    return made;
  };
  const first = (await orderWith()).error;
  assert.match(first.detail, /: a booking at /);
  const second = (await orderWith(first.confirmationToken)).error;
  assert.match(second.detail, /: an enquiry at /);
  assert.equal((await orderWith(second.confirmationToken)).status, 'requested');
  assert.match((await orderWith(second.confirmationToken)).error.detail, /: a booking at /);
});

test('items of orders are confirmed each by itself, in a later order or as a booking', async () => {
  await asking();
  const item = () => ({ compositeId: DINNER, quantity: 4, ...at() });
  const items: Body[] = [item(), item()];
  for (const root of [{}, { atomic: true }]) {
    const asked = await ordered(app(), items, root);
    const confirmed = items.map((each, index) => {
      assert.equal(asked.items[index].error.code, 'MANDT-N-002');
      return { ...each, confirmationToken: asked.items[index].error.confirmationToken };
    });
    const made = await ordered(app(), confirmed, root);
    assert.equal(made.status, 'complete', JSON.stringify(made));
    const [first] = made.items;
    const larger = { bookingId: first.bookingId, quantity: 5 };
    const answer = await change(app(), made.orderId, [larger]);
    const { confirmationToken } = answer.json.items[0].error;
    const changed = await change(app(), made.orderId, [{ ...larger, confirmationToken }]);
    assert.equal(changed.json.items[0].booking.partySize, 5, changed.text);
    for (const { bookingId } of made.items) await cancel(app(), bookingId);
  }
});

test('a reservation of OCTO is confirmed, and its booking then is not', async () => {
  await asking();
  const start = await reseller.firstStart(DINNER, freeDay(), 4);
  const body = {
    ...{ productId: DINNER, optionId: 'DEFAULT', unitItems: units(DINNER, 4) },
    availabilityId: start.id,
  };
  const options = { method: 'POST', body } as const;
  const refusal = await reseller.refused('/bookings', 'UNPROCESSABLE_ENTITY', options);
  assert.equal(refusal.code, 'MANDT-N-002');
  const { confirmationToken } = refusal;
  const { uuid } = await reseller.post('/bookings', { ...body, confirmationToken });
  const contact = { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' };
  const larger = { unitItems: units(DINNER, 5) };
  const asked = await reseller.refused(`/bookings/${uuid}`, 'UNPROCESSABLE_ENTITY', {
    method: 'PATCH',
    body: larger,
  });
  await reseller.patch(`/bookings/${uuid}`, { ...larger, confirmationToken: asked.confirmationToken });
  const confirmed = await reseller.post(`/bookings/${uuid}/confirm`, { contact });
  assert.equal(confirmed.status, 'CONFIRMED');
});
