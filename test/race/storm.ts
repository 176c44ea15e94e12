import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProductId } from '../../src/kernel/ids.ts';
import type { Answer, TestApp } from '../support/app.ts';
import { repeats } from '../support/repeats.ts';
import type { Start } from './venues.ts';

export const guest = { type: 'book', partySize: 1, firstName: 'Ada', lastName: 'Lovelace' };

type Call = TestApp['call'];

export const create = (call: Call, productId: ProductId, body: object): Promise<Answer> =>
  call(`/venues/${encodeURIComponent(productId)}/booking`, { method: 'POST', body: { ...guest, ...body } });

export const patchStart = (call: Call, id: string, { date, time }: Start): Promise<Answer> =>
  call(`/venues/bookings/${id}`, {
    method: 'PATCH',
    body: [
      { op: 'replace', path: '/date', value: date },
      { op: 'replace', path: '/time', value: time },
    ],
  });

export const CLIENTS = 64;
export const ATTEMPTS = repeats(20, 5);

/** Clients that each ask for one place after the other, all at one start and all at once. Clients take turns at `calls`. */
export async function storm(calls: readonly Call[], productId: ProductId, start: Start): Promise<Answer[]> {
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const call = calls[client % calls.length];
      assert.ok(call);
      const own: Answer[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const partnerBookingId = `${productId} ${start.date} ${client} ${attempt}`;
        own.push(await untilAnswered(() => create(call, productId, { ...start, partnerBookingId })));
      }
      return own;
    }),
  );
  return answers.flat();
}

/** A node that is too busy has done nothing, and says when to come back. */
export async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

/** How often each outcome came: the status of what was done, the code of what was refused. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const outcome = status < 300 ? String(status) : `${status} ${json.code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Goes through a list with a few at work at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
