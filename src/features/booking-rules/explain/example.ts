import { compileRule } from '../engine/compiled.ts';
import { EVERYWHERE, type Rule } from '../engine/rule.ts';
import { explainRules } from './explanation.ts';

const unwritten = { description: null, message: null };
const commons = { ...EVERYWHERE, ...unwritten, operatorId: 1, version: 1, isActive: true };

const rules: Rule[] = [
  {
    ...commons,
    id: '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c23',
    effect: 'require_deposit',
    params: { amount: 1000, per: 'guest' },
    priority: 0,
    name: 'Deposit of larger parties',
    conditions: [{ field: 'partySize', operator: 'gte', value: 8 }],
  },
  {
    ...commons,
    id: '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c24',
    effect: 'route_to_enquiry',
    params: {},
    priority: 0,
    name: 'Large parties on Fridays',
    conditions: [
      { field: 'partySize', operator: 'gte', value: 8 },
      { field: 'weekday', operator: 'eq', value: 5 },
    ],
  },
  {
    ...commons,
    id: '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c25',
    effect: 'expression',
    hook: 'booking.create',
    priority: 10,
    name: 'No long evenings',
    when: { '>': [{ var: 'booking.duration' }, 180] },
    then: [{ reject: { message: 'Three hours are the most that we can do.' } }],
  },
];

const generatedAt = '2026-11-20T10:15:30.000Z';

const compositeId = '1|house|soho-grill|dinner';

const ruleContext = {
  facts: {
    booking: {
      partySize: 9,
      children: 1,
      guests: 10,
      type: 'book',
      date: '2026-12-05',
      weekday: 6,
      time: '19:30',
      source: 'api',
      depositAmount: 5000,
      packages: [],
      menus: [],
    },
    partner: { id: 1, categoryIds: [] },
    product: { id: compositeId, name: 'Dinner', slug: 'dinner' },
    venue: {
      id: '1|house|soho-grill',
      operatorId: 1,
      name: 'Soho Grill',
      area: 'Soho',
      city: 'London',
      timeZone: 'Europe/London',
    },
    daysAhead: 15,
  },
  nowMs: Date.parse(generatedAt),
  startsMs: [Date.parse('2026-12-05T19:30:00.000Z')],
} as const;

/** What the OpenAPI document shows: what these rules indeed say. */
export const rulesAnswerExample = {
  generatedAt,
  compositeId,
  operation: 'booking_create' as const,
  ...explainRules(rules.map(compileRule), ruleContext, {
    offered: { packages: [], menus: [] },
    visible: new Set(),
  }),
};
