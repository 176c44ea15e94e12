/** What an operator does with the availability rules of Soho Grill, and what partners notice of it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { type CallOptions, startTestApp, type TestApp } from '../../support/app.ts';

export const VENUE = '1|house|soho-grill';
export const DINNER = `${VENUE}|dinner`;
export const PRIVATE = `${VENUE}|private-dining`;

/** Id of a category of operator 1 that the demo partner is in. */
export const CATEGORY = 901;

const today = Temporal.Now.plainDateISO('Europe/London');
/** A Wednesday in three to four weeks. */
export const day = today.add({ days: 21 + ((10 - today.dayOfWeek) % 7) }).toString();
export const WEDNESDAY = 3;

export const dated = (more: object = {}) => ({
  type: 'specific_dates',
  definition: { dates: [day] },
  ...more,
});
export const weekly = (more: object = {}) => ({
  type: 'recurring',
  definition: { weekdays: [WEDNESDAY] },
  ...more,
});

type Method = NonNullable<CallOptions['method']>;

/** `prepare` adds what a test needs besides. */
export function managing(prepare: (app: TestApp) => Promise<unknown> = async () => {}) {
  let maitred: TestApp;
  before(async () => {
    maitred = await startTestApp();
    await maitred.sql`insert into partner_category (id, operator_id, slug, name) values (${CATEGORY}, 1, 'x', 'X')`;
    await maitred.sql`insert into partner_category_member (category_id, partner_id) values (${CATEGORY}, 1)`;
    await prepare(maitred);
  });
  after(() => maitred.close());
  beforeEach(() => maitred.sql`delete from availability_rule where venue_id = ${VENUE}`);

  const send = (method: Method, path: string, body?: unknown, options: CallOptions = {}) =>
    maitred.call(`/manage/venues/${encodeURIComponent(VENUE)}${path}`, {
      method,
      as: 'demo-operator',
      ...(body !== undefined && { body }),
      ...options,
    });
  const rules = (method: Method, path = '', body?: unknown, options: CallOptions = {}) =>
    send(method, `/availability-rules${path}`, body, options);

  return {
    app: () => maitred,
    send,
    rules,

    async made(draft: object) {
      const answer = await rules('POST', '', draft);
      assert.equal(answer.status, 201, answer.text);
      return answer.json;
    },

    async stored() {
      return (await rules('GET')).json.data;
    },

    /** Whether anything can be had on that Wednesday. */
    async isOpen(as = 'demo-partner', product = DINNER): Promise<boolean> {
      const { status, json, text } = await maitred.call(
        `/venues/${encodeURIComponent(product)}/availability?date=${day}&partySize=${product === PRIVATE ? 12 : 2}`,
        { as },
      );
      assert.equal(status, 200, text);
      return json.times.length > 0;
    },

    /** The rules that a caller reads, as [id, product]. */
    async seen(as: string): Promise<[string, string | null][]> {
      const { json } = await maitred.call(`/venues/${encodeURIComponent(VENUE)}`, { as });
      return json.operatorAvailabilityRules.map((rule: { id: string; productId: string | null }) => [
        rule.id,
        rule.productId,
      ]);
    },

    async auditLogOf(subject: string) {
      const { json } = await maitred.call(
        `/manage/operators/1/audit?subject=${encodeURIComponent(subject)}`,
        { as: 'demo-operator' },
      );
      return json.data;
    },
  };
}
