import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileRule, type Judgement } from '../../../../src/features/booking-rules/engine/compiled.ts';
import {
  compileCondition,
  daysAheadOf,
  FACT_OF_FIELD,
} from '../../../../src/features/booking-rules/engine/conditions.ts';
import type { RuleContext } from '../../../../src/features/booking-rules/engine/effects.ts';
import { bookingFacts } from '../../../../src/features/booking-rules/engine/facts.ts';
import type { Rule } from '../../../../src/features/booking-rules/engine/rule.ts';
import type { Change } from '../../../../src/features/booking-rules/explain/change.ts';
import { explainRules } from '../../../../src/features/booking-rules/explain/explanation.ts';
import { readDraft } from '../../../../src/features/booking-rules/manage/draft.ts';
import { addDays, dayClock, localOf, minuteOfDay, weekdayOf } from '../../../../src/kernel/zone-time.ts';
import { repeats } from '../../../support/repeats.ts';
import type { Body } from '../../bookings/support.ts';
import { rules as anyRules, PARTNER_IDS } from '../random-rules.ts';
import { expressionDraft, fixedDraft, MENUS, PACKAGES } from './explain-arbitraries.ts';

/** What `change` says is done to the draft, and then the rule comes to something else. */

const ZONE = 'Europe/London';
const NOW_MS = Date.parse('2026-06-10T09:00:00Z');
const TODAY = '2026-06-10';

/** What a partner could send, and the product. */
interface Draft {
  adults: number;
  children: number;
  type: 'book' | 'request';
  daysAhead: number;
  time: string;
  source: string;
  duration: number | null;
  deposit: number;
  packages: string[];
  menus: string[];
  category: string | null;
}

const drafts: fc.Arbitrary<Draft> = fc.record({
  adults: fc.integer({ min: 1, max: 12 }),
  children: fc.integer({ min: 0, max: 4 }),
  type: fc.constantFrom('book', 'request'),
  daysAhead: fc.integer({ min: 0, max: 50 }),
  time: fc.constantFrom('12:00', '18:59', '19:00', '19:30', '22:15'),
  source: fc.constantFrom('api', 'portal'),
  duration: fc.option(fc.constantFrom(59, 60, 90, 121)),
  deposit: fc.constantFrom(0, 500, 3000, 20_000),
  packages: fc.subarray(PACKAGES),
  menus: fc.subarray(MENUS),
  category: fc.option(fc.constantFrom('dinner', 'private-hire')),
});

function occasionOf(draft: Draft): RuleContext {
  const { daysAhead, time, duration, deposit, packages, menus, category, ...rest } = draft;
  const date = addDays(TODAY, daysAhead);
  const minute = minuteOfDay(time);
  const named = (slugs: string[]) => slugs.map((slug, id) => ({ slug, id }));
  const booking = bookingFacts({
    ...rest,
    date,
    minute,
    depositPence: deposit,
    durationMinutes: duration,
    preorders: { packages: named(packages), menus: named(menus) },
  });
  const startMs = dayClock(ZONE, date).epochMsOf(minute);
  assert.ok(startMs !== undefined);
  return {
    facts: {
      booking,
      partner: { id: 7, categoryIds: [] },
      product: { id: '1|house|x|y', name: 'Y', slug: 'y', ...(category !== null && { category }) },
      venue: { id: '1|house|x', operatorId: 1, name: 'X', area: 'A', city: 'London', timeZone: ZONE },
      daysAhead: daysAheadOf(date, NOW_MS),
    },
    nowMs: NOW_MS,
    startsMs: [startMs],
  };
}

/** The draft with another value of that fact. */
function followed(draft: Draft, fact: string, value: unknown): Draft {
  const { children, daysAhead } = draft;
  const number = Number(value);
  switch (fact) {
    case 'booking.guests': {
      const kept = Math.min(children, number - 1);
      return { ...draft, adults: number - kept, children: kept };
    }
    case 'booking.partySize':
      return { ...draft, adults: number };
    case 'booking.type':
      return { ...draft, type: value as Draft['type'] };
    case 'daysAhead':
      return { ...draft, daysAhead: number };
    case 'booking.weekday':
      return { ...draft, daysAhead: daysAhead + ((number - weekdayOf(addDays(TODAY, daysAhead)) + 7) % 7) };
    case 'booking.time':
      return { ...draft, time: String(value) };
    case 'booking.source':
      return { ...draft, source: String(value) };
    case 'booking.duration':
      return { ...draft, duration: number };
    case 'booking.depositAmount':
      return { ...draft, deposit: number };
    case 'booking.packages':
      return { ...draft, packages: value as string[] };
    case 'booking.menus':
      return { ...draft, menus: value as string[] };
    case 'product.category':
      return { ...draft, category: String(value) };
    case 'noticeHours': {
      const { date, minute } = localOf(ZONE, NOW_MS + number * 3_600_000);
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
      return { ...draft, daysAhead: daysAheadOf(date, NOW_MS), time };
    }
    default:
      throw new Error(`Nobody can change ${fact}.`);
  }
}

const ID = '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c21';
const ruleOf = (draft: Body) => ({ ...readDraft(draft), id: ID, operatorId: 1, version: 1 }) as Rule;
const judged = (rule: Rule, draft: Draft): Judgement => compileRule(rule).judge(occasionOf(draft));

function changeFor(rule: Rule, draft: Draft): Change | null {
  const scene = { offered: { packages: PACKAGES, menus: MENUS }, visible: new Set<never>() };
  const [explained] = explainRules([compileRule(rule)], occasionOf(draft), scene).rules;
  assert.ok(explained);
  return explained.change;
}

