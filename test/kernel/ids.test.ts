import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isProductId,
  isVenueId,
  parseProductId,
  parseVenueId,
  partsOfVenueId,
  venueIdOf,
  venueOfProduct,
} from '../../src/kernel/ids.ts';
import { Problem } from '../../src/kernel/problem.ts';

const segment = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,30}$/);
const parts = fc.record({
  operatorId: fc.integer({ min: 1, max: 2_147_483_647 }),
  tms: segment,
  resourceId: segment,
});

test('taking a venue id apart and putting it together again gives the same id', () => {
  fc.assert(
    fc.property(parts, (original) => {
      assert.deepEqual(partsOfVenueId(venueIdOf(original)), { ...original });
    }),
  );
});

test('a product id begins with the id of its venue', () => {
  fc.assert(
    fc.property(parts, segment, (venue, product) => {
      const venueId = venueIdOf(venue);
      assert.equal(venueOfProduct(parseProductId(`${venueId}|${product}`)), venueId);
    }),
  );
});

test('no text is both a venue id and a product id, and any other text is refused as a problem', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z|]{0,20}$/)), (text) => {
      assert.ok(!(isVenueId(text) && isProductId(text)));
      for (const parse of [parseVenueId, parseProductId]) {
        try {
          assert.equal(parse(text), text);
        } catch (error) {
          assert.ok(error instanceof Problem && error.code === 'VALID-N-001');
        }
      }
    }),
  );
});

test('each kind of id is refused in the place of the other with a sentence that says so', () => {
  assert.throws(() => parseVenueId('1|house|a|b'), /four segments/);
  assert.throws(() => parseProductId('1|house|a'), /three segments/);
});

test('a group id fits the database: no zero, no leading zero, no more than 32 bits', () => {
  for (const group of ['0', '01', '-1', '2147483648', '99999999999', '1.5', '']) {
    assert.ok(!isVenueId(`${group}|house|x`), group);
  }
  assert.ok(isVenueId('2147483647|house|x'));
});
