/** Payments through Stripe from outside: what partners, guests, the bank and Stripe's own messages do. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { SLOW_DEBIT } from '../../support/stripe/books.ts';
import {
  SECRET_KEY,
  type StripeEmulator,
  signed,
  startStripe,
  WEBHOOK_SECRET,
} from '../../support/stripe/server.ts';
import { type Body, jazzDay } from '../bookings/support.ts';
import {
  askOptions,
  bookBrunch,
  bookTickets,
  cancel,
  pay as payWith,
  readBooking,
  refundsOf,
  TICKET_PENCE,
} from './support.ts';

const RETURN_URL = 'https://partner.example/thanks';
/** Longer than a request can be at work. */
const A_WHILE_SECONDS = 61;
const ACCOUNT = 'acct_jazz';

let app: TestApp;
let stripe: StripeEmulator;
let passedSeconds = 0;

before(async () => {
  stripe = await startStripe({ now: () => Date.now() + passedSeconds * 1000 });
  const config = {
    stripe: {
      secretKey: SECRET_KEY,
      publishableKey: 'pk_test_of_our_own_stripe',
      webhookSecrets: [WEBHOOK_SECRET],
      apiUrl: stripe.url,
    },
  };
  const clock = () => Temporal.Now.instant().add({ seconds: passedSeconds });
  app = await startTestApp({ config, deps: { clock } });
});
after(async () => {
  await app.close();
  await stripe.close();
});
afterEach(async () => {
  await stripe.announced();
  stripe.notify(undefined);
  stripe.forgetPlans();
  passedSeconds = 0;
});

const notify = (body: string, signature: string) =>
  app.call('/payments/stripe', {
    method: 'POST',
    as: null,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: Buffer.from(body),
  });

/** From here on Stripe reaches the node. */
function hearStripe(): void {
  stripe.notify(async (body, signature) => (await notify(body, signature)).status);
}

const pay = (bookingId: string, body: Body = {}) =>
  payWith(app, bookingId, { option: 'full', token: 'pm_card_visa', ...body });

