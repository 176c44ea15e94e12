import type { VenueId } from '../../kernel/ids.ts';
import { factsOf } from './engine/fact-list.ts';
import { EVERYWHERE, type Rule } from './engine/rule.ts';
import type { DryRunResult, ManagedRule } from './manage/schema.ts';
import type { BookingRules } from './schema.ts';
import { managedRuleView, ruleView } from './view.ts';

const VENUE = '1|house|soho-grill' as VenueId;

const commons = { ...EVERYWHERE, operatorId: 1, version: 1, isActive: true };

const largeParties: Rule = {
  ...commons,
  id: '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c21',
  effect: 'route_to_enquiry',
  params: {},
  priority: 0,
  name: 'Large parties on Saturdays',
  description: 'The kitchen has to agree first.',
  message: 'We will confirm your table within a day.',
  venueIds: [VENUE],
  productSlugs: ['dinner'],
  conditions: [
    { field: 'partySize', operator: 'gte', value: 8 },
    { field: 'weekday', operator: 'eq', value: 6 },
  ],
};

const shortNotice: Rule = {
  ...commons,
  id: '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c22',
  effect: 'expression',
  hook: 'booking.create',
  priority: 10,
  name: 'Groups need two weeks',
  description: null,
  message: null,
  when: { and: [{ '>': [{ var: 'booking.guests' }, 20] }, { '<': [{ var: 'daysAhead' }, 14] }] },
  then: [{ reject: { message: 'Groups of more than twenty are booked two weeks ahead.' } }],
};

/** What the OpenAPI document shows; of the facts only some. */
export const bookingRulesExample: BookingRules = {
  generatedAt: '2026-11-20T10:15:30.000Z',
  caller: {
    partnerId: 1,
    partnerCategoryIds: [402],
    categoryIdsByOperator: { 1: [], 4: [402] },
  },
  rules: [
    ruleView(largeParties, 'all_partners', new Set([VENUE])),
    ruleView(shortNotice, 'your_categories', new Set()),
  ],
  hooks: [
    {
      name: 'booking.create',
      facts: factsOf('booking.create')
        .filter(({ name }) => name === 'booking.guests' || name === 'daysAhead')
        .map(({ name, type, howToObtain }) => ({ name, type, howToObtain })),
    },
  ],
};

export const managedRuleExample: ManagedRule = managedRuleView(largeParties);

export const managedRulesExample = { data: [managedRuleExample, managedRuleView(shortNotice)] };

export const ruleOrderExample = { ruleIds: [largeParties.id, shortNotice.id] };

const nothing = {
  rejected: 0,
  depositRequired: 0,
  turnedIntoEnquiry: 0,
  flagged: 0,
  withoutPreorderEmail: 0,
};

export const dryRunExample: DryRunResult = {
  from: '2026-08-17T10:15:30.000Z',
  to: '2026-11-15T10:15:30.000Z',
  total: 1203,
  considered: 1203,
  touched: 14,
  ...nothing,
  rejected: 14,
  unchanged: 1189,
  replaced: { ...nothing, rejected: 9, unchanged: 1194 },
  summary: 'Would have rejected 14 of 1,203 bookings.',
  ruleSummary: managedRuleView(shortNotice).summary ?? '',
  examples: [
    {
      bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
      date: '2026-11-21',
      time: '19:30',
      guests: 24,
      venueName: 'Soho Grill',
      partnerName: 'Demo Partner',
      outcome: 'rejected',
      code: 'BKRUL-N-100',
      message: 'Groups of more than twenty are booked two weeks ahead.',
    },
  ],
};
