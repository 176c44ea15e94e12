/** What the tests of managing rules share. */
import assert from 'node:assert/strict';
import type { Answer, CallOptions, TestApp } from '../../../support/app.ts';
import type { Body } from '../../bookings/support.ts';

export interface Asking {
  as?: string;
  operatorId?: number;
  headers?: Record<string, string>;
}

type Method = NonNullable<CallOptions['method']>;

/** A call below an operator's booking rules. */
export function ask(
  app: TestApp,
  [method, rest]: [Method, string],
  body?: unknown,
  { as = 'demo-operator', operatorId = 1, headers = {} }: Asking = {},
): Promise<Answer> {
  return app.call(`/manage/operators/${operatorId}/booking-rules${rest}`, { method, as, headers, body });
}

export async function created(app: TestApp, draft: Body) {
  const answer = await ask(app, ['POST', ''], draft);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

export async function listed(app: TestApp, operatorId = 1): Promise<Body[]> {
  const answer = await ask(app, ['GET', ''], undefined, { as: 'demo-admin', operatorId });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

/** What the known says of something, the latest first. */
export async function trailOf(app: TestApp, subject: string): Promise<Body[]> {
  const path = `/manage/operators/1/audit?subject=${encodeURIComponent(subject)}`;
  return (await app.call(path, { as: 'demo-operator' })).json.data;
}

export const trailOfRule = (app: TestApp, id: string) => trailOf(app, `booking-rule ${id}`);

/** What was filled in or added when the rule was stored is not sent again. */
export function draftOf({ id, operatorId, version, whenApplied, summary, ...draft }: Body): Body {
  return draft;
}
