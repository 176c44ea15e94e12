/**
 * Keeps a calendar of what is free, from the feed:
 *
 *     npm run example:feed                                    reads, and goes on reading every 10 seconds
 *     npm run example:feed -- --every 60                      every minute; --once ends after the first time
 *     npm run example:feed -- --free 2026-11-20 --party 4     who has a table, from the calendar alone
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConnectionError, Maitred, ProblemError } from '@maitred/client';
import { Calendar, type Cost, type Feed } from './calendar.ts';
import { listFeeds, type Round, readRound } from './reading.ts';

const { values } = parseArgs({
  options: {
    free: { type: 'string' },
    party: { type: 'string', default: '2' },
    every: { type: 'string', default: '10' },
    once: { type: 'boolean', default: false },
    file: { type: 'string', default: '.data/feed-calendar.sqlite' },
  },
});
const ADDRESSES_MS = 60 * 60 * 1000;
const { env } = process;
const maitred = new Maitred({
  baseUrl: env.MAITRED_URL ?? 'http://127.0.0.1:3000',
  clientId: env.MAITRED_CLIENT_ID ?? 'demo-partner',
  clientSecret: env.MAITRED_CLIENT_SECRET ?? 'demo-partner-secret',
});

mkdirSync(dirname(values.file), { recursive: true });
const calendar = new Calendar(values.file);
if (values.free) showFree(values.free, Number(values.party));
else await keepUp();
calendar.close();

function showFree(date: string, partySize: number): void {
  const starts = Map.groupBy(calendar.free(date, partySize), ({ venue, product }) => `${venue}, ${product}`);
  for (const [name, free] of starts) console.log(`${name}: ${free.map(({ time }) => time).join(' ')}`);
  console.log(`${starts.size} products have something for ${partySize} on ${date}.`);
}

async function keepUp(): Promise<void> {
  let feeds: Feed[] = [];
  let mustListAt = 0;
  for (;;) {
    try {
      if (Date.now() >= mustListAt || feeds.length === 0) {
        feeds = await listFeeds(maitred);
        mustListAt = Date.now() + ADDRESSES_MS;
        calendar.keepOnly(feeds);
      }
      const round = await readRound(feeds, calendar);
      console.log(sentenceOf(round, calendar.fullRead));
      if (round.moved > 0) mustListAt = 0;
    } catch (error) {
      // What is known stays as good as it was.
      if (values.once || !isOutage(error)) throw error;
      console.error(`${error.message}; trying again`);
    }
    if (values.once) return;
    await sleep(Number(values.every) * 1000);
  }
}

function isOutage(error: unknown): error is ConnectionError | ProblemError {
  return error instanceof ConnectionError || (error instanceof ProblemError && error.isRetryable);
}

function sentenceOf({ products, days, ...cost }: Round, full: Cost | undefined): string {
  const compared = full && full.requests !== cost.requests ? `; a full read: ${costOf(full)}` : '';
  return `${products} products, ${days} days changed: ${costOf(cost)}${compared}`;
}

function costOf({ requests, bytes }: Cost): string {
  return `${requests} requests, ${(bytes / 1000).toFixed(1)} kB`;
}