const RANGES: Record<string, unknown[]> = {
  'booking.guests': [...Array(60).keys()].map((each) => each + 1),
  daysAhead: [...Array(90).keys()],
  'booking.weekday': [1, 2, 3, 4, 5, 6, 7],
  'booking.time': [...Array(1440).keys()].map(
    (each) => `${String(Math.floor(each / 60)).padStart(2, '0')}:${String(each % 60).padStart(2, '0')}`,
  ),
  'booking.duration': [...Array(1440).keys()].map((each) => each + 1),
};

/** Days and times count as hours there too, and are not sought by them. */
const isAboutNotice = ({ effect, ...rule }: Rule) =>
  effect === 'booking_window' &&
  'params' in rule &&
  'minNoticeHours' in rule.params &&
  rule.params.minNoticeHours !== null;

const SETTINGS = { numRuns: repeats(1500, 400) };

test('a rule that is applied is not any more once the named fact is what change says', () => {
  let followings = 0;
  fc.assert(
    fc.property(fc.oneof(fixedDraft, expressionDraft).map(ruleOf), drafts, (rule, draft) => {
      if (judged(rule, draft).kind !== 'applied') return;
      const change = changeFor(rule, draft);
      if (change?.value == null) return;
      followings += 1;
      assert.notEqual(judged(rule, followed(draft, change.fact, change.value)).kind, 'applied');
    }),
    SETTINGS,
  );
  assert.ok(followings > repeats(100, 25), `only ${followings} changes`);
});

test('a rule with nothing to do is applied once the named fact is what change says', () => {
  let followings = 0;
  fc.assert(
    fc.property(fixedDraft.map(ruleOf), drafts, (rule, draft) => {
      if (judged(rule, draft).kind !== 'idle') return;
      const change = changeFor(rule, draft);
      if (change === null) return;
      followings += 1;
      assert.equal(judged(rule, followed(draft, change.fact, change.value)).kind, 'applied');
    }),
    SETTINGS,
  );
  assert.ok(followings > repeats(50, 12), `only ${followings} changes`);
});

test('a condition that is not met is, with the value of change, and the rule is applied where one value is enough', () => {
  let [followings, appliances] = [0, 0];
  fc.assert(
    fc.property(fixedDraft.map(ruleOf), drafts, (rule, draft) => {
      const judgement = judged(rule, draft);
      if (judgement.kind !== 'unmet') return;
      const change = changeFor(rule, draft);
      assert.ok(change);
      assert.equal(change.fact, FACT_OF_FIELD[judgement.condition.field]);
      const tests = rule.conditions
        .filter(({ field }) => FACT_OF_FIELD[field] === change.fact)
        .map(compileCondition);
      const range = RANGES[change.fact] ?? [];
      if (change.value === null) {
        const isMet = (value: unknown) =>
          tests.every((holds) => holds(occasionOf(followed(draft, change.fact, value)).facts));
        assert.equal(range.find(isMet), undefined, change.sentence);
        return;
      }
      followings += 1;
      const after = followed(draft, change.fact, change.value);
      assert.ok(tests.every((holds) => holds(occasionOf(after).facts)));
      const isApplied = (value: unknown) =>
        judged(rule, followed(draft, change.fact, value)).kind === 'applied';
      if (isAboutNotice(rule) || !range.some(isApplied)) return;
      appliances += 1;
      assert.equal(judged(rule, after).kind, 'applied', `${change.sentence} ${change.value}`);
    }),
    SETTINGS,
  );
  assert.ok(
    followings > repeats(300, 75) && appliances > repeats(100, 20),
    `only ${followings} changes, ${appliances} of them enough`,
  );
});

test('an expression that does not hold is applied, or asks for the next thing, with the value of change', () => {
  let [followings, appliances] = [0, 0];
  const bare = expressionDraft.map((draft) => ruleOf({ ...draft, conditions: [] }));
  fc.assert(
    fc.property(bare, drafts, (rule, draft) => {
      if (judged(rule, draft).kind !== 'idle') return;
      const change = changeFor(rule, draft);
      if (change?.value == null) return;
      followings += 1;
      const after = followed(draft, change.fact, change.value);
      if (judged(rule, after).kind === 'applied') appliances += 1;
      else assert.notDeepEqual(changeFor(rule, after), change);
    }),
    SETTINGS,
  );
  assert.ok(
    followings > repeats(100, 25) && appliances > repeats(50, 10),
    `only ${followings} changes, ${appliances} of them enough`,
  );
});

test('a rule that is skipped is not any more once the named fact is there', () => {
  let followings = 0;
  const bare = expressionDraft.map((draft) => ruleOf({ ...draft, conditions: [] }));
  fc.assert(
    fc.property(bare, drafts, (rule, draft) => {
      if (judged(rule, draft).kind !== 'skipped') return;
      const change = changeFor(rule, draft);
      assert.ok(change);
      if (change.value === null) return;
      followings += 1;
      assert.notEqual(judged(rule, followed(draft, change.fact, change.value)).kind, 'skipped');
    }),
    { numRuns: repeats(4000, 2000) },
  );
  assert.ok(followings > repeats(20, 5), `only ${followings} changes`);
});

test('whatever is storable can be explained, and no explanation names a partner', () => {
  const scene = { offered: { packages: PACKAGES, menus: MENUS }, visible: new Set<never>() };
  fc.assert(
    fc.property(fc.array(anyRules, { maxLength: 5 }), drafts, (rules, draft) => {
      const compiled = rules.map((rule) => compileRule({ ...rule, partnerIds: null, categoryIds: null }));
      const text = JSON.stringify(explainRules(compiled, occasionOf(draft), scene).rules);
      for (const id of PARTNER_IDS) assert.ok(!text.includes(String(id)), text);
    }),
    { numRuns: 500 },
  );
});
