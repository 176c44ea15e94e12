import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  blockedSpaces,
  compileRules,
  judge,
  type RuledStart,
} from '../../../src/features/availability/operator-rules/operator-rules.ts';
import type { RuleRecord } from '../../../src/features/venues/service.ts';
import { AVAILABILITY_RULE_TYPES } from '../../../src/features/venues/transfer/document.ts';
import { parseProductId } from '../../../src/kernel/ids.ts';
import { addDays, weekdayOf } from '../../../src/kernel/zone-time.ts';

const DINNER = parseProductId('1|house|x|dinner');
const LUNCH = parseProductId('1|house|x|lunch');
const ANYBODY = { partnerId: 7, categoryIds: [] };
const OPERATOR = { partnerId: null, categoryIds: [] };

let made = 0;
function rule(changes: Partial<RuleRecord>): RuleRecord {
  made += 1;
  return {
    id: `rule-${String(made).padStart(6, '0')}`,
    type: 'time_based',
    productId: null,
    spaceId: null,
    partnerIds: null,
    categoryIds: null,
    scope: null,
    effect: 'disable',
    definition: {},
    ...changes,
  };
}

/** A Friday evening unless told otherwise. */
function start(changes: Partial<RuledStart> = {}): RuledStart {
  const date = changes.date ?? '2026-05-01';
  return {
    productId: DINNER,
    date,
    weekday: weekdayOf(date),
    minute: 19 * 60,
    audience: ANYBODY,
    ...changes,
  };
}

const at = (text: string, date?: string) => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return start({ minute: hours * 60 + minutes, ...(date !== undefined && { date }) });
};
const codeFor = (given: RuleRecord, when: RuledStart) => judge(compileRules([given]), when)?.code;

test('specific dates are off all day, and no other day is', () => {
  const wedding = rule({ type: 'specific_dates', definition: { dates: ['2026-05-01', '2026-05-09'] } });
  assert.equal(codeFor(wedding, start()), 'OPRUL-N-001');
  assert.equal(codeFor(wedding, start({ date: '2026-05-09', minute: 0 })), 'OPRUL-N-001');
  assert.equal(codeFor(wedding, start({ date: '2026-05-02' })), undefined);
});

test('a date range includes both of its ends', () => {
  const refit = rule({
    type: 'date_range',
    definition: { startDate: '2026-04-30', endDate: '2026-05-02' },
  });
  const off = ['2026-04-29', '2026-04-30', '2026-05-01', '2026-05-02', '2026-05-03'].map((date) =>
    codeFor(refit, start({ date })),
  );
  assert.deepEqual(off, [undefined, 'OPRUL-N-002', 'OPRUL-N-002', 'OPRUL-N-002', undefined]);
});

test('a recurring rule takes its weekdays, within its dates where it has them', () => {
  const fridays = rule({
    type: 'recurring',
    definition: { weekdays: [5], startDate: '2026-05-01', endDate: '2026-05-08' },
  });
  assert.equal(codeFor(fridays, start({ date: '2026-05-01' })), 'OPRUL-N-003');
  assert.equal(codeFor(fridays, start({ date: '2026-05-02' })), undefined);
  assert.equal(codeFor(fridays, start({ date: '2026-05-08' })), 'OPRUL-N-003');
  assert.equal(codeFor(fridays, start({ date: '2026-05-15' })), undefined);
});

test('a time range begins with its start and ends before its end', () => {
  const teatime = rule({ definition: { startTime: '15:00', endTime: '17:00' } });
  assert.deepEqual(
    ['14:59', '15:00', '16:59', '17:00'].map((time) => codeFor(teatime, at(time))),
    [undefined, 'OPRUL-N-004', 'OPRUL-N-004', undefined],
  );
});

