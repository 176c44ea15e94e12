/**
 * Makes the files of one venue: changed shards are made anew, all others are kept. Shards are written before the
 * index that names them, and the hashes of their inputs last; a reader, also after a crash at any point, finds an
 * index whose shards all exist. An index is overwritten, so only under the lease of the venue; a run after an
 * unfinished one writes the index even if it looks unchanged.
 */

import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { inTransaction, type Sql } from '../../db/database.ts';
import { primaryReads, type Reads } from '../../db/reads.ts';
import { addDays, localOf, MS_PER_DAY } from '../../kernel/zone-time.ts';
import type { Forecast } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import type { Channel } from './channels.ts';
import { createPage, feedDay, type Page } from './day.ts';
import { type FeedStorage, indexOf } from './feed-file.ts';
import { createFeedInputs, type FeedInputs } from './inputs.ts';
import * as store from './store.ts';

const compress = promisify(gzip);

export const FEED_DAYS = 180;
export const GZIP_LEVEL = 6;
/** Longer than most compressed days: a day is then one trip to the thread pool and back. */
const CHUNK_BYTES = 65_536;
const GZIP = { level: GZIP_LEVEL, chunkSize: CHUNK_BYTES };
/** Requests need the thread pool too. */
const COMPRESSED_AT_ONCE = 2;
/** Read at a time, so that however many stays there are only so many are in memory. */
const DAYS_AT_A_TIME = 30;
/** Days that are made lie this far apart at most to be read together. */
const SMALL_GAP = 3;

export interface MakerDeps {
  sql: Sql;
  /** What a day offers is read there; it may take a while. */
  reads?: Reads;
  registry: Registry;
  storage: FeedStorage;
  feedUrl: string;
}

export interface Made {
  /** Slots that were computed. */
  slots: number;
  daysMade: number;
  daysCarried: number;
  files: number;
}

export interface MakeOptions {
  nowMs: number;
  /** Nothing is carried forward. */
  isFull: boolean;
  /** When the venue is to be looked over next, and when everything is made anew. */
  due: (timeZone: string) => { dueAt: Temporal.Instant; fullDueAt: Temporal.Instant };
}

