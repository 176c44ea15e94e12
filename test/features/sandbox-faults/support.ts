/** What the tests of faults share: a place in a system of each kind, and requests that ask for a fault. */
import assert from 'node:assert/strict';
import type { Answer, CallOptions } from '../../support/app.ts';
import { type Bistro, type Bistros, DAY, startBistros } from '../../support/remote-tms/bistros.ts';
import { type Body, DINNER, freeDay, guest, jazzDay, STANDARD } from '../bookings/support.ts';

export const KINDS = ['house', 'tickets', 'remote'] as const;
export type Kind = (typeof KINDS)[number];

export interface Place {
  kind: Kind;
  productId: string;
  stay: Body;
  /** Only of a remote one. */
  bistro?: Bistro;
}

export interface Places {
  bistros: Bistros;
  /** Something of this kind that is free, and that no other test uses. */
  next(kind: Kind): Place;
  call(path: string, fault: string | null, options?: CallOptions): Promise<Answer>;
  /** Asks for a booking under one key, with a fault or without. */
  book(place: Place, key: string, fault?: string | null, body?: Body): Promise<Answer>;
  /** Those that have this `partnerBookingId`. */
  countOf(key: string): Promise<number>;
  close(): Promise<void>;
}

export async function startPlaces(count: number): Promise<Places> {
  const bistros = await startBistros({ count });
  const { app } = bistros;
  let nights = 0;

  function next(kind: Kind): Place {
    switch (kind) {
      case 'house':
        return { kind, productId: DINNER, stay: { date: freeDay(), time: '19:00' } };
      case 'tickets':
        return { kind, productId: STANDARD, stay: { date: jazzDay(nights++ % 12), time: '20:00' } };
      case 'remote': {
        const bistro = bistros.next();
        return { kind, productId: bistro.productId, stay: { date: DAY, time: '19:00' }, bistro };
      }
    }
  }

  const call: Places['call'] = (path, fault, { headers = {}, ...options } = {}) =>
    app.call(path, {
      ...options,
      headers: { ...headers, ...(fault !== null && { 'x-sandbox-fault': fault }) },
    });

  return {
    bistros,
    next,
    call,
    book: ({ productId, stay }, key, fault = null, body = {}) =>
      call(`/venues/${encodeURIComponent(productId)}/booking`, fault, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: { ...guest, ...stay, partnerBookingId: key, ...body },
      }),
    async countOf(key) {
      const [row] = await app.sql<{ count: number }[]>`
        select count(*)::int as count from booking where partner_booking_id = ${key}`;
      return row?.count ?? 0;
    },
    close: () => bistros.close(),
  };
}

export interface Expected {
  status: number;
  code: string;
  retryAfter?: string;
  isOutcomeKnown?: boolean;
}

/** What systems over the network come to; those in our database differ where a difference is stated. */
export const OUTCOMES: Record<string, Expected> = {
  taken: { status: 409, code: 'AVAIL-N-005' },
  rejected: { status: 422, code: 'BOOK-N-009' },
  'rate-limited': { status: 503, code: 'BOOK-R-001', retryAfter: '2' },
  unavailable: { status: 503, code: 'BOOK-R-002', retryAfter: '5' },
  'unknown-not-applied': { status: 503, code: 'BOOK-R-002', retryAfter: '5' },
  'unknown-applied': { status: 503, code: 'BOOK-R-002', retryAfter: '5' },
};

export const expectedAt = (kind: Kind, fault: string): Expected =>
  kind !== 'remote' && fault === 'unknown-applied'
    ? { status: 503, code: 'HTTP-R-503', retryAfter: '5', isOutcomeKnown: false }
    : (OUTCOMES[fault] as Expected);

export function assertMet(answer: Answer, fault: string, expected: Expected, what: string): void {
  const { status, code, retryAfter, isOutcomeKnown } = expected;
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  const { code: told, isOutcomeKnown: known } = answer.json;
  assert.deepEqual([told, known], [code, isOutcomeKnown], what);
  assert.equal(answer.headers['retry-after'], retryAfter, what);
  assert.equal(answer.headers['x-sandbox-fault'], fault, what);
}
