/** What the tests of the operator's daily work share. */
import assert from 'node:assert/strict';
import { type Answer, assertProblem, type TestApp } from '../../../support/app.ts';
import { callNow, rowsOf } from '../amend/amending.ts';
import type { Body } from '../support.ts';

export const NOWHERE = '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60';

export interface Asking {
  as?: string;
  operatorId?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const pathOf = (operatorId: number, rest: string) => `/manage/operators/${operatorId}/bookings${rest}`;

/** A read below the operator's bookings. */
export const look = (app: TestApp, rest = '', { as = 'demo-operator', operatorId = 1 }: Asking = {}) =>
  callNow(app, pathOf(operatorId, rest), { as });

/** Something done with a booking: `accept`, `actuals` and so on. */
export function act(app: TestApp, id: string, step: string, asking: Asking = {}): Promise<Answer> {
  const { as = 'demo-operator', operatorId = 1, body, headers = {} } = asking;
  const method = step === 'actuals' ? 'PUT' : 'POST';
  return callNow(app, pathOf(operatorId, `/${id}/${step}`), { method, as, headers, body });
}

/** The same, and it must be done. */
export async function done(app: TestApp, id: string, step: string, asking?: Asking) {
  const answer = await act(app, id, step, asking);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** What the audit log says of a booking, the latest first. */
export async function auditLogOf(app: TestApp, id: string, operatorId = 1): Promise<Body[]> {
  const path = `/manage/operators/${operatorId}/audit?subject=${encodeURIComponent(`booking ${id}`)}`;
  return (await callNow(app, path, { as: 'demo-admin' })).json.data;
}

/** Asserts that an attempt is refused, leaves every row of the booking as it was, and is not in the audit log. */
export async function assertLeft(
  app: TestApp,
  id: string,
  attempt: () => Promise<Answer>,
  [status, code]: [number, string],
) {
  const [rows, auditLog] = [await rowsOf(app.sql, id), await auditLogOf(app, id)];
  const problem = assertProblem(await attempt(), status, code);
  assert.deepEqual(await rowsOf(app.sql, id), rows);
  assert.deepEqual(await auditLogOf(app, id), auditLog);
  return problem;
}
