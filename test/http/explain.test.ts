import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { Check } from 'typebox/schema';
import { explain, fieldReport } from '../../src/http/validation/messages.ts';
import { pageQuery } from '../../src/http/validation/paging.ts';
import { CommaList } from '../../src/http/validation/query-schema.ts';
import { validatorCompiler } from '../../src/http/validation/validation.ts';
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

describe('objects of several kinds', () => {
  const closed = { additionalProperties: false };
  const Shape = Type.Union([
    Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }, closed),
    Type.Object({ kind: Type.Literal('box'), width: Type.Number(), height: Type.Number() }, closed),
  ]);
  const faultsOf = (value: unknown) => {
    const report = fieldReport();
    explain(Type.Object({ shape: Shape }), { shape: value }, '', report);
    return Object.fromEntries(report.entries());
  };

  test('a value is held against the kind that it says it is, and no other', () => {
    assert.deepEqual(faultsOf({ kind: 'box', radius: 1 }), {
      'shape.width': ['is required'],
      'shape.height': ['is required'],
      'shape.radius': ['is not a known field'],
    });
  });

  test('a kind that there is not is named beside those that there are', () => {
    assert.deepEqual(faultsOf({ kind: 'line', radius: 1 }), { 'shape.kind': ['must be one of circle, box'] });
    assert.deepEqual(faultsOf({ kind: ['circle'] }), { 'shape.kind': ['must be one of circle, box'] });
  });

  test('a value that does not say is held against the kind that it comes closest to', () => {
    assert.deepEqual(faultsOf({ radius: 1 }), { 'shape.kind': ['is required'] });
    assert.deepEqual(faultsOf('circle'), { shape: ['must be an object'] });
  });

  test('a fault is found exactly when the check finds one', () => {
    const member = fc.oneof(fc.constantFrom('circle', 'box', 'line', 1, 2.5, null), fc.jsonValue());
    const names = fc.constantFrom('kind', 'radius', 'width', 'height', 'zzz', '__proto__');
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(names, member), fc.jsonValue()), (value) => {
        assert.equal(Object.keys(faultsOf(value)).length === 0, Check(Shape, value));
      }),
    );
  });
});
