/** The provider for Stripe alone, against a Stripe of our own. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Intent, Movement, PaymentProvider } from '../../../src/features/payments/provider.ts';
import { createStripeProvider } from '../../../src/features/payments/stripe/provider.ts';
import { newId } from '../../../src/kernel/crypto.ts';
import type { TimedCall } from '../../../src/tms/remote.ts';
import { SLOW_DEBIT } from '../../support/stripe/books.ts';
import {
  SECRET_KEY,
  type StripeEmulator,
  type StripeFault,
  type StripeOperation,
  signed,
  startStripe,
  WEBHOOK_SECRET,
} from '../../support/stripe/server.ts';

const clock = () => Temporal.Now.instant();
const PENCE = 5000;
const LONG_MS = 20_000;
/** For calls that are not answered. */
const SHORT_MS = 100;

let stripe: StripeEmulator;
let provider: PaymentProvider;

before(async () => {
  stripe = await startStripe();
  provider = connect();
});
after(() => stripe.close());
afterEach(() => stripe.forgetPlans());

/** Whatever Stripe does, nothing breaks down here. */
const log = { error: (details: object, message: string) => assert.fail(`${message}: ${inspect(details)}`) };

const connect = (secretKey = SECRET_KEY) =>
  createStripeProvider({
    secretKey,
    publishableKey: 'pk_test',
    webhookSecrets: ['whsec_of_another', WEBHOOK_SECRET],
    apiUrl: stripe.url,
    log,
  });

function timed(deadlineMs = LONG_MS): TimedCall {
  return { signal: AbortSignal.timeout(deadlineMs), deadlineMs };
}

interface Opened extends Intent {
  paymentId: string;
}

const newIntent = (overrides: object = {}) => ({
  paymentId: newId(clock),
  bookingId: newId(clock),
  amountPence: PENCE,
  currency: 'GBP',
  capture: 'at_once' as const,
  method: null,
  returnUrl: null,
  account: null,
  ...overrides,
});

async function opened(overrides: object = {}): Promise<Opened> {
  const intent = newIntent(overrides);
  const outcome = await provider.open(timed(), intent);
  assert.equal(outcome.kind, 'opened', JSON.stringify(outcome));
  const { paymentId, account } = intent;
  return { paymentId, account, reference: 'reference' in outcome ? outcome.reference : '' };
}

function authorise(intent: Opened, token = 'pm_card_visa', rest: object = {}, call = timed()) {
  return provider.authorise(call, { ...intent, token, returnUrl: null, offSession: false, ...rest });
}

async function paid(overrides: object = {}): Promise<Opened> {
  const intent = await opened(overrides);
  assert.deepEqual(await authorise(intent), { kind: 'succeeded', receivedPence: PENCE });
  return intent;
}

const refundOf = (intent: Opened, amountPence: number, refundId = newId(clock)) => ({
  ...intent,
  refundId,
  amountPence,
  currency: 'GBP',
});

const refundsOf = ({ reference }: Intent) =>
  stripe.refunds().filter(({ payment_intent }) => payment_intent === reference);

test('a payment is opened once, however often it is asked for, and names payment and booking', async () => {
  const intent = newIntent();
  const outcomes = [await provider.open(timed(), intent), await provider.open(timed(), intent)];
  const of = stripe.intents().filter(({ metadata }) => metadata.payment === intent.paymentId);
  assert.equal(of.length, 1);
  assert.deepEqual(of[0]?.metadata, { payment: intent.paymentId, booking: intent.bookingId });
  assert.deepEqual([of[0]?.amount, of[0]?.currency], [PENCE, 'gbp']);
  const state = {
    kind: 'requires_action',
    clientSecret: of[0]?.client_secret as string,
    nextActionUrl: null,
  };
  for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'opened', reference: of[0]?.id, state });
});

