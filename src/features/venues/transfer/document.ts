/**
 * A venue as one document, with everything below it: what an operator's data is imported from. The
 * demo data is written in this form.
 */

import type { Weekday } from '../../../kernel/zone-time.ts';
import type { VenueParts } from '../../../tms/systems.ts';
import type { VenueFields, venueFieldsOf } from '../fields.ts';
import type { Hours } from '../hours/hours.ts';

export interface Capacity {
  min: number;
  max: number;
}

export const CAPACITY_LAYOUTS = [
  'standing',
  'seated',
  'cabaret',
  'theatre',
  'boardroom',
  'classroom',
  'uShape',
  'banquet',
  'reception',
] as const;
export type CapacityLayout = (typeof CAPACITY_LAYOUTS)[number];

export interface MinimumSpendBand {
  weekdays: Weekday[];
  startTime: string;
  endTime: string;
  /** Pence. */
  amount: number;
}

/** What holds on these trading days in place of the weekly bands that it meets. */
export interface MinimumSpendOverrideDocument {
  startDate: string;
  /** The last of them. */
  endDate: string;
  startTime: string;
  /** At or before `startTime`: on the next day. */
  endTime: string;
  /** Pence; 0: nothing is asked. */
  amount: number;
  reason?: string;
}

export interface SpacePolicies {
  minimumSpend: MinimumSpendBand[];
  occasionTypes: string[];
  under18s: boolean;
  promotedEvents: boolean;
  accessibility: boolean;
  servesFood: boolean;
}

export interface SpaceDocument {
  /** Stable across imports; partners store it. */
  id: number;
  name: string;
  description?: string;
  floorLocation?: string;
  facilities: string[];
  capacities: Partial<Record<CapacityLayout, Capacity>>;
  policies: SpacePolicies;
  minimumSpendOverrides?: MinimumSpendOverrideDocument[];
}

export const PRICE_UNITS = ['guest', 'booking'] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];

export interface PackageDocument {
  id: number;
  slug?: string;
  name: string;
  description?: string;
  pricePence: number;
  pricePer: PriceUnit;
}

export interface ConfigurableOption {
  id: string;
  name: string;
  required: boolean;
  values: { value: string; pricePence: number }[];
}

export interface MenuItemDocument {
  id: number;
  name: string;
  description?: string;
  pricePence: number;
  dietTypes: string[];
  allergens: string[];
  options?: ConfigurableOption[];
  type: string;
  subType?: string;
}

export interface MenuDocument {
  id: number;
  slug?: string;
  name: string;
  description?: string;
  items: MenuItemDocument[];
}

export const DEPOSIT_UNITS = ['booking', 'guest', 'adult', 'child'] as const;

/** A deposit that is asked for when every given condition holds. */
export interface PaymentRule {
  amount: number;
  currency: string;
  per: (typeof DEPOSIT_UNITS)[number];
  minPartySize: number | null;
  maxPartySize: number | null;
  weekdays: Weekday[] | null;
}

/** Up to so many hours before the start, so much of what was paid is given back on cancelling. */
export interface RefundTerm {
  hoursBefore: number;
  percent: number;
}

export interface AvailabilityRuleDocument {
  /** Absent: it gets one. */
  id?: string;
  type: AvailabilityRuleType;
  /**
   * References of the partners it targets, and slugs of categories; a match in either is enough, neither: all
   * partners.
   */
  partners?: string[];
  partnerCategories?: string[];
  /** An expression that narrows it to some partners, products or venues. */
  scope?: unknown;
  /** Absent: `all`. */
  channel?: AvailabilityRuleChannel;
  /** Takes away this space alone. */
  spaceId?: number;
  /** Absent: `disable`. */
  effect?: AvailabilityRuleEffect;
  definition: AvailabilityRuleDefinition;
  /** Absent: true. */
  isActive?: boolean;
}

