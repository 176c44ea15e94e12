import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { type Keyring, open, seal } from '../../../kernel/crypto.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import type { SealedTable } from '../../../kernel/sealed-table.ts';
import { currentSpan, tracedRoot, traceHeaders } from '../../../kernel/tracing.ts';
import { openBody } from '../../events/service.ts';
import {
  apiKeyOf,
  newSigningSecret,
  openSecrets,
  type SealedSecrets,
  standardSignature,
} from '../subscriptions/secrets.ts';
import type { Attempted, ClaimedDelivery } from './store.ts';

/** The outcome of a post to a receiver; `sender.ts` sends it. */

export interface Post {
  url: string;
  headers: Record<string, string>;
  /** The same bytes at every attempt. */
  body: Buffer;
  /** Of the whole exchange. */
  timeoutMs: number;
}

/** Coarse on purpose: a partner that chooses the address must not learn what else is there. */
export const POST_ERRORS = ['timeout', 'refused', 'dns', 'tls', 'status'] as const;

export type PostError = (typeof POST_ERRORS)[number];

export interface PostOutcome {
  /** A 2xx status line came in time. */
  isDelivered: boolean;
  statusCode: number | null;
  /** Null when it was delivered. */
  error: PostError | null;
  durationMs: number;
  /** The beginning of the body of the answer; empty without any. */
  answer: string;
}

export interface Sender {
  /** Never throws. */
  post(post: Post): Promise<PostOutcome>;
  close(): Promise<void>;
}

/** Minutes from a failed attempt to the next; after the last of them there is none. */
const RETRY_MINUTES = [1, 2, 4, 8, 16, 32] as const;

export interface AttemptDeps {
  clock: Clock;
  encryptionKeys: Keyring;
  sender: Sender;
}

/** Posts a delivery once and says what becomes of it. */
export async function attempt(deps: AttemptDeps, delivery: ClaimedDelivery): Promise<Attempted> {
  const { clock, sender } = deps;
  const startedAt = nowOf(clock);
  const number = delivery.attempts + 1;
  const outcome = await tracedPost(delivery, number, () => sender.post(postOf(deps, delivery, startedAt)));
  const { isDelivered, statusCode, error, durationMs } = outcome;
  const now = nowOf(clock);
  const minutes = RETRY_MINUTES[delivery.attempts];
  const { id, claim, eventId } = delivery;
  const answer = sealAnswer(deps.encryptionKeys, { deliveryId: id, number }, outcome.answer);
  const told = { id, claim, eventId, number, startedAt, durationMs, statusCode, error, answer };
  if (isDelivered) return { ...told, status: 'delivered', at: now };
  return minutes === undefined
    ? { ...told, status: 'dropped', at: now }
    : { ...told, status: 'pending', at: now.add({ minutes }) };
}

/** In the trace of the call that caused the event, whose receiver is told of it. */
const tracedPost = (
  { traceparent }: ClaimedDelivery,
  number: number,
  post: () => Promise<PostOutcome>,
): Promise<PostOutcome> =>
  tracedRoot(
    'webhooks.deliver',
    async () => {
      const outcome = await post();
      currentSpan()?.set({
        'http.response.status_code': outcome.statusCode ?? undefined,
        'error.type': outcome.error ?? undefined,
      });
      return outcome;
    },
    { traceparent, kind: 'client', attributes: { 'maitred.attempt': number } },
  );

/** Which attempt an answer belongs to. */
export interface AttemptKey {
  deliveryId: string;
  number: number;
}

const contextOf = ({ deliveryId, number }: AttemptKey) => `delivery:${deliveryId}/${number}`;

export const SEALED_ANSWERS: SealedTable = {
  table: 'delivery_attempt',
  columns: ['answer'],
  key: ['delivery_id', 'number'],
  contextOf: (deliveryId, number) => contextOf({ deliveryId, number: Number(number) }),
};

/** Receivers repeat what they were sent, so an answer may have the guest in it. */
const sealAnswer = (keys: Keyring, attempted: AttemptKey, answer: string): Buffer | null =>
  answer === '' ? null : seal(keys, answer, contextOf(attempted));

export const openAnswer = (keys: Keyring, attempted: AttemptKey, answer: Buffer): string =>
  open(keys, answer, contextOf(attempted)).toString();

function postOf({ encryptionKeys }: AttemptDeps, delivery: ClaimedDelivery, now: Temporal.Instant): Post {
  const { eventId, webhookId, callbackUrl } = delivery;
  const body = openBody(encryptionKeys, eventId, delivery.body);
  const isMissigned = delivery.isMissigned && delivery.attempts === 0;
  const message = { encryptionKeys, webhookId, messageId: eventId, secrets: delivery, isMissigned };
  return {
    url: callbackUrl,
    headers: { ...headersOf(message, body, now), ...traceHeaders() },
    body,
    timeoutMs: DEADLINES.webhook,
  };
}

export interface Message {
  encryptionKeys: Keyring;
  webhookId: string;
  /** The same at every attempt and at every subscription. */
  messageId: string;
  secrets: SealedSecrets;
  /** Signed with a secret that the subscription does not have. */
  isMissigned?: boolean;
}

/** Headers that prove to a receiver that we sent this, and to which subscription. */
export function headersOf(
  { encryptionKeys, webhookId, messageId, secrets: sealed, isMissigned = false }: Message,
  body: Buffer,
  now: Temporal.Instant,
): Record<string, string> {
  const secrets = isMissigned
    ? { current: newSigningSecret(), previous: null }
    : openSecrets(encryptionKeys, webhookId, sealed, now);
  const timestampSeconds = Math.floor(now.epochMilliseconds / 1000);
  return {
    ...postedHeaders({ webhookId, messageId }),
    'x-api-key': apiKeyOf(secrets.current, body),
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature(secrets, { id: messageId, timestampSeconds, body }),
  };
}

/** Those that are the same at every attempt and that no secret goes into. */
export function postedHeaders({ webhookId, messageId }: Pick<Message, 'webhookId' | 'messageId'>) {
  return {
    'content-type': 'application/json',
    'user-agent': 'maitred',
    'x-webhook-id': webhookId,
    'webhook-id': messageId,
  };
}
