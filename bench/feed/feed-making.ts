/** How fast the files of one large product are made: all of them, and those of the few days that changed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { createFolderStorage } from '../../src/features/feed/folder-storage.ts';
import { FEED_DAYS, GZIP_LEVEL } from '../../src/features/feed/make.ts';
import { createPartner } from '../../src/features/identity/service.ts';
import { addDays, dayClock } from '../../src/kernel/zone-time.ts';
import { fillReservations } from '../availability/reservations-store.ts';
import { median } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { addFeedHouse, FEED_HOUSE, FEED_PRODUCT, FEED_ZONE, SLOTS_PER_DAY } from './feed-house.ts';
import { type Make, makerOn } from './feed-maker.ts';
import { bookTable } from './feed-store.ts';

const ROUNDS = 7;
/** Of a house with room on both floors. */
const SLOTS = FEED_DAYS * SLOTS_PER_DAY;
const FIRST_DAY = Temporal.Now.plainDateISO(FEED_ZONE).add({ days: 1 }).toString();
/** One percent of the days, rounded up. */
const DAYS_CHANGED = 2;

/** Looked over right after midnight, so that the first day is still whole. */
const midnightMs = (date: string) => dayClock(FEED_ZONE, date).epochMsOf(0) ?? 0;

export async function measureMaking(context: Context): Promise<Figure[]> {
  context.progress('Filling a house with reservations …');
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'maitred-bench-feed-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { sql } = await context.createDatabase();
  const reservations = await fill(sql);
  const make = makerOn(sql, createFolderStorage(folder));
  context.progress('feed.full …');
  const full = await measureFull(make, folder);
  context.progress('feed.daily …');
  const daily = await measureDaily(make, sql);
  return figuresOf(full, daily, reservations);
}

function figuresOf({ slots, ours, reference }: Full, daily: Taken, reservations: number): Figure[] {
  const written = `JSON.stringify and gzip of the same ${slots} slots, made from ${reservations} reservations`;
  const whole = `all ${FEED_DAYS} days, instead of ${DAYS_CHANGED} that changed and one that is new`;
  const perMs = (ms: number) => slots / ms;
  return [
    {
      name: 'feed.full',
      ours: perMs(ours.ms),
      reference: perMs(reference.ms),
      unit: 'slots/ms',
      against: written,
      goal: { atLeast: 0.7 },
    },
    {
      name: 'feed.full.cpu',
      ours: perMs(ours.cpuMs),
      reference: perMs(reference.cpuMs),
      unit: 'slots/CPU ms',
      against: written,
    },
    {
      name: 'feed.daily',
      ours: daily.ms,
      reference: ours.ms,
      unit: 'ms',
      against: whole,
      goal: { atMost: 0.05 },
    },
    { name: 'feed.daily.cpu', ours: daily.cpuMs, reference: ours.cpuMs, unit: 'CPU ms', against: whole },
  ];
}

async function fill(sql: Sql): Promise<number> {
  const reservations = await inTransaction(sql, async (tx) => {
    const partner = await createPartner(tx, { reference: 'bench-partner', name: 'Bench' });
    await addFeedHouse(tx, partner.id);
    const daysAround = Math.ceil(FEED_DAYS / 2) + ROUNDS;
    const middle = addDays(FIRST_DAY, FEED_DAYS / 2);
    const stretch = { productKey: 'dinner', middle, daysAround, dayStep: 1, limit: 1_000_000 };
    return fillReservations(tx, { venues: FEED_HOUSE, ...stretch });
  });
  await sql`vacuum analyze`;
  return reservations;
}

interface Taken {
  ms: number;
  /** Of all threads of this process. */
  cpuMs: number;
}

interface Full {
  slots: number;
  ours: Taken;
  reference: Taken;
}

/** Both in turn, so that what else the machine does falls on both. */
async function measureFull(make: Make, folder: string): Promise<Full> {
  const nowMs = midnightMs(FIRST_DAY);
  const makeAll = async () => {
    const { slots } = await make(FEED_HOUSE, { nowMs, isFull: true });
    return slots;
  };
  const slots = await makeAll();
  // A floor that is full while the other is not has no slots of its own.
  if (slots < 0.99 * SLOTS) throw new Error(`Only ${slots} slots were made.`);
  const texts = shardsIn(folder);
  const taken = { ours: [] as Taken[], reference: [] as Taken[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ours = await timed(makeAll);
    const reference = await writeAll(texts);
    // The first warms up.
    if (round === 0) continue;
    taken.ours.push(ours);
    taken.reference.push(reference);
  }
  return { slots, ours: medianOf(taken.ours), reference: medianOf(taken.reference) };
}

/** Day by day, so that objects are as fresh as ours are, and those of other days in nobody's way. */
async function writeAll(texts: readonly string[]): Promise<Taken> {
  const whole: Taken = { ms: 0, cpuMs: 0 };
  for (const text of texts) {
    const day = JSON.parse(text) as object;
    const { ms, cpuMs } = await timed(() => gzipSync(JSON.stringify(day), { level: GZIP_LEVEL }));
    whole.ms += ms;
    whole.cpuMs += cpuMs;
  }
  return whole;
}

function shardsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const shards = files.filter((file) => file.endsWith('.json.gz'));
  return shards.map((file) => gunzipSync(readFileSync(join(folder, file))).toString());
}

/** The next day comes, and on a few of the days that the files know a table has been taken. */
async function measureDaily(make: Make, sql: Sql): Promise<Taken> {
  const taken: Taken[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const today = addDays(FIRST_DAY, round + 1);
    for (let change = 1; change <= DAYS_CHANGED; change += 1)
      await bookTable(sql, FEED_PRODUCT, addDays(today, change * 50), round);
    taken.push(
      await timed(async () => {
        const { daysMade } = await make(FEED_HOUSE, { nowMs: midnightMs(today), isFull: false });
        if (daysMade !== DAYS_CHANGED + 1) throw new Error(`${daysMade} days were made.`);
      }),
    );
  }
  return medianOf(taken);
}

async function timed(work: () => unknown): Promise<Taken> {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ms, cpuMs: (user + system) / 1000 };
}

const medianOf = (taken: readonly Taken[]): Taken => ({
  ms: median(taken.map(({ ms }) => ms)),
  cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
});
