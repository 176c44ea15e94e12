/** What the tests of holds share: requests about holds, and an application whose time they decide. */
import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../../support/app.ts';
import { type Body, book, DINNER } from '../bookings/support.ts';

export interface HoldOptions {
  productId?: string;
  as?: string;
  headers?: Record<string, string>;
}

/** Dinner for two. */
export function hold(
  app: TestApp,
  body: Body,
  { productId = DINNER, as = 'demo-partner', headers = {} }: HoldOptions = {},
): Promise<Answer> {
  return app.call(`/venues/${encodeURIComponent(productId)}/holds`, {
    method: 'POST',
    as,
    headers,
    body: { partySize: 2, ...body },
  });
}

/** The same, and the place must be kept. */
export async function held(app: TestApp, body: Body, options?: HoldOptions) {
  const answer = await hold(app, body, options);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

export const readHold = (app: TestApp, id: string, as = 'demo-partner') =>
  app.call(`/venues/holds/${id}`, { as });

export const extend = (app: TestApp, id: string, body?: Body, as = 'demo-partner') =>
  app.call(`/venues/holds/${id}/extend`, { method: 'POST', as, body });

export const release = (app: TestApp, id: string, as = 'demo-partner') =>
  app.call(`/venues/holds/${id}`, { method: 'DELETE', as });

// biome-ignore lint/suspicious/noExplicitAny: a hold as it was answered.
type Held = any;

/** A booking of what is held, unless `overrides` say otherwise. */
export function bookHeld(app: TestApp, { id, slot }: Held, overrides: Body = {}, options: HoldOptions = {}) {
  const { date, time, partySize, children } = slot;
  return book(
    app,
    { date, time, partySize, children, holdId: id, ...overrides },
    { productId: slot.compositeId, ...options },
  );
}

/** A clock that stands still until the test lets time pass. */
export function stoppedClock() {
  let nowMs = Temporal.Now.instant().round('second').epochMilliseconds;
  return {
    clock: () => Temporal.Instant.fromEpochMilliseconds(nowMs),
    nowMs: () => nowMs,
    pass(seconds: number) {
      nowMs += seconds * 1000;
    },
  };
}