export function createMaker({ sql, reads = primaryReads(sql), registry, storage, feedUrl }: MakerDeps) {
  const feedInputsOf = createFeedInputs({ reads, registry });

  /** Marks are read before what they mark: what changes in between is made once more, and never missed. */
  return async function make(claim: store.FeedClaim, options: MakeOptions): Promise<Made> {
    const made: Made = { slots: 0, daysMade: 0, daysCarried: 0, files: 0 };
    const { venueId } = claim;
    const situation = await store.findSituation(sql, venueId);
    const feedInputs = situation && (await feedInputsOf(venueId, situation));
    if (!situation || !feedInputs) return made;
    const dates = datesFrom(feedInputs.timeZone, options.nowMs);
    const span = { from: addDays(dates[0] ?? '', -1), to: addDays(dates.at(-1) ?? '', 3) };
    const marks = await store.listMarks(sql, venueId, span);
    const stored = await store.listChannels(sql, venueId);
    const channels: NewChannel[] = [];
    const pages = Array.from({ length: COMPRESSED_AT_ONCE + 1 }, createPage);
    for (const { forecast, channels: wanted } of feedInputs.products)
      for (const channel of wanted) {
        const known = stored.find(
          ({ productId, partnerId }) => productId === channel.product.id && partnerId === channel.partnerId,
        );
        const isRenewed = hasLostReader(stored, wanted, channel.product.id);
        const product = { forecast, channel, known, isRenewed };
        const work = { claim, situation, feedInputs, ...product, dates, marks, pages, options };
        channels.push(await makeChannel(work, made));
      }
    await inTransaction(sql, async (tx) => {
      await store.keepOwners(tx, venueId, channels);
      if (!(await store.holdVenue(tx, claim))) return;
      // Before anything of the stays is locked, so that no booking waits for files.
      made.files += await writeIndexes(channels);
      const { dueAt, fullDueAt } = options.due(feedInputs.timeZone);
      await store.finishVenue(tx, claim, {
        mark: situation.mark,
        marks,
        span,
        dueAt,
        fullDueAt: options.isFull ? fullDueAt : null,
      });
      const madeAt = Temporal.Instant.fromEpochMilliseconds(options.nowMs);
      for (const channel of channels) await store.saveChannel(tx, channel, madeAt);
      await store.deleteChannels(tx, idsOfGone(stored, channels));
    });
    return made;
  };

  async function writeIndexes(channels: readonly NewChannel[]): Promise<number> {
    const written = channels.flatMap(({ token, index }) => (index ? { token, index } : []));
    await Promise.all(written.map(({ token, index }) => storage.put(store.indexPath(token), index)));
    return written.length;
  }

  async function makeChannel(work: ChannelWork, made: Made): Promise<NewChannel> {
    const { situation, feedInputs, forecast, channel, known, isRenewed, options } = work;
    const { product, partnerId, readerIds, configHash } = channel;
    const token = isRenewed ? newToken() : (known?.token ?? newToken());
    if (token !== known?.token) await store.noteIndex(sql, token);
    const isOpen = feedInputs.closedAt === null;
    const shards = isOpen ? await makeShards(work, token, made) : [];
    const before = new Map(known?.shards.map((shard) => [shard.date, shard]));
    const changed = shards.filter((shard) => before.get(shard.date) !== shard);
    const goneDates = [...before.keys()].filter((date) => !shards.some((shard) => shard.date === date));
    const isSame =
      known?.token === token &&
      known.configHash === configHash &&
      known.baseUrl === feedUrl &&
      changed.length + goneDates.length === 0;
    const index = indexOf(channel, forecast, shards, { feedUrl, shutAt: feedInputs.closedAt });
    return {
      index:
        isSame && !options.isFull && !situation.isInDoubt ? undefined : Buffer.from(JSON.stringify(index)),
      productId: product.id,
      venueId: work.claim.venueId,
      partnerId,
      token,
      readerIds,
      configHash,
      baseUrl: feedUrl,
      isActive: isOpen,
      changed,
      goneDates,
    };
  }

  /** One for each day; the very same object where nothing about it is new. */
  async function makeShards(work: ChannelWork, token: string, made: Made): Promise<store.StoredShard[]> {
    const { forecast, channel, known, dates, marks, options } = work;
    const { nowMs, isFull } = options;
    const carries = !isFull && known?.configHash === channel.configHash;
    const atAddress = known?.token === token ? known.shards : [];
    const before = new Map(atAddress.map((shard) => [shard.date, shard]));
    const states = new Map(dates.map((date) => [date, stateOf(forecast, date, marks)]));
    const isKept = (date: string) => {
      const shard = before.get(date);
      const isTouched = shard?.activity !== states.get(date)?.activity;
      return carries && shard !== undefined && !isTouched && shard.holdsUntilMs > nowMs;
    };
    const shards = new Map<string, store.StoredShard>();
    const write = async (days: readonly MadeDay[]) => {
      for (const shard of await writeDays(work, token, days, made))
        shards.set(shard.date, { ...shard, ...states.get(shard.date) } as store.StoredShard);
    };
    // Days that were made are written while the next ones are.
    let writing = Promise.resolve();
    for (const run of runsOf(dates.filter((date) => !isKept(date)))) {
      const [days] = await Promise.all([makeDays(work, run, before, made), writing]);
      writing = write(days);
    }
    await writing;
    return dates.flatMap((date) => {
      const shard = shards.get(date) ?? before.get(date);
      if (!shards.has(date)) made.daysCarried += 1;
      return shard ?? [];
    });
  }

  async function makeDays(
    { channel, forecast, pages, options: { nowMs } }: ChannelWork,
    run: readonly string[],
    before: ReadonlyMap<string, store.StoredShard>,
    made: Made,
  ): Promise<MadeDay[]> {
    const slotsOn = await reads.read((on) => forecast.read(on, run));
    const texts: { date: string; holdsUntilMs: number; compressed: Promise<Buffer> | null }[] = [];
    for (const [index, date] of run.entries()) {
      const page = pages[index % pages.length] as Page;
      const { text, slots, holdsUntilMs } = feedDay(channel, { forecast, slotsOn, page }, date, nowMs);
      made.slots += slots;
      // In the thread pool, while the next day is made.
      await texts.at(-COMPRESSED_AT_ONCE)?.compressed;
      const compressed = text ? compress(text, GZIP) : null;
      // Awaited below, unless another one has failed by then.
      compressed?.catch(() => {});
      texts.push({ date, holdsUntilMs, compressed });
    }
    made.daysMade += run.length;
    return Promise.all(
      texts.map(async ({ date, holdsUntilMs, compressed }) => {
        const body = await compressed;
        const hash = body && hashOf(body);
        return { date, holdsUntilMs, body, hash, same: sameFile(before.get(date), hash) };
      }),
    );
  }

  async function writeDays(
    { options: { nowMs, isFull } }: ChannelWork,
    token: string,
    days: readonly MadeDay[],
    made: Made,
  ): Promise<Omit<store.StoredShard, 'activity' | 'hasStays'>[]> {
    const fresh = days.flatMap(({ date, body, same }) => (body && !same ? [date] : []));
    const paths = await store.takePaths(sql, token, fresh);
    made.files += fresh.length;
    return Promise.all(
      days.map(async ({ date, holdsUntilMs, body, hash, same }) => {
        const shard = same ?? { file: paths.get(date) ?? null, hash, updatedAtMs: nowMs };
        // A file that was lost in the storage is back after a full run, at the same address.
        if (shard.file && body && (isFull || !same)) await storage.put(shard.file, body);
        return { date, holdsUntilMs, ...shard };
      }),
    );
  }
}

