/** The ledger, the report that adds it up, refunds by the venue, and the comparison with the books of the provider. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { paymentJobs } from '../../../src/features/payments/service.ts';
import { assertProblem } from '../../support/app.ts';
import { type Body, jazzDay } from '../bookings/support.ts';
import { providerApp } from './provider-app.ts';
import { bookTickets, cancel, optionsOf, paid, readBooking, refundsOf, TICKET_PENCE } from './support.ts';

const { app, server, passSeconds, returnToNow } = providerApp();
const QUARTER_SECONDS = 900;
/** Later than what the provider may not have in its books yet. */
const reconcileLater = async () => {
  passSeconds(QUARTER_SECONDS);
  return app().services.payments.reconcile();
};
const payOut = () => app().services.payments.settleRefunds();

afterEach(() => {
  server().forgetPlans();
  returnToNow();
});

async function paidTickets(quantity: number) {
  const { id } = await bookTickets(app(), quantity);
  return { id: id as string, payment: await paid(app(), id) };
}

const today = () => Temporal.Now.plainDateISO('Europe/London').toString();
const around = () => {
  const day = Temporal.Now.plainDateISO('Europe/London');
  return `from=${day.subtract({ days: 1 })}&to=${day.add({ days: 1 })}`;
};

async function moneyReport(): Promise<Body> {
  const answer = await app().call(`/manage/operators/2/reports/money?${around()}`, { as: 'demo-admin' });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function moneyCsv(): Promise<string[][]> {
  const answer = await app().call(`/manage/operators/2/reports/money.csv?${around()}`, {
    as: 'demo-admin',
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
}

const refundBy = (bookingId: string, body: Body, key?: string) =>
  app().call(`/manage/operators/2/bookings/${bookingId}/refunds`, {
    method: 'POST',
    as: 'demo-admin',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body,
  });

const entriesOf = async (bookingId: string) => {
  const rows = await app().sql<{ kind: string; pence: number }[]>`
    select kind, amount_pence as pence from ledger_entry where booking_id = ${bookingId} order by at, id`;
  return rows.map(({ kind, pence }) => [kind, pence]);
};

/** What the provider has of a booking, refunds negative. */
const atProvider = (paymentId: string) => {
  const intent = server().intents.get(paymentId);
  const back = [...server().refunds.values()].filter((refund) => refund.paymentId === paymentId);
  const taken = intent?.status === 'succeeded' ? intent.amountPence : 0;
  return back.reduce((sum, { amountPence }) => sum - amountPence, taken);
};

test('the venue gives part of a payment back, never more than is left, and the payment is refunded in the end', async () => {
  const { id, payment } = await paidTickets(2);
  const first = await refundBy(id, { amount: 1000, reason: 'The band was late' });
  assert.equal(first.status, 201, first.text);
  assert.deepEqual([first.json.amount, first.json.taken], [1000, 3800]);
  const [refund] = await refundsOf(app(), id);
  assert.deepEqual([refund?.reason, refund?.status, refund?.amountPence], ['operator', 'due', 1000]);
  const refusal = assertProblem(await refundBy(id, { amount: 3801 }), 409, 'BOOK-N-014');
  assert.match(refusal.detail, /3800/);
  await payOut();
  assert.equal((await readBooking(app(), id)).payments[0].status, 'succeeded');
  assert.equal((await refundBy(id, { amount: 3800 })).status, 201);
  await payOut();
  const [shown] = (await readBooking(app(), id)).payments;
  assert.deepEqual([shown.status, shown.refunded], ['refunded', 4800]);
  assert.equal(atProvider(payment.id), 0);
  assert.deepEqual(await entriesOf(id), [
    ['payment', 4800],
    ['refund', -1000],
    ['refund', -3800],
  ]);
  assertProblem(await refundBy(id, { amount: 1 }), 409, 'BOOK-N-014');
  const audit = await app().call(`/manage/operators/2/audit?subject=${encodeURIComponent(`booking ${id}`)}`, {
    as: 'demo-admin',
  });
  const said = audit.json.data.filter(({ action }: Body) => action === 'booking.refund');
  assert.deepEqual(
    said.map(({ after }: Body) => after.refundPence).sort((a: number, b: number) => a - b),
    [1000, 3800],
  );
});

test('of many who give all of it back at the same moment one does', async () => {
  const { id } = await paidTickets(1);
  const answers = await Promise.all([...Array(8)].map(() => refundBy(id, { amount: TICKET_PENCE })));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal((await refundsOf(app(), id)).length, 1);
});

test('a refund that is sent again with its key is made once', async () => {
  const { id } = await paidTickets(1);
  const key = `refund-${id}`;
  const first = await refundBy(id, { amount: 100 }, key);
  assert.deepEqual((await refundBy(id, { amount: 100 }, key)).json, first.json);
  assert.equal((await refundsOf(app(), id)).length, 1);
});

test('amounts that are none, and bookings of others, are refused', async () => {
  const { id } = await paidTickets(1);
  for (const amount of [0, -1, 1.5, '100', undefined])
    assertProblem(await refundBy(id, { amount }), 400, 'VALID-N-001');
  assertProblem(await refundBy(crypto.randomUUID(), { amount: 1 }), 404, 'BOOK-N-006');
  const foreign = await app().call(`/manage/operators/1/bookings/${id}/refunds`, {
    method: 'POST',
    as: 'demo-admin',
    body: { amount: 1 },
  });
  assert.ok(foreign.status === 403 || foreign.status === 404, foreign.text);
  assert.deepEqual(await refundsOf(app(), id), []);
});

test('the report balances: each sum is that of the entries, and what is open stands apart', async () => {
  await payOut();
  const before = await moneyReport();
  const [kept, back] = [await paidTickets(2), await paidTickets(1)];
  await cancel(app(), back.id);
  await payOut();
  const owed = await paidTickets(1);
  await cancel(app(), owed.id);
  await bookTickets(app(), 1, { depositAmount: 500, date: jazzDay(3) });
  server().plan('authorise', 'wait');
  const waiting = await bookTickets(app(), 3);
  await paid(app(), waiting.id);
  const report = await moneyReport();
  const [total] = report.totals;
  const [totalBefore = { takenPence: 0, refundedPence: 0 }] = before.totals;
  assert.equal(total.takenPence - totalBefore.takenPence, 4800 + 2400 + 2400);
  assert.equal(total.refundedPence - totalBefore.refundedPence, 2400);
  for (const group of ['days', 'venues', 'providers'])
    for (const field of ['takenPence', 'refundedPence', 'correctedPence', 'netPence'])
      assert.equal(
        report[group].reduce((sum: number, row: Body) => sum + row[field], 0),
        total[field],
        `${group} ${field}`,
      );
  assert.equal(total.netPence, total.takenPence - total.refundedPence + total.correctedPence);
  const csv = await moneyCsv();
  assert.equal(
    csv.reduce((sum, cells) => sum + Number(cells[7]), 0),
    total.netPence,
  );
  assert.equal(report.open.refundsOwed - before.open.refundsOwed, 1);
  assert.equal(report.open.refundsOwedPence - before.open.refundsOwedPence, 2400);
  assert.equal(report.open.paymentsInDoubtPence - before.open.paymentsInDoubtPence, 7200);
  assert.ok(report.days.some(({ key, name }: Body) => key === today() && name === today()));
  const names = ({ key, name }: Body) => [key, name];
  assert.deepEqual(report.providers.map(names), [['loopback', 'loopback']]);
  assert.deepEqual(report.venues.map(names), [['2|tickets|jazz-night', 'Jazz Night at the Blue Note Rooms']]);
  assert.equal(atProvider(kept.payment.id), 4800);
  const wrong = await app().call('/manage/operators/2/reports/money?from=2026-02-01&to=2026-01-01', {
    as: 'demo-admin',
  });
  assertProblem(wrong, 400, 'VALID-N-001');
});

test('a deposit that a partner declares is reported apart', async () => {
  const date = jazzDay(9);
  const query = `from=${date}&to=${date}`;
  const read = async () =>
    (await app().call(`/manage/operators/2/reports/money?${query}`, { as: 'demo-admin' })).json;
  const before = await read();
  await bookTickets(app(), 1, { depositAmount: 700, date });
  const { declared, totals } = await read();
  assert.equal(declared.depositPence - before.declared.depositPence, 700);
  assert.deepEqual(totals, before.totals);
});

test('where the books agree the comparison finds nothing', async () => {
  await paidTickets(1);
  const { id } = await paidTickets(2);
  await cancel(app(), id);
  await payOut();
  const { compared, differences, isComplete } = await reconcileLater();
  assert.ok(compared >= 3);
  assert.deepEqual([differences, isComplete], [0, true]);
});

test('a payment that succeeded there and was given up here is settled', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'wait');
  const payment = await paid(app(), id);
  await app().sql`update payment set status = 'failed' where id = ${payment.id}`;
  const intent = server().intents.get(payment.id);
  assert.ok(intent);
  intent.status = 'succeeded';
  assert.equal((await reconcileLater()).differences, 0);
  assert.equal((await readBooking(app(), id)).payments[0].status, 'succeeded');
  assert.deepEqual(await entriesOf(id), [['payment', TICKET_PENCE]]);
  assert.equal((await optionsOf(app(), id)).due, 0);
});

test('a payment that the provider does not show for a while stays in doubt', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'wait');
  const payment = await paid(app(), id);
  const intent = server().intents.get(payment.id);
  assert.ok(intent);
  server().intents.delete(payment.id);
  passSeconds(QUARTER_SECONDS);
  await app().services.payments.settlePending();
  assert.equal((await readBooking(app(), id)).payments[0].status, payment.status);
  server().intents.set(payment.id, { ...intent, status: 'succeeded' });
  await app().services.payments.settlePending();
  assert.equal((await readBooking(app(), id)).payments[0].status, 'succeeded');
});

