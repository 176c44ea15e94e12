import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { Check } from 'typebox/schema';
import { explain } from '../../src/http/explain.ts';
import { fieldReport } from '../../src/http/field-report.ts';
import { pageQuery } from '../../src/http/paging.ts';
import { CommaList } from '../../src/http/query.ts';
import { validatorCompiler } from '../../src/http/validation.ts';
import type { Problem } from '../../src/kernel/problem.ts';
import { Booking, booking } from './sample-booking.ts';

const PARTS = ['querystring', 'params', 'headers'] as const;
type Outcome = true | { value: unknown } | { error: Problem };

const Search = Type.Object({
  ...pageQuery,
  lat: Type.Optional(Type.Number()),
  includeUnavailable: Type.Optional(Type.Boolean()),
  features: CommaList(Type.String({ minLength: 1 }), { maxItems: 3 }),
  date: Type.Optional(Type.String({ format: 'date' })),
});

describe('explaining a refusal', () => {
  const member = (schemaKey: string) => fc.constantFrom(schemaKey, 'zzz', '__proto__', 'toString');
  const scalar = fc.oneof(
    fc.constantFrom(1, 0, -1, 2.5, 'book', 'request', 'a@b.example', '19:30', '', null, true, 'x\0'),
    fc.string(),
  );
  const anyValue = fc.oneof(scalar, fc.array(scalar), fc.jsonValue());
  const nearlyBooking = fc
    .array(
      fc.tuple(
        fc.oneof(...Object.keys(Booking.properties).map(member)),
        fc.oneof(anyValue, fc.record({ menus: fc.array(fc.oneof(fc.record({ id: scalar }), scalar)) })),
      ),
    )
    .map((entries) => Object.fromEntries([...Object.entries(booking), ...entries]));

  test('finds a fault exactly when the check does', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyBooking, anyValue), (value) => {
        const report = fieldReport();
        explain(Booking, value, '', report);
        assert.equal(report.size === 0, Check(Booking, value), JSON.stringify(report.entries()));
      }),
      { numRuns: 1000 },
    );
  });

  test('never fails on hostile input, in any part of a request', () => {
    const parameters = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(Search.properties), '__proto__'), fc.string()),
      fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string()), fc.constant('\ud800\0')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...PARTS), parameters, (part, data) => {
        const outcome = validatorCompiler({ schema: Search, method: 'GET', url: '/', httpPart: part })(
          data,
        ) as Outcome;
        assert.ok(outcome === true || 'value' in outcome || outcome.error.code === 'VALID-N-001');
      }),
    );
    const validateBody = validatorCompiler({ schema: Booking, method: 'POST', url: '/', httpPart: 'body' });
    fc.assert(
      fc.property(fc.oneof(nearlyBooking, fc.anything()), (body) => {
        const outcome = validateBody(body) as Outcome;
        assert.ok(outcome === true || ('error' in outcome && outcome.error.code === 'VALID-N-001'));
      }),
    );
  });
});
