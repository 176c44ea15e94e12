/** The provider of the sandbox: every token does what the guide says of it, on every node alike. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { TOKENS } from '../../../src/features/payments/sandbox/provider.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import {
  bookTickets,
  cancel,
  optionsOf,
  paid,
  pay,
  readBooking,
  refundsOf,
  TICKET_PENCE,
} from './support.ts';

let app: TestApp;
let passedSeconds = 0;
before(async () => {
  const clock = () => Temporal.Now.instant().add({ seconds: passedSeconds });
  app = await startTestApp({ deps: { clock } });
});
after(() => app.close());

const settle = (seconds = 61) => {
  passedSeconds += seconds;
  return app.services.payments.settlePending();
};
const paymentOf = async (bookingId: string) => (await readBooking(app, bookingId)).payments[0];
const withToken = (token: string) => ({ option: 'full', token });

async function pageOf(url: string) {
  const { pathname } = new URL(url);
  const read = () => app.call(pathname, { as: null });
  const answer = (choice: string) =>
    app.call(pathname, {
      method: 'POST',
      as: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `answer=${choice}`,
    });
  return { read, answer };
}

test('the guide lists every token of the sandbox, and no other', () => {
  const guide = readFileSync('docs/payments.md', 'utf8');
  const listed = [...guide.matchAll(/^\| `(tok_\w+)`/gm)].map(([, token]) => token);
  assert.deepEqual(listed.sort(), Object.keys(TOKENS).sort());
});

for (const [token, reason] of [
  ['tok_declined', /declined/],
  ['tok_insufficient_funds', /not enough money/],
  ['tok_expired', /expired/],
  ['tok_of_another_provider', /does not know this token/],
] as const) {
  test(`${token} is declined with its reason, and another token can be tried`, async () => {
    const { id } = await bookTickets(app, 1);
    assert.match(assertProblem(await pay(app, id, withToken(token)), 402, 'PAYM-N-001').detail, reason);
    const payment = await paymentOf(id);
    assert.equal(payment.status, 'failed');
    assert.match(payment.failureReason, reason);
    assert.equal((await paid(app, id)).status, 'succeeded');
  });
}

test('a payment without a token is completed by the guest at the page', async () => {
  const { id } = await bookTickets(app, 1);
  const returnUrl = 'https://partner.example/thanks';
  const body = { option: 'full', token: undefined, returnUrl };
  const payment = await paid(app, id, body);
  assert.equal(payment.status, 'requires_action');
  assert.ok(payment.clientSecret);
  const page = await pageOf(payment.nextActionUrl);
  const shown = await page.read();
  assert.equal(shown.status, 200);
  assert.match(shown.text, /£24\.00/);
  assert.match(String(shown.headers['content-security-policy']), /default-src 'none'/);
  assertProblem(await page.answer('perhaps'), 400, 'VALID-N-001');
  const answered = await page.answer('pay');
  assert.deepEqual([answered.status, answered.headers.location], [303, returnUrl]);
  assert.equal((await paymentOf(id)).status, 'succeeded');
  assert.match((await page.read()).text, /It is paid/);
  await page.answer('decline');
  assert.equal((await paymentOf(id)).status, 'succeeded');
});

test('tok_authenticate sends the guest to the page and back, and is paid at once when the guest agrees', async () => {
  const { id } = await bookTickets(app, 1);
  const returnUrl = 'https://partner.example/thanks?for=you';
  const payment = await paid(app, id, { ...withToken('tok_authenticate'), returnUrl });
  assert.equal(payment.status, 'requires_action');
  assert.equal((await optionsOf(app, id)).due, 0);
  const page = await pageOf(payment.nextActionUrl);
  const shown = await page.read();
  assert.match(
    String(shown.headers['content-security-policy']),
    /form-action 'self' https:\/\/partner\.example/,
  );
  const answered = await page.answer('pay');
  assert.deepEqual([answered.status, answered.headers.location], [303, returnUrl]);
  assert.equal((await paymentOf(id)).status, 'succeeded');
});

test('a guest who declines at the page has paid nothing, and what is due is due again', async () => {
  const { id } = await bookTickets(app, 1);
  const payment = await paid(app, id, withToken('tok_authenticate'));
  await (await pageOf(payment.nextActionUrl)).answer('decline');
  assert.equal((await paymentOf(id)).status, 'failed');
  assert.equal((await optionsOf(app, id)).due, TICKET_PENCE);
});

test('a guest who takes longer than half an hour has paid nothing, and cannot any more', async () => {
  const { id } = await bookTickets(app, 1);
  const payment = await paid(app, id, withToken('tok_authenticate'));
  await settle(29 * 60);
  assert.equal((await paymentOf(id)).status, 'requires_action');
  await settle(2 * 60);
  assert.equal((await paymentOf(id)).status, 'failed');
  assert.match((await (await pageOf(payment.nextActionUrl)).answer('pay')).text, /Nothing was paid/);
  assert.equal((await paymentOf(id)).status, 'failed');
});

test('a payment that waits for the guest of a booking that was cancelled ends', async () => {
  const { id } = await bookTickets(app, 1);
  const payment = await paid(app, id, withToken('tok_authenticate'));
  await cancel(app, id);
  await settle();
  assert.equal((await paymentOf(id)).status, 'failed');
  assert.match((await (await pageOf(payment.nextActionUrl)).read()).text, /Nothing was paid/);
});

for (const token of ['tok_authenticate', 'tok_authenticate_offsession']) {
  test(`${token} is PAYM-N-002 for a guest who is not present`, async () => {
    const { id } = await bookTickets(app, 1);
    const absent = { ...withToken(token), offSession: true };
    assertProblem(await pay(app, id, absent), 402, 'PAYM-N-002');
    assert.equal((await paymentOf(id)).status, 'failed');
  });
}

test('tok_authenticate_offsession needs nothing more of a guest who is present', async () => {
  const { id } = await bookTickets(app, 1);
  assert.equal((await paid(app, id, withToken('tok_authenticate_offsession'))).status, 'succeeded');
});

test('tok_processing is known after a minute', async () => {
  const { id } = await bookTickets(app, 1);
  assert.equal((await paid(app, id, withToken('tok_processing'))).status, 'processing');
  await settle();
  assert.equal((await paymentOf(id)).status, 'succeeded');
});

for (const [token, status] of [
  ['tok_doubt_succeeded', 'succeeded'],
  ['tok_doubt_failed', 'failed'],
  ['tok_hang', 'succeeded'],
] as const) {
  test(`${token} is processing until the job asks, and then ${status}`, async () => {
    const { id } = await bookTickets(app, 1);
    assert.equal((await paid(app, id, withToken(token))).status, 'processing');
    await settle();
    assert.equal((await paymentOf(id)).status, status);
    assert.equal((await optionsOf(app, id)).due, status === 'failed' ? TICKET_PENCE : 0);
  });
}

test('tok_slow answers in the end', async () => {
  const { id } = await bookTickets(app, 1);
  assert.equal((await paid(app, id, withToken('tok_slow'))).status, 'succeeded');
});

test('tok_unavailable is refused for the moment, and nothing stays open', async () => {
  const { id } = await bookTickets(app, 1);
  const answer = await pay(app, id, withToken('tok_unavailable'));
  assertProblem(answer, 503, 'PAYM-R-001');
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  assert.equal((await optionsOf(app, id)).due, TICKET_PENCE);
});

test('tok_refund_fails keeps a refund owed, with the reason; tok_refund_pending pays it a minute later', async () => {
  const [failing, pending] = [await bookTickets(app, 1), await bookTickets(app, 1)];
  await paid(app, failing.id, withToken('tok_refund_fails'));
  await paid(app, pending.id, withToken('tok_refund_pending'));
  for (const { id } of [failing, pending]) await cancel(app, id);
  const { payments } = app.services;
  await payments.settleRefunds();
  passedSeconds += 61;
  await payments.settleRefunds();
  assert.equal((await refundsOf(app, failing.id))[0]?.status, 'due');
  assert.equal((await paymentOf(failing.id)).status, 'succeeded');
  assert.equal((await refundsOf(app, pending.id))[0]?.status, 'done');
  assert.equal((await paymentOf(pending.id)).status, 'refunded');
  const [row] = await app.sql`select failure_reason from refund where booking_id = ${failing.id}`;
  assert.match(row?.failure_reason, /takes no refunds/);
});

test('a page of a payment that does not exist is not found', async () => {
  for (const reference of ['sandbox-nothing', 'a%00.md', '%EF%BF%BD']) {
    const path = `/payments/sandbox/${reference}`;
    assertProblem(await app.call(path, { as: null }), 404, 'HTTP-N-404');
    const answered = await app.call(path, { as: null, method: 'POST', body: { answer: 'pay' } });
    assertProblem(answered, 404, 'HTTP-N-404');
  }
});