for (const [type, definition] of [
  ['specific_dates_with_time', { dates: ['2026-05-01'] }],
  ['date_range_with_time', { startDate: '2026-05-01', endDate: '2026-05-01' }],
  ['recurring_with_time', { weekdays: [5 as const] }],
] as const) {
  test(`${type} needs the day and the time`, () => {
    const dated = rule({
      type,
      definition: { ...definition, startTime: '18:00', endTime: '20:00' } as never,
    });
    assert.equal(codeFor(dated, at('18:00')), 'OPRUL-N-004');
    assert.equal(codeFor(dated, at('20:00')), undefined);
    assert.equal(codeFor(dated, at('18:00', '2026-05-02')), undefined);
  });
}

test('a range past midnight belongs to the trading day on which it begins', () => {
  const late = rule({
    type: 'recurring_with_time',
    definition: { weekdays: [5], startTime: '22:00', endTime: '02:00' },
  });
  assert.deepEqual(
    ['21:59', '22:00', '25:59', '26:00'].map((time) => codeFor(late, at(time))),
    [undefined, 'OPRUL-N-004', 'OPRUL-N-004', undefined],
  );
  assert.equal(codeFor(late, at('25:00', '2026-04-30')), undefined, 'Thursday night');
});

test('one in the morning of a trading night is told by its clock time', () => {
  const small = rule({
    type: 'specific_dates_with_time',
    definition: { dates: ['2026-05-01'], startTime: '01:00', endTime: '02:00' },
  });
  assert.equal(codeFor(small, at('25:00')), 'OPRUL-N-004');
  assert.equal(codeFor(small, at('25:00', '2026-05-02')), undefined);
});

test('a house that never shuts lives through the end of yesterday’s range', () => {
  const night = rule({
    type: 'recurring_with_time',
    definition: { weekdays: [7], startTime: '22:00', endTime: '02:00' },
  });
  assert.equal(codeFor(night, at('01:59', '2026-05-04')), 'OPRUL-N-004', 'Monday, from Sunday evening on');
  assert.equal(codeFor(night, at('02:00', '2026-05-04')), undefined);
  assert.equal(codeFor(night, at('01:00', '2026-05-03')), undefined, 'Sunday, from Saturday evening on');
});

const allDay = { startTime: '00:00', endTime: '00:00' };

test('a rule for everybody holds for partners, operators and the platform', () => {
  const off = rule({ definition: allDay });
  assert.equal(codeFor(off, start()), 'OPRUL-N-004');
  assert.equal(codeFor(off, start({ audience: OPERATOR })), 'OPRUL-N-004');
});

test('a rule for a partner or a category holds for those alone', () => {
  const forPartner = rule({ definition: allDay, partnerIds: [6, 7] });
  const forCategory = rule({ definition: allDay, categoryIds: [3, 4] });
  const member = { partnerId: 8, categoryIds: [2, 3] };
  assert.equal(codeFor(forPartner, start()), 'OPRUL-N-004');
  assert.equal(codeFor(forPartner, start({ audience: member })), undefined);
  assert.equal(codeFor(forPartner, start({ audience: OPERATOR })), undefined);
  assert.equal(codeFor(forCategory, start({ audience: member })), 'OPRUL-N-004');
  assert.equal(codeFor(forCategory, start()), undefined);
  assert.equal(codeFor(forCategory, start({ audience: OPERATOR })), undefined);
});

test('a rule for an empty list holds for nobody', () => {
  const off = rule({ definition: allDay, partnerIds: [] });
  for (const audience of [ANYBODY, OPERATOR]) assert.equal(codeFor(off, start({ audience })), undefined);
});

test('what is reserved is for the one it names, and nobody hears why', () => {
  const reason = 'Kept for the concierges of the Grand';
  for (const kept of [{ partnerIds: [8] }, { categoryIds: [3] }, { partnerIds: [9], categoryIds: [3] }]) {
    const reserved = rule({ effect: 'reserve', definition: { ...allDay, reason }, ...kept });
    const favourite = { partnerId: 8, categoryIds: [3] };
    assert.equal(codeFor(reserved, start({ audience: favourite })), undefined);
    assert.equal(codeFor(reserved, start({ audience: OPERATOR })), undefined);
    assert.deepEqual(judge(compileRules([reserved]), start()), {
      code: 'OPRUL-N-008',
      ruleId: reserved.id,
      reason: null,
    });
  }
});

