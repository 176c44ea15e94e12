/** What callers of a node feel while its thread makes whole feeds: the slowest hundredth of answers, with and without. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { addDays } from '../../src/kernel/zone-time.ts';
import { fillReservations } from '../availability/reservations-store.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { median } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { addFeedHouse, FEED_HOUSE, FEED_PRODUCT, FEED_ZONE } from './feed-house.ts';
import { countWaiting, wantAnew } from './feed-store.ts';

const CLIENT = 'bench-partner';
const ROUNDS = 6;
const ROUND_MS = 4000;
/** Requests begin at their time whether or not those before have been answered. */
const EVERY_MS = 10;
const WANTED_EVERY_MS = 100;
const TODAY = Temporal.Now.plainDateISO(FEED_ZONE).toString();

const PATHS = {
  venues: '/venues',
  availability: `/venues/${encodeURIComponent(FEED_PRODUCT)}/availability?date=${addDays(TODAY, 30)}&partySize=2`,
};
type Asked = keyof typeof PATHS;
const ASKED = Object.keys(PATHS) as Asked[];

interface Node {
  sql: Sql;
  address: URL;
  authorization: string;
}

export async function measureApi(context: Context): Promise<Figure[]> {
  context.progress('Filling a house with reservations …');
  const { sql, url } = await context.createDatabase();
  await fill(sql);
  const server = await context.startOurs(url, 'all');
  const node: Node = {
    sql,
    address: server.address,
    authorization: `Bearer ${await tokenOf(server, CLIENT)}`,
  };
  context.progress('feed.api …');
  const idle: Slowest[] = [];
  const busy: Slowest[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await untilAllMade(sql);
    const without = await askFor(node);
    const during = await whileMaking(sql, () => askFor(node));
    // The first warms up.
    if (round === 0) continue;
    idle.push(without);
    busy.push(during);
  }
  return ASKED.map((asked) => ({
    name: `feed.api.${asked}`,
    ours: median(busy.map((round) => round[asked])),
    reference: median(idle.map((round) => round[asked])),
    unit: 'ms (p99)',
    against: 'the same node while no feed is made',
  }));
}

async function fill(sql: Sql): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const partnerId = await addPartner(tx, CLIENT);
    await addFeedHouse(tx, partnerId);
    const stretch = { productKey: 'dinner', middle: addDays(TODAY, 90), daysAround: 90, dayStep: 1 };
    await fillReservations(tx, { venues: FEED_HOUSE, ...stretch, limit: 1_000_000 });
  });
  await sql`vacuum analyze`;
}

async function untilAllMade(sql: Sql): Promise<void> {
  while ((await countWaiting(sql)) > 0) await sleep(100);
}

/** As soon as the files are made they are wanted again. */
async function whileMaking<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const wanting = setInterval(() => void wantAnew(sql, FEED_HOUSE), WANTED_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(wanting);
  }
}

/** What the slowest hundredth of the answers took, in milliseconds. */
type Slowest = Record<Asked, number>;

async function askFor({ address, authorization }: Node): Promise<Slowest> {
  const agent = new Agent({ keepAlive: true });
  const answers: Record<Asked, Promise<number>[]> = { venues: [], availability: [] };
  const until = performance.now() + ROUND_MS;
  for (let due = performance.now(); due < until; due += EVERY_MS) {
    await sleep(Math.max(0, due - performance.now()));
    for (const asked of ASKED)
      answers[asked].push(answerMs(new URL(PATHS[asked], address), { agent, headers: { authorization } }));
  }
  const slowest = {
    venues: slowestHundredth(await Promise.all(answers.venues)),
    availability: slowestHundredth(await Promise.all(answers.availability)),
  };
  agent.destroy();
  return slowest;
}

function answerMs(url: URL, options: { agent: Agent; headers: Record<string, string> }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const began = performance.now();
  const sent = get(url, options, (response) => {
    response.resume();
    response.on('end', () => {
      if (response.statusCode === 200) resolve(performance.now() - began);
      else reject(new Error(`${url.pathname}: ${response.statusCode}`));
    });
  });
  sent.on('error', reject);
  return promise;
}

function slowestHundredth(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
