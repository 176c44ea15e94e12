import { type Static, Type } from 'typebox';
import {
  CLOCK_TIME,
  idempotencyKey,
  named,
  nullable,
  oneOf,
  optional,
  pence,
  text,
} from '../../../http/validation/schema-helpers.ts';
import { OPTIONAL_BODY } from '../../../http/validation/validation.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import { DEPOSIT_TERMS } from '../../venues/service.ts';
import { BookingBody } from '../create/body.ts';
import { HOLD_STATUSES } from './record.ts';

export const DEFAULT_TTL_SECONDS = 300;
const LONGEST_TTL_SECONDS = 600;

const { partySize, children, dateTime, date, time, duration, spaceId, confirmationToken } =
  BookingBody.properties;
const closed = { additionalProperties: false };

const ttlSeconds = optional(
  Type.Integer({
    minimum: 1,
    maximum: LONGEST_TTL_SECONDS,
    default: DEFAULT_TTL_SECONDS,
    description: `For how long; ${DEFAULT_TTL_SECONDS} when absent`,
  }),
);

export const HoldBody = Type.Object(
  { partySize, children, dateTime, date, time, duration, spaceId, ttlSeconds, confirmationToken },
  {
    ...closed,
    ...named('HoldRequest', 'A place to be kept for a while; its start is `dateTime`, or `date` and `time`'),
    examples: [{ partySize: 2, date: '2026-12-05', time: '19:30', ttlSeconds: 300 }],
  },
);
export type HoldBody = Static<typeof HoldBody>;

export const ExtensionBody = Type.Object(
  { ttlSeconds },
  {
    ...closed,
    [OPTIONAL_BODY]: true,
    ...named('HoldExtension', 'For how long from now a place is to be kept'),
    examples: [{ ttlSeconds: 300 }],
  },
);

const instant = (description: string) => Type.String({ format: 'date-time', description });

const Slot = Type.Object(
  {
    compositeId: text('The product'),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Start, local time `HH:MM`', CLOCK_TIME),
    dateTime: instant('The true start, with UTC offset'),
    duration: Type.Integer({ description: 'Minutes' }),
    partySize: Type.Integer({ description: 'Adults' }),
    children: Type.Integer(),
    spaceId: nullable(Type.Integer({ description: 'The requested space' })),
  },
  named('HeldSlot', 'What is held'),
);

const RefundTerm = Type.Object(
  {
    hoursBefore: Type.Integer({ description: 'Cancelled at least this long before the start' }),
    percent: Type.Integer({ description: 'How much of what was paid goes back' }),
  },
  named('OfferedRefund', 'What goes back when a booking is cancelled in time'),
);

const PREORDERS_REQUIRED = ['none', 'package', 'menu', 'packageAndMenu', 'any'] as const;

const Offer = Type.Object(
  {
    currency: Type.String(),
    pricePerGuest: nullable(pence('What each guest pays; null where guests pay for what they have')),
    balance: pence('What the booking costs, without what is ordered ahead'),
    deposit: pence('What has to be paid of it in advance; 0: nothing'),
    depositTerms: oneOf(DEPOSIT_TERMS, {
      description:
        '`declared`: you take the deposit and say so with `depositAmount`; `before_confirmation`: the guest pays it here, which confirms the booking',
    }),
    refundTerms: Type.Array(RefundTerm, { description: 'The best that is met holds; none: all goes back' }),
    policy: nullable(text('House rules')),
    cancellationPolicy: nullable(Type.String()),
    preorder: Type.Object(
      {
        required: oneOf(PREORDERS_REQUIRED, {
          description: 'What has to be ordered with the booking; `any`: a package or a menu',
        }),
        until: nullable(instant('Until when; null where nothing has to be ordered')),
      },
      named('OfferedPreorder', 'What has to be ordered ahead'),
    ),
    companyRequired: Type.Boolean({ description: 'The booking has to name a company of your list' }),
  },
  named('Offer', 'On which terms a booking of the held place is made, whatever changes meanwhile'),
);
export type Offer = Static<typeof Offer>;

export const Hold = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The booking will have the same id' }),
    status: oneOf(HOLD_STATUSES, { description: 'Only an `open` hold keeps the place' }),
    expiresAt: instant('When it ends by itself'),
    isExtended: Type.Boolean({ description: 'A hold can be extended once' }),
    slot: Slot,
    offer: Offer,
    offerToken: nullable(
      text(
        'The offer as a signed JWT (ES256), to be checked with our public keys; null once the hold has ended',
      ),
    ),
    bookingId: nullable(Type.String({ format: 'uuid', description: 'The booking that has used it' })),
  },
  named('Hold', 'A place that is kept for a booking which is not made yet'),
);
export type Hold = Static<typeof Hold>;

export const holdExample: Hold = {
  id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
  status: 'open',
  expiresAt: '2026-11-15T10:17:30.125Z',
  isExtended: false,
  slot: {
    compositeId: '1|house|soho-grill|dinner',
    date: '2026-12-05',
    time: '19:30',
    dateTime: '2026-12-05T19:30:00+00:00',
    duration: 90,
    partySize: 2,
    children: 0,
    spaceId: null,
  },
  offer: {
    currency: CURRENCY,
    pricePerGuest: null,
    balance: 0,
    deposit: 0,
    depositTerms: 'declared',
    refundTerms: [{ hoursBefore: 48, percent: 100 }],
    policy: 'Tables are kept for fifteen minutes.',
    cancellationPolicy: null,
    preorder: { required: 'none', until: null },
    companyRequired: false,
  },
  offerToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6Im9mZmVyK2p3dCJ9.e30.c2lnbmF0dXJl',
  bookingId: null,
};

const { offerToken: _, ...known } = Hold.properties;

export const ManagedHold = Type.Object(
  {
    ...known,
    venueId: Type.String(),
    partner: Type.Object(
      { id: Type.Integer(), name: Type.String() },
      named('HoldingPartner', 'The partner that keeps the place'),
    ),
    tableIds: Type.Array(Type.Integer(), {
      description: 'The tables that are kept; empty where the system of the venue does not tell',
    }),
    createdAt: instant('When it was made'),
  },
  named('ManagedHold', 'A place that a partner keeps'),
);
export type ManagedHold = Static<typeof ManagedHold>;

const { offerToken: __, ...knownExample } = holdExample;

export const managedHoldExample: ManagedHold = {
  ...knownExample,
  venueId: '1|house|soho-grill',
  partner: { id: 1, name: 'Demo Partner' },
  tableIds: [101101],
  createdAt: '2026-11-15T10:12:30.125Z',
};

export const HoldPath = Type.Object({
  holdId: Type.String({ description: 'Id of the hold', examples: [holdExample.id] }),
});

export const HoldHeaders = Type.Object({ 'idempotency-key': idempotencyKey });

export const HOLD_ACCESS: readonly ProblemCode[] = ['HOLD-N-001'];