async function paid(bookingId: string, body: Body = {}) {
  const answer = await pay(bookingId, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

const intentOf = (bookingId: string) =>
  stripe.intents().find(({ metadata }) => metadata.booking === bookingId) ?? assert.fail('no intent');

const statusOf = async (bookingId: string) => (await readBooking(app, bookingId)).payments[0].status;

test('a card that works pays at once, and the form of Stripe has its key', async () => {
  const { id } = await bookTickets(app, 2);
  const { provider } = (await askOptions(app, id)).json;
  const publishableKey = 'pk_test_of_our_own_stripe';
  assert.deepEqual(provider, { name: 'stripe', publishableKey, account: null });
  const payment = await paid(id);
  assert.deepEqual([payment.status, payment.amount], ['succeeded', 2 * TICKET_PENCE]);
  assert.equal(intentOf(id).amount_received, 2 * TICKET_PENCE);
  assert.equal(intentOf(id).metadata.payment, payment.id);
});

test('a guest authenticates at the bank, and Stripe tells us', async () => {
  hearStripe();
  const { id } = await bookTickets(app, 1);
  const payment = await paid(id, { token: 'pm_card_authenticationRequired', returnUrl: RETURN_URL });
  assert.equal(payment.status, 'requires_action');
  assert.equal(payment.clientSecret, intentOf(id).client_secret);
  const page = await fetch(payment.nextActionUrl, { redirect: 'manual' });
  assert.equal(page.headers.get('location'), RETURN_URL);
  await stripe.announced();
  assert.equal(await statusOf(id), 'succeeded');
});

test('a guest who fails to authenticate at the bank can pay with another card', async () => {
  hearStripe();
  const { id } = await bookTickets(app, 1);
  const first = await paid(id, { token: 'pm_card_authenticationRequired', returnUrl: RETURN_URL });
  const page = await fetch(`${first.nextActionUrl}?fail`, { redirect: 'manual' });
  assert.equal(page.headers.get('location'), RETURN_URL);
  await stripe.announced();
  const [failed] = (await readBooking(app, id)).payments;
  assert.deepEqual(
    [failed.status, failed.failureReason],
    ['failed', 'The bank could not confirm that it was the guest.'],
  );
  assert.equal(intentOf(id).status, 'canceled');
  assert.equal((await paid(id)).status, 'succeeded');
});

test('a guest pays in the form of Stripe on the page of the partner', async () => {
  hearStripe();
  const { id } = await bookTickets(app, 1);
  const { status, clientSecret, publishableKey } = await paid(id, { token: undefined });
  assert.deepEqual([status, publishableKey], ['requires_action', 'pk_test_of_our_own_stripe']);
  await stripe.payOnPage(clientSecret, 'pm_card_chargeDeclined');
  await stripe.announced();
  assert.equal(await statusOf(id), 'requires_action');
  await stripe.payOnPage(clientSecret, 'pm_card_visa');
  await stripe.announced();
  assert.equal(await statusOf(id), 'succeeded');
});

test('a declined card says why, and can take nothing later', async () => {
  const { id } = await bookTickets(app, 1);
  const answer = await pay(id, { token: 'pm_card_chargeDeclinedInsufficientFunds' });
  const { detail } = assertProblem(answer, 402, 'PAYM-N-001');
  assert.equal(detail, 'There is not enough money on the card.');
  assert.equal(intentOf(id).status, 'canceled');
  assert.equal((await paid(id)).status, 'succeeded');
});

test('a guest who is not present cannot authenticate', async () => {
  const { id } = await bookTickets(app, 1);
  const answer = await pay(id, { token: 'pm_card_authenticationRequired', offSession: true });
  assertProblem(answer, 402, 'PAYM-N-002');
  assert.equal(intentOf(id).status, 'canceled');
});

test('a debit of which the bank decides later succeeds then', async () => {
  hearStripe();
  const { id } = await bookTickets(app, 1);
  assert.equal((await paid(id, { token: SLOW_DEBIT })).status, 'processing');
  await stripe.decide(intentOf(id).id);
  await stripe.announced();
  assert.equal(await statusOf(id), 'succeeded');
});

test('a deposit that confirms a booking is set aside first and then taken', async (t) => {
  const setDeposit = (deposit: string) =>
    app.sql`update venue_mapping set deposit = ${deposit} where venue_id = '1|house|garden-room'`;
  await setDeposit('before_confirmation');
  t.after(() => setDeposit('declared'));
  const { id, status, paymentDue } = await bookBrunch(app, 2);
  assert.equal(status, 'pending');
  await paid(id, { option: paymentDue.option });
  const { capture_method, amount_received } = intentOf(id);
  assert.deepEqual([capture_method, amount_received], ['manual', paymentDue.amount]);
  assert.equal((await readBooking(app, id)).status, 'confirmed');
});

test('fewer tickets give back a part, and cancelling the rest', async () => {
  const { id } = await bookTickets(app, 3);
  await paid(id);
  const body = [{ op: 'replace', path: '/partySize', value: 1 }];
  const patched = await app.call(`/venues/bookings/${id}`, { method: 'PATCH', body });
  assert.equal(patched.status, 200, patched.text);
  const refunded = () =>
    stripe
      .refunds()
      .filter(({ payment_intent }) => payment_intent === intentOf(id).id)
      .map(({ amount }) => amount);
  await app.services.payments.settleRefunds();
  assert.deepEqual(refunded(), [2 * TICKET_PENCE]);
  await cancel(app, id);
  await app.services.payments.settleRefunds();
  assert.deepEqual(refunded(), [2 * TICKET_PENCE, TICKET_PENCE]);
  assert.equal(await statusOf(id), 'refunded');
});

test('a refund that the bank takes its time over is done when Stripe says so', async () => {
  hearStripe();
  const { id } = await bookTickets(app, 1);
  await paid(id, { token: 'pm_card_pendingRefund' });
  await cancel(app, id);
  await app.services.payments.settleRefunds();
  const [refund] = stripe.refunds().filter(({ payment_intent }) => payment_intent === intentOf(id).id);
  assert.ok(refund);
  assert.deepEqual([refund.status, await refundStatus(id)], ['pending', 'due']);
  await stripe.endRefund(refund.id, 'succeeded');
  await stripe.announced();
  await app.services.payments.settleRefunds();
  assert.equal(await refundStatus(id), 'done');
});

const refundStatus = async (bookingId: string) => (await refundsOf(app, bookingId))[0]?.status;

test('money of an operator with an account of its own goes there', async (t) => {
  hearStripe();
  const setAccount = (account: string | null) =>
    app.sql`update operator set payment_account = ${account} where id = 2`;
  await setAccount(ACCOUNT);
  t.after(() => setAccount(null));
  const { id } = await bookTickets(app, 1);
  assert.equal((await askOptions(app, id)).json.provider.account, ACCOUNT);
  const payment = await paid(id, { token: 'pm_card_authenticationRequired' });
  assert.deepEqual([payment.account, intentOf(id).account], [ACCOUNT, ACCOUNT]);
  assert.equal((await readBooking(app, id)).payments[0].account, null);
  // Operators change their accounts; payments stay where they were begun.
  await setAccount(null);
  await stripe.authenticate(intentOf(id).id);
  await stripe.announced();
  assert.equal(await statusOf(id), 'succeeded');
  await cancel(app, id);
  await app.services.payments.settleRefunds();
  const refund = stripe.refunds().find(({ payment_intent }) => payment_intent === intentOf(id).id);
  assert.equal(refund?.account, ACCOUNT);
});

test('messages that are forged, changed or old move nothing', async () => {
  const { id } = await bookTickets(app, 1);
  await paid(id, { token: 'pm_card_authenticationRequired' });
  const event = (type: string, object: object) =>
    JSON.stringify({ id: `evt_${crypto.randomUUID()}`, object: 'event', type, data: { object } });
  const lie = event('payment_intent.succeeded', { ...intentOf(id), status: 'succeeded' });
  const asked = stripe.calls('find');
  for (const signature of [
    'nonsense',
    signed(lie, { secret: 'whsec_guessed' }),
    signed(lie, { at: Date.now() - 3_600_000 }),
    signed(`${lie} `),
  ])
    assertProblem(await notify(lie, signature), 400, 'VALID-N-001');
  assert.equal(stripe.calls('find'), asked);
  // Not even what is signed is believed: Stripe is asked, and says that the guest has not authenticated.
  assert.equal((await notify(lie, signed(lie))).status, 200);
  assert.equal(await statusOf(id), 'requires_action');
});

test('messages that come before the answer, twice, late and in the wrong order change nothing more', async () => {
  hearStripe();
  const { id } = await bookTickets(app, 1);
  stripe.planAnnouncements('held', 'twice', 'before', 'held', 'held');
  await paid(id, { token: 'pm_card_authenticationRequired' });
  await stripe.authenticate(intentOf(id).id);
  await stripe.announced();
  assert.equal(await statusOf(id), 'succeeded');
  const events = async () => (await app.services.events.listOfBooking(app.sql, id)).length;
  const before = await events();
  await stripe.deliverHeld();
  assert.equal(await statusOf(id), 'succeeded');
  assert.equal(await events(), before);
});

test('a payment whose answer is lost is processing, and asking settles it', async () => {
  const { id } = await bookTickets(app, 1);
  stripe.plan({ kind: 'cut-after' }, 'confirm');
  assert.equal((await paid(id)).status, 'processing');
  const again = await pay(id);
  assertProblem(again, 409, 'BOOK-N-014');
  passedSeconds = A_WHILE_SECONDS;
  await app.services.payments.settlePending();
  passedSeconds = 0;
  assert.equal(await statusOf(id), 'succeeded');
  assert.equal(stripe.charges().filter(({ payment_intent }) => payment_intent === intentOf(id).id).length, 1);
});

test('a Stripe that is away charges nothing, and its messages are wanted again', async () => {
  const { id } = await bookTickets(app, 1);
  await paid(id, { token: 'pm_card_authenticationRequired' });
  hearStripe();
  stripe.plan({ kind: 'status', status: 503 }, 'find');
  await stripe.authenticate(intentOf(id).id);
  await stripe.announced();
  assert.equal(await statusOf(id), 'requires_action');
  await stripe.deliverHeld();
  assert.equal(await statusOf(id), 'succeeded');
  const other = await bookTickets(app, 1);
  await stripe.goAway();
  try {
    const answer = await pay(other.id);
    assertProblem(answer, 503, 'PAYM-R-001');
    assert.ok(Number(answer.headers['retry-after']) > 0);
  } finally {
    await stripe.comeBack();
  }
  assert.equal((await paid(other.id)).status, 'succeeded');
});

test('a payment that nobody completes is cancelled at Stripe after half an hour', async () => {
  const { id } = await bookTickets(app, 1);
  const { clientSecret } = await paid(id, { token: undefined });
  passedSeconds = 31 * 60;
  await app.services.payments.settlePending();
  passedSeconds = 0;
  assert.equal(await statusOf(id), 'failed');
  assert.equal((await stripe.payOnPage(clientSecret, 'pm_card_visa')).status, 400);
});

test('a key that Stripe no longer accepts is said, and not shown', async () => {
  const { id } = await bookTickets(app, 1);
  stripe.plan({ kind: 'status', status: 401 }, 'open');
  const answer = await pay(id);
  assertProblem(answer, 422, 'PAYM-N-003');
  assert.match(answer.text, /does not accept the key of the platform/);
  assert.doesNotMatch(answer.text, /sk_test|whsec/);
});

const HOUR_SECONDS = 3600;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;

/** Somebody gives it back at Stripe itself. */
const refundThere = (bookingId: string) =>
  stripe.books().refund(new URLSearchParams({ payment_intent: intentOf(bookingId).id }));

const differencesOf = (bookingId: string) => app.sql`
  select d.kind from payment_difference d join payment y on y.id = d.payment_id where y.booking_id = ${bookingId}`;

test('a refund at Stripe that was noticed late agrees with the ledger a week later too', async () => {
  const { id } = await bookTickets(app, 1);
  await paid(id);
  refundThere(id);
  passedSeconds = 20 * HOUR_SECONDS;
  await app.services.payments.reconcile();
  passedSeconds = WEEK_SECONDS + 10 * HOUR_SECONDS;
  const { isComplete } = await app.services.payments.reconcile();
  assert.deepEqual([isComplete, (await differencesOf(id)).length], [true, 0]);
  passedSeconds = 0;
  assert.equal(await statusOf(id), 'refunded');
});

test('a refund at Stripe long after the payment is noticed, as long as the visit is to come', async () => {
  const { id } = await bookTickets(app, 1, { date: jazzDay(9) });
  await paid(id);
  passedSeconds = 5 * WEEK_SECONDS;
  refundThere(id);
  await app.services.payments.reconcile();
  passedSeconds = 0;
  assert.equal(await statusOf(id), 'refunded');
});
