import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIXED_EFFECTS, HOOKS } from '../../../../src/features/booking-rules/engine/rule.ts';
import { readDraft } from '../../../../src/features/booking-rules/manage/draft.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { type Draft, fieldsOf, limit, refusalOf, written } from './drafts.ts';

const conditioned = (field: string, operator: string, value: unknown) =>
  limit({ conditions: [{ field, operator, value }] });

test('a draft with nothing but what it must have concerns everybody and everything', () => {
  assert.deepEqual(readDraft(limit()), {
    effect: 'party_size_limit',
    name: 'Up to twelve',
    description: null,
    message: null,
    isActive: true,
    priority: 0,
    partnerIds: null,
    categoryIds: null,
    venueIds: null,
    productSlugs: null,
    conditions: [],
    items: null,
    params: { min: 1, max: 12 },
  });
});

test('parameters that are left out get their defaults', () => {
  const complete = (effect: string, params?: Draft) => {
    const rule = readDraft({ effect, name: 'x', ...(params && { params }) });
    return 'params' in rule ? rule.params : undefined;
  };
  assert.deepEqual(complete('route_to_enquiry'), {});
  assert.deepEqual(complete('same_package', {}), {});
  assert.deepEqual(complete('require_deposit', { amount: 500 }), { amount: 500, per: 'booking' });
  assert.deepEqual(complete('require_deposit', { amount: 500, per: 'guest' }), { amount: 500, per: 'guest' });
  assert.deepEqual(complete('booking_window', { minNoticeHours: 2 }), {
    action: 'book',
    minNoticeHours: 2,
    maxHorizonDays: null,
  });
  assert.deepEqual(
    complete('booking_window', { action: 'cancel', minNoticeHours: null, maxHorizonDays: 9 }),
    {
      action: 'cancel',
      minNoticeHours: null,
      maxHorizonDays: 9,
    },
  );
  assert.deepEqual(complete('party_size_limit', { min: 4 }), { min: 4, max: null });
  assert.deepEqual(complete('require_preorder'), { from: 1, kind: 'any' });
  assert.deepEqual(complete('suppress_preorder_email', { threshold: 6 }), { threshold: 6 });
});

test('parameters that mean nothing together, or nothing at all, are refused', () => {
  const faults = (effect: string, params?: unknown) =>
    fieldsOf({ effect, name: 'x', ...(params !== undefined && { params }) });
  assert.deepEqual(faults('route_to_enquiry', { to: 'us' }), ['params.to']);
  assert.deepEqual(faults('require_deposit'), ['params']);
  assert.deepEqual(faults('require_deposit', { amount: 0, per: 'table' }), ['params.amount', 'params.per']);
  assert.deepEqual(faults('require_deposit', { amount: 9.5 }), ['params.amount']);
  assert.deepEqual(faults('booking_window', { action: 'book' }), ['params']);
  assert.deepEqual(faults('booking_window', { minNoticeHours: null, maxHorizonDays: null }), ['params']);
  assert.deepEqual(faults('booking_window', { action: 'read', minNoticeHours: -1 }), [
    'params.action',
    'params.minNoticeHours',
  ]);
  assert.deepEqual(faults('party_size_limit', {}), ['params']);
  assert.deepEqual(faults('party_size_limit', { max: null }), ['params']);
  assert.deepEqual(faults('party_size_limit', { min: 8, max: 7 }), ['params.max']);
  assert.deepEqual(faults('require_preorder', { from: 0, kind: 'wine' }), ['params.from', 'params.kind']);
  assert.deepEqual(faults('suppress_preorder_email', {}), ['params.threshold']);
});

test('all faults of a draft are named at once, wherever they are', () => {
  const draft = limit({
    name: '',
    description: 'x'.repeat(1001),
    priority: 1001,
    partnerIds: [],
    venueIds: ['a', 'a'],
    colour: 'red',
    params: { min: 0 },
    conditions: [
      { field: 'weekday', operator: 'eq', value: 8 },
      { field: 'moon', operator: 'eq', value: 1 },
      { field: 'time', operator: 'between', value: ['22:00', '9'] },
    ],
  });
  assert.deepEqual(fieldsOf(draft), [
    'colour',
    'conditions.0.value',
    'conditions.1.field',
    'conditions.2.value.1',
    'description',
    'name',
    'params.min',
    'partnerIds',
    'priority',
    'venueIds',
  ]);
});

