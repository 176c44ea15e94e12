/** What the tests of layouts share: calls below a venue, and what the audit log says of a thing. */
import assert from 'node:assert/strict';
import type { Answer, CallOptions, TestApp } from '../../support/app.ts';
import type { Body } from '../bookings/support.ts';

export const SOHO = '1|house|soho-grill';
/** The zones of Soho Grill: the restaurant, and one for each room. */
export const [RESTAURANT, COPPER_ZONE] = [1011, 1012];
export const UNKNOWN = 999_999;

export const pathOf = (rest: string, venueId = SOHO) =>
  `/manage/venues/${encodeURIComponent(venueId)}/${rest}`;

type Options = Omit<CallOptions, 'body' | 'method'> & { venueId?: string };

export interface Manager {
  read(rest: string, options?: Options): Promise<Answer>;
  post(rest: string, body: unknown, options?: Options): Promise<Answer>;
  put(rest: string, body: unknown, options?: Options): Promise<Answer>;
  remove(rest: string, options?: Options): Promise<Answer>;
  /** Makes something, which must succeed. */
  made(rest: string, body: unknown, options?: Options): Promise<Body>;
  /** What the audit log says of it, the latest first. */
  auditLogOf(subject: string): Promise<Body[]>;
}

export function managerOf(app: () => TestApp): Manager {
  const call = (method: CallOptions['method'], rest: string, body: unknown, options: Options = {}) => {
    const { venueId, ...others } = options;
    return app().call(pathOf(rest, venueId), {
      as: 'demo-operator',
      ...(method && { method }),
      ...(body !== undefined && { body }),
      ...others,
    });
  };
  return {
    read: (rest, options) => call('GET', rest, undefined, options),
    post: (rest, body, options) => call('POST', rest, body, options),
    put: (rest, body, options) => call('PUT', rest, body, options),
    remove: (rest, options) => call('DELETE', rest, undefined, options),
    async made(rest, body, options) {
      const answer = await call('POST', rest, body, options);
      assert.equal(answer.status, 201, answer.text);
      return answer.json;
    },
    async auditLogOf(subject) {
      const query = `subject=${encodeURIComponent(subject)}`;
      return (await app().call(`/manage/operators/1/audit?${query}`, { as: 'demo-operator' })).json.data;
    },
  };
}

/** A room that nobody offers, with everything that a space has to have. */
export const parlour: Body = {
  name: 'The Parlour',
  policies: {
    minimumSpend: [],
    occasionTypes: ['birthday'],
    under18s: true,
    promotedEvents: false,
    accessibility: true,
    servesFood: true,
  },
};

export const withBands = (...minimumSpend: Body[]): Body => ({
  ...parlour,
  policies: { ...parlour.policies, minimumSpend },
});
