/**
 * A receiver of webhooks: it verifies what comes, does nothing twice, answers, and prints what happened. docs/webhooks.md
 * explains each step.
 *
 *     npm run example:webhooks
 *
 * subscribes at the node of `npm start`, until Ctrl-C. Where that node may not post to its own machine, the log of
 * events, which has the same, is followed instead. For a subscription of your own:
 *
 *     WEBHOOK_SECRET=whsec_… PORT=4000 node_modules/.bin/node --conditions=maitred-source examples/webhook-receiver.ts
 *
 * While a secret is being rotated WEBHOOK_SECRET may have both, with a comma between them.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { isProblem, Maitred, verifyWebhook, WebhookVerificationError } from '@maitred/client';

const { env } = process;
const PORT = Number(env.PORT ?? 4000);
const MAX_BODY_BYTES = 1024 * 1024;
const maitred = new Maitred({
  baseUrl: env.MAITRED_URL ?? 'http://127.0.0.1:3000',
  clientId: env.MAITRED_CLIENT_ID ?? 'demo-partner',
  clientSecret: env.MAITRED_CLIENT_SECRET ?? 'demo-partner-secret',
});

/** What this program looks at. There are more types of events, and there will be others. */
interface News {
  eventType: string;
  bookings?: { id: string; status: string; lastUpdate: string }[];
  messages?: { id: string; bookingId: string }[];
  venues?: { compositeId: string; active: boolean }[];
}

/** In earnest this is a table, and an id is written to it in the transaction that does what the event calls for. */
const done = new Set<string>();
/** Events come in any order: what is older than what is known changes nothing. */
const lastUpdates = new Map<string, string>();

/** What an event means for us, in words. */
function handle({ eventType, bookings = [], messages = [], venues = [] }: News): string {
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

/** The status to answer with, and what there is to say about it. */
async function take(request: IncomingMessage, secrets: string[]): Promise<[status: number, line: string]> {
  const body = await readBody(request);
  if (!body) return [413, 'refused: too long'];
  const event = await verifyWebhook({ headers: request.headers, body, secrets });
  // Nothing is waited for between this and `add`, so of two posts of one event at once only one is handled.
  if (done.has(event.id)) return [204, `had already: ${event.id}`];
  const line = handle(event);
  done.add(event.id);
  return [204, `${event.isTest ? 'test' : 'accepted'}: ${line}`];
}

function listen(secrets: string[]): void {
  const server = createServer(async (request, response) => {
    try {
      const [status, line] = await take(request, secrets);
      console.log(line);
      response.writeHead(status).end();
    } catch (error) {
      const isForged = error instanceof WebhookVerificationError;
      if (isForged) console.log('refused: not signed with our secret');
      else console.error(error);
      // Whatever went wrong here, it is sent again later.
      response.writeHead(isForged ? 401 : 500).end();
    }
  });
  server.listen(PORT, () => console.log(`Listening on port ${PORT}`));
}

/** For as long as this program runs. Undefined where the node posts to public addresses alone. */
async function subscribe(): Promise<string | undefined> {
  try {
    const callbackUrl = `http://127.0.0.1:${PORT}/maitred`;
    const { webhookId, secretKey } = await maitred.webhooks.subscriptions.create({ callbackUrl });
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () =>
        maitred.webhooks.subscriptions.delete(webhookId).finally(() => process.exit()),
      );
    return secretKey;
  } catch (error) {
    if (isProblem(error, 'WHK-N-002')) return undefined;
    throw error;
  }
}

/** From now on. To miss nothing, keep the id of the last event and begin with it as `cursor` the next time. */
async function follow(): Promise<void> {
  console.log(
    'Following the log of events: this node may not post to its own machine (WEBHOOK_ALLOW_LOOPBACK).',
  );
  for await (const { body } of maitred.webhooks.followEvents({ since: new Date().toISOString() }))
    if (body) console.log(`in the log: ${handle(body)}`);
}

const given = (env.WEBHOOK_SECRET ?? '').split(',').filter(Boolean);
const secret = given.length > 0 ? undefined : await subscribe();
if (given.length > 0) listen(given);
else if (secret) listen([secret]);
else await follow();
