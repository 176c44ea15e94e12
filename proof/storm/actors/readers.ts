/** Those who only read: the catalogue, the feed from its index to every shard, and the log by its cursors. */
import { gunzipSync } from 'node:zlib';
import type { Spot } from '../world.ts';
import type { Caller } from './caller.ts';

/** Every address that a partner reads the catalogue by, one after the other. */
export async function keepReading(caller: Caller, spots: readonly Spot[]): Promise<void> {
  const { ask, pick } = caller;
  while (!caller.stage.isOver()) {
    const { productId: compositeId, venueId, starts } = pick(spots);
    const { date, time } = pick(starts);
    const inToon = { headers: { accept: 'text/toon' } };
    const query = { pageSize: 5, sortBy: pick(['default', 'name', 'city']) };
    const wanted = { compositeId, booking: { partySize: 2, date, time } };
    const asks = [
      () => ask({ route: 'GET /venues', query }),
      () => ask({ route: 'GET /venues', query: { fields: 'id,name', city: 'London' }, ...inToon }),
      () => ask({ route: 'GET /venues/category' }),
      () => ask({ route: 'GET /venues/{venueId}', params: { venueId } }),
      () => ask({ route: 'GET /v1/listings', query: { pageSize: 5, capability: 'event_ticket' } }),
      () => ask({ route: 'GET /v1/listings', query: { venueName: 'grill' }, ...inToon }),
      () =>
        ask({
          route: 'POST /v1/availabilities',
          body: {
            date,
            quantity: 2,
            bookableProducts: spots.map((spot) => ({ compositeId: spot.productId })),
          },
        }),
      () => ask({ route: 'GET /booking-rules', query: { venueId } }),
      () => ask({ route: 'POST /booking-rules/explain', body: wanted }),
      () => ask({ route: 'GET /venues/{venueCompositeId}/site-faqs', params: { venueCompositeId: venueId } }),
      () =>
        ask({
          route: 'GET /venues/{compositeId}/availability',
          params: { compositeId },
          query: { date, partySize: 2 },
        }),
      () =>
        ask({
          route: 'POST /venues/find-tables',
          body: { partySize: 2, date, time, city: 'London', limit: 5 },
        }),
      () => ask({ route: 'GET /mandate' }),
      () => ask({ route: 'GET /request-log', query: { limit: 5 } }),
      () => ask({ route: 'GET /.well-known/oauth-protected-resource' }),
      () => ask({ route: 'GET /.well-known/oauth-protected-resource/mcp' }),
      () => ask({ route: 'GET /problems' }),
      () => ask({ route: 'GET /problems/{code}', params: { code: 'VALID-N-001' } }),
      () => ask({ route: 'GET /.well-known/jwks.json' }),
      () => ask({ route: 'GET /.well-known/oauth-authorization-server' }),
      () => ask({ route: 'POST /oauth/token', body: CREDENTIALS, isAnonymous: true }),
    ];
    for (const each of asks) {
      if (caller.stage.isOver()) return;
      await each();
      await caller.rest(60);
    }
  }
}

const CREDENTIALS = {
  ...{ grant_type: 'client_credentials', audience: 'maitred' },
  ...{ client_id: 'demo-partner', client_secret: 'demo-partner-secret' },
};

export interface Shard {
  product: string;
  date: string;
  // biome-ignore lint/suspicious/noExplicitAny: files are looked into by whoever compares them.
  content: any;
}

/** Sentences about files that an index names and that are not there, or are not what they should be. */
export async function followFeed(
  caller: Caller,
  { venueId, productId }: Spot,
  faults: string[],
  isWanted: (date: string, index: number) => boolean,
): Promise<Shard[]> {
  const venue = await caller.ask({ route: 'GET /venues/{venueId}', params: { venueId } });
  if (venue.status !== 200) return [];
  const product = venue.answer.products.find(
    (each: { compositeId: string }) => each.compositeId === productId,
  );
  if (!product?.feedUrl) return [];
  const index = await fetchFile(caller, product.feedUrl);
  // Whoever is told that the address has changed reads the venue again; that is the next round.
  if (index?.status !== 200) return [];
  const { shards } = JSON.parse(index.body.toString()) as { shards: { date: string; url: string }[] };
  const found: Shard[] = [];
  for (const { date, url } of shards.filter((shard, place) => isWanted(shard.date, place))) {
    const file = await fetchFile(caller, url);
    if (file?.status === 404) faults.push(`the index of ${productId} names ${url}, which is not there`);
    if (file?.status !== 200) continue;
    try {
      found.push({ product: productId, date, content: JSON.parse(gunzipSync(file.body).toString()) });
    } catch {
      faults.push(`${url} is not a file of a day`);
    }
  }
  return found;
}

async function fetchFile({ name, stage, random }: Caller, url: string) {
  const { pathname: path } = new URL(url);
  const { journal, cluster } = stage;
  const sent = journal.tick();
  const file = await fetch(new URL(path, cluster.address(random))).then(
    async (response) => ({ status: response.status, body: Buffer.from(await response.arrayBuffer()) }),
    () => undefined,
  );
  journal.write({
    ...{ actor: name, client: null, route: path.endsWith('.gz') ? SHARD : INDEX, path, sent },
    ...{ told: journal.tick(), status: file?.status ?? null, code: null },
    ...{ key: null, mark: null, body: null, answer: null },
  });
  return file;
}

const INDEX = 'GET /feed/{index}';
const SHARD = 'GET /feed/{shard}';

/** Half a year has many files: each round reads a few weeks of it. */
const SHARDS_AT_A_TIME = 30;
const HALF_A_YEAR = 180;

export async function keepFollowing(caller: Caller, spots: readonly Spot[], faults: string[]): Promise<void> {
  while (!caller.stage.isOver()) {
    const first = Math.floor(caller.random() * (HALF_A_YEAR - SHARDS_AT_A_TIME));
    const isWanted = (_: string, place: number) => place >= first && place < first + SHARDS_AT_A_TIME;
    await followFeed(caller, caller.pick(spots), faults, isWanted);
    await caller.rest(1500);
  }
}

export interface LoggedEvent {
  id: string;
  eventType: string;
  bookingId: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: see Entry.answer.
  body: any;
}

/** A reader of the log who keeps the place it has got to. */
export function openLogReader(caller: Caller) {
  const events: LoggedEvent[] = [];

  /** False: there is nothing more at the moment, or no answer. */
  async function readPage(): Promise<boolean> {
    const last = events.at(-1)?.id;
    const query = { limit: 100, ...(last !== undefined && { cursor: last }) };
    const told = await caller.ask({ route: 'GET /webhooks/events', query });
    if (told.status !== 200) return false;
    events.push(...told.answer.data);
    return told.answer.meta.nextCursor !== null;
  }

  return {
    events,
    caller,
    async keepReading(): Promise<void> {
      while (!caller.stage.isOver()) {
        await readPage();
        await caller.rest(300);
      }
    },
    /** To the end, when nothing happens any more. */
    async finish(): Promise<void> {
      for (let quiet = 0; quiet < 3; ) quiet = (await readPage()) ? 0 : quiet + 1;
    },
  };
}
export type LogReader = ReturnType<typeof openLogReader>;
