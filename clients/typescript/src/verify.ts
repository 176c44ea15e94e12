import type {
  NotifiedBooking,
  NotifiedHold,
  NotifiedMessage,
  NotifiedVenue,
  NotifiedWaitlistEntry,
} from './types.ts';

interface Notified<Type extends string> {
  /** The same at every attempt and in a replay; note it when you have handled the event. */
  id: string;
  /** Which of your subscriptions it was posted to. The signature does not cover it. */
  subscriptionId: string | undefined;
  eventType: Type;
  /** When it happened. */
  timestamp: string;
  /** You asked for it with `webhooks.test`. The signature does not cover it, so let nothing of value hang on it. */
  isTest: boolean;
  /** `seen` knows the id: answer 204 and do nothing. */
  isDuplicate: boolean;
}

/** Narrow it by `eventType`. Newer services may post types that are not here: pass over them, and answer 204. */
export type VerifiedEvent =
  | (Notified<'booking.updated'> & { bookings: NotifiedBooking[] })
  | (Notified<'message.received'> & { messages: NotifiedMessage[] })
  | (Notified<'venue.updated'> & { venues: NotifiedVenue[] })
  | (Notified<'waitlist.offered'> & { waitlist: NotifiedWaitlistEntry[] })
  | (Notified<'hold.expired'> & { holds: NotifiedHold[] })
  | Notified<'webhook.ping'>;

export interface WebhookRequest {
  /** Of a `Request`, or of Node's `IncomingMessage`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** As it came, not parsed and printed again. */
  body: string | Uint8Array | ArrayBuffer;
  /** The secret of the subscription; while it is changed, the old one and the new one. */
  secrets: string | readonly string[];
  /** How old a post may be; five minutes unless given. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970, in place of the clock. */
  now?: number;
  /** Knows the ids of events that you have handled; a `Set` will do where one process handles them all. */
  seen?: { has(id: string): boolean | Promise<boolean> };
}

/** The post is not from Maitred, or not for you. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_SECONDS = 300;
const encoder = new TextEncoder();

/**
 * The event of a post, once its signature is found to be good.
 *
 * @example
 * const secret = 'whsec_c2VjcmV0LW9mLXRoZS1leGFtcGxl';
 * const body = JSON.stringify({ eventType: 'webhook.ping', timestamp: new Date().toISOString() });
 * const headers = await signWebhook({ id: crypto.randomUUID(), body, secrets: secret });
 *
 * const event = await verifyWebhook({ headers, body, secrets: secret });
 * if (event.eventType === 'booking.updated') console.log(event.bookings[0]?.status);
 */
export async function verifyWebhook(request: WebhookRequest): Promise<VerifiedEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now(), seen } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(request.headers, name),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('The headers of a signed webhook are missing');
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp));
  // Written this way so that a timestamp that is no number fails.
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError('The webhook was signed too long ago, or the clock is wrong');
  const body = bytesOf(request.body);
  const signed = signedBytes(id, timestamp, body);
  if (!(await hasGoodSignature(signed, signatures, listOf(request.secrets))))
    throw new WebhookVerificationError('No signature of the webhook was made with your secret');
  return {
    ...parse(body),
    id,
    subscriptionId: headerOf(request.headers, 'x-webhook-id'),
    isTest: headerOf(request.headers, 'x-webhook-test') === 'true',
    isDuplicate: (await seen?.has(id)) ?? false,
  };
}

/**
 * The headers that Maitred signs a post with, for tests of a receiver.
 *
 * @example
 * const body = JSON.stringify({ eventType: 'webhook.ping', timestamp: new Date().toISOString() });
 * const headers = await signWebhook({ id: crypto.randomUUID(), body, secrets: 'whsec_c2VjcmV0LW9mLXRoZS1leGFtcGxl' });
 * console.log(headers['webhook-signature']);
 */
export async function signWebhook(post: {
  id: string;
  body: string | Uint8Array | ArrayBuffer;
  /** Of two, the new one first. */
  secrets: string | readonly string[];
  /** Milliseconds since 1970, in place of the clock. */
  now?: number;
}): Promise<Record<string, string>> {
  const body = bytesOf(post.body);
  const timestamp = String(Math.floor((post.now ?? Date.now()) / 1000));
  const signed = signedBytes(post.id, timestamp, body);
  const secrets = listOf(post.secrets);
  const macs = await Promise.all(secrets.map(async (secret) => hmac(await keyOf(secret), signed)));
  const plainKey = await importKey(encoder.encode(secrets[0]));
  return {
    'content-type': 'application/json',
    'webhook-id': post.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': macs.map((mac) => `v1,${btoa(String.fromCharCode(...mac))}`).join(' '),
    'x-api-key': [...(await hmac(plainKey, body))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

/** `crypto.subtle.verify` compares in constant time. */
async function hasGoodSignature(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const macs = signatures.split(' ').flatMap((signature) => {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    return bytes ? [bytes] : [];
  });
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const mac of macs) if (await crypto.subtle.verify('HMAC', key, mac, signed)) return true;
  }
  return false;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  // Without the value, which must not end up in a log.
  if (!bytes?.length) throw new TypeError('A secret of a webhook is whsec_ and base64');
  return importKey(bytes);
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

async function hmac(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoder.encode(body);
  return new Uint8Array(body);
}

function listOf(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (list.length === 0) throw new TypeError('A webhook is verified with at least one secret');
  return list;
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value[0] : value;
}

function parse(body: Uint8Array): VerifiedEvent {
  const event: unknown = JSON.parse(new TextDecoder().decode(body));
  return event as VerifiedEvent;
}
