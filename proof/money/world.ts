/** A venue that sells tickets, a Stripe of our own that misbehaves, and nodes that take money and die. */
import assert from 'node:assert/strict';
import { buildApp } from '../../src/app.ts';
import type { Sql } from '../../src/db/database.ts';
import type { PaymentProvider } from '../../src/features/payments/provider.ts';
import { paymentJobs } from '../../src/features/payments/service.ts';
import { createStripeProvider } from '../../src/features/payments/stripe/provider.ts';
import { type ProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays } from '../../src/kernel/zone-time.ts';
import { type AppDeps, createServices, type Services } from '../../src/services.ts';
import type { TimedCall } from '../../src/tms/remote.ts';
import { createLife, type Life } from '../../test/faults/orders/order-life.ts';
import { addGig } from '../../test/race/venues.ts';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  SECRET_KEY,
  type StripeEmulator,
  startStripe,
  WEBHOOK_SECRET,
} from '../../test/support/stripe/server.ts';

export type Kind = 'paid afterwards' | 'paid first';

const TICKETS = 10_000;
const DEPOSIT = {
  amount: 500,
  currency: 'GBP',
  per: 'guest',
  minPartySize: null,
  maxPartySize: null,
  weekdays: null,
};
const DAYS = 700;
const DAYS_AHEAD = 60;
/** How long a node waits for an answer that may never come, and for one that will. */
const HASTY_MS = 60;
const PATIENT_MS = 10_000;

/** What a test does to a provider to take a protection out. */
export type Tampering = (provider: PaymentProvider) => PaymentProvider;

export interface MoneyWorld {
  app: TestApp;
  stripe: StripeEmulator;
  /** Tickets that are paid for some time after they were booked, and tickets that their deposit confirms. */
  products: Record<Kind, string>;
  /** A day for which a ticket can be had for long. */
  day(): string;
  /** The clock of all nodes and of Stripe goes on by so much. */
  pass(seconds: number): void;
  /** Everything works, and nodes wait for answers. */
  calmDown(): void;
  stirUp(): void;
  startNode(options?: NodeOptions): Promise<MoneyNode>;
  close(): Promise<void>;
}

export interface NodeOptions {
  life?: Life;
  tampering?: Tampering | undefined;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer has is asserted by those who read it.
  json: any;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  as?: string;
  body?: unknown;
  key?: string | undefined;
}

export interface MoneyNode {
  life: Life;
  services: Services;
  /** Undefined: it died, and there was no answer. */
  call(call: Call): Promise<Answer | undefined>;
  /** Takes a notification; the status says whether it wants it again. */
  notify(body: string, signature: string): Promise<number>;
  /** Each background job of payments once; says whether all of them came to their end. */
  runJobs(): Promise<boolean>;
  leave(): Promise<void>;
}

