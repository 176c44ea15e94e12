/** What the tests of reading, changing and ending bookings share, besides `support.ts`. */
import assert from 'node:assert/strict';
import type { Sql } from '../../../../src/db/database.ts';
import { addSecret, createClient } from '../../../../src/features/identity/service.ts';
import { type Caller, SCOPES } from '../../../../src/http/auth/caller.ts';
import type { Clock } from '../../../../src/kernel/clock.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { type Answer, assertProblem, type CallOptions, type TestApp } from '../../../support/app.ts';
import type { Body } from '../support.ts';

const pathOf = (id: string) => `/venues/bookings/${id}`;

export const read = (app: TestApp, id: string, as = 'demo-partner') => app.call(pathOf(id), { as });
export const put = (app: TestApp, id: string, body: unknown, as = 'demo-partner') =>
  app.call(pathOf(id), { method: 'PUT', as, body });
export const cancel = (app: TestApp, id: string, as = 'demo-partner') =>
  app.call(pathOf(id), { method: 'DELETE', as });

export interface Step {
  op: string;
  path: string;
  value?: unknown;
}
export const patch = (app: TestApp, id: string, steps: Step[], as = 'demo-partner') =>
  app.call(pathOf(id), { method: 'PATCH', as, body: steps });
export const replacing = (path: string, value: unknown): Step => ({ op: 'replace', path, value });

/** The answer of a call that must succeed. */
export async function taken(answer: Promise<Answer>) {
  const { status, text, json } = await answer;
  assert.equal(status, 200, text);
  return json;
}

/** A body for PUT that leaves a booking without a pre-order as it is, as far as partners see it. */
export function asItIs(booking: Body): Body {
  const { compositeId, type, partySize, children, date, time, spaceId, labels, partnerBookingId } = booking;
  const { firstName, lastName, email, phone, company, notes } = booking;
  const stay = { compositeId, type, partySize, children, date, time, spaceId };
  return { ...stay, firstName, lastName, email, phone, company, labels, partnerBookingId, comments: notes };
}

/** Every row there is about a booking, to the last byte. */
export async function rowsOf(sql: Sql, id: string) {
  const [rows] = await sql`
    select (select b::text from booking b where b.id = ${id}) as booking,
      (select r::text from house_reservation r where r.id = ${id}) as reservation,
      (select string_agg(a::text, ' ' order by a.table_id) from house_allocation a
        where a.reservation_id = ${id}) as tables,
      (select t::text from ticket_reservation t where t.id = ${id}) as tickets,
      (select string_agg(s::text, ' ' order by s::text) from ticket_stock s) as stock,
      (select string_agg(e::text, ' ' order by e.id) from event e where e.booking_id = ${id}) as events,
      (select string_agg(m::text, ' ' order by m.id) from booking_message m where m.booking_id = ${id}) as messages`;
  return { ...rows };
}

/** Asserts that an attempt to change a booking is refused and leaves every row of it as it was. */
export async function assertUnchanged(
  app: TestApp,
  id: string,
  attempt: () => Promise<Answer>,
  status: number,
  code: string,
) {
  const before = await rowsOf(app.sql, id);
  const problem = assertProblem(await attempt(), status, code);
  assert.deepEqual(await rowsOf(app.sql, id), before);
  return problem;
}

const scopes = new Set(SCOPES);
export const operator = (operatorId: number): Caller => ({
  kind: 'operator',
  clientId: `operator-${operatorId}`,
  operatorId,
  scopes,
});
export const platform: Caller = { kind: 'platform', clientId: 'demo-admin', scopes };
export const demoPartner: Caller = {
  kind: 'partner',
  clientId: 'demo-partner',
  partner: { id: 1, reference: 'demo-partner', name: 'Demo Partner' },
  scopes,
};

/** Lets another operator of the demo data call; the id of the client is returned. */
export async function addOperatorClient(sql: Sql, operatorId: number): Promise<string> {
  const { id } = await createClient(sql, { id: `operator-${operatorId}`, kind: 'operator', operatorId });
  await addSecret(sql, id, { secret: `${id}-secret` });
  return id;
}

/** Asserts that a service refuses with this code. */
export async function assertThrows(attempt: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, code);
    return true;
  });
}

/** The same for something done to a booking, of which every row stays as it was. */
export async function assertThrowsUnchanged(
  app: TestApp,
  id: string,
  attempt: () => Promise<unknown>,
  code: string,
): Promise<void> {
  const before = await rowsOf(app.sql, id);
  await assertThrows(attempt(), code);
  assert.deepEqual(await rowsOf(app.sql, id), before);
}

/** A clock that stands still until it is moved, forwards or backwards. */
export function standingClock(start = Temporal.Now.instant()) {
  let now = start;
  const clock: Clock = () => now;
  return {
    clock,
    moveTo(instant: Temporal.Instant | string): void {
      now = Temporal.Instant.from(instant);
    },
    move(by: Temporal.DurationLike): void {
      now = now.add(by);
    },
  };
}

/** A call with a token of this moment: those of before have expired when the clock was moved by more than an hour. */
export async function callNow(app: TestApp, path: string, options: CallOptions = {}): Promise<Answer> {
  const { as = 'demo-partner', headers = {}, ...rest } = options;
  const credentials = { client_id: as, client_secret: `${as}-secret` };
  const issued = await app.call('/oauth/token', {
    method: 'POST',
    as: null,
    body: { grant_type: 'client_credentials', audience: 'maitred', ...credentials },
  });
  const authorization = `Bearer ${issued.json.access_token}`;
  return app.call(path, { ...rest, as: null, headers: { ...headers, authorization } });
}
