import { largeParties, shortNotice } from './examples.ts';
import type { DryRunResult, ManagedRule } from './manage-schema.ts';
import { managedRuleView } from './manage-view.ts';

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
  ...nothing,
  rejected: 14,
  unchanged: 1189,
  replaced: { ...nothing, rejected: 9, unchanged: 1194 },
  summary: 'Would have rejected 14 of 1,203 bookings.',
  examples: [
    {
      bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
      outcome: 'rejected',
      code: 'BKRUL-N-100',
      message: 'Groups of more than twenty are booked two weeks ahead.',
    },
  ],
};