test('a payment that cannot be opened is refused with a reason', async () => {
  const small = await provider.open(timed(), newIntent({ amountPence: 1 }));
  assert.deepEqual(small, {
    kind: 'unsupported',
    detail: 'The amount is too small to be paid by card.',
  });
  const method = await provider.open(timed(), newIntent({ method: 'cheque' }));
  assert.deepEqual(method, { kind: 'unsupported', detail: 'The account takes no payments by this method.' });
});

test('a key that Stripe does not know is said without showing it', async () => {
  const stranger = connect('sk_test_of_a_stranger');
  const outcome = await stranger.open(timed(), newIntent());
  assert.equal(outcome.kind, 'unsupported');
  assert.doesNotMatch(JSON.stringify(outcome), /sk_test/);
  const intent = await opened();
  const rest = { token: 'pm_card_visa', returnUrl: null, offSession: false };
  assert.deepEqual(await stranger.authorise(timed(), { ...intent, ...rest }), { kind: 'unavailable' });
  assert.deepEqual(await stranger.find(timed(), intent), { kind: 'unavailable' });
  const refund = await stranger.refund(timed(), refundOf(intent, 100));
  assert.deepEqual(refund, { kind: 'unavailable' });
});

test('a card that works pays, and only once', async () => {
  const intent = await paid();
  assert.deepEqual(await authorise(intent), { kind: 'succeeded', receivedPence: PENCE });
  assert.deepEqual(await provider.find(timed(), intent), { kind: 'succeeded', receivedPence: PENCE });
  const charges = stripe.charges().filter(({ payment_intent }) => payment_intent === intent.reference);
  assert.deepEqual(
    charges.map(({ amount_captured }) => amount_captured),
    [PENCE],
  );
});

const DECLINED = [
  ['pm_card_chargeDeclined', 'The bank declined the card.'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'There is not enough money on the card.'],
  ['pm_card_chargeDeclinedLostCard', 'The bank declined the card.'],
  ['pm_card_chargeDeclinedExpiredCard', 'The card has expired.'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'The security code of the card is wrong.'],
  [
    'pm_card_chargeDeclinedProcessingError',
    'The bank could not process the payment just now. It may work in a few minutes.',
  ],
  ['pm_nobody', 'The token stands for no card that can be used.'],
] as const;

for (const [token, reason] of DECLINED)
  test(`${token} is declined: ${reason}`, async () => {
    const intent = await opened();
    assert.deepEqual(await authorise(intent, token), { kind: 'declined', reason });
    assert.deepEqual(await provider.cancel(timed(), intent), { kind: 'cancelled' });
    assert.deepEqual(await authorise(intent), { kind: 'cancelled' });
  });

test('a guest authenticates on the page of the bank', async () => {
  const intent = await opened();
  const rest = { returnUrl: 'https://partner.example/back' };
  const asked = await authorise(intent, 'pm_card_authenticationRequired', rest);
  assert.ok(asked.kind === 'requires_action' && asked.nextActionUrl, JSON.stringify(asked));
  const page = await fetch(asked.nextActionUrl, { redirect: 'manual' });
  assert.equal(page.headers.get('location'), rest.returnUrl);
  assert.deepEqual(await provider.find(timed(), intent), { kind: 'succeeded', receivedPence: PENCE });
});

test('a guest who does not authenticate has paid nothing and may try again', async () => {
  const intent = await opened();
  await authorise(intent, 'pm_card_authenticationRequired');
  await stripe.authenticate(intent.reference, { passes: false });
  assert.equal((await provider.find(timed(), intent)).kind, 'requires_action');
  assert.equal((await authorise(intent)).kind, 'succeeded');
});

test('a guest who is away cannot authenticate', async () => {
  const intent = await opened();
  const outcome = await authorise(intent, 'pm_card_authenticationRequired', { offSession: true });
  assert.deepEqual(outcome, {
    kind: 'authentication_needed',
    reason: 'The bank requires that the guest confirms this payment.',
  });
});