test('a refund that was made there and never heard of is booked once', async () => {
  const { id, payment } = await paidTickets(1);
  await cancel(app(), id);
  server().plan('refund', 'cut-after');
  await payOut();
  assert.equal((await refundsOf(app(), id))[0]?.status, 'due');
  for (const _ of [1, 2]) assert.equal((await reconcileLater()).differences, 0);
  assert.equal((await refundsOf(app(), id))[0]?.status, 'done');
  assert.equal((await readBooking(app(), id)).payments[0].status, 'refunded');
  await payOut();
  assert.deepEqual(await entriesOf(id), [
    ['payment', TICKET_PENCE],
    ['refund', -TICKET_PENCE],
  ]);
  assert.equal(atProvider(payment.id), 0);
});

test('a refund that somebody made at the provider itself is booked once, and no more than is left can go back', async () => {
  const { id, payment } = await paidTickets(2);
  server().refunds.set(`foreign-${id}`, { paymentId: payment.id, amountPence: 3000 });
  for (const _ of [1, 2]) assert.equal((await reconcileLater()).differences, 0);
  const [shown] = (await readBooking(app(), id)).payments;
  assert.deepEqual([shown.status, shown.refunded], ['succeeded', 3000]);
  assert.equal((await refundsOf(app(), id))[0]?.reason, 'provider');
  assertProblem(await refundBy(id, { amount: 1801 }), 409, 'BOOK-N-014');
  await cancel(app(), id);
  await payOut();
  assert.equal(atProvider(payment.id), 0);
  assert.equal((await readBooking(app(), id)).payments[0].status, 'refunded');
});