test('a draft of no known effect is told so, and what else is wrong', () => {
  assert.deepEqual(fieldsOf({ effect: 'close_the_bar', priority: 'high' }), ['effect', 'name', 'priority']);
  assert.deepEqual(fieldsOf({ name: 'x' }), ['effect']);
  for (const draft of [null, undefined, [], 'rule', 7]) assert.deepEqual(fieldsOf(draft), ['body']);
});

test('text that cannot be stored and nesting without end are refused', () => {
  assert.deepEqual(fieldsOf(limit({ name: 'a\0b' })), ['name']);
  let nested: unknown = 1;
  for (let depth = 0; depth < 10_000; depth += 1) nested = [nested];
  assert.equal(refusalOf(written({ when: nested })).code, 'VALID-N-001');
});

test('a condition compares with what its field can be', () => {
  const accepted: [string, string, unknown][] = [
    ['partySize', 'gte', 8],
    ['daysAhead', 'between', [0, 3]],
    ['daysAhead', 'between', [3, 3]],
    ['weekday', 'in', [6, 7]],
    ['time', 'lt', '09:30'],
    ['time', 'between', ['22:00', '02:00']],
    ['duration', 'lte', 120],
    ['category', 'ne', 'drinks'],
    ['category', 'in', ['lunch', 'dinner']],
  ];
  for (const [field, operator, value] of accepted) {
    const rule = readDraft(conditioned(field, operator, value));
    assert.deepEqual(rule.conditions, [{ field, operator, value }]);
  }
  const refused: [string, string, unknown][] = [
    ['partySize', 'gte', '8'],
    ['partySize', 'eq', 2.5],
    ['partySize', 'eq', [2]],
    ['daysAhead', 'between', [3, 0]],
    ['daysAhead', 'between', [1, 2, 3]],
    ['daysAhead', 'between', 3],
    ['weekday', 'in', []],
    ['weekday', 'in', [0]],
    ['weekday', 'in', Array.from({ length: 201 }, (_, index) => index)],
    ['weekday', 'eq', 8],
    ['time', 'eq', '24:00'],
    ['time', 'eq', '9:30'],
    ['time', 'eq', 930],
    ['duration', 'eq', 0],
    ['category', 'lt', 'drinks'],
    ['category', 'eq', 3],
  ];
  for (const [field, operator, value] of refused) {
    const fields = fieldsOf(conditioned(field, operator, value));
    assert.ok(fields.length > 0, `${field} ${operator} ${JSON.stringify(value)}`);
    assert.ok(
      fields.every((name) => name.startsWith('conditions.0.')),
      fields.join(),
    );
  }
  assert.deepEqual(
    fieldsOf(limit({ conditions: Array(21).fill({ field: 'partySize', operator: 'eq', value: 1 }) })),
    ['conditions'],
  );
});

test('only rules about what is ordered take items', () => {
  const params: Draft = {
    require_deposit: { amount: 1 },
    booking_window: { minNoticeHours: 1 },
    party_size_limit: { max: 9 },
    suppress_preorder_email: { threshold: 2 },
  };
  const takes = FIXED_EFFECTS.filter((effect) => {
    const draft = { effect, name: 'x', params: params[effect] ?? {}, items: ['wine'] };
    try {
      return readDraft(draft).items?.includes('wine');
    } catch {
      return false;
    }
  });
  assert.deepEqual(takes, ['same_package', 'require_preorder']);
  assert.deepEqual(fieldsOf(written({ items: ['wine'] })), ['items']);
});

test('whatever is sent is either a rule or a problem', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const draft = fc.record(
    {
      effect: fc.constantFrom(...FIXED_EFFECTS, 'expression', 'other'),
      name: fc.oneof(fc.string(), value),
      params: fc.oneof(
        fc.dictionary(fc.constantFrom('min', 'max', 'from', 'amount', 'action'), value),
        value,
      ),
      conditions: fc.array(
        fc.record({
          field: fc.constantFrom('weekday', 'time', 'category'),
          operator: fc.constantFrom('in', 'between', 'eq'),
          value,
        }),
      ),
      hook: fc.constantFrom(...HOOKS),
      when: value,
      then: fc.array(
        fc.oneof(value, fc.record({ set: value }), fc.record({ flag: fc.record({ name: value }) })),
      ),
    },
    { requiredKeys: ['effect', 'name'] },
  );
  fc.assert(
    fc.property(fc.oneof(draft, value), (sent) => {
      try {
        readDraft(sent);
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
        assert.ok(['VALID-N-001', 'OPRUL-N-013'].includes(error.code));
      }
    }),
    { numRuns: 300 },
  );
});
