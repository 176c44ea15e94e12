/** What the tests of the waiting list share: a day at Soho Grill with one table, and parties that wait for it. */
import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../../support/app.ts';
import { callNow } from '../bookings/amend/amending.ts';
import { type Body, booked, DINNER, freeDay } from '../bookings/support.ts';

export const SOHO = '1|house|soho-grill';
export const MANAGED = `/manage/venues/${encodeURIComponent(SOHO)}/waitlist`;

export interface Joining {
  as?: string;
  productId?: string;
  headers?: Record<string, string>;
}

/** A party of two that would come at 19:00, unless `body` says otherwise. */
export function join(app: TestApp, body: Body, { as, productId = DINNER, headers }: Joining = {}) {
  const whole = {
    ...{ from: '19:00', to: '19:00', partySize: 2 },
    ...{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
    ...body,
  };
  return callNow(app, `/venues/${encodeURIComponent(productId)}/waitlist`, {
    method: 'POST',
    body: whole,
    ...(as && { as }),
    ...(headers && { headers }),
  });
}

export async function joined(app: TestApp, body: Body, joining?: Joining): Promise<Body> {
  const answer = await join(app, body, joining);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** The same for a party of the house. */
export async function added(app: TestApp, body: Body): Promise<Body> {
  const whole = {
    ...{ productKey: 'dinner', from: '19:00', to: '19:00', partySize: 2, lastName: 'Johnson' },
    ...body,
  };
  const answer = await manage(app, '', { method: 'POST', body: whole });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

export async function read(app: TestApp, id: string): Promise<Body> {
  const answer = await callNow(app, `/venues/waitlist/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export const leave = (app: TestApp, id: string, as?: string) =>
  callNow(app, `/venues/waitlist/${id}`, { method: 'DELETE', ...(as && { as }) });

export const manage = (
  app: TestApp,
  rest: string,
  options: {
    method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    body?: unknown;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer> => callNow(app, `${MANAGED}${rest}`, { ...options, as: 'demo-operator' });

export const statusOf = async (app: TestApp, id: string): Promise<string> => (await read(app, id)).status;

/** Blocks every table but so many for two, so that as many parties fill a start. */
export async function dayWithTables(app: TestApp, count: number): Promise<string> {
  const date = freeDay();
  const venue = `/manage/venues/${encodeURIComponent(SOHO)}`;
  const { json } = await callNow(app, `${venue}/tables`, { as: 'demo-operator' });
  const tables: Body[] = json.data.filter(({ isActive }: Body) => isActive);
  const left = tables.filter(({ minCovers, maxCovers }) => minCovers <= 2 && maxCovers === 2).slice(0, count);
  assert.equal(left.length, count);
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString();
  const tableIds = tables.filter((table) => !left.includes(table)).map(({ id }) => id);
  const body = { from: `${date}T06:00`, to: `${next}T06:00`, tableIds };
  const answer = await callNow(app, `${venue}/blocks`, { method: 'POST', as: 'demo-operator', body });
  assert.equal(answer.status, 201, answer.text);
  return date;
}

/** A day with one table, which is taken at 19:00; the booking that has it. */
export async function fullDay(app: TestApp): Promise<{ date: string; booking: Body }> {
  const date = await dayWithTables(app, 1);
  const booking = await booked(app, { date, time: '19:00' });
  return { date, booking };
}

export const cancel = (app: TestApp, { id }: Body) =>
  callNow(app, `/venues/bookings/${id}`, { method: 'DELETE' });

export const work = (app: TestApp) => app.services.waitlist.workDue();
