/** `listen`: the event log as it grows, and each event posted to a receiver on this machine as the service would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Maitred, signWebhook, type WebhookEvent } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { readSince } from '../dates.ts';
import { type Output, printable } from '../output.ts';
import type { Listener } from '../profiles.ts';

const EVENT_TYPES = [
  'booking.updated',
  'message.received',
  'venue.updated',
  'waitlist.offered',
  'hold.expired',
];
/** Subscriptions get it only where they name it, and so does a listener. */
const ONLY_IF_NAMED = 'hold.expired';
const POLL_MS = 1000;
/** As long as the service waits for a receiver. */
const POST_TIMEOUT_MS = 10_000;
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000];
/** «From now on» is found by looking back this far, because the clocks of two nodes differ. */
const LOOK_BACK = '10m';

export const listen = defineCommand({
  name: 'listen',
  summary: 'Show events as they happen, and post them to a receiver on your machine',
  details: `Reads the event log, so it needs no address that the internet can reach. Each event is posted to --forward with
the headers and the body of a real delivery, signed with the secret that is printed at the start; it stays the same for
your client on this machine. A receiver that does not answer 2xx is tried ${RETRY_DELAYS_MS.length + 1} times, then the event is skipped.
Events are posted one after the other, in the order of the log. Goes on until Ctrl-C, also when the service restarts.`,
  options: {
    forward: { type: 'string', value: 'URL', about: 'Post each event to this address' },
    events: {
      type: 'string',
      isList: true,
      value: 'TYPE,…',
      about: `Only these types; all but ${ONLY_IF_NAMED} if not given`,
      choices: EVENT_TYPES,
    },
    since: {
      type: 'string',
      value: 'WHEN',
      about: 'Begin then: 10m, 2h or a time; from now on if not given',
    },
    after: {
      type: 'string',
      value: 'EVENT',
      about: 'Begin after the event with this id, where you stopped before',
    },
    'print-secret': { type: 'boolean', about: 'Print the secret and end' },
  },
  examples: [
    'maitred listen',
    'maitred listen --forward http://localhost:4000/maitred',
    'maitred listen --events booking.updated --since 1h --json',
    'WEBHOOK_SECRET=$(maitred listen --print-secret) node receiver.js',
  ],
  async run({ options }, context) {
    const { forward, events = [], since, after } = options;
    const unknown = events.find((type) => !EVENT_TYPES.includes(type));
    if (unknown) throw new UsageError(`There is no event ${unknown}: use ${EVENT_TYPES.join(', ')}.`);
    const { out, profiles, getProfile, connect, signal } = context;
    const listener = await profiles.listener(await getProfile());
    if (options['print-secret']) return out.document(listener, () => out.line(listener.secret));
    const receiver = forward === undefined ? undefined : readReceiver(forward);
    const maitred = await connect();
    const start = await findStart(maitred, { since, after }, signal);
    announce(out, listener, receiver);
    const isWanted = (type: string) => (events.length > 0 ? events.includes(type) : type !== ONLY_IF_NAMED);
    let isDown = false;
    // Keeps its place while the service restarts: the log is read on from the last event.
    const onError = () => {
      if (!isDown) out.note('The service does not answer; waiting for it …');
      isDown = true;
    };
    for await (const event of maitred.webhooks.followEvents({
      ...start,
      signal,
      intervalMs: POLL_MS,
      onError,
    })) {
      isDown = false;
      if (!isWanted(event.eventType)) continue;
      out.entry(event, () => lineOf(out, event));
      if (receiver) await forwardEvent(event, receiver, listener, context);
    }
  },
});

interface Start {
  cursor?: string;
  since?: string;
}

/** The service tells where the log ends; what was in it before is passed over. */
async function findStart(
  maitred: Maitred,
  given: { since?: string | undefined; after?: string | undefined },
  signal: AbortSignal,
): Promise<Start> {
  if (given.after !== undefined) return { cursor: given.after };
  if (given.since !== undefined) return { since: readSince(given.since, Date.now()) };
  // By the clock of the service: if ours were ahead, events would be left out until it gets there.
  const query = { limit: 1 };
  const { headers } = await maitred.request('GET', '/webhooks/events', { query, signal });
  const since = readSince(LOOK_BACK, Date.parse(headers.get('date') ?? '') || Date.now());
  const past = await maitred.webhooks.events({ since, limit: 100 }, { signal }).all();
  const last = past.at(-1);
  return last ? { cursor: last.id } : { since };
}

function announce(out: Output, { secret, webhookId }: Listener, receiver: URL | undefined): void {
  const where = receiver ? `Forwarding to ${receiver.href} as subscription ${webhookId}` : 'Listening';
  out.note(`${where}. Ctrl-C ends it.`);
  if (receiver) out.note(`Signing secret: ${secret}`);
}

function readReceiver(text: string): URL {
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme) || !/^https?:$/.test(new URL(withScheme).protocol))
    throw new UsageError('--forward takes an address such as http://localhost:4000/maitred.');
  return new URL(withScheme);
}

function lineOf(out: Output, { occurredAt, eventType, body, bookingId, venueId, id }: WebhookEvent): string {
  const booking = body?.bookings?.[0];
  const what = booking ? `${booking.status} ${booking.date} ${booking.time} for ${booking.partySize}` : '';
  const about = bookingId ?? venueId;
  const parts = [
    printable(occurredAt).slice(11, 19),
    out.style('bold', printable(eventType)),
    printable(about),
    printable(what),
    out.style('dim', printable(id)),
  ];
  return parts.filter(Boolean).join('  ');
}

/** Tries a few times, and says so when it gives up. */
async function forwardEvent(
  event: WebhookEvent,
  receiver: URL,
  listener: Listener,
  { out, signal }: Context,
): Promise<void> {
  if (event.body === null) {
    out.note(`  ${event.id}: not posted, its guest was forgotten and with it the body`);
    return;
  }
  const body = JSON.stringify(event.body);
  for (const [index, delayMs] of [...RETRY_DELAYS_MS, undefined].entries()) {
    const outcome = await post(receiver, event.id, body, listener, signal);
    if (outcome.isDelivered) {
      if (!out.isJson) out.line(`  → ${outcome.said}`);
      return;
    }
    signal.throwIfAborted();
    const next = delayMs === undefined ? 'skipped' : `again in ${delayMs / 1000} s`;
    out.note(`  ${event.id}: ${outcome.said}, attempt ${index + 1}; ${next}`);
    if (delayMs !== undefined) await sleep(delayMs, undefined, { signal });
  }
}

async function post(receiver: URL, id: string, body: string, listener: Listener, signal: AbortSignal) {
  const beganAt = performance.now();
  try {
    const signed = await signWebhook({ id, body, secrets: listener.secret });
    const response = await fetch(receiver, {
      method: 'POST',
      // As with the service: a redirect is a failure.
      redirect: 'manual',
      headers: { ...signed, 'user-agent': 'maitred', 'x-webhook-id': listener.webhookId },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    const said = `${response.status} after ${Math.round(performance.now() - beganAt)} ms`;
    return { isDelivered: response.ok, said };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const said = name === 'TimeoutError' ? 'no answer in 10 s' : (cause?.code ?? 'no connection');
    return { isDelivered: false, said };
  }
}
