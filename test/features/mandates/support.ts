/** What the tests of mandates share: giving one, and reading it as its client does. */
import assert from 'node:assert/strict';
import { type Answer, assertProblem, type TestApp } from '../../support/app.ts';
import type { Body } from '../bookings/support.ts';

const urlOf = (clientId: string) => `/manage/clients/${clientId}/mandate`;

export const put = (app: TestApp, mandate: Body, clientId = 'demo-partner'): Promise<Answer> =>
  app.call(urlOf(clientId), { method: 'PUT', as: 'demo-admin', body: mandate });

/** The client may do this and no more. */
export async function limitTo(app: TestApp, mandate: Body, clientId?: string): Promise<void> {
  const answer = await put(app, mandate, clientId);
  assert.equal(answer.status, 200, answer.text);
}

export async function unlimited(app: TestApp, clientId = 'demo-partner'): Promise<void> {
  const answer = await app.call(urlOf(clientId), { method: 'DELETE', as: 'demo-admin' });
  assert.equal(answer.status, 204, answer.text);
}

export async function ownMandate(app: TestApp, as = 'demo-partner') {
  const answer = await app.call('/mandate', { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Asserts that it was refused for this limit. */
export function assertBeyond(answer: Answer, limit: string, allowed: unknown): void {
  const problem = assertProblem(answer, 403, 'MANDT-N-001');
  assert.deepEqual([problem.limit, problem.allowed], [limit, allowed], answer.text);
}

/** Asserts that a person is to be asked; returns the token for a yes. */
export function tokenOf(answer: Answer): string {
  const { confirmationToken, expiresAt } = assertProblem(answer, 409, 'MANDT-N-002');
  assert.ok(Date.parse(expiresAt) > 0);
  return confirmationToken;
}
