/** `feed pull`: the availability feed as files, of which a later run fetches only what has changed. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { FeedReader, type FeedState, type FeedStore, type FeedUpdate, type Maitred } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { replaceFile } from '../files.ts';
import { bytes, printable } from '../output.ts';
import { venueOf } from './venues.ts';

const pack = promisify(gzip);
const FEEDS_AT_ONCE = 4;
const STATE = '.state.json';
const FETCHED = '.fetched';
const LOCK = '.lock';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.json(\.gz)?$/;

export const feedPull = defineCommand({
  name: 'feed pull',
  summary: 'Write the availability feed of products to files, and later what has changed',
  details: `Each product has a folder with index.json and a file for each day, such as 2026-12-05.json.gz. Files are
replaced in one step. A run that was interrupted goes on where it stopped. A feed that cannot be read does not keep the
others; the command then ends with 1. One run at a time writes to a folder.`,
  arguments: [{ name: 'PRODUCT', isOptional: true, isRepeated: true }],
  options: {
    all: { type: 'boolean', about: 'All products that you may sell' },
    unpack: { type: 'boolean', about: 'Write days as plain JSON, which takes some fifty times the space' },
    dir: { type: 'string', value: 'FOLDER', about: 'Where to; `feed` if not given', choices: 'files' },
  },
  examples: [
    "maitred feed pull '1|house|soho-grill|dinner'",
    'maitred feed pull --all --dir /var/lib/availability --json',
  ],
  async run({ args, options: { all, unpack = false, dir = 'feed' } }, { out, connect, signal }) {
    if (!all === (args.length === 0)) throw new UsageError('Name products, or say --all.');
    const maitred = await connect();
    const feeds = all ? await allFeeds(maitred, signal) : await feedsOf(maitred, args, signal);
    const withFeed = feeds.flatMap(({ product, feedUrl }) => (feedUrl ? [{ product, feedUrl }] : []));
    if (!all && withFeed.length < feeds.length) {
      const { product } = feeds.find(({ feedUrl }) => !feedUrl) ?? {};
      throw new Error(`There is no feed of ${product} yet. The service makes it in the first minutes.`);
    }
    const total = {
      feeds: withFeed.length,
      withoutFeed: feeds.length - withFeed.length,
      changed: 0,
      removed: 0,
      failed: 0,
    };
    const download = createDownload(join(dir, FETCHED), signal);
    const progress = out.progress(withFeed.length, 'feeds');
    let done = 0;
    const dayFile = (folder: string, date: string) => join(folder, `${date}.json${unpack ? '' : '.gz'}`);
    const store = createStore(dir, withFeed, dayFile, unpack);
    const reader = new FeedReader({ store, fetch: download.fetch });
    progress.at(0);
    const pull = async ({ product, feedUrl }: Feed) => {
      const folder = folderOf(dir, product);
      const { changed, removed } = await reader.read(feedUrl, (update) =>
        writeUpdate(folder, update, dayFile),
      );
      done += 1;
      total.changed += changed.length;
      total.removed += removed.length;
      progress.at(done, `${total.changed} days, ${bytes(download.bytes())}`);
    };
    const waiting = [...withFeed];
    const failures: string[] = [];
    const work = async () => {
      for (let feed = waiting.shift(); feed && !signal.aborted; feed = waiting.shift())
        await pull(feed).catch((error: Error) => failures.push(`${feed?.product}: ${error.message}`));
    };
    await alone(dir, async () => {
      await Promise.all(Array.from({ length: FEEDS_AT_ONCE }, work)).finally(progress.done);
      signal.throwIfAborted();
      if (failures.length === 0) await rm(join(dir, FETCHED), { recursive: true, force: true });
    });
    total.failed = failures.length;
    for (const failure of failures) out.note(printable(failure));
    if (failures.length > 0) process.exitCode = 1;
    const summary = { dir, ...total, bytes: download.bytes() };
    out.document(summary, () => {
      out.line(
        `${total.feeds} feeds in ${dir}: ${total.changed} days written, ${total.removed} removed, ${bytes(summary.bytes)} fetched.`,
      );
      if (total.failed > 0) out.line(`${total.failed} feeds could not be pulled.`);
      if (total.withoutFeed > 0) out.line(`${total.withoutFeed} products have no feed yet.`);
    });
  },
});

interface Feed {
  product: string;
  feedUrl: string;
}
type FeedOrNone = { product: string; feedUrl: string | null };
type Products = { compositeId?: string; feedUrl?: string | null }[] | undefined;

const listed = (products: Products): FeedOrNone[] =>
  (products ?? []).map(({ compositeId = '', feedUrl = null }) => ({ product: compositeId, feedUrl }));

const FIELDS = 'products(compositeId,feedUrl)';

async function allFeeds(maitred: Maitred, signal: AbortSignal): Promise<FeedOrNone[]> {
  const venues = await maitred.venues.list({ pageSize: 100, fields: `id,${FIELDS}` }, { signal }).all();
  return venues.flatMap(({ products }) => listed(products));
}

async function feedsOf(
  maitred: Maitred,
  products: readonly string[],
  signal: AbortSignal,
): Promise<FeedOrNone[]> {
  const venueIds = [...new Set(products.map(venueOf))];
  const found: FeedOrNone[] = [];
  for (const id of venueIds)
    found.push(...listed((await maitred.venues.get(id, { fields: FIELDS }, { signal })).products));
  return [...new Set(products)].map((product) => {
    const feed = found.find((each) => each.product === product);
    if (!feed)
      throw new UsageError(
        `There is no product ${product}. \`maitred venues show VENUE\` lists those of a venue.`,
      );
    return feed;
  });
}

/** Bars and slashes are not allowed in names of files everywhere. What is no product must not name another folder. */
function folderOf(dir: string, product: string): string {
  const parts = product.split('|');
  if (parts.length !== 4 || parts.some((part) => ['', '.', '..'].includes(part)))
    throw new Error('That is no id of a product');
  return join(dir, encodeURIComponent(product).replaceAll('%7C', ',').replaceAll('*', '%2A'));
}

