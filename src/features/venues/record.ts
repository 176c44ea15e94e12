/** A venue as it is read, with everything below it that the reader may know of. */
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { VenueFields } from './fields.ts';
import type { ExceptionRow, MinutePeriod, WeeklyRow } from './hours/hours.ts';
import type {
  AvailabilityRuleDefinition,
  AvailabilityRuleEffect,
  AvailabilityRuleType,
  Capacity,
  CapacityLayout,
  CompanyMode,
  ConfigurableOption,
  PaymentRule,
  PreOrderRequirement,
  PriceUnit,
  RefundTerm,
  SpacePolicies,
} from './transfer/document.ts';

type VenueLocation = VenueFields['location'];

/** The fields of the venue itself stand in `fields.ts`. */
export interface VenueRecord extends Omit<VenueFields, 'types' | 'location'>, VenueLocation {
  id: VenueId;
  operatorName: string;
  types: { slug: string; name: string }[];
  isClosed: boolean;
  /** The partner has no association with the operator that works. */
  isSuspended: boolean;
  /** The systems that the operator runs on. */
  systems: string[];
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  photos: PhotoRecord[];
  hours: WeeklyRow[];
  exceptions: ExceptionRow[];
  spaces: SpaceRecord[];
  packages: PackageRecord[];
  menus: MenuRecord[];
  products: ProductRecord[];
  rules: RuleRecord[];
  /** In no order; no view shows them. Days that are closed as a whole are among the exceptions too. */
  closures: ClosureRecord[];
  /** How the caller's channel differs; null for callers that are no partner. */
  channel: ChannelRecord | null;
}

export type OperatorSystems = Pick<VenueRecord, 'operatorName' | 'systems'>;

/** A picture that is kept here, or the address of one that is kept elsewhere. */
export interface PhotoRecord {
  mediaId: string | null;
  url: string | null;
  caption: string | null;
  width: number | null;
  height: number | null;
}

export interface SpaceRecord {
  id: number;
  name: string;
  description: string | null;
  floorLocation: string | null;
  facilities: string[];
  capacities: Partial<Record<CapacityLayout, Capacity>>;
  policies: SpacePolicies;
  /** In the order of their beginning; no view shows them, availability goes by them. */
  spendOverrides: SpendOverrideRecord[];
}

/** What is spent at least on these trading days, both included, in place of the weekly bands. */
export interface SpendOverrideRecord extends MinutePeriod {
  startDate: string;
  endDate: string;
  amount: number;
}

export interface PackageRecord {
  id: number;
  slug: string | null;
  name: string;
  description: string | null;
  pricePence: number;
  pricePer: PriceUnit;
}

export interface MenuRecord {
  id: number;
  slug: string | null;
  name: string;
  description: string | null;
  items: {
    id: number;
    name: string;
    description: string | null;
    pricePence: number;
    dietTypes: string[];
    allergens: string[];
    options: ConfigurableOption[];
    type: string;
    subType: string | null;
    displayOrder: number;
  }[];
}

export interface CategoryRecord {
  id: number;
  name: string;
  slug: string;
}

export interface ProductRecord {
  id: ProductId;
  name: string;
  slug: string | null;
  category: CategoryRecord | null;
  timeIntervalMinutes: number;
  preOrderRequiredType: PreOrderRequirement;
  paymentRules: PaymentRule[];
  refundTerms: RefundTerm[];
  hours: WeeklyRow[];
  exceptions: ExceptionRow[];
  spaceIds: number[];
  packageIds: number[];
  menuIds: number[];
  /** Where the feed is that this reader gets; null until there is one. */
  feedToken: string | null;
}

export interface RuleRecord {
  id: string;
  type: AvailabilityRuleType;
  productId: ProductId | null;
  spaceId: number | null;
  /** Its targets; a match in either list is enough, both null: all partners. No view shows them. */
  partnerIds: number[] | null;
  categoryIds: number[] | null;
  /** What narrows it further; null too where it has been worked out already, by `withoutScopes`. */
  scope: unknown;
  effect: AvailabilityRuleEffect;
  definition: AvailabilityRuleDefinition;
}

/** The partner takes them and says so, or the guest pays here before the booking is confirmed. */
export const DEPOSIT_TERMS = ['declared', 'before_confirmation'] as const;
export type DepositTerms = (typeof DEPOSIT_TERMS)[number];

interface ChannelRecord {
  companyMode: CompanyMode;
  companyNames: string[];
  maxPartySize: number | null;
  isRequestOnly: boolean;
  /** Who writes to the guests. */
  guestMails: 'partner' | 'venue';
  /** How deposits come in. */
  deposit: DepositTerms;
  /** Another one whenever the mapping itself is changed. */
  version: string;
  /** The partner's name in the operator's systems; null when it is not set. */
  source: string | null;
  /** The operator's categories that the partner is in. */
  categoryIds: number[];
}

/** A time in which the venue, or some of its products, are closed. */
export interface ClosureRecord {
  /** Trading days, both included; null: part of a day. */
  firstDay: string | null;
  lastDay: string | null;
  fromMs: number;
  /** Excluded. */
  toMs: number;
  /** Null: all products. */
  productIds: ProductId[] | null;
}
