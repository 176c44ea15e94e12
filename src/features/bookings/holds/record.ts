/** A hold of a partner: a place that is kept for a while, and the terms on which it can be booked. */
import type { VenueId } from '../../../kernel/ids.ts';
import type { DemandedPreorder, Rule } from '../../booking-rules/service.ts';
import type {
  MenuRecord,
  PackageRecord,
  PreOrderRequirement,
  RefundTerm,
  VenueRecord,
} from '../../venues/service.ts';
import type { HeldTerms, Stay } from '../record.ts';

/** `placing`: the system of the venue is being asked, and no caller sees the hold yet. */
export type HoldState = 'placing' | 'open' | 'used' | 'released' | 'expired';

export const HOLD_STATUSES = ['open', 'used', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

export interface HoldRecord extends Omit<Stay, 'durationMinutes'> {
  /** The id that the booking will have. */
  id: string;
  partnerId: number;
  clientId: string;
  operatorId: number;
  venueId: VenueId;
  timeZone: string;
  /** Null while the system has not said. */
  durationMinutes: number | null;
  state: HoldState;
  terms: HoldTerms;
  /** The offer, signed; null while the hold is being placed. */
  offerToken: string | null;
  isExtended: boolean;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

/** All that a booking of the held place is made on in place of what holds by then. */
export interface HoldTerms extends HeldTerms {
  policy: string | null;
  cancellationPolicy: string | null;
  /** Null where guests pay for what they have. */
  pricePerGuestPence: number | null;
  /** Without what is ordered ahead. */
  balancePence: number;
  depositDuePence: number;
  refundTerms: RefundTerm[];
  preOrderRequired: PreOrderRequirement;
  /** What rules demand besides. */
  ruledPreorder: DemandedPreorder | null;
  packages: PackageRecord[];
  menus: MenuRecord[];
  company: Pick<
    NonNullable<VenueRecord['channel']>,
    'companyMode' | 'companyNames' | 'categoryIds' | 'deposit'
  >;
  /** For the creation of the booking. */
  rules: Rule[];
}

/** By clock: the state of a hold that has expired is written later. */
export function statusOf(
  { state, expiresAt }: Pick<HoldRecord, 'state' | 'expiresAt'>,
  now: Temporal.Instant,
): HoldStatus {
  if (state === 'open' || state === 'placing')
    return Temporal.Instant.compare(expiresAt, now) > 0 ? 'open' : 'expired';
  return state;
}