test('a refund at the provider beyond what is left here corrects the ledger, once', async () => {
  const { id, payment } = await paidTickets(1);
  await cancel(app(), id);
  server().refunds.set(`foreign-${id}`, { paymentId: payment.id, amountPence: 1000 });
  for (const _ of [1, 2]) await reconcileLater();
  assert.deepEqual(await entriesOf(id), [
    ['payment', TICKET_PENCE],
    ['correction', -1000],
  ]);
  const [total] = (await moneyReport()).totals;
  assert.equal(total.correctedPence, -1000);
  await app().sql`update refund set status = 'done' where booking_id = ${id}`;
});

test('what is booked here and not there, or at another sum, is shown until it is resolved', async () => {
  const [missing, other] = [await paidTickets(1), await paidTickets(1)];
  const intent = server().intents.get(missing.payment.id);
  const larger = server().intents.get(other.payment.id);
  assert.ok(intent && larger);
  intent.status = 'cancelled';
  larger.amountPence = TICKET_PENCE + 100;
  assert.equal((await app().services.payments.reconcile()).differences, 0, 'it is too early to judge');
  assert.equal((await reconcileLater()).differences, 2);
  const warnings: object[] = [];
  const log = { error: () => assert.fail(), warn: (details: object) => void warnings.push(details) };
  const job = paymentJobs(app().services.payments).find(({ name }) => name === 'payments.reconcile');
  passSeconds(1);
  await job?.handle(new AbortController().signal, log);
  assert.deepEqual(warnings, [{ differences: 2 }]);
  assert.equal((await app().services.payments.backlog()).differences, 2);
  returnToNow();
  const { differences } = await moneyReport();
  assert.deepEqual(
    differences
      .map(({ kind, paymentId, ledgerPence, providerPence }: Body) => ({
        kind,
        paymentId,
        ledgerPence,
        providerPence,
      }))
      .sort((a: Body, b: Body) => (a.kind < b.kind ? -1 : 1)),
    [
      {
        kind: 'amount',
        paymentId: other.payment.id,
        ledgerPence: TICKET_PENCE,
        providerPence: TICKET_PENCE + 100,
      },
      { kind: 'not_there', paymentId: missing.payment.id, ledgerPence: TICKET_PENCE, providerPence: null },
    ],
  );
  server().plan('movements', 'down');
  passSeconds(QUARTER_SECONDS);
  await job?.handle(new AbortController().signal, log);
  assert.deepEqual(warnings.slice(1), [{}], 'not all books were shown');
  assert.equal((await app().services.payments.backlog()).differences, 2, 'nothing is resolved unseen');
  passSeconds(9 * 24 * 3600);
  await app().services.payments.reconcile();
  assert.equal((await app().services.payments.backlog()).differences, 2, 'nothing is resolved by waiting');
  returnToNow();
  intent.status = 'succeeded';
  larger.amountPence = TICKET_PENCE;
  assert.equal((await reconcileLater()).differences, 0);
  assert.equal((await app().services.payments.backlog()).differences, 0);
});

