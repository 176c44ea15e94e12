import { compileRule } from '../../src/features/booking-rules/engine/compiled.ts';
import type { RuleContext } from '../../src/features/booking-rules/engine/effects.ts';
import type { Facts } from '../../src/features/booking-rules/engine/facts.ts';
import {
  byPrecedence,
  type Condition,
  EVERYWHERE,
  type Rule,
} from '../../src/features/booking-rules/engine/rule.ts';
import { applyRules } from '../../src/features/booking-rules/engine/ruling.ts';
import { median } from '../compare.ts';
import type { Figure } from '../figure.ts';

const RULES = 500;
const ROUNDS = 200;
const LIMIT_MS = 0.5;
const NOW_MS = Date.parse('2027-03-01T12:00:00Z');

/** A booking that every rule of its operator concerns and has to be asked about; a tenth of them do something. */
export function measureBook(): Figure {
  const rules = Array.from({ length: RULES }, (_, number) => ruleOf(number));
  const compiled = rules.sort(byPrecedence).map(compileRule);
  let flags = 0;
  const timeOf = (asked: typeof compiled) => {
    const taken = Array.from({ length: ROUNDS }, (_, round) => {
      const ruleContext = occasionOf(2 + (round % 12));
      const began = performance.now();
      flags += applyRules(asked, ruleContext).flags.length;
      return performance.now() - began;
    });
    return median(taken.slice(ROUNDS / 2));
  };
  const figure: Figure = {
    name: 'rules.book',
    ours: timeOf(compiled),
    reference: timeOf(compiled.slice(0, 1)),
    unit: 'ms',
    against: `the same booking under one rule; ours under ${RULES}`,
    goal: { oursBelow: LIMIT_MS },
  };
  if (flags === 0) throw new Error('No rule was ever applied.');
  return figure;
}

const CONDITIONS: Condition[] = [
  { field: 'weekday', operator: 'in', value: [1, 2, 3, 4, 5] },
  { field: 'time', operator: 'gte', value: '17:00' },
];

function ruleOf(number: number): Rule {
  const shared = {
    ...EVERYWHERE,
    id: `01990a6e-0000-7000-8000-${String(number).padStart(12, '0')}`,
    operatorId: 1,
    version: 1,
    isActive: true,
    priority: number % 7,
    name: `Rule ${number}`,
    description: null,
    message: null,
    conditions: CONDITIONS,
  };
  switch (number % 4) {
    case 0:
      return { ...shared, effect: 'party_size_limit', params: { min: 1, max: 20 } };
    case 1:
      return {
        ...shared,
        effect: 'booking_window',
        params: { action: 'book', minNoticeHours: 2, maxHorizonDays: 90 },
      };
    default:
      return {
        ...shared,
        effect: 'expression',
        hook: 'booking.create',
        when: {
          and: [
            { '>=': [{ var: 'booking.guests' }, 8 + (number % 5)] },
            { '<': [{ var: 'daysAhead' }, 30] },
            { in: [{ var: 'product.slug' }, ['dinner', 'lunch', `menu-${number}`]] },
          ],
        },
        then: [{ flag: { name: `flag ${number % 10}` } }],
      };
  }
}

function occasionOf(guests: number): RuleContext {
  const facts: Facts = {
    booking: {
      partySize: guests,
      children: 0,
      guests,
      type: 'book',
      date: '2027-03-12',
      weekday: 5,
      time: '19:30',
      source: 'api',
      depositAmount: 0,
      packages: [],
      menus: [],
    },
    partner: { id: 1, categoryIds: [1, 2] },
    product: { id: '1|house|soho-grill|dinner', name: 'Dinner', slug: 'dinner', category: 'dinner' },
    venue: {
      id: '1|house|soho-grill',
      operatorId: 1,
      name: 'Soho Grill',
      area: 'Soho',
      city: 'London',
      timeZone: 'Europe/London',
    },
    daysAhead: 11,
  };
  return { facts, nowMs: NOW_MS, startsMs: [NOW_MS + 11 * 86_400_000] };
}
