/** Sends an event once, on request, and reports how that went. It is in no log, and nothing is retried. */
import type { Config } from '../../../config.ts';
import type { Sql } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf, timestampOf } from '../../../kernel/clock.ts';
import { type Keyring, newId } from '../../../kernel/crypto.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import { problem } from '../../../kernel/problem.ts';
import { withinDeadline } from '../../../kernel/request-scope.ts';
import { isSubscribed } from '../../events/service.ts';
import { headersOf, type Sender } from '../delivery/attempt.ts';
import {
  EVENT_DEFINITIONS,
  OPERATOR_TEST_TYPES,
  PING,
  TEST_TYPES,
  type TestEventDeps,
  type TestType,
} from '../event-types.ts';
import { countTestCall } from '../log/store.ts';
import type { Owner } from '../subscriptions/secrets.ts';
import { listSubscriptions, type SubscriptionRow } from '../subscriptions/store.ts';
import { getSubscription, ownerOf } from '../subscriptions/subscriptions.ts';
import type { TestBody, TestDelivery, TestReport } from './schema.ts';

export interface TestingDeps extends TestEventDeps {
  config: Pick<Config, 'environment'>;
  sql: Sql;
  encryptionKeys: Keyring;
  sender: Sender;
}

/** `webhookId`: to that subscription alone, whatever its state; undefined: to all that are active. */
export type SendTest = (caller: Caller, webhookId: string | undefined, body: TestBody) => Promise<TestReport>;

const CALLS_PER_WINDOW = 10;
const WINDOW_SECONDS = 60;

export function createTesting(deps: TestingDeps): SendTest {
  const { config, sql, clock } = deps;

  async function assertCallsLeft(owner: Owner): Promise<void> {
    const now = nowOf(clock);
    const { beganAt, calls } = await countTestCall(sql, owner, { now, seconds: WINDOW_SECONDS });
    if (calls <= CALLS_PER_WINDOW) return;
    const leftMs = beganAt.add({ seconds: WINDOW_SECONDS }).since(now).total('milliseconds');
    throw problem('RATE-R-001', {
      detail: `${CALLS_PER_WINDOW} tests a minute are the most there can be.`,
      retryAfterSeconds: Math.ceil(leftMs / 1000),
    });
  }

  /** The oldest first. */
  async function findTargets(owner: Owner, webhookId: string | undefined): Promise<SubscriptionRow[]> {
    if (webhookId !== undefined) return [await getSubscription(sql, owner, webhookId)];
    const all = await listSubscriptions(sql, owner);
    return all.filter(({ isActive }) => isActive);
  }

  return async (caller, webhookId, body) => {
    const owner = ownerOf(caller);
    await assertCallsLeft(owner);
    const type = readType(owner, body.eventType);
    if (type !== PING && config.environment === 'live')
      throw problem('WHK-N-006', { detail: `${type} can be tried in the sandbox; here, send ${PING}.` });
    assertFieldsBelong(type, body);
    const targets = await findTargets(owner, webhookId);
    const { occurredAt, content } = await EVENT_DEFINITIONS[type].makeTest(deps, caller, body);
    const text = JSON.stringify({ eventType: type, timestamp: timestampOf(occurredAt), ...content });
    const message = { id: newId(clock), body: Buffer.from(text) };
    const deliveries = await Promise.all(
      targets.map((target) =>
        webhookId !== undefined || wants(target, type) ? deliver(deps, target, message) : filtered(target),
      ),
    );
    return { deliveries };
  };
}

function readType({ kind }: Owner, text: string): TestType {
  const types = kind === 'partner' ? TEST_TYPES : OPERATOR_TEST_TYPES;
  const type = types.find((known) => known === text);
  if (type) return type;
  throw problem('WHK-N-005', { detail: `eventType is none of ${types.join(', ')}.` });
}

function assertFieldsBelong(type: TestType, body: TestBody): void {
  const { eventType: _, ...fields } = body;
  const known: readonly string[] = EVENT_DEFINITIONS[type].fields;
  const foreign = Object.keys(fields).filter((field) => !known.includes(field));
  if (foreign.length > 0)
    throw problem('WHK-N-007', { detail: `${type} takes no ${foreign.join(' and no ')}.` });
  if (body.changes && body.bookingId === undefined)
    throw problem('WHK-N-007', { detail: 'changes are made to a booking: send its bookingId too.' });
}

const wants = ({ eventTypes }: SubscriptionRow, type: TestType) =>
  type === PING || isSubscribed(eventTypes, type);

async function deliver(
  { clock, encryptionKeys, sender }: TestingDeps,
  target: SubscriptionRow,
  { id: messageId, body }: { id: string; body: Buffer },
): Promise<TestDelivery> {
  const { id: webhookId, callbackUrl } = target;
  const signed = headersOf({ encryptionKeys, webhookId, messageId, secrets: target }, body, nowOf(clock));
  const headers = { ...signed, 'x-webhook-test': 'true' };
  const outcome = await sender.post({
    url: callbackUrl,
    headers,
    body,
    timeoutMs: withinDeadline(DEADLINES.webhook),
  });
  return {
    webhookId,
    callbackUrl,
    delivered: outcome.isDelivered,
    statusCode: outcome.statusCode,
    durationMs: outcome.durationMs,
    signature: signed['x-api-key'] ?? null,
    skipped: null,
    error: outcome.error,
  };
}

const filtered = ({ id: webhookId, callbackUrl }: SubscriptionRow): TestDelivery => ({
  webhookId,
  callbackUrl,
  delivered: false,
  statusCode: null,
  durationMs: null,
  signature: null,
  skipped: 'filtered',
  error: null,
});
