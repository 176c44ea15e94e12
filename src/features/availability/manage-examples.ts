import type { ManagedRule, VenueMarketplace } from './manage-schema.ts';

export const managedRuleExample: ManagedRule = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  version: 1,
  type: 'recurring_with_time',
  definition: { weekdays: [5, 6], startTime: '19:00', endTime: '21:00', reason: 'Kept for regulars' },
  effect: 'disable',
  productKey: 'dinner',
  spaceId: null,
  partnerIds: [1],
  categoryIds: null,
  scope: { '!=': [{ var: 'product.category' }, 'private-hire'] },
  channel: 'all',
  isActive: true,
  createdAt: '2026-11-14T18:02:11.482Z',
  updatedAt: '2026-11-14T18:02:11.482Z',
};

const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...draft } = managedRuleExample;
export const ruleDraftExample = draft;

export const marketplaceExample: VenueMarketplace = {
  partnerId: 7,
  listingId: 'soho-grill-london',
  isEnabled: true,
  managed: [{ productKey: 'dinner', weekdays: [6, 7] }],
};