/** Two runs in one folder would undo each other's files. A lock whose process is gone is taken over. */
async function alone(dir: string, work: () => Promise<void>): Promise<void> {
  const lock = join(dir, LOCK);
  await mkdir(dir, { recursive: true });
  const claim = () => writeFile(lock, String(process.pid), { flag: 'wx' });
  await claim().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (isRunning(holder))
      throw new Error(
        `Process ${holder} is writing to ${dir}. If it is no run of this command, delete ${lock}.`,
      );
    await rm(lock, { force: true });
    await claim();
  });
  await work().finally(() => rm(lock, { force: true }));
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

type DayFile = (folder: string, date: string) => string;

/** The index comes last, so that the days it names are there. */
async function writeUpdate(folder: string, { index, changed }: FeedUpdate, dayFile: DayFile): Promise<void> {
  for (const shard of changed) {
    const file = dayFile(folder, shard.date);
    const content = JSON.stringify(shard);
    await replaceFile(file, file.endsWith('.gz') ? await pack(content) : content);
  }
  if (index) await replaceFile(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
}

/**
 * What was read of each feed is kept beside its files. What was deleted there is fetched again, and everything if days
 * were written in the other form before.
 */
function createStore(dir: string, feeds: readonly Feed[], dayFile: DayFile, unpack: boolean): FeedStore {
  const products = new Map(feeds.map(({ product, feedUrl }) => [feedUrl, product]));
  const folderAt = (feedUrl: string) => folderOf(dir, products.get(feedUrl) ?? '');
  return {
    async get(feedUrl) {
      const folder = folderAt(feedUrl);
      const stored = await readState(join(folder, STATE));
      if (stored?.unpack !== unpack) return undefined;
      const hashes = Object.entries(stored.hashes).filter(
        ([date]) => DATE.test(date) && existsSync(dayFile(folder, date)),
      );
      const isWhole =
        hashes.length === Object.keys(stored.hashes).length && existsSync(join(folder, 'index.json'));
      const etag = isWhole && stored.feedUrl === feedUrl ? stored.etag : null;
      return { etag, hashes: Object.fromEntries(hashes) };
    },
    async set(feedUrl, state) {
      const folder = folderAt(feedUrl);
      const current = new Set(Object.keys(state.hashes).map((date) => dayFile(folder, date)));
      for (const name of await readdir(folder))
        if (DAY_FILE.test(name) && !current.has(join(folder, name))) await rm(join(folder, name));
      await replaceFile(join(folder, STATE), `${JSON.stringify({ feedUrl, unpack, ...state })}\n`);
    },
  };
}

async function readState(
  file: string,
): Promise<(FeedState & { feedUrl: string; unpack: boolean }) | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A `fetch` that keeps the files of days until the run is over, for the one after a run that was interrupted. */
function createDownload(folder: string, signal: AbortSignal) {
  let count = 0;
  return {
    bytes: () => count,
    async fetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
      const url = String(input);
      const file = join(folder, createHash('sha256').update(url).digest('hex'));
      if (existsSync(file)) return new Response(await readFile(file));
      const signals = init.signal ? [init.signal, signal] : [signal];
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
      const body = new Uint8Array(await response.arrayBuffer());
      count += body.length;
      const { status, headers } = response;
      // What is behind the address of a day never changes; that of an index does.
      if (url.endsWith('.gz') && status === 200) await replaceFile(file, body);
      return new Response(status === 304 ? null : body, { status, headers });
    },
  };
}
