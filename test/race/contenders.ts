/** Callers that all want one place at once: every second one holds it first, and books what it holds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProductId } from '../../src/kernel/ids.ts';
import type { Answer, TestApp } from '../support/app.ts';
import { create, untilAnswered } from './storm.ts';
import type { Start } from './venues.ts';

export type Call = TestApp['call'];

/** Requests to a node that is a process of its own. */
export const callerAt =
  (address: string, token: string): Call =>
  async (path, { method = 'GET', body } = {}) => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return {
      status,
      headers: Object.fromEntries(headers),
      text,
      json: text === '' ? null : JSON.parse(text),
    };
  };

export interface Wanted extends Start {
  partySize: number;
}

export interface Contest {
  wanted: Wanted;
  callers: number;
  /** So much later than the others do those begin that book without a hold. */
  headStartMs?: number;
}

/** What one of them was told; `held` only where it asked for a hold first. */
export interface Told {
  held?: Answer;
  /** Some lengthen it. */
  extended?: Answer;
  booked?: Answer;
}

export const holdPlace = (call: Call, productId: ProductId, body: object): Promise<Answer> =>
  call(`/venues/${encodeURIComponent(productId)}/holds`, { method: 'POST', body });

export const extendHold = (call: Call, id: string, body: object = {}): Promise<Answer> =>
  call(`/venues/holds/${id}/extend`, { method: 'POST', body });

/**
 * Callers take turns at `calls`: at every second one those that book come first, at the others those that hold. A hold
 * is booked at another node than the one that made it.
 */
export function contend(
  calls: readonly Call[],
  productId: ProductId,
  { wanted, callers, headStartMs = 0 }: Contest,
): Promise<Told[]> {
  const callOf = (index: number) => calls[index % calls.length] as Call;
  return Promise.all(
    Array.from({ length: callers }, async (_, index): Promise<Told> => {
      const pair = Math.floor(index / 2);
      const call = callOf(pair);
      if ((index + pair) % 2 === 0) {
        if (headStartMs > 0) await sleep(headStartMs);
        return { booked: await untilAnswered(() => create(call, productId, { ...wanted })) };
      }
      const held = await untilAnswered(() => holdPlace(call, productId, { ...wanted }));
      if (held.status !== 201) return { held };
      const { id: holdId } = held.json;
      const extended = pair % 4 === 1 ? await untilAnswered(() => extendHold(call, holdId)) : undefined;
      const other = callOf(pair + 1);
      const booked = await untilAnswered(() => create(other, productId, { ...wanted, holdId }));
      return { held, booked, ...(extended && { extended }) };
    }),
  );
}

/** Those that were told at some time that the place is theirs. */
export const winnersOf = (told: readonly Told[]): Told[] =>
  told.filter(({ held, booked }) => held?.status === 201 || booked?.status === 201);

export const lastOf = ({ held, booked }: Told): Answer => (booked ?? held) as Answer;
