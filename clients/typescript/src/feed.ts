import { ConnectionError, MaitredError } from './errors.ts';
import { type Failure, mayComeAgain, retryAfterSecondsOf, waitBeforeNext } from './retries.ts';

export interface FeedIndex {
  product_id: string;
  product_name: string;
  venue_name: string;
  /** False when the venue has closed for good. */
  active?: boolean;
  shut_at: string | null;
  advance_bookings_min_days?: number;
  advance_bookings_max_days?: number;
  /** The days on which something can be had. */
  shards: { date: string; url: string; hash: string; updated_at: string }[];
}

export interface FeedSlot {
  merchant_id: string;
  service_id: string;
  date: string;
  time: string;
  date_time: string;
  party_size: number;
  duration_minutes: number;
  min_duration: number;
  max_duration: number;
  duration_interval: number;
  duration_requirement: string;
  spots_total: number;
  spots_open: number;
  type: 'book' | 'request';
  request_reason: string | null;
  deposit: unknown;
  room_id: number | null;
  room_name: string | null;
  space_id: number | null;
}

/** What can be had on one day. */
export interface FeedShard {
  product_id: string;
  date: string;
  slots: FeedSlot[];
}

/** What is known of one feed; plain data that can be kept as JSON. */
export interface FeedState {
  etag: string | null;
  /** Hashes of the shards that were read, by date. */
  hashes: Record<string, string>;
}

/** Where states are kept. A `Map` will do; with a table or a file the next process goes on where this one was. */
export interface FeedStore {
  get(feedUrl: string): FeedState | undefined | Promise<FeedState | undefined>;
  set(feedUrl: string, state: FeedState): unknown;
}

export interface FeedUpdate {
  /** Null: nothing has changed, and the index was not sent. */
  index: FeedIndex | null;
  /** The days that are new or different, in order. */
  changed: FeedShard[];
  /** The days that have nothing to offer any more. */
  removed: string[];
  /** What was fetched for it, in bytes. */
  bytes: { index: number; shards: number };
}

export interface FeedReaderOptions {
  fetch?: typeof fetch;
  store?: FeedStore;
  /** How many files are fetched at a time, over all reads; 8 unless given. */
  concurrency?: number;
  /** For one file; 30 seconds unless given. */
  timeoutMs?: number;
}

/** There is no feed at this address any more. Read the venue again: its product says where the feed is, if there is one. */
export class FeedGoneError extends MaitredError {
  override readonly name = 'FeedGoneError';
}

const CONCURRENCY = 8;
const TIMEOUT_MS = 30_000;
const ATTEMPTS = 4;
/** An index that is replaced while its shards are read, time and again, is worth an error. */
const LOOKS = 3;

