/** What the tests of explanations share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../../support/app.ts';
import { type Body, DINNER, freeDay } from '../../bookings/support.ts';
import { OPERATOR, underRules } from '../support.ts';

export const room = { partySize: 12, spaceId: 101 };
const when = { date: freeDay(6), time: '19:00' };

/** A node hears of a change a moment later; here it knows at once. */
export function ask(app: TestApp, booking: Body, { as = 'demo-partner', headers = {}, ...rest }: Body = {}) {
  app.services.rules.forget(OPERATOR);
  return app.call('/booking-rules/explain', {
    method: 'POST',
    as,
    headers,
    body: { compositeId: DINNER, booking: { partySize: 2, ...when, ...booking }, ...rest },
  });
}

export async function explained(app: TestApp, booking: Body = {}, options: Body = {}) {
  const answer = await ask(app, booking, options);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export interface Case {
  what: string;
  rule: Body;
  booking?: Body;
  compositeId?: string;
  result: 'applied' | 'not_applied' | 'skipped';
  does?: string;
  facts: Record<string, unknown>;
  change: { fact: string; value: unknown; sentence: string } | null;
}

export function testCases(app: () => TestApp, cases: readonly Case[]): void {
  for (const { what, rule, booking = {}, compositeId = DINNER, ...expected } of cases) {
    test(`it explains ${what}`, () =>
      underRules(app(), [rule], async ({ id, name, effect }) => {
        const { rules } = await explained(app(), booking, { compositeId });
        assert.equal(rules.length, 1);
        const [{ summary, ...said }] = rules;
        const facts = Object.entries(expected.facts).map(([fact, value]) => ({ name: fact, value }));
        assert.deepEqual(said, { id, name, effect, does: null, ...expected, facts });
        assert.ok(summary.length > 20);
      }));
  }
}

export const large = { field: 'partySize', operator: 'gte', value: 8 };
