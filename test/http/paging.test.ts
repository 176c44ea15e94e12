import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { Check } from 'typebox/schema';
import { Page, pageOf, pageQuery, windowOf } from '../../src/http/validation/paging.ts';

const query = fc.record({
  pageNumber: fc.integer({ min: 1, max: 30 }),
  pageSize: fc.integer({ min: 1, max: 100 }),
});

describe('a page', () => {
  test('says where it stands in the list', () => {
    assert.deepEqual(pageOf(['a', 'b'], 42, { pageNumber: 3, pageSize: 20 }), {
      data: ['a', 'b'],
      meta: { currentPage: 3, pageSize: 20, totalItems: 42, totalPages: 3 },
    });
    assert.equal(pageOf([], 0, { pageNumber: 1, pageSize: 20 }).meta.totalPages, 0);
  });

  test('fits the schema of its items', () => {
    fc.assert(
      fc.property(query, fc.array(fc.string()), fc.nat(), (asked, items, total) => {
        assert.ok(Check(Page(Type.String()), pageOf(items, total, asked)));
      }),
    );
  });

  test('together with all the others holds every entry once', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 100 }), (total, pageSize) => {
        const rows = Array.from({ length: total }, (_, index) => index);
        const { totalPages } = pageOf(rows, total, { pageNumber: 1, pageSize }).meta;
        const pages = Array.from({ length: totalPages }, (_, index) => {
          const { limit, offset } = windowOf({ pageNumber: index + 1, pageSize });
          return rows.slice(offset, offset + limit);
        });
        assert.deepEqual(pages.flat(), rows);
        assert.ok(pages.every((page) => page.length > 0));
      }),
    );
  });

  test('may be asked for without parameters as far as the schema goes', () => {
    assert.ok(Check(Type.Object(pageQuery), {}));
    assert.ok(!Check(Type.Object(pageQuery), { pageSize: 101 }));
    assert.ok(!Check(Type.Object(pageQuery), { pageNumber: 0 }));
    assert.ok(!Check(Type.Object(pageQuery), { pageNumber: 1_000_001 }));
  });
});