test('money that moved there and cannot be booked is shown with its payment', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'wait');
  const payment = await paid(app(), id);
  await app().sql`update payment set status = 'failed' where id = ${payment.id}`;
  const intent = server().intents.get(payment.id);
  assert.ok(intent);
  intent.status = 'succeeded';
  server().plan('find', 'down');
  assert.equal((await reconcileLater()).differences, 1);
  returnToNow();
  const [shown] = (await moneyReport()).differences;
  assert.deepEqual(
    [shown.kind, shown.paymentId, shown.providerPence],
    ['not_here', payment.id, TICKET_PENCE],
  );
  assert.equal((await reconcileLater()).differences, 0);
});

test('money goes to the account of the operator, and is refunded from where it went', async () => {
  const path = '/manage/operators/2/payment-account';
  const set = (account: string | null) =>
    app().call(path, { method: 'PUT', as: 'demo-admin', body: { account } });
  assertProblem(await set('12345'), 400, 'VALID-N-001');
  assert.deepEqual((await set('acct_1NightOwl')).json, { account: 'acct_1NightOwl' });
  const { id, payment } = await paidTickets(1);
  assert.equal(server().intents.get(payment.id)?.account, 'acct_1NightOwl');
  await set(null);
  assert.equal((await app().call(path, { as: 'demo-admin' })).json.account, null);
  await cancel(app(), id);
  assert.equal((await payOut()).done, 1);
  const [row] = await app()
    .sql`select account from ledger_entry where payment_id = ${payment.id} and kind = 'refund'`;
  assert.equal(row?.account, 'acct_1NightOwl');
  assert.equal((await reconcileLater()).differences, 0);
});

test('payments of a provider that is not connected any more are counted and said', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'wait');
  const payment = await paid(app(), id);
  await app().sql`update payment set provider = 'former' where id = ${payment.id}`;
  const { payments } = app().services;
  assert.equal((await payments.backlog()).stranded, 1);
  const warnings: object[] = [];
  const log = { error: () => assert.fail(), warn: (details: object) => void warnings.push(details) };
  const [job] = paymentJobs(payments);
  await job?.handle(new AbortController().signal, log);
  assert.deepEqual(warnings, [{ stranded: 1 }]);
  await app().sql`update payment set provider = 'loopback' where id = ${payment.id}`;
});
