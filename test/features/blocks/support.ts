/** What the tests of blocks share. */
import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../../support/app.ts';
import type { Body } from '../bookings/support.ts';
import { managerOf } from '../layout/support.ts';

/** Starts of a day that a party of two can book. */
export async function timesOn(app: TestApp, productId: string, date: string): Promise<string[]> {
  const path = `/venues/${encodeURIComponent(productId)}/availability?date=${date}&partySize=2`;
  const answer = await app.call(path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.times.filter(({ type }: Body) => type === 'book').map(({ time }: Body) => time);
}

export function blocksOf(app: () => TestApp, venueId: string) {
  const manager = managerOf(app);
  const options = { venueId, as: 'demo-admin' };
  return {
    list: (query = '') => manager.read(`blocks${query}`, options),
    read: (id: string) => manager.read(`blocks/${id}`, options),
    block: (body: unknown): Promise<Answer> => manager.post('blocks', body, options),
    blocked: (body: unknown): Promise<Body> => manager.made('blocks', body, options),
    change: (id: string, body: unknown, headers: Record<string, string> = {}) =>
      manager.put(`blocks/${id}`, body, { ...options, headers }),
    lift: (id: string, headers: Record<string, string> = {}) =>
      manager.remove(`blocks/${id}`, { ...options, headers }),
    layout: async (rest: string): Promise<Body[]> => (await manager.read(rest, options)).json.data,
    manager,
    options,
  };
}
