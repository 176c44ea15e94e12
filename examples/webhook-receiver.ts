/**
 * A receiver of webhooks that needs nothing but Node: it verifies what comes, does nothing twice, answers, and prints
 * what happened. docs/webhooks.md explains each step.
 *
 *     WEBHOOK_SECRET=whsec_… PORT=4000 node_modules/.bin/node examples/webhook-receiver.ts
 *
 * While a secret is being rotated WEBHOOK_SECRET may have both, with a comma between them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env;
const secrets = WEBHOOK_SECRET.split(',').filter(Boolean);
if (secrets.length === 0) throw new Error('Set WEBHOOK_SECRET to the secretKey of your subscription.');

const TOLERANCE_SECONDS = 5 * 60;
const MAX_BODY_BYTES = 1024 * 1024;

interface Notification {
  eventType: string;
  timestamp: string;
  bookings?: { id: string; status: string; lastUpdate: string }[];
  messages?: { id: string; bookingId: string }[];
  venues?: { compositeId: string; active: boolean }[];
}

/** Undefined when it is too long to be one of theirs. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Signed with one of our secrets, over these very bytes, and not long ago. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return false;
  const sent = String(signatures).split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return sent.some((signature) => isSame(signature, `v1,${mac}`));
  });
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** In earnest this is a table, and an id is written to it in the transaction that does what the event calls for. */
const done = new Set<string>();
/** Events come in any order: what is older than what is known changes nothing. */
const lastUpdates = new Map<string, string>();

/** What an event means for us, in words. */
function handle({ eventType, bookings = [], messages = [], venues = [] }: Notification): string {
  const news = bookings.map(({ id, status, lastUpdate }) => {
    const known = lastUpdates.get(id);
    if (known !== undefined && Date.parse(known) >= Date.parse(lastUpdate)) return `booking ${id} is known`;
    lastUpdates.set(id, lastUpdate);
    return `booking ${id} is ${status}`;
  });
  news.push(...messages.map(({ id, bookingId }) => `message ${id} about booking ${bookingId}`));
  news.push(
    ...venues.map(({ compositeId, active }) => `venue ${compositeId} is ${active ? 'open' : 'closed'}`),
  );
  return [eventType, ...news].join(', ');
}

/** The status to answer with, and what there is to say about it. */
function take(headers: IncomingHttpHeaders, body: Buffer | undefined): [status: number, line: string] {
  if (!body) return [413, 'refused: too long'];
  if (!isGenuine(headers, body)) return [401, 'refused: not signed with our secret'];
  const id = String(headers['webhook-id']);
  if (done.has(id)) return [204, `had already: ${id}`];
  const line = handle(JSON.parse(body.toString()));
  done.add(id);
  return [204, `${headers['x-webhook-test'] ? 'test' : 'accepted'}: ${line}`];
}

const server = createServer(async (request, response) => {
  try {
    const [status, line] = take(request.headers, await readBody(request));
    console.log(line);
    response.writeHead(status).end();
  } catch (error) {
    // Whatever went wrong here, it is sent again later.
    console.error(error);
    response.writeHead(500).end();
  }
});
server.listen(Number(PORT), () => console.log(`Listening on port ${PORT}`));
