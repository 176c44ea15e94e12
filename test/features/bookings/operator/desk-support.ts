/** What the tests of the operator's desk share. */
import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../../../support/app.ts';
import { callNow, standingClock } from '../amend/amending.ts';
import { type Body, bookingsApp } from '../support.ts';

export const SOHO = '1|house|soho-grill';

export interface DeskCall {
  as?: string;
  /** A session in place of a client. */
  token?: string;
  venueId?: string;
  headers?: Record<string, string>;
}

const send = (app: TestApp, path: string, method: string, body: unknown, call: DeskCall): Promise<Answer> => {
  const { as = 'demo-operator', token, headers = {} } = call;
  const options = { method: method as 'POST', body, headers };
  return token === undefined
    ? callNow(app, path, { ...options, as })
    : app.call(path, { ...options, as: null, headers: { ...headers, authorization: `Bearer ${token}` } });
};

export const caller = { lastName: 'Hopper', firstName: 'Grace', phone: '+44 20 7946 0999' };

/** A telephone booking for dinner, unless `body` says otherwise. */
export function take(app: TestApp, body: Body, call: DeskCall = {}): Promise<Answer> {
  const { venueId = SOHO } = call;
  const path = `/manage/venues/${encodeURIComponent(venueId)}/bookings`;
  const whole = {
    productKey: 'dinner',
    origin: 'phone',
    partySize: 2,
    time: '19:00',
    guest: caller,
    ...body,
  };
  return send(app, path, 'POST', whole, call);
}

export async function taken(app: TestApp, body: Body, call?: DeskCall): Promise<Body> {
  const answer = await take(app, body, call);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

const pathOf = (id: string, rest = '') => `/manage/operators/1/bookings/${id}${rest}`;

export const edit = (app: TestApp, id: string, body: Body, call: DeskCall = {}, query = '') =>
  send(app, pathOf(id, query), 'PATCH', body, call);
export const move = (app: TestApp, id: string, body: Body, call: DeskCall = {}, query = '') =>
  send(app, pathOf(id, `/tables${query}`), 'PUT', body, call);
export const swap = (app: TestApp, id: string, body: Body, call: DeskCall = {}, query = '') =>
  send(app, pathOf(id, `/swap${query}`), 'POST', body, call);
export const visit = (app: TestApp, id: string, body: Body, call: DeskCall = {}) =>
  send(app, pathOf(id, '/visit'), 'PUT', body, call);

export async function ok(answer: Answer | Promise<Answer>): Promise<Body> {
  const given = await answer;
  assert.equal(given.status, 200, given.text);
  return given.json;
}

/** An application whose clock stands, and what stands on its floor. */
export function deskApp() {
  const time = standingClock();
  const maitred = bookingsApp({ deps: { clock: time.clock } });

  async function tables(): Promise<Body[]> {
    const path = `/manage/venues/${encodeURIComponent(SOHO)}/tables`;
    return (await callNow(maitred(), path, { as: 'demo-operator' })).json.data;
  }

  return {
    time,
    maitred,
    tables,

    /** Runs `work` at a local time of a day in London. */
    async at<Result>(date: string, clock: string, work: () => Promise<Result>): Promise<Result> {
      const before = time.clock();
      const local = Temporal.PlainDateTime.from(`${date}T${clock}`);
      time.moveTo(local.toZonedDateTime('Europe/London').toInstant());
      try {
        return await work();
      } finally {
        time.moveTo(before);
      }
    },

    async tableFor(covers: number, index = 0): Promise<Body> {
      const found = (await tables()).filter(({ maxCovers }) => maxCovers === covers)[index];
      assert.ok(found, `a table for ${covers}`);
      return found;
    },
  };
}