test('a debit that the bank decides on later is processing until then', async () => {
  const agreed = await opened();
  const refused = await opened();
  for (const intent of [agreed, refused])
    assert.deepEqual(await authorise(intent, SLOW_DEBIT), { kind: 'processing' });
  await stripe.decide(agreed.reference);
  await stripe.decide(refused.reference, { agrees: false });
  assert.equal((await provider.find(timed(), agreed)).kind, 'succeeded');
  assert.equal((await provider.find(timed(), refused)).kind, 'requires_action');
});

test('what was set aside is taken later, once, or let go', async () => {
  const taken = await opened({ capture: 'later' });
  const let_go = await opened({ capture: 'later' });
  for (const intent of [taken, let_go]) assert.deepEqual(await authorise(intent), { kind: 'authorised' });
  const succeeded = { kind: 'succeeded', receivedPence: 4000 };
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(await provider.capture(timed(), { ...taken, amountPence: 4000 }), succeeded);
  assert.deepEqual(await provider.cancel(timed(), taken), succeeded);
  assert.deepEqual(await provider.cancel(timed(), let_go), { kind: 'cancelled' });
  assert.deepEqual(await provider.capture(timed(), { ...let_go, amountPence: PENCE }), { kind: 'cancelled' });
});

test('a payment of a connected account is known only there', async () => {
  const intent = await paid({ account: 'acct_bistro' });
  assert.equal(stripe.books('acct_bistro').intents.size, 1);
  assert.deepEqual(await provider.find(timed(), { ...intent, account: null }), { kind: 'absent' });
  assert.equal((await provider.refund(timed(), refundOf(intent, PENCE))).kind, 'done');
  assert.equal(refundsOf(intent)[0]?.account, 'acct_bistro');
});

test('parts are refunded, each once, even when Stripe has forgotten the key', async () => {
  const intent = await paid();
  const first = refundOf(intent, 2000);
  const done = await provider.refund(timed(), first);
  assert.deepEqual(await provider.refund(timed(), first), done);
  stripe.forgetKeys();
  assert.deepEqual(await provider.refund(timed(), first), done);
  assert.equal((await provider.refund(timed(), refundOf(intent, 3000))).kind, 'done');
  assert.deepEqual(await provider.refund(timed(), refundOf(intent, 1)), {
    kind: 'failed',
    reason: 'All of this payment was refunded before.',
  });
  assert.deepEqual(
    refundsOf(intent).map(({ amount }) => amount),
    [2000, 3000],
  );
});

test('a refund that is on its way is asked about until it is done or has failed', async () => {
  for (const status of ['succeeded', 'failed'] as const) {
    const intent = await opened();
    await authorise(intent, 'pm_card_pendingRefund');
    const refund = refundOf(intent, 1000);
    const pending = await provider.refund(timed(), refund);
    assert.equal(pending.kind, 'pending');
    const reference = 'reference' in pending ? pending.reference : '';
    await stripe.endRefund(reference, status);
    const ended =
      status === 'succeeded'
        ? { kind: 'done', reference }
        : { kind: 'failed', reason: 'The bank did not accept the refund.' };
    assert.deepEqual(await provider.refund(timed(), refund), ended);
  }
});

/** A fault at the call, what is said then, and whether it was done. */
const LOST: readonly [StripeFault, outcome: string, isDone: boolean][] = [
  [{ kind: 'cut-before' }, 'unknown', false],
  [{ kind: 'cut-after' }, 'unknown', true],
  [{ kind: 'mute' }, 'unknown', true],
  [{ kind: 'late' }, 'unknown', false],
  [{ kind: 'garbage' }, 'unknown', true],
  [{ kind: 'status', status: 500 }, 'unknown', false],
  [{ kind: 'status', status: 503, isDone: true }, 'unknown', true],
  [{ kind: 'status', status: 409 }, 'unknown', false],
  [{ kind: 'status', status: 429 }, 'unavailable', false],
];
const nameOf = (fault: StripeFault) => ('status' in fault ? String(fault.status) : fault.kind);

