import type { AddedUser } from '../features/accounts/service.ts';
import type { NewClient } from '../features/identity/service.ts';
import type { saveMandate } from '../features/mandates/service.ts';
import type { saveNotificationChoices, saveVenueMails } from '../features/notifications/service.ts';
import type { mapVenue } from '../features/venues/service.ts';
import type { OperatorDocument } from '../features/venues/transfer/document.ts';
import { type ProductId, parseProductId, type VenueId, venueIdOf } from '../kernel/ids.ts';

type Mapping = Parameters<typeof mapVenue>[1];
type Mandate = Parameters<typeof saveMandate>[2];
type NotificationChoices = Parameters<typeof saveNotificationChoices>[2];
type VenueMails = Parameters<typeof saveVenueMails>[2];

export const partners = [
  { id: 1, reference: 'demo-partner', name: 'Demo Partner' },
  { id: 2, reference: 'other-partner', name: 'Other Partner' },
] as const;

type PartnerReference = (typeof partners)[number]['reference'];

/** The secrets are published on purpose: they open nothing but the demo, which live never has. */
export const clients: {
  client: NewClient & { id: string };
  secret: string;
  actsFor?: PartnerReference[];
  mandate?: Mandate;
}[] = [
  { client: { id: 'demo-partner', kind: 'partner', partnerId: 1 }, secret: 'demo-partner-secret' },
  { client: { id: 'other-partner', kind: 'partner', partnerId: 2 }, secret: 'other-partner-secret' },
  { client: { id: 'demo-agent', kind: 'agent' }, secret: 'demo-agent-secret', actsFor: ['demo-partner'] },
  {
    client: { id: 'demo-assistant', kind: 'agent' },
    secret: 'demo-assistant-secret',
    actsFor: ['demo-partner'],
    mandate: {
      maxPartySize: 8,
      maxDepositPence: 10_000,
      maxOpenBookings: 5,
      maxBookingsPerDay: 20,
      maxDaysAhead: 90,
      cities: ['London'],
      confirmAbove: { partySize: 4, depositPence: 5000 },
    },
  },
  { client: { id: 'demo-operator', kind: 'operator', operatorId: 1 }, secret: 'demo-operator-secret' },
  { client: { id: 'demo-admin', kind: 'platform' }, secret: 'demo-admin-secret' },
];

export const DEMO_PASSWORD = 'demo-password-please-change';
/** Its hash: making it anew would hold up every start. */
const DEMO_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$r5soYR497bWcTRqfTcmLkw$RF3WohXci+KrpVizkWzausdHEfyMk9FJQQyiyIFPLEg';

const demoUser = { password: DEMO_PASSWORD_HASH, isVerified: true, isPlatform: false };

export const users: AddedUser[] = [
  {
    ...demoUser,
    email: 'owner@lamp.example',
    name: 'Olive Lamp',
    roles: [{ operatorId: 1, role: 'owner' }],
  },
  {
    ...demoUser,
    email: 'staff@lamp.example',
    name: 'Stan Lamp',
    roles: [{ operatorId: 1, role: 'staff' }],
  },
  { ...demoUser, email: 'developer@partner.example', name: 'Dev Partner', developerOf: [1] },
  { ...demoUser, email: 'admin@platform.example', name: 'Ada Platform', isPlatform: true },
];

/** For the console: whom the start prints, with what they may do there. */
export const people: (AddedUser & { role: string })[] = [
  {
    ...demoUser,
    email: 'anna.host@example.com',
    name: 'Anna Host',
    roles: [{ operatorId: 1, role: 'staff' }],
    role: 'a host of operator 1',
  },
  {
    ...demoUser,
    email: 'max.manager@example.com',
    name: 'Max Manager',
    roles: [{ operatorId: 1, role: 'manager' }],
    role: 'its manager',
  },
  {
    ...demoUser,
    email: 'olivia.owner@example.com',
    name: 'Olivia Owner',
    roles: [{ operatorId: 1, role: 'owner' }],
    role: 'its owner',
  },
  {
    ...demoUser,
    email: 'petra.platform@example.com',
    name: 'Petra Platform',
    isPlatform: true,
    role: 'the platform',
  },
  {
    ...demoUser,
    email: 'dora.developer@example.com',
    name: 'Dora Developer',
    developerOf: [1],
    role: 'a developer of Demo Partner',
  },
];

/** What people are told by mail: of what they have to act on, and what the day brings. */
export const notificationChoices: Record<string, NotificationChoices> = {
  'owner@lamp.example': [
    { operatorId: 1, newBooking: false, enquiry: true, cancellation: true, dailySummary: true },
  ],
};

/** What venues say in their mails to guests. */
export const venueMails: Record<string, VenueMails> = {
  '1|house|soho-grill': {
    replyTo: 'desk@soho-grill.example',
    reminderHours: 24,
    sentence: 'Please ring the bell at the green door.',
    language: null,
  },
};

/** What each partner may distribute: whole operators, and single venues besides. */
const reach: Record<PartnerReference, { operators: number[]; venues: string[] }> = {
  'demo-partner': { operators: [1, 2, 4, 5], venues: [] },
  'other-partner': { operators: [3], venues: ['1|house|soho-grill'] },
};

const companies: Partial<Record<PartnerReference, Record<string, string[]>>> = {
  'demo-partner': {
    '1|house|garden-room': [
      'Arden & Sons',
      'Blackwood Architects',
      'Calder Publishing',
      'Fennimore Bank',
      'Halcyon Software',
      'Northgate Legal',
    ],
  },
};

export function demoMappings(operators: OperatorDocument[]): Mapping[] {
  const venues = operators.flatMap(venuesWithProducts);
  return partners.flatMap((partner) => {
    const { operators: whole, venues: single } = reach[partner.reference];
    return venues
      .filter(({ operatorId, venueId }) => whole.includes(operatorId) || single.includes(venueId))
      .map(({ venueId, productIds }) => {
        const names = companies[partner.reference]?.[venueId];
        const company = names ? { company: { mode: 'list' as const, names } } : {};
        return { partnerId: partner.id, venueId, productIds, ...company };
      });
  });
}

function venuesWithProducts(
  operator: OperatorDocument,
): { operatorId: number; venueId: VenueId; productIds: ProductId[] }[] {
  return operator.venues.map(({ tms, resourceId, products }) => {
    const venueId = venueIdOf({ operatorId: operator.id, tms, resourceId });
    const productIds = products.map(({ key }) => parseProductId(`${venueId}|${key}`));
    return { operatorId: operator.id, venueId, productIds };
  });
}
