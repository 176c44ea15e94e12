import type { PartnerCategory } from './category-schema.ts';
import type { Client, ClientSecret, ClientWithSecret, NewClientSecret } from './client-schema.ts';
import type { Mapping } from './mapping-schema.ts';
import type { Operator } from './operator-schema.ts';
import type { Association, Partner } from './partner-schema.ts';
import type { Source } from './source-schema.ts';
import type { Credentials, System } from './system-schema.ts';

export const operatorExample: Operator = {
  id: 1,
  name: 'Lamplight Group',
  settings: {
    contactEmail: 'office@lamplight.example',
    bookingReplyTo: 'reservations@lamplight.example',
    defaultTimeZone: 'Europe/London',
  },
  createdAt: '2026-11-02T09:14:07.512Z',
};

export const systemExample: System = {
  tms: 'house',
  kind: 'built-in',
  capability: 'table_reservation',
  settings: {},
  hasCredentials: false,
};

export const credentialsExample: Credentials = {
  tms: 'tablebook',
  version: 1,
  fieldNames: ['apiKey', 'restaurantGroup'],
  createdAt: '2026-11-02T09:20:41.003Z',
  updatedAt: '2026-11-02T09:20:41.003Z',
};

export const partnerExample: Partner = {
  id: 3,
  reference: 'city-guide',
  name: 'City Guide',
  isMarketplace: false,
  createdAt: '2026-11-02T09:31:55.120Z',
};

const summary = { id: 3, reference: 'city-guide', name: 'City Guide' };

export const associationExample: Association = { partner: summary, isSuspended: false, source: 'CITYGUIDE' };

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
  partnerId: summary.id,
  partner: summary,
};

export const mappingExample: Mapping = {
  partnerId: 3,
  venueId: '1|house|soho-grill',
  company: { mode: 'list', names: ['Arden & Sons', 'Northgate Legal'] },
  maxPartySize: 8,
  isRequestOnly: false,
  productKeys: ['lunch', 'dinner'],
};

export const clientExample: Client = {
  id: 'city-guide-app',
  kind: 'partner',
  partnerId: 3,
  operatorId: null,
  scopes: ['venue:read', 'venue-booking:create', 'venue-booking:read'],
  isActive: true,
  createdAt: '2026-11-02T09:40:18.906Z',
};

const secretId = '5a9c9a0e-0f0b-4b2e-9b1a-0a6a2f7f3f11';
const secret = 'Zk3v0m1Qp7cVt2yLxA8uR5nWbE9sJdHfG4iKoTqYzM0';

export const newClientExample: ClientWithSecret = { ...clientExample, secretId, secret };

export const secretExample: ClientSecret = {
  id: secretId,
  createdAt: '2026-11-02T09:40:18.906Z',
  expiresAt: null,
};

export const newSecretExample: NewClientSecret = { secretId, secret, expiresAt: null };

export const allowedPartnerExample = summary;