for (const [fault, outcome, isDone] of LOST)
  test(`an authorisation that meets ${nameOf(fault)} is ${outcome}, and asking tells`, async () => {
    const intent = await opened();
    stripe.plan(fault, 'confirm');
    const answer = await authorise(intent, 'pm_card_visa', {}, timed(isMute(fault) ? SHORT_MS : LONG_MS));
    assert.deepEqual(answer, { kind: outcome });
    const found = await provider.find(timed(), intent);
    assert.equal(found.kind, isDone ? 'succeeded' : 'requires_action');
    await stripe.applyLate();
    assert.equal((await authorise(intent)).kind, 'succeeded');
  });

const isMute = ({ kind }: StripeFault) => kind === 'mute' || kind === 'late';

test('whatever becomes of other calls, they can be repeated', async () => {
  for (const [fault] of LOST) {
    const call = () => timed(isMute(fault) ? SHORT_MS : LONG_MS);
    const lost = (operation: StripeOperation) => stripe.plan(fault, operation);
    const intent = newIntent({ capture: 'later' });
    lost('open');
    assert.deepEqual(await provider.open(call(), intent), { kind: 'unavailable' });
    await stripe.applyLate();
    const again = await provider.open(timed(), intent);
    assert.ok(again.kind === 'opened');
    const { paymentId } = intent;
    const payment = { paymentId, reference: again.reference, account: null };
    lost('find');
    assert.deepEqual(await provider.find(call(), payment), { kind: 'unavailable' });
    await authorise(payment);
    const capture = { ...payment, amountPence: PENCE };
    lost('capture');
    assert.deepEqual(await provider.capture(call(), capture), { kind: 'unavailable' });
    assert.equal((await provider.capture(timed(), capture)).kind, 'succeeded');
    lost('cancel');
    assert.deepEqual(await provider.cancel(call(), payment), { kind: 'unavailable' });
    for (const operation of ['list', 'refund'] as const) {
      const refund = refundOf(payment, 1000);
      lost(operation);
      assert.deepEqual(await provider.refund(call(), refund), { kind: 'unavailable' }, nameOf(fault));
      await stripe.applyLate();
      assert.equal((await provider.refund(timed(), refund)).kind, 'done');
    }
    assert.equal(refundsOf(payment).length, 2, nameOf(fault));
    assert.equal(stripe.intents().filter(({ metadata }) => metadata.payment === paymentId).length, 1);
  }
});

test('a Stripe that is away has certainly not begun', async () => {
  const intent = await opened();
  await stripe.goAway();
  try {
    // Each question uses up a connection that is still open on this side.
    for (let time = 0; time < 10; time += 1)
      assert.deepEqual(await provider.find(timed(), intent), { kind: 'unavailable' });
    assert.deepEqual(await provider.open(timed(), newIntent()), { kind: 'unavailable' });
    assert.deepEqual(await authorise(intent), { kind: 'unavailable' });
  } finally {
    await stripe.comeBack();
  }
  assert.equal((await authorise(intent)).kind, 'succeeded');
});

test('a call that is given up ends at once, and nobody knows of it', async () => {
  const intent = await opened();
  stripe.plan({ kind: 'mute' }, 'confirm');
  const given = new AbortController();
  const begun = authorise(intent, 'pm_card_visa', {}, { signal: given.signal, deadlineMs: LONG_MS });
  setTimeout(() => given.abort(), SHORT_MS);
  assert.deepEqual(await begun, { kind: 'unknown' });
});

const read = (body: string, signature: string | undefined) =>
  provider.readNotification?.(Buffer.from(body), { 'stripe-signature': signature });

test('a notification says which payment to ask about', async () => {
  const sent: [string, string][] = [];
  stripe.notify(async (body, signature) => {
    sent.push([body, signature]);
    return 200;
  });
  try {
    const intent = await paid({ account: 'acct_bistro' });
    await provider.refund(timed(), refundOf(intent, 1000));
    await stripe.announced();
    const types = sent.map(([body]) => JSON.parse(body).type);
    assert.deepEqual(types.sort(), [
      'charge.refunded',
      'payment_intent.created',
      'payment_intent.succeeded',
      'refund.created',
    ]);
    const { reference, account } = intent;
    for (const [body, signature] of sent)
      assert.deepEqual(read(body, signature), {
        kind: 'payment',
        id: JSON.parse(body).id,
        reference,
        account,
      });
  } finally {
    stripe.notify(undefined);
  }
});

