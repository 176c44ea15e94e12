import { after, before } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts';

/** What the tests of the endpoint ask about: mostly the ordinary restaurant of the demo data. */

export const DINNER = '1|house|soho-grill|dinner';
export const PRIVATE = '1|house|soho-grill|private-dining';

/** A Wednesday a few weeks ahead, far from any exception of the demo data. */
export const soon = (() => {
  let date = Temporal.Now.plainDateISO('Europe/London').add({ days: 21 });
  while (date.dayOfWeek !== 3 || (date.month === 12 && date.day > 20)) date = date.add({ days: 1 });
  return date;
})();
export const day = soon.toString();

export interface SlotBody {
  time: string;
  date: string;
  dateTime: string;
  type: string;
  requestReason?: string;
  unavailableReasons?: string[];
  product: { id: string; spaces: { id: number; policies: { minimumSpend: { amount: number }[] } }[] };
}

export interface Asking {
  /** The application, once the tests of the file run. */
  maitred(): TestApp;
  ask(productId: string, query: string, as?: string, headers?: Record<string, string>): Promise<Answer>;
}

/** An application for the tests of one file, and the question they all put to it. */
export function asking(): Asking {
  let maitred: TestApp;
  before(async () => {
    maitred = await startTestApp();
  });
  after(() => maitred.close());
  return {
    maitred: () => maitred,
    ask: (productId, query, as = 'demo-partner', headers = {}) =>
      maitred.call(`/venues/${encodeURIComponent(productId)}/availability?${query}`, { as, headers }),
  };
}