export async function openMoneyWorld({ tampering }: { tampering?: Tampering } = {}): Promise<MoneyWorld> {
  let aheadSeconds = 0;
  let isCalm = true;
  const now = () => Date.now() + aheadSeconds * 1000;
  const clock = () => Temporal.Instant.fromEpochMilliseconds(now());
  const stripe = await startStripe({ now });

  /** Without the patience of production, so that a thousand answers that never come cost seconds and not hours. */
  function hasty(provider: PaymentProvider): PaymentProvider {
    const shorter = (call: TimedCall): TimedCall => {
      const deadlineMs = Math.min(call.deadlineMs, isCalm ? PATIENT_MS : HASTY_MS);
      return { deadlineMs, signal: AbortSignal.any([call.signal, AbortSignal.timeout(deadlineMs)]) };
    };
    return {
      ...provider,
      open: (call, intent) => provider.open(shorter(call), intent),
      authorise: (call, authorisation) => provider.authorise(shorter(call), authorisation),
      find: (call, intent) => provider.find(shorter(call), intent),
      capture: (call, intent) => provider.capture(shorter(call), intent),
      cancel: (call, intent) => provider.cancel(shorter(call), intent),
      refund: (call, repayment) => provider.refund(shorter(call), repayment),
      movements: (call, query) => provider.movements(shorter(call), query),
    };
  }

  function connect(changed: Tampering = (provider) => provider): PaymentProvider {
    const provider = createStripeProvider({
      secretKey: SECRET_KEY,
      publishableKey: null,
      webhookSecrets: [WEBHOOK_SECRET],
      apiUrl: stripe.url,
      log: console,
    });
    return changed(hasty(provider));
  }

  const app = await startTestApp({ deps: { paymentProvider: connect(tampering), clock } });
  const today = Temporal.Now.plainDateISO('Europe/London').toString();
  const starts = Array.from({ length: DAYS }, (_, index) => ({ date: addDays(today, index), time: '20:00' }));
  const products = {
    'paid afterwards': await addGig(app.sql, TICKETS, starts),
    'paid first': await addGig(app.sql, TICKETS, starts),
  };
  await demandDeposit(app.sql, products['paid first']);

  async function startNode({ life = createLife(), tampering: changed }: NodeOptions = {}) {
    const deps: AppDeps = {
      ...app.deps,
      sql: life.sql(app.sql),
      paymentProvider: life.provider(connect(changed ?? tampering)),
    };
    return nodeOf(life, deps, app);
  }

  return {
    app,
    stripe,
    products,
    day: () => addDays(today, Math.floor(aheadSeconds / 86_400) + DAYS_AHEAD),
    pass(seconds) {
      aheadSeconds += seconds;
    },
    calmDown() {
      isCalm = true;
      stripe.misbehave(undefined);
      stripe.forgetPlans();
    },
    stirUp() {
      isCalm = false;
    },
    startNode,
    async close() {
      await app.close();
      await stripe.close();
    },
  };
}

async function demandDeposit(sql: Sql, productId: ProductId): Promise<void> {
  await sql`update product set payment_rules = ${sql.json([DEPOSIT])} where id = ${productId}`;
  await sql`
    update venue_mapping set deposit = 'before_confirmation' where venue_id = ${venueOfProduct(productId)}`;
}

const SILENT = { error() {}, warn() {} };

async function nodeOf(life: Life, deps: AppDeps, { app: living }: TestApp): Promise<MoneyNode> {
  const services = await createServices(deps);
  const app = await buildApp(deps, services);
  await app.ready();
  life.beBorn();
  return {
    life,
    services,

    async call({ method, path: url, as = 'demo-partner', body, key }) {
      const authorization = `Bearer ${await tokenOf(living, as)}`;
      const headers = { authorization, ...(key !== undefined && { 'idempotency-key': key }) };
      const payload = body === undefined ? {} : { payload: body as object };
      const answer = await app.inject({ method, url, headers, ...payload });
      if (life.isDead()) return undefined;
      return { status: answer.statusCode, json: answer.body === '' ? undefined : answer.json() };
    },

    async notify(payload, signature) {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const answer = await app.inject({ method: 'POST', url: '/payments/stripe', headers, payload });
      return life.isDead() ? 0 : answer.statusCode;
    },

    async runJobs() {
      const jobs = paymentJobs(services.payments).map(async ({ handle }) =>
        handle(new AbortController().signal, SILENT),
      );
      const outcomes = await Promise.allSettled(jobs);
      return outcomes.every(({ status }) => status === 'fulfilled');
    },

    leave: () => app.close(),
  };
}

/** Not one that is kept: time passes here faster than tokens last. */
async function tokenOf(app: TestApp['app'], client: string): Promise<string> {
  const payload = {
    grant_type: 'client_credentials',
    client_id: client,
    client_secret: `${client}-secret`,
    audience: 'maitred',
  };
  const answer = await app.inject({ method: 'POST', url: '/oauth/token', payload });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().access_token;
}
