import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../../../support/app.ts';
import { type Body, book, COPPER_ROOM, DINNER, guest, PRIVATE } from '../../bookings/support.ts';
import { OPERATOR, rulesApp, underRules } from '../support.ts';
import { expressionDraft, fixedDraft } from './explain-arbitraries.ts';

/** Whatever the explanation says of the rules together, making the booking says too. */

const now = Temporal.Now.instant();
const app = rulesApp({ deps: { clock: () => now } });

const inDays = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();

const shared = {
  date: fc.integer({ min: 3, max: 44 }).map(inDays),
  time: fc.constantFrom('18:00', '19:00', '19:30'),
  children: fc.constantFrom(undefined, 0, 1),
  duration: fc.constantFrom(undefined, 60, 120),
  depositAmount: fc.constantFrom(undefined, 1000, 5000, 40_000),
};

const PORTIONS = [
  { id: 101, quantity: 14 },
  { slug: 'cellar-flight', quantity: 14 },
  { id: 103, quantity: 1 },
];

const dinner = fc.record({
  ...shared,
  type: fc.constantFrom('book', 'request'),
  partySize: fc.integer({ min: 1, max: 6 }),
});
const privateDining = fc.record({
  ...shared,
  duration: fc.constantFrom(undefined, 180),
  type: fc.constant('request'),
  partySize: fc.integer({ min: 8, max: 13 }),
  spaceId: fc.constant(COPPER_ROOM),
  preorders: fc.record({
    packages: fc.subarray(PORTIONS),
    menus: fc.subarray([{ id: 101, items: [{ id: 10101, quantity: 2 }] }]),
  }),
});

const requested = fc.oneof(
  dinner.map((body) => ({ productId: DINNER, body })),
  privateDining.map((body) => ({ productId: PRIVATE, body })),
);
const sources = fc.constantFrom('api', 'phone');

function verdictOf({ status, json }: Answer) {
  if (status === 201) return { outcome: 'accepted', type: json.type, errorCode: null, violations: [] };
  return { outcome: 'rejected', errorCode: json.code, violations: json.violations };
}

/** What it took is given back, so that no attempt is refused for lack of tables. */
async function release({ status, json }: Answer): Promise<void> {
  if (status !== 201) return;
  const { status: cancelled } = await app().call(`/venues/bookings/${json.id}`, {
    method: 'DELETE',
    as: 'demo-partner',
  });
  assert.equal(cancelled, 204);
}

test('an explanation says what becomes of the booking', async () => {
  const outcomes = new Map<string, number>();
  const property = fc.asyncProperty(
    fc.array(fc.oneof(fixedDraft, expressionDraft), { minLength: 1, maxLength: 4 }),
    requested,
    sources,
    async (drafts, { productId, body }, source) => {
      await underRules(app(), drafts, async () => {
        const draft: Body = { ...guest, ...body };
        app().services.rules.forget(OPERATOR);
        const explained = await app().call('/booking-rules/explain', {
          method: 'POST',
          as: 'demo-partner',
          body: { compositeId: productId, source, booking: draft },
        });
        assert.equal(explained.status, 200, explained.text);
        const answer = await book(app(), draft, { productId, headers: { 'x-booking-source': source } });
        await release(answer);
        const actual = verdictOf(answer);
        const { outcome, type, errorCode, violations } = explained.json;
        const said = { outcome, ...(outcome === 'accepted' && { type }), errorCode, violations };
        assert.deepEqual(said, actual, answer.text);
        const kind = errorCode ?? type;
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      });
    },
  );
  await fc.assert(property, { numRuns: 120, endOnFailure: true });
  assert.ok(outcomes.size >= 5, JSON.stringify([...outcomes]));
});