/** Where a rule holds: for every partner it is aimed at, or on the marketplace that the venue is linked to. */
export const AVAILABILITY_RULE_CHANNELS = ['all', 'marketplace'] as const;
export type AvailabilityRuleChannel = (typeof AVAILABILITY_RULE_CHANNELS)[number];

/** What a rule does to the times it matches: takes them from its targets, or from all other partners. */
export const AVAILABILITY_RULE_EFFECTS = ['disable', 'reserve'] as const;
export type AvailabilityRuleEffect = (typeof AVAILABILITY_RULE_EFFECTS)[number];

export const AVAILABILITY_RULE_TYPES = [
  'date_range',
  'recurring',
  'time_based',
  'specific_dates',
  'specific_dates_with_time',
  'date_range_with_time',
  'recurring_with_time',
] as const;
export type AvailabilityRuleType = (typeof AVAILABILITY_RULE_TYPES)[number];

export interface AvailabilityRuleDefinition {
  startDate?: string;
  endDate?: string;
  weekdays?: Weekday[];
  dates?: string[];
  startTime?: string;
  endTime?: string;
  reason?: string;
}

export const PRE_ORDER_REQUIREMENTS = ['none', 'package', 'menu', 'packageAndMenu'] as const;
export type PreOrderRequirement = (typeof PRE_ORDER_REQUIREMENTS)[number];

/** Whether bookings on a partner's channel carry the name of a company: no, one fixed name, or one of a list. */
export const COMPANY_MODES = ['none', 'single', 'list'] as const;
export type CompanyMode = (typeof COMPANY_MODES)[number];

export interface ProductDocument {
  /** The fourth segment of the composite id. */
  key: string;
  name: string;
  slug?: string;
  /** Slug of a category. */
  category?: string;
  timeIntervalMinutes: number;
  preOrderRequiredType?: PreOrderRequirement;
  paymentRules?: PaymentRule[];
  /** Absent: everything is given back until the start. */
  refundTerms?: RefundTerm[];
  hours: Hours;
  spaceIds?: number[];
  packageIds?: number[];
  menuIds?: number[];
  availabilityRules?: AvailabilityRuleDocument[];
}

type SentFields = Parameters<typeof venueFieldsOf>[0];

/** The fields of the venue itself stand in `fields.ts`. */
export interface VenueDocument extends VenueParts, Omit<SentFields, 'content'> {
  tms: string;
  resourceId: string;
  content: VenueFields['content'];
  photos: { url: string; caption?: string; width?: number; height?: number }[];
  closedAt?: string;
  /** Of an event: the venue of the same operator that it takes place in. */
  host?: { tms: string; resourceId: string };
  hours: Hours;
  spaces?: SpaceDocument[];
  packages?: PackageDocument[];
  menus?: MenuDocument[];
  products: ProductDocument[];
  availabilityRules?: AvailabilityRuleDocument[];
  siteFaqs?: { question: string; answer: string }[];
}

/** How a venue is named by others of its operator. */
export interface VenueKey {
  tms: string;
  resourceId: string;
}

/** A draft of a booking rule, with names in place of ids: ids differ between installations. */
export interface BookingRuleDocument {
  /** Absent: it gets one. */
  id?: string;
  /** References of partners, and slugs of their categories. */
  partners?: string[];
  partnerCategories?: string[];
  venues?: VenueKey[];
  [member: string]: unknown;
}

export interface OperatorSettings {
  contactEmail: string | null;
  bookingReplyTo: string | null;
  defaultTimeZone: string | null;
}

export interface OperatorDocument {
  id: number;
  name: string;
  settings?: OperatorSettings;
  /** Slugs of the table management systems it runs on. */
  systems: string[];
  /** Groups of partners, each named by its reference, that rules can be aimed at. */
  partnerCategories?: { id: number; slug: string; name: string; partners: string[] }[];
  /** By precedence. */
  bookingRules?: BookingRuleDocument[];
  venues: VenueDocument[];
}
