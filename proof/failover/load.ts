/** Callers of three nodes: partners who book and repeat what was not answered, and read what they have booked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { guest, placeOf, WANTED } from '../../bench/bookings/bookings-venues.ts';

export interface Sent {
  partnerBookingId: string;
  /** The id of the booking; undefined: never acknowledged. */
  bookingId?: string;
  attempts: number;
  tookMs: number;
  /** The last answer, or why there was none. */
  outcome: number | string;
}

export interface Load {
  sent: Sent[];
  /** Moments of bookings and of reads that were answered, on the clock of `performance.now()`. */
  writesAtMs: number[];
  readsAtMs: number[];
  /** Answers of 503, and connections that broke. */
  refused: number;
  /** Any other answer of 5xx, and whatever else was not to be expected. */
  failed: number;
  slowestMs: number;
  /** Reads of an acknowledged booking that did not find it. */
  unseen: number;
  stop(): Promise<void>;
}

interface Target {
  addresses: readonly string[];
  token: string;
  run: string;
}

const WRITERS = 8;
const READERS = 4;
const PAUSE_MS = 100;
const RETRY_MS = 250;
/** Two of eight want the same tables as each other, and come away empty-handed in the end. */
const RIVALS = 2;

/** 409 and 422: the table is taken. */
const EXPECTED = new Set([200, 201, 404, 409, 422]);

let places = 0;

export function startLoad({ addresses, token, run }: Target): Load {
  let isStopped = false;
  let calls = 0;
  const seen: string[] = [];
  const load: Load = {
    ...{ sent: [], writesAtMs: [], readsAtMs: [], refused: 0, failed: 0, slowestMs: 0, unseen: 0 },
    async stop() {
      isStopped = true;
      await Promise.all(working);
    },
  };

  async function call(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    calls += 1;
    const address = addresses[calls % addresses.length] ?? '';
    const beganMs = performance.now();
    try {
      const response = await fetch(new URL(path, address), {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
        signal: AbortSignal.timeout(15_000),
      });
      if (response.status === 503) load.refused += 1;
      else if (!EXPECTED.has(response.status)) load.failed += 1;
      return response;
    } catch {
      load.refused += 1;
      return undefined;
    } finally {
      load.slowestMs = Math.max(load.slowestMs, performance.now() - beganMs);
    }
  }

  async function book(number: number, isRival: boolean): Promise<void> {
    const { productId, date, time } = placeOf(number);
    const partnerBookingId = `${run}-${number}`;
    const body = JSON.stringify({ ...guest, date, time: isRival ? '19:30' : time, partnerBookingId });
    const path = `/venues/${encodeURIComponent(isRival ? WANTED : productId)}/booking`;
    const beganMs = performance.now();
    const entry: Sent = { partnerBookingId, attempts: 0, tookMs: 0, outcome: 'never sent' };
    load.sent.push(entry);
    for (let isOpen = true; isOpen; ) {
      entry.attempts += 1;
      const response = await call(path, {
        method: 'POST',
        body,
        headers: { 'idempotency-key': partnerBookingId },
      });
      const answer = (await response?.json().catch(() => undefined)) as { id?: string } | undefined;
      entry.outcome = response?.status ?? 'no answer';
      isOpen = !response || response.status === 503;
      if (response?.status === 201 && answer?.id) {
        entry.bookingId = answer.id;
        seen.push(answer.id);
      }
      if (response?.status === 201) load.writesAtMs.push(performance.now());
      // What is open when the load ends is repeated all the same: a partner wants to know.
      if (isOpen) await sleep(RETRY_MS);
    }
    entry.tookMs = performance.now() - beganMs;
  }

  async function write(writer: number): Promise<void> {
    while (!isStopped) {
      places += 1;
      await book(places, writer < RIVALS);
      await sleep(PAUSE_MS);
    }
  }

  async function read(): Promise<void> {
    while (!isStopped) {
      const id = seen.at(-1);
      if (id) {
        const response = await call(`/venues/bookings/${id}`);
        await response?.arrayBuffer().catch(() => {});
        if (response?.ok) load.readsAtMs.push(performance.now());
        if (response?.status === 404) load.unseen += 1;
      }
      await sleep(PAUSE_MS);
    }
  }

  const working = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    ...Array.from({ length: READERS }, () => read()),
  ];
  return load;
}

/** The longest time after `fromMs` in which nothing was answered. */
export function longestGapMs(momentsMs: readonly number[], fromMs: number): number {
  const after = [fromMs, ...momentsMs.filter((ms) => ms >= fromMs).toSorted((left, right) => left - right)];
  return Math.max(0, ...after.slice(1).map((ms, index) => ms - (after[index] ?? ms)));
}
