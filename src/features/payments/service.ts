/**
 * Payments for bookings. A payment is stored before the provider is called, and the provider's answer afterwards; a
 * job resolves payments that a crash or a lost connection leaves open. Refunds are owed from the moment they are
 * stored, and another job pays them out.
 */
import type { Registry as Metrics } from 'prom-client';
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import { databaseGauge, nodeCounter } from '../../http/observability/metrics.ts';
import { createOutcomeCounts, type OutcomeCounts } from '../../http/observability/outcomes.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { nowOf } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { optionsOf, type Payment } from '../bookings/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { charge, NO_PROVIDER } from './charging.ts';
import { finishUnpaid } from './deposit-first.ts';
import { forgetNotifications } from './notification-store.ts';
import {
  askAbout,
  type NotificationOutcome,
  type ReceivedNotification,
  receiveNotification,
} from './notifications.ts';
import { settlePending } from './open-payments.ts';
import { type RefundRequest, refundByOperator } from './operator-refund.ts';
import { MANY_ATTEMPTS, type Payout, settleRefunds } from './payout.ts';
import type { PaymentProvider } from './provider.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';
import { answerAtPage, findPayment, SANDBOX, type SandboxPages } from './sandbox/provider.ts';
import type { OfferedPayments, OwedRefund, PaymentBody } from './schema.ts';
import type { PaymentsContext } from './settling.ts';
import type { Backlog } from './store.ts';
import * as store from './store.ts';

export interface Payments {
  options(caller: Caller, bookingId: string): Promise<OfferedPayments>;
  pay(
    caller: Caller,
    bookingId: string,
    body: PaymentBody,
    idempotencyKey: string | undefined,
  ): Promise<Payment>;

  /** Throws where less is left than is to be given back. */
  refund(request: RefundRequest, idempotencyKey: string | undefined): Promise<OwedRefund>;

  /** What the provider sends by itself. Throws where it has to be sent again, and where it is forged. */
  receiveNotification(notification: ReceivedNotification): Promise<void>;
  /** How many of them this node has received, by outcome. */
  notificationCounts(): ReadonlyMap<NotificationOutcome, number>;
  forgetNotifications(): Promise<void>;
  /** What guests see of payments in the sandbox; null: another provider has pages of its own. */
  sandbox: SandboxPages | null;

  /** For jobs, which stop when the signal aborts. Returns how many were settled. */
  settlePending(signal?: AbortSignal): Promise<number>;
  settleRefunds(signal?: AbortSignal): Promise<Payout>;
  /** Confirms bookings whose deposit is paid, and gives up those that were not paid in time. */
  finishUnpaid(signal?: AbortSignal): Promise<{ confirmed: number; givenUp: number }>;
  /** Compares the ledger with the books of the provider, and mends what can be mended. */
  reconcile(signal?: AbortSignal): Promise<Reconciliation>;
  /** Payments and refunds of this node by what became of them. */
  counts: { payments: OutcomeCounts; refunds: OutcomeCounts };
  /** What waits, and what is wrong. */
  backlog(): Promise<Backlog>;
}

export interface PaymentsDeps extends PaymentsContext {
  idempotency: Idempotency;
  auditLog: AuditLog;
}

export function createPayments({ idempotency, auditLog, ...deps }: PaymentsDeps): Payments {
  const { sql, clock, bookings, provider } = deps;
  const payments = createOutcomeCounts('payments_total', 'Payments settled by this node, by outcome.', [
    'outcome',
  ]);
  const refunds = createOutcomeCounts(
    'refunds_total',
    'Attempts of this node to pay out refunds, by outcome: done, pending, failed.',
    ['outcome'],
  );
  const context: PaymentsContext = { ...deps, onSettled: (outcome) => payments.add({ outcome }) };
  const notifications = new Map<NotificationOutcome, number>();
  const count = (outcome: NotificationOutcome) =>
    void notifications.set(outcome, (notifications.get(outcome) ?? 0) + 1);

  return {
    async options(caller, bookingId) {
      const booking = await bookings.getRecord(caller, bookingId);
      const offered = optionsOf(await bookings.atRuledBalance(sql, booking));
      if (!provider) return { ...offered, options: [], provider: null, message: NO_PROVIDER };
      const { slug: name, publishableKey } = provider;
      const account = await store.findAccount(sql, booking.operatorId);
      const message = `Payments are taken through ${name}.`;
      return { ...offered, provider: { name, publishableKey, account }, message };
    },

    async pay(caller, bookingId, body, key) {
      assertReachable(body.returnUrl ?? null);
      const content = { pay: bookingId, of: visibilityOf(caller), body };
      return idempotency.once<Payment>({ clientId: caller.clientId, key, content }, (keep) =>
        charge(context, { caller, bookingId, body, key }, keep),
      );
    },

    refund(request, key) {
      const { actor, operatorId, bookingId, body } = request;
      const content = { refund: bookingId, of: operatorId, body };
      return idempotency.once<OwedRefund>({ clientId: actor.id, key, content }, (keep) =>
        refundByOperator({ ...context, auditLog }, request, keep),
      );
    },

    receiveNotification: (notification) => receiveNotification(context, notification, count),
    notificationCounts: () => notifications,
    forgetNotifications: () =>
      forgetNotifications(sql, nowOf(clock).subtract({ hours: 24 * NOTIFICATION_DAYS })),
    sandbox: provider?.slug === SANDBOX ? sandboxPages(context, provider) : null,

    settlePending: (signal) => settlePending(context, signal),
    async settleRefunds(signal) {
      const payout = await settleRefunds(context, signal);
      for (const outcome of ['done', 'pending', 'failed'] as const)
        if (payout[outcome] > 0) refunds.add({ outcome }, payout[outcome]);
      return payout;
    },
    counts: { payments, refunds },
    finishUnpaid: (signal) => finishUnpaid(context, signal),
    reconcile: (signal) => reconcile(context, signal),
    backlog: () => store.findBacklog(sql, provider?.slug ?? null, nowOf(clock)),
  };
}