test('a notification about something else is told apart', () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payout.paid', data: { object: {} } });
  assert.deepEqual(read(body, signed(body)), { kind: 'other', id: 'evt_1' });
});

test('a signed message that is no event is not read, and one about an odd object is about something else', () => {
  const object = { object: 'payment_intent', id: 'pi_1' };
  const events = [
    ...[{}, [], 7, { id: 'evt_1' }, { id: 'evt_1', data: {} }, { id: 'evt_1', data: { object: null } }],
    ...[{ data: { object } }, { id: 7, data: { object } }, { id: 'evt_\u0000', data: { object } }],
  ];
  for (const event of events) {
    const body = JSON.stringify(event);
    assert.equal(read(body, signed(body))?.kind, 'forged', body);
  }
  for (const id of ['pi_\u0000', 'p'.repeat(300), 7]) {
    const body = JSON.stringify({ id: 'evt_1', data: { object: { ...object, id } } });
    assert.deepEqual(read(body, signed(body)), { kind: 'other', id: 'evt_1' });
  }
});

test('a notification that is forged, changed or old is not read', () => {
  const object = { object: 'payment_intent', id: 'pi_1' };
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object },
  });
  assert.equal(read(body, signed(body))?.kind, 'payment');
  const forged = [
    read(body, undefined),
    read(body, 'nonsense'),
    read(body, signed(body, { secret: 'whsec_guessed' })),
    read(body, signed(body, { at: Date.now() - 10 * 60_000 })),
    read(body.replace('pi_1', 'pi_2'), signed(body)),
  ];
  for (const answer of forged) assert.equal(answer?.kind, 'forged');
});

test('without a secret of notifications none are read', () => {
  const without = createStripeProvider({ secretKey: 'sk', publishableKey: null, webhookSecrets: [], log });
  assert.equal(without.readNotification, undefined);
});

/** All pages. */
async function movementsOf(account: string, from: Temporal.Instant, to: Temporal.Instant) {
  const movements: Movement[] = [];
  let after: string | null = null;
  do {
    const page = await provider.movements(timed(), { account, from, to, after });
    assert.ok(page.kind === 'ok');
    movements.push(...page.movements);
    after = page.next;
  } while (after !== null);
  return movements;
}

test('movements are all money that has moved, over many pages', async () => {
  const account = 'acct_of_movements';
  const from = clock().subtract({ seconds: 1 });
  const intents = await Promise.all(Array.from({ length: 103 }, () => paid({ account })));
  const setAside = await opened({ account, capture: 'later' });
  await authorise(setAside);
  await authorise(await opened({ account }), 'pm_card_chargeDeclined');
  const [refunded] = intents;
  assert.ok(refunded);
  const refund = refundOf(refunded, 700);
  await provider.refund(timed(), refund);
  const movements = await movementsOf(account, from, clock().add({ seconds: 1 }));
  const of = (kind: Movement['kind']) => movements.filter((movement) => movement.kind === kind);
  assert.deepEqual(
    of('payment')
      .map(({ ourId }) => ourId)
      .sort(),
    intents.map(({ paymentId }) => paymentId).sort(),
  );
  assert.ok(of('payment').every(({ amountPence, currency }) => amountPence === PENCE && currency === 'GBP'));
  assert.deepEqual(
    of('refund').map(({ ourId, amountPence, intentReference }) => [ourId, amountPence, intentReference]),
    [[refund.refundId, 700, refunded.reference]],
  );
  assert.deepEqual(await movementsOf(account, from.subtract({ hours: 2 }), from.subtract({ hours: 1 })), []);
  stripe.plan({ kind: 'status', status: 500 }, 'list');
  const query = { account, from, to: from, after: null };
  assert.deepEqual(await provider.movements(timed(), query), { kind: 'unavailable' });
});