/** Reads availability feeds, and of each only what has changed since the last time. */
export class FeedReader {
  readonly #fetch: typeof fetch;
  readonly #store: FeedStore;
  readonly #timeoutMs: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(options: FeedReaderOptions = {}) {
    this.#fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args);
    this.#store = options.store ?? new Map<string, FeedState>();
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#free = options.concurrency ?? CONCURRENCY;
  }

  /**
   * What has changed in a feed since it was read last. With `apply`, it counts as read only when that has finished: if it
   * fails, or the process dies, the same comes again.
   *
   * @example
   * const { products } = await maitred.venues.get('1|house|soho-grill');
   * const feedUrl = products.find((product) => product.feedUrl)?.feedUrl;
   * if (feedUrl) {
   *   const feeds = new FeedReader({ store: new Map() });
   *   const { changed, removed } = await feeds.read(feedUrl, async (update) => {
   *     for (const { date, slots } of update.changed) console.log(date, slots.length);
   *   });
   *   console.log(changed.length, removed.length);
   * }
   */
  async read(feedUrl: string, apply?: (update: FeedUpdate) => unknown): Promise<FeedUpdate> {
    const known = await this.#store.get(feedUrl);
    const { update, state } = await this.#compare(feedUrl, known);
    await apply?.(update);
    if (state !== known) await this.#store.set(feedUrl, state);
    return update;
  }

  async #compare(feedUrl: string, known: FeedState | undefined) {
    const bytes = { index: 0, shards: 0 };
    const shards = new Map<string, FeedShard>();
    for (let look = 1; ; look += 1) {
      // The second look is for what replaced the first, so that it must not be answered with «not modified».
      const file = await this.#get(feedUrl, look === 1 ? known?.etag : null);
      if (file === 'gone') throw new FeedGoneError(`There is no feed at ${feedUrl} any more`);
      if (file === 'unchanged' && known)
        return { update: { index: null, changed: [], removed: [], bytes }, state: known };
      if (file === 'unchanged') throw new ConnectionError(`${feedUrl}: answered 304 to a first question`);
      bytes.index += file.bytes.length;
      const index = indexIn(await parse(file.bytes, feedUrl), feedUrl);
      const fresh = index.shards.filter(({ date, hash }) => known?.hashes[date] !== hash);
      const results = await Promise.all(
        fresh.map(async ({ url, date }) => {
          if (shards.get(url)?.date === date) return true;
          const day = await this.#get(url, null);
          if (typeof day === 'string') return false;
          bytes.shards += day.bytes.length;
          const shard = (await parse(day.bytes, url)) as FeedShard | null;
          if (shard?.date !== date) throw new ConnectionError(`${url}: not the day that the index names`);
          shards.set(url, shard);
          return true;
        }),
      );
      if (results.every(Boolean)) {
        const hashes = Object.fromEntries(index.shards.map(({ date, hash }) => [date, hash]));
        const changed = fresh.flatMap(({ url }) => shards.get(url) ?? []);
        const removed = Object.keys(known?.hashes ?? {}).filter((date) => !(date in hashes));
        return { update: { index, changed, removed, bytes }, state: { etag: file.etag, hashes } };
      }
      if (look === LOOKS) throw new ConnectionError(`${feedUrl}: files that the index names are not there`);
    }
  }

  /** A file, with no more others at a time than allowed, and again where it fails in passing. */
  async #get(url: string, etag: string | null | undefined): Promise<FeedFile | 'gone' | 'unchanged'> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await this.#attempt(url, etag);
        if (typeof outcome === 'string' || !('error' in outcome)) return outcome;
        const waitMs = waitBeforeNext(outcome, attempt);
        const isLast = attempt === ATTEMPTS || !mayComeAgain(outcome, true);
        // Others wait for this place.
        if (isLast || waitMs > this.#timeoutMs) throw outcome.error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #attempt(
    url: string,
    etag: string | null | undefined,
  ): Promise<FeedFile | 'gone' | 'unchanged' | Failure> {
    try {
      const response = await this.#fetch(url, {
        headers: etag ? { 'if-none-match': etag } : {},
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status, headers } = response;
      if (response.ok) return { bytes, etag: headers.get('etag') };
      if (status === 304) return 'unchanged';
      if (status === 404 || status === 410) return 'gone';
      const error = new ConnectionError(`${url}: answered ${status}`, { status });
      return { error, status, retryAfterSeconds: retryAfterSecondsOf(headers) };
    } catch (cause) {
      return { error: new ConnectionError(`${url}: ${(cause as Error).message}`, { cause }) };
    }
  }
}

interface FeedFile {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string | null;
}

/** Callers name files after the dates, so that nothing else may be in their place. */
function indexIn(content: unknown, url: string): FeedIndex {
  const { shards } = (content ?? {}) as Partial<FeedIndex>;
  const isIndex =
    Array.isArray(shards) && shards.every((shard) => /^\d{4}-\d{2}-\d{2}$/.test(String(shard?.date)));
  if (!isIndex) throw new ConnectionError(`${url}: not an index of a feed`);
  return content as FeedIndex;
}

/** Shards are gzip files. A store in front may have unpacked them already. */
async function parse(bytes: Uint8Array<ArrayBuffer>, url: string): Promise<unknown> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const stream = new Blob([bytes]).stream();
  const text = isGzip ? stream.pipeThrough(new DecompressionStream('gzip')) : stream;
  try {
    return await new Response(text).json();
  } catch (cause) {
    throw new ConnectionError(`${url}: not a file of the feed`, { cause });
  }
}
