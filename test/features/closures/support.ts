/** What the tests of closures share. */
import assert from 'node:assert/strict';
import type { Answer, CallOptions, TestApp } from '../../support/app.ts';
import { callNow } from '../bookings/amend/amending.ts';
import type { Body } from '../bookings/support.ts';

export interface Closing {
  close(body: Body, query?: string): Promise<Answer>;
  /** It must be made. */
  closed(body: Body): Promise<Body>;
  preview(body: Body): Promise<Body>;
  read(id: string): Promise<Body>;
  list(query?: string): Promise<Body>;
  reopen(id: string, headers?: Record<string, string>): Promise<Answer>;
  /** Cancels what is due, and says what has become of the closure. */
  work(id: string): Promise<Body>;
}

export function closingOf(app: () => TestApp, venueId: string, as = 'demo-admin'): Closing {
  const url = `/manage/venues/${encodeURIComponent(venueId)}/closures`;
  const call = (rest: string, options: CallOptions = {}) =>
    callNow(app(), `${url}${rest}`, { as, ...options });
  const read = async (id: string) => {
    const answer = await call(`/${id}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const close = (body: Body, query = '') => call(query, { method: 'POST', body });
  return {
    close,
    async closed(body) {
      const answer = await close(body);
      assert.equal(answer.status, 202, answer.text);
      return answer.json;
    },
    async preview(body) {
      const answer = await close(body, '?dryRun=true');
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    },
    read,
    list: async (query = '') => (await call(query)).json,
    reopen: (id, headers = {}) => call(`/${id}`, { method: 'DELETE', headers }),
    async work(id) {
      await app().services.closures.workDue();
      return read(id);
    },
  };
}

export async function availability(app: TestApp, productId: string, query: string): Promise<Body> {
  const answer = await callNow(app, `/venues/${encodeURIComponent(productId)}/availability?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export async function timesOn(
  app: TestApp,
  productId: string,
  date: string,
  partySize = 2,
): Promise<string[]> {
  const { times } = await availability(app, productId, `date=${date}&partySize=${partySize}`);
  return times.map(({ time }: Body) => time);
}

/** As if the house had taken it by phone. */
export async function ofTheHouse({ sql }: TestApp, id: string): Promise<void> {
  await sql`update booking set partner_id = null, origin = 'phone' where id = ${id}`;
}
