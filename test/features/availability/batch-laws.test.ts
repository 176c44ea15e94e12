import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';

/** Time stands still: between two questions nothing may become too late to book. */
const now = Temporal.Now.instant();
const today = now.toZonedDateTimeISO('Europe/London').toPlainDate().toString();

let maitred: TestApp;
let productIds: string[];
before(async () => {
  maitred = await startTestApp({ deps: { clock: () => now } });
  const { data } = (await maitred.call('/venues?pageSize=100&fields=products(compositeId)')).json;
  productIds = data.flatMap(({ products }: { products: { compositeId: string }[] }) =>
    products.map(({ compositeId }) => compositeId),
  );
  assert.ok(productIds.length > 40);
});
after(() => maitred.close());

const STRANGE_IDS = ['1|house|nowhere|dinner', '1|house|soho-grill|tea', '3|house|hidden-kitchen|dinner'];

const entry = () =>
  fc.record(
    {
      compositeId: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...productIds) },
        {
          weight: 2,
          arbitrary: fc.constantFrom('2|tickets|jazz-night|standard', '2|tickets|jazz-night|vip'),
        },
        { weight: 1, arbitrary: fc.constantFrom(...STRANGE_IDS) },
      ),
      date: fc.integer({ min: -2, max: 200 }).map((days) => addDays(today, days)),
      quantity: fc.integer({ min: 1, max: 30 }),
      time: fc.constantFrom('00:30', '12:00', '19:00', '20:15'),
    },
    { requiredKeys: ['compositeId'] },
  );

test('each entry is answered as the same question by itself is', async () => {
  const batches = fc.array(entry(), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(batches, async (bookableProducts) => {
      const common = { date: addDays(today, 14), quantity: 2 };
      const body = { ...common, bookableProducts };
      const batch = await maitred.call('/v1/availabilities', { method: 'POST', body });
      assert.equal(batch.status, 200, batch.text);
      assert.equal(batch.json.results.length, bookableProducts.length);
      for (const [index, asked] of bookableProducts.entries()) {
        const { compositeId, quantity, date, time } = { time: undefined, ...common, ...asked };
        const isTimed = time !== undefined && !compositeId.includes('|tickets|');
        const query = `date=${date}&partySize=${quantity}${isTimed ? `&time=${time}` : ''}`;
        const path = `/venues/${encodeURIComponent(compositeId)}/availability?${query}`;
        const { status, json } = await maitred.call(path);
        const expected = status === 200 ? { availability: json } : { error: json };
        assert.deepEqual(batch.json.results[index], { compositeId, ...expected }, path);
      }
    }),
    { numRuns: 25 },
  );
});