const NOTIFICATION_DAYS = 30;

/** What the guest has decided is known here at once. */
const sandboxPages = (context: PaymentsContext, provider: PaymentProvider): SandboxPages => ({
  find: (reference) => findPayment(context.sql, reference),
  async answer(answer) {
    const answered = await answerAtPage(context, answer);
    if (answered) await askAbout(context, provider, answered.reference);
    return answered;
  },
});

/** The guest's browser is sent there. */
function assertReachable(returnUrl: string | null): void {
  if (returnUrl === null) return;
  const isPage = URL.canParse(returnUrl) && /^https?:$/.test(new URL(returnUrl).protocol);
  if (!isPage) throw invalid('returnUrl', 'must be an address that starts with https:// or http://');
}

const EVERY_MINUTE = '* * * * *';
const STUCK = `refunds could not be paid out, for the ${MANY_ATTEMPTS}th time or more`;

const STRANDED = 'payments or refunds are open at a provider that is not connected any more';

export function paymentJobs(payments: Payments): JobDefinition[] {
  return [
    {
      name: 'payments.settle-pending',
      schedule: EVERY_MINUTE,
      async handle(signal, log) {
        const { stranded } = await payments.backlog();
        if (stranded > 0) log.warn({ stranded }, STRANDED);
        await payments.settlePending(signal);
      },
    },
    {
      name: 'payments.settle-refunds',
      schedule: EVERY_MINUTE,
      async handle(signal, log) {
        const { stuck } = await payments.settleRefunds(signal);
        if (stuck > 0) log.warn({ stuck }, STUCK);
      },
    },
    {
      name: 'payments.finish-unpaid',
      schedule: EVERY_MINUTE,
      handle: async (signal) => void (await payments.finishUnpaid(signal)),
    },
    {
      name: 'payments.reconcile',
      schedule: '23 * * * *',
      async handle(signal, log) {
        const { differences, isComplete } = await payments.reconcile(signal);
        if (!isComplete) log.warn({}, 'the provider did not show all of its books');
        if (differences > 0) log.warn({ differences }, 'the ledger and the books of the provider differ');
      },
    },
    {
      name: 'payments.forget-notifications',
      schedule: '41 3 * * *',
      handle: () => payments.forgetNotifications(),
    },
  ];
}

export function paymentMetrics(metrics: Metrics, payments: Payments): void {
  payments.counts.payments.register(metrics);
  payments.counts.refunds.register(metrics);
  let reading: Promise<Backlog> | undefined;
  /** One reading serves all gauges of a scrape. */
  function read(): Promise<Backlog> {
    reading ??= payments.backlog().finally(() => {
      reading = undefined;
    });
    return reading;
  }
  const gauge = (name: string, help: string, of: keyof Backlog) =>
    databaseGauge(metrics, { name, help, read: async () => (await read())[of] });
  gauge(
    'payments_awaiting_guests',
    'Payments that their guests have yet to complete, of all nodes.',
    'awaited',
  );
  gauge('payments_in_doubt', 'Payments of which the provider has not said how they went.', 'inDoubt');
  gauge('payments_in_doubt_oldest_seconds', 'Age of the oldest of them.', 'oldestSeconds');
  gauge('payments_stranded', 'Open payments and refunds at a provider that is not connected.', 'stranded');
  gauge('refunds_due', 'Refunds that are owed and not paid out yet.', 'refundsDue');
  gauge('payment_differences', 'Differences between the ledger and the provider.', 'differences');
  nodeCounter(metrics, {
    name: 'payment_notifications_total',
    help: 'Notifications of the payment provider that this node has received, by outcome.',
    labelNames: ['outcome'],
    read: () => [...payments.notificationCounts()].map(([outcome, count]) => ({ outcome, count })),
  });
}
