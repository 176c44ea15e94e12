/** What the tests of rules share: an application whose operators have no rules but those of the test. */
import type { Rule } from '../../../src/features/booking-rules/engine/rule.ts';
import type { TestApp, TestAppOptions } from '../../support/app.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { type Body, bookingsApp } from '../bookings/support.ts';

export const SOHO = '1|house|soho-grill';
export const OPERATOR = 1;

export const rulesApp = (options: TestAppOptions = {}) =>
  bookingsApp(options, ({ sql }) => sql`delete from booking_rule`);

let named = 0;

/** An operator's rule with what every rule needs. */
export const draftOf = (draft: Body): Body => ({ name: `Rule ${++named}`, venueIds: [SOHO], ...draft });

/** The rules hold while `work` runs, and no longer. */
export async function underRules<Result>(
  app: TestApp,
  drafts: Body[],
  work: (...rules: Rule[]) => Promise<Result>,
): Promise<Result> {
  const storage = storageOf(app);
  const rules: Rule[] = [];
  try {
    for (const draft of drafts) rules.push(await storage.create(OPERATOR, draftOf(draft)));
    return await work(...rules);
  } finally {
    for (const { id } of rules) await storage.retire(OPERATOR, id);
  }
}

/** An expression rule of booking creation. */
export const expression = (when: unknown, ...then: Body[]): Body => ({
  effect: 'expression',
  hook: 'booking.create',
  when,
  then,
});

export const partner = async ({ sql }: TestApp, reference: string): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`select id from partner where reference = ${reference}`;
  if (!row) throw new Error(`There is no partner ${reference}.`);
  return row.id;
};
