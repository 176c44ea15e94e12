/** What the tests of bookings share: an application, products of the demo data, days of their own, a request that works. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Sql } from '../../../src/db/database.ts';
import {
  type Answer,
  assertProblem,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from '../../support/app.ts';
import { atEachFile } from '../../support/per-file.ts';

export const DINNER = '1|house|soho-grill|dinner';
export const PRIVATE = '1|house|soho-grill|private-dining';
export const BRUNCH = '1|house|garden-room|brunch';
export const CLOSED = '1|house|closed-cafe|table';
export const BOOTH = '2|house|night-owl|booth';
export const STANDARD = '2|tickets|jazz-night|standard';
export const VIP = '2|tickets|jazz-night|vip';
/** Not mapped to `demo-partner`. */
export const HIDDEN = '3|house|hidden-kitchen|dinner';
export const COPPER_ROOM = 101;
export const CELLAR = 102;
/** One that the channel of `demo-partner` takes at the Garden Room. */
export const COMPANY = 'Calder Publishing';

/** An application for the tests of one file; it is there once they run, and `prepare` has run before them. */
export function bookingsApp(
  options: TestAppOptions = {},
  prepare: (app: TestApp) => Promise<unknown> = async () => {},
): () => TestApp {
  let maitred: TestApp;
  before(async () => {
    maitred = await startTestApp(options);
    await prepare(maitred);
  });
  after(() => maitred.close());
  return () => maitred;
}

const isHoliday = ({ month, day }: Temporal.PlainDate) => month === 12 && day >= 24;
let lastDay: Temporal.PlainDate;
atEachFile(() => {
  lastDay = Temporal.Now.plainDateISO('Europe/London').add({ days: 14 });
});

/** A trading day that no other test of the file uses, from two weeks ahead on, without holidays. */
export function freeDay(weekday?: number): string {
  do lastDay = lastDay.add({ days: 1 });
  while (isHoliday(lastDay) || (weekday !== undefined && lastDay.dayOfWeek !== weekday));
  return lastDay.toString();
}

/** The coming Thursdays, on which there is jazz. */
export function jazzDay(week = 2): string {
  const today = Temporal.Now.plainDateISO('Europe/London');
  const first = today.add({ days: ((4 - today.dayOfWeek + 6) % 7) + 1 });
  const nights = [...Array(26).keys()].map((each) => first.add({ weeks: each }));
  return String(nights.filter((night) => !isHoliday(night))[week]);
}

// biome-ignore lint/suspicious/noExplicitAny: tests send bodies of every shape, right ones and wrong ones.
export type Body = Record<string, any>;

/** A party of two that dinner at Soho Grill takes, except for a date and a time. */
export const guest: Body = {
  type: 'book',
  partySize: 2,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
};

export interface Booking {
  productId?: string;
  as?: string;
  headers?: Record<string, string>;
}

/** Dinner for two at 19:00; `overrides` are fields of the body, undefined leaves one out. */
export function book(
  app: TestApp,
  overrides: Body = {},
  { productId = DINNER, as = 'demo-partner', headers = {} }: Booking = {},
): Promise<Answer> {
  const when = 'date' in overrides || 'dateTime' in overrides ? {} : { date: freeDay(), time: '19:00' };
  return app.call(`/venues/${encodeURIComponent(productId)}/booking`, {
    method: 'POST',
    as,
    headers,
    body: { ...guest, ...when, ...overrides },
  });
}

/** The same, and it must be taken. */
export async function booked(app: TestApp, overrides?: Body, booking?: Booking) {
  const answer = await book(app, overrides, booking);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** Everything that a booking leaves behind, as one value; equal before and after means that nothing was done. */
export async function traces(sql: Sql) {
  const [counted] = await sql`
    select (select count(*) from booking) as bookings,
      (select count(*) from house_reservation) as reservations,
      (select count(*) from house_allocation) as tables,
      (select count(*) from ticket_reservation) as "ticketReservations",
      (select coalesce(sum(sold), 0) from ticket_stock) as tickets,
      (select count(*) from booking_intent) as intents,
      (select count(*) from payment) as payments,
      (select count(*) from event) as events`;
  return { ...counted };
}

/** Asserts that the attempt is refused with this code and leaves nothing behind; returns the problem. */
export async function assertRefused(
  app: TestApp,
  attempt: () => Promise<Answer>,
  status: number,
  code: string,
) {
  const before = await traces(app.sql);
  const problem = assertProblem(await attempt(), status, code);
  assert.deepEqual(await traces(app.sql), before, 'a refused attempt leaves nothing behind');
  return problem;
}

/** The tables that a booking has, by number; those of others are not among them. */
export async function tablesOf(sql: Sql, bookingId: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select table_id as id from house_allocation where reservation_id = ${bookingId} order by 1`;
  return rows.map(({ id }) => id);
}
