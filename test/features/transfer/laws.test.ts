import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { assertBands } from '../../../src/features/layout/spend-windows.ts';
import { type Renumbering, renumber } from '../../../src/features/transfer/renumber.ts';
import type { ImportResult } from '../../../src/features/transfer/schema.ts';
import { assertHours } from '../../../src/features/venues/hours/check.ts';
import type { Hours } from '../../../src/features/venues/hours/hours.ts';
import type { OperatorDocument } from '../../../src/features/venues/transfer/document.ts';
import { type Scenario, scenario, worldOf } from '../../abuse/support/random-world.ts';
import type { TestApp } from '../../support/app.ts';
import { assertSaid, sorted } from './comparing.ts';
import { exportFrom, importInto, startBarePlatform } from './platforms.ts';

let here: TestApp;
let there: TestApp;
before(async () => {
  [here, there] = await Promise.all([startBarePlatform(), startBarePlatform()]);
});
after(() => Promise.all([here.close(), there.close()]));

let count = 0;

/** Random venues may have hours and bands that nobody may keep; those are put right. */
function documentOf(random: Scenario): OperatorDocument {
  const { venue, isChosen } = worldOf(random);
  count += 1;
  return {
    // Copies get the next ones.
    id: 1000 + 10 * count,
    name: `Operator ${count}`,
    systems: ['house'],
    partnerCategories: [
      { id: 5000 + count, slug: 'chosen', name: 'Chosen', partners: isChosen ? ['demo-partner'] : [] },
    ],
    bookingRules: [
      {
        effect: 'party_size_limit',
        name: 'Not too many',
        params: { max: 7 },
        partnerCategories: ['chosen'],
        venues: [{ tms: 'house', resourceId: 'random' }],
      },
    ],
    venues: [
      {
        ...venue,
        spaces: (venue.spaces ?? []).map((space) => {
          const { minimumSpend } = space.policies;
          const isUsable = passes(() => assertBands(minimumSpend, ''));
          return { ...space, policies: { ...space.policies, minimumSpend: isUsable ? minimumSpend : [] } };
        }),
        products: venue.products.map((product) => ({ ...product, hours: usable(product.hours) })),
        siteFaqs: [{ question: venue.timeZone, answer: `\\u0041 **${random.stayDay}**\n` }],
      },
    ],
  };
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

function usable(hours: Hours): Hours {
  if (passes(() => assertHours(hours))) return hours;
  return { weekly: [{ weekdays: [2, 4], periods: [{ opens: '00:00', closes: '24:00' }] }] };
}

const mapsOf = (renumbered: ImportResult['renumbered']) =>
  new Proxy({} as Renumbering, {
    get(_target, kind: keyof ImportResult['renumbered']) {
      const changes = Object.entries(renumbered[kind] ?? {});
      const isNumbered = kind !== 'availabilityRules' && kind !== 'bookingRules';
      return new Map(changes.map(([from, to]) => [isNumbered ? Number(from) : from, to]));
    },
  });

test('what is imported is exported again, and imports the same anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (random) => {
      const document = documentOf(random);
      const made = await importInto(here, document);
      fc.pre(!isContradictory(made.json));
      assert.equal(made.status, 201, made.text);
      const exported = await exportFrom(here, document.id);
      // Copies have taken numbers that later documents bring along.
      assertSaid(renumber(document, mapsOf(made.json.renumbered)), exported);

      const moved = await importInto(there, exported);
      assert.equal(moved.status, 201, moved.text);
      assert.deepEqual(moved.json.renumbered, {});
      assert.deepEqual(await exportFrom(there, document.id), exported);

      const name = `${exported.name} again`;
      const copied = await importInto(here, { ...exported, id: undefined, name });
      assert.equal(copied.status, 201, copied.text);
      const { operatorId, renumbered } = copied.json;
      const copy = await exportFrom(here, operatorId);
      const expected = { ...renumber(exported, mapsOf(renumbered)), id: operatorId, name };
      assert.deepEqual(sorted(copy), sorted(expected));
    }),
    { numRuns: 15 },
  );
});

/** Random bounds may contradict each other, or not fit random tables. */
const isContradictory = ({ code, errors = {} }: { code?: string; errors?: object }) =>
  code === 'VALID-N-001' &&
  Object.keys(errors).every((path) => /minGuests|maxCovers|maxPartySize/.test(path));
