/** What partners were told of: everything, with the same bytes each time, and signed. */
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ReceivedPost } from '../../../test/support/peers/receiver.ts';
import type { EventRow, Evidence, Subscription } from '../evidence.ts';

export function checkEvents(evidence: Evidence): string[] {
  const posts = evidence.posts.filter(({ headers }) => headers['x-webhook-test'] === undefined);
  return [
    ...checkLogs(evidence),
    ...checkBodies(evidence, posts),
    ...evidence.subscriptions.flatMap((subscription) => checkArrivals(evidence, subscription, posts)),
  ];
}

const eventOf = ({ headers }: ReceivedPost) => String(headers['webhook-id']);

/** Read by cursors while it grew, the log has everything once and in its order. */
function checkLogs({ logs, events }: Evidence): string[] {
  return [...logs].flatMap(([partnerId, read]) => {
    const stored = events.filter((row) => row.partnerId === partnerId).map(({ id }) => id);
    const found = read.map(({ id }) => id);
    const [wanted, got] = [new Set(stored), new Set(found)];
    return [
      ...[...wanted.difference(got)].map(
        (id) => `event ${id} is missing from the log of partner ${partnerId}`,
      ),
      ...[...got.difference(wanted)].map(
        (id) => `event ${id} of the log of partner ${partnerId} is not stored`,
      ),
      ...(found.length === got.size ? [] : [`the log of partner ${partnerId} has an event twice`]),
      ...(wanted.size === got.size && !isDeepStrictEqual(found, stored)
        ? [`the log of partner ${partnerId} is out of order`]
        : []),
    ];
  });
}

function checkBodies({ logs }: Evidence, posts: readonly ReceivedPost[]): string[] {
  const logged = new Map([...logs.values()].flat().map(({ id, body }) => [id, body]));
  return [...Map.groupBy(posts, eventOf)].flatMap(([id, same]) => {
    const [first] = same;
    if (!first) return [];
    const isAltered = same.some(({ body }) => !first.body.equals(body));
    return [
      ...(isAltered ? [`event ${id} arrived with different bytes`] : []),
      ...(isDeepStrictEqual(JSON.parse(first.body.toString()), logged.get(id))
        ? []
        : [`event ${id} arrived with another body than the log has`]),
    ];
  });
}

function checkArrivals(
  { events }: Evidence,
  { path, partnerId, webhookId, secret, eventTypes }: Subscription,
  posts: readonly ReceivedPost[],
): string[] {
  const arrived = posts.filter((post) => post.path === path);
  const ids = new Set(arrived.map(eventOf));
  const isMeant = (row: EventRow) => row.partnerId === partnerId && isChosen(row.eventType, eventTypes);
  const wanted = new Set(events.filter(isMeant).map(({ id }) => id));
  return [
    ...[...wanted.difference(ids)].map((id) => `event ${id} never arrived at ${path}`),
    ...[...ids.difference(wanted)].map((id) => `event ${id} arrived at ${path} and is not meant for it`),
    ...arrived
      .filter((post) => !isSigned(post, webhookId, secret))
      .map((post) => `event ${eventOf(post)} arrived at ${path} with a wrong signature`),
  ];
}

/** Without a choice a subscription is told everything but what has to be named. */
const isChosen = (type: string, chosen: readonly string[] | null) =>
  chosen === null ? type !== 'hold.expired' : chosen.includes(type);

function isSigned({ headers, body }: ReceivedPost, webhookId: string, secret: string): boolean {
  const apiKey = createHmac('sha256', secret).update(body).digest('hex');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const message = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const signature = createHmac('sha256', key).update(message).update(body).digest('base64');
  return (
    headers['x-webhook-id'] === webhookId &&
    headers['x-api-key'] === apiKey &&
    headers['webhook-signature'] === `v1,${signature}`
  );
}