test('a rule about a product leaves the others alone', () => {
  const off = rule({ definition: allDay, productId: DINNER });
  assert.equal(codeFor(off, start()), 'OPRUL-N-004');
  assert.equal(codeFor(off, start({ productId: LUNCH })), undefined);
});

test('a rule about a space takes that space and no more', () => {
  const cellar = rule({ type: 'recurring', definition: { weekdays: [5], reason: 'Damp' }, spaceId: 12 });
  const rules = compileRules([cellar]);
  const verdict = { code: 'OPRUL-N-009', ruleId: cellar.id, reason: 'Damp' };
  assert.equal(judge(rules, start()), undefined);
  assert.deepEqual([...blockedSpaces(rules, start())], [[12, verdict]]);
  assert.equal(blockedSpaces(rules, start({ date: '2026-05-02' })).size, 0);
});

test('a reserved space is free for its partner and blocked for others', () => {
  const rules = compileRules([rule({ definition: allDay, effect: 'reserve', partnerIds: [8], spaceId: 12 })]);
  assert.equal(blockedSpaces(rules, start({ audience: { partnerId: 8, categoryIds: [] } })).size, 0);
  assert.equal(blockedSpaces(rules, start()).get(12)?.code, 'OPRUL-N-009');
});

test('a rule about a whole time takes no space by itself', () => {
  assert.equal(blockedSpaces(compileRules([rule({ definition: allDay })]), start()).size, 0);
});

const anyRule = fc
  .record({
    type: fc.constantFrom(...AVAILABILITY_RULE_TYPES),
    spaceId: fc.constantFrom(null, null, 11, 12),
    productId: fc.constantFrom(null, DINNER, LUNCH),
    aim: fc.constantFrom<Pick<RuleRecord, 'partnerIds' | 'categoryIds' | 'effect'>>(
      { partnerIds: null, categoryIds: null, effect: 'disable' },
      { partnerIds: [7, 9], categoryIds: null, effect: 'disable' },
      { partnerIds: [], categoryIds: [3], effect: 'disable' },
      { partnerIds: null, categoryIds: [3], effect: 'reserve' },
    ),
    definition: fc.record({
      startTime: fc.constantFrom('00:00', '11:00', '19:00', '23:00'),
      endTime: fc.constantFrom('00:00', '02:00', '12:00', '20:00'),
    }),
  })
  .map(({ aim, ...rest }) => rule({ ...rest, ...aim }));
const anyStart = fc
  .record({
    days: fc.integer({ min: 0, max: 20 }),
    minute: fc.integer({ min: 0, max: 2879 }),
    audience: fc.constantFrom(ANYBODY, OPERATOR, { partnerId: 8, categoryIds: [3] }),
  })
  .map(({ days, ...rest }) => start({ date: addDays('2026-05-01', days), ...rest }));

test('the verdict is that of the first rule that alone would give one, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 8 }), anyStart, (rules, when) => {
      const alone = rules
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map((one) => judge(compileRules([one]), when));
      const first = alone.find((verdict) => verdict !== undefined);
      assert.deepEqual(judge(compileRules(rules), when), first);
      assert.deepEqual(judge(compileRules(rules.toReversed()), when), first);
    }),
  );
});

test('a space is blocked by the first rule that would take the whole start if it were not about the space', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 8 }), anyStart, (rules, when) => {
      const blocked = blockedSpaces(compileRules(rules), when);
      for (const spaceId of [11, 12, 13]) {
        const ofWhole = rules
          .filter((one) => one.spaceId === spaceId)
          .map((one) => ({ ...one, spaceId: null }));
        assert.equal(blocked.get(spaceId)?.ruleId, judge(compileRules(ofWhole), when)?.ruleId);
      }
    }),
  );
});
