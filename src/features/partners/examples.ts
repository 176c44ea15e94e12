import type { Association, Mapping, Partner, PartnerCategory, Source } from './schema.ts';

export const partnerExample: Partner = {
  id: 3,
  reference: 'city-guide',
  name: 'City Guide',
  isMarketplace: false,
  createdAt: '2026-11-02T09:31:55.120Z',
};

export const partnerSummaryExample = { id: 3, reference: 'city-guide', name: 'City Guide' };

export const associationExample: Association = {
  partner: partnerSummaryExample,
  isSuspended: false,
  source: 'CITYGUIDE',
};

export const categoryExample: PartnerCategory = {
  id: 4,
  slug: 'concierges',
  name: 'Hotel concierges',
  partnerIds: [3],
};

export const sourceExample: Source = {
  id: 12,
  operatorId: 1,
  name: 'CITYGUIDE',
  partnerId: partnerSummaryExample.id,
  partner: partnerSummaryExample,
};

export const mappingExample: Mapping = {
  partnerId: 3,
  venueId: '1|house|soho-grill',
  venueName: 'Soho Grill',
  company: { mode: 'list', names: ['Arden & Sons', 'Northgate Legal'] },
  maxPartySize: 8,
  isRequestOnly: false,
  guestMails: 'partner',
  deposit: 'declared',
  productKeys: ['lunch', 'dinner'],
};