interface NewChannel extends store.MadeChannel {
  /** Undefined: the one that is there says it all. */
  index: Buffer | undefined;
}

interface ChannelWork {
  claim: store.FeedClaim;
  situation: store.Situation;
  feedInputs: FeedInputs;
  forecast: Forecast;
  channel: Channel;
  known: store.StoredChannel | undefined;
  /** A partner that must not read on knows its address. */
  isRenewed: boolean;
  dates: readonly string[];
  marks: ReadonlyMap<string, number>;
  /** Used in turn: the others are compressed while one is written. */
  pages: readonly Page[];
  options: MakeOptions;
}

interface MadeDay {
  date: string;
  holdsUntilMs: number;
  /** Null: there is nothing to be had. */
  body: Buffer | null;
  hash: string | null;
  /** The file that says the same. */
  same: Pick<store.StoredShard, 'file' | 'hash' | 'updatedAtMs'> | undefined;
}

/**
 * A partner that no longer distributes a product must not go on reading its feeds. A partner whose last feed was its
 * own may have read the shared one before, so all addresses of the product are renewed.
 */
function hasLostReader(
  stored: readonly store.StoredChannel[],
  wanted: readonly Channel[],
  ofProduct: string,
): boolean {
  const readers = new Set(wanted.flatMap(({ readerIds }) => readerIds));
  return stored.some(
    ({ productId, readerIds }) => productId === ofProduct && readerIds.some((id) => !readers.has(id)),
  );
}

const newToken = () => randomBytes(24).toString('base64url');
/** Of what is in the file, which is the same for the same text, and much shorter. */
const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('base64url').slice(0, 22);

function datesFrom(timeZone: string, nowMs: number): string[] {
  const { date: today } = localOf(timeZone, nowMs);
  return Array.from({ length: FEED_DAYS }, (_, days) => addDays(today, days));
}

/** What the stays of a day are known by. */
function stateOf(
  forecast: Forecast,
  date: string,
  marks: ReadonlyMap<string, number>,
): { activity: string; hasStays: boolean } {
  const range = forecast.rangeOn(date);
  if (!range) return { activity: 'closed', hasStays: false };
  const found: number[] = [];
  for (let ms = range.fromMs - (range.fromMs % MS_PER_DAY); ms < range.toMs; ms += MS_PER_DAY) {
    const mark = marks.get(new Date(ms).toISOString().slice(0, 10));
    if (mark !== undefined) found.push(mark);
  }
  return { activity: found.join(' '), hasStays: found.length > 0 };
}

function sameFile(before: store.StoredShard | undefined, hash: string | null) {
  if (before?.hash !== hash || !before) return undefined;
  const { file, updatedAtMs } = before;
  return { file, hash, updatedAtMs };
}

/** Days that are read together: near each other, and not too many. */
function runsOf(dates: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const date of dates) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && run.length < DAYS_AT_A_TIME && date <= addDays(last, SMALL_GAP)) run.push(date);
    else runs.push([date]);
  }
  return runs;
}

function idsOfGone(stored: readonly store.StoredChannel[], made: readonly store.MadeChannel[]): number[] {
  const isMade = ({ productId, partnerId }: store.StoredChannel) =>
    made.some((channel) => channel.productId === productId && channel.partnerId === partnerId);
  return stored.filter((channel) => !isMade(channel)).map(({ id }) => id);
}
