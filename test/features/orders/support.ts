/** What the tests of orders share, besides what those of bookings have: the requests, and what they leave behind. */
import assert from 'node:assert/strict';
import type { Sql } from '../../../src/db/database.ts';
import { type Answer, assertProblem, type TestApp } from '../../support/app.ts';
import { type Body, COMPANY, DINNER, freeDay, jazzDay, STANDARD, traces } from '../bookings/support.ts';

export const BLUE_NOTE = '2|house|blue-note|table';

export interface Asking {
  as?: string | null;
  headers?: Record<string, string>;
}

/** A guest for the whole order. */
export const ada = { firstName: 'Ada', lastName: 'Lovelace' };

/** Dinner for two at seven, on a day of its own. */
export const dinner = (overrides: Body = {}): Body => ({
  compositeId: DINNER,
  quantity: 2,
  ...('date' in overrides || 'dateTime' in overrides ? {} : { date: freeDay(), time: '19:00' }),
  ...overrides,
});

/** Two standard tickets for a jazz night. */
export const tickets = (overrides: Body = {}): Body => ({
  compositeId: STANDARD,
  quantity: 2,
  date: jazzDay(),
  time: '20:00',
  ...overrides,
});

/** What brunch for two wants. */
export const plates = {
  packages: [{ id: 112, quantity: 2 }],
  menus: [{ id: 111, items: [{ id: 11106, quantity: 2 }] }],
};
export const brunch = (overrides: Body = {}): Body => ({
  compositeId: '1|house|garden-room|brunch',
  quantity: 2,
  date: freeDay(),
  time: '11:00',
  company: COMPANY,
  preorders: plates,
  ...overrides,
});

const pathOf = (orderId: string) => `/v1/orders/${orderId}`;

export function order(app: TestApp, body: unknown, asking: Asking = {}): Promise<Answer> {
  return app.call('/v1/orders', { method: 'POST', body, ...asking });
}

export function change(app: TestApp, id: string, items: unknown, asking: Asking = {}): Promise<Answer> {
  return app.call(pathOf(id), { method: 'PATCH', body: { items }, ...asking });
}

/** Without a body when none is given. */
export function cancel(app: TestApp, id: string, body?: unknown, asking: Asking = {}): Promise<Answer> {
  return app.call(pathOf(id), { method: 'DELETE', body, ...asking });
}

export const read = (app: TestApp, id: string, asking: Asking = {}) => app.call(pathOf(id), asking);

/** The answer of a call that must succeed. */
export async function done(answer: Promise<Answer>): Promise<Body> {
  const { status, text, json } = await answer;
  assert.equal(status, 200, text);
  return json;
}

/** An order of these items for Ada; `root` are fields beside them. */
export const ordered = (app: TestApp, items: Body[], root: Body = {}, asking?: Asking): Promise<Body> =>
  done(order(app, { ...ada, ...root, items }, asking));

/** What became of each item in a word: its status, and why where it failed. */
export const wordsOf = ({ items }: Body): string[] =>
  items.map(({ status, error }: Body) => (error ? `${status} ${error.code}` : status));

/** Everything that orders and their bookings leave behind, as one value. */
export async function remains(sql: Sql) {
  const [rows] = await sql`
    select (select count(*) from booking_order) as orders, (select count(*) from booking_order_item) as items,
      (select count(*) from idempotency_key) as keys, (select count(*) from delivery) as deliveries`;
  return { ...(await traces(sql)), ...rows };
}

/** Asserts that the call is refused as a whole and leaves nothing behind; returns the problem. */
export async function assertRefusedWhole(
  app: TestApp,
  attempt: () => Promise<Answer>,
  code: string,
  status = 400,
): Promise<Body> {
  const before = await remains(app.sql);
  const problem = assertProblem(await attempt(), status, code);
  assert.deepEqual(await remains(app.sql), before, 'what is refused as a whole leaves nothing behind');
  return problem;
}

/** From now on the database can be told to refuse the bookings of a product, as one that breaks down does. */
export const makeBreakable = (sql: Sql) =>
  sql.unsafe(`
    create table broken (product_id text);
    create function refuse() returns trigger language plpgsql as $$
      begin
        if exists (select from broken b where b.product_id = new.product_id) then raise 'broken'; end if;
        return new;
      end $$;
    create trigger refuse before insert on booking for each row execute function refuse()`);
export const breakDown = (sql: Sql, productId: string) => sql`insert into broken values (${productId})`;
export const mendAll = (sql: Sql) => sql`delete from broken`;
