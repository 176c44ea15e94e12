/** What a venue and its products become when a system's words are put over ours; what it does not say stays as it is. */

import type { Static } from 'typebox';
import type {
  HoursDocument,
  ManagedProduct,
  ManagedVenue,
  NewProductBody,
  VenueBody,
} from '../venues/service.ts';
import type { CheckedHours, CheckedProduct, CheckedVenue } from './check.ts';

/** What the catalogue of a system says of a product, besides what is kept of every product. */
export interface Facts {
  pricePence: number | null;
  minGuests: number | null;
  maxGuests: number | null;
}

export interface OurSpace {
  id: number;
  /** Null: the system does not know it. */
  systemId: string | null;
  name: string;
  description: string | null;
}

export interface OurProduct {
  product: ManagedProduct;
  facts: Facts;
}

export interface OurVenue {
  venue: ManagedVenue;
  hours: HoursDocument;
  spaces: OurSpace[];
  products: OurProduct[];
}

export type ProductToSave = Static<typeof NewProductBody>;

export const NO_FACTS: Facts = { pricePence: null, minGuests: null, maxGuests: null };
export const NO_HOURS: HoursDocument = { weekly: [], exceptions: [] };
/** Between starts, where the system does not say. */
const USUAL_INTERVAL_MINUTES = 15;
/** ISO 3166 keeps it free for this. */
const UNKNOWN_COUNTRY = 'ZZ';

export const isPlaceKnown = ({ location }: CheckedVenue): boolean =>
  location.lat !== undefined && location.city !== undefined && location.countryCode !== undefined;

export function mergedVenue(ours: ManagedVenue | undefined, theirs: CheckedVenue): VenueBody {
  const { name, timeZone, phoneNumber, website, content, location } = theirs;
  const city = location.city ?? ours?.location.city ?? cityOf(timeZone);
  return {
    name,
    timeZone,
    phoneNumber: phoneNumber ?? ours?.phoneNumber ?? null,
    website: website ?? ours?.website ?? null,
    types: ours?.types ?? [],
    hostVenueId: ours?.hostVenueId ?? null,
    content: {
      summary: content.summary ?? ours?.content.summary ?? null,
      description: content.description ?? ours?.content.description ?? null,
      highlights: ours?.content.highlights ?? [],
    },
    location: {
      lat: location.lat ?? ours?.location.lat ?? 0,
      lng: location.lng ?? ours?.location.lng ?? 0,
      address: location.address ?? ours?.location.address ?? null,
      area: location.area ?? ours?.location.area ?? city,
      city,
      postcode: location.postcode ?? ours?.location.postcode ?? null,
      countryCode: location.countryCode ?? ours?.location.countryCode ?? UNKNOWN_COUNTRY,
    },
  };
}

/** The city that the zone is named after. */
const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** The reasons of dates are ours: systems have none. */
export function mergedHours(ours: HoursDocument, theirs: CheckedHours | undefined): HoursDocument {
  if (!theirs) return ours;
  const reasons = new Map(ours.exceptions.map(({ date, reason }) => [date, reason]));
  return {
    weekly: theirs.weekly,
    exceptions:
      theirs.exceptions?.map(({ date, periods }) => ({ date, periods, reason: reasons.get(date) ?? null })) ??
      ours.exceptions,
  };
}

export function mergedProduct(ours: ManagedProduct | undefined, theirs: CheckedProduct): ProductToSave {
  return {
    key: theirs.key,
    name: theirs.name,
    slug: ours?.slug ?? null,
    category: ours?.category ?? null,
    timeIntervalMinutes: theirs.timeIntervalMinutes ?? ours?.timeIntervalMinutes ?? USUAL_INTERVAL_MINUTES,
    preOrderRequiredType: ours?.preOrderRequiredType ?? 'none',
    paymentRules: ours?.paymentRules ?? [],
    refundTerms: ours?.refundTerms ?? [],
    spaceIds: ours?.spaceIds ?? [],
    packageIds: ours?.packageIds ?? [],
    menuIds: ours?.menuIds ?? [],
    hours: mergedHours(ours?.hours ? wholeHours(ours.hours) : NO_HOURS, theirs.hours),
  };
}

export const wholeHours = ({ weekly, exceptions }: ManagedProduct['hours']): HoursDocument => ({
  weekly,
  exceptions: exceptions.map(({ date, periods, reason }) => ({ date, periods, reason: reason ?? null })),
});

export const mergedFacts = (ours: Facts, theirs: CheckedProduct): Facts => ({
  pricePence: theirs.pricePence,
  minGuests: theirs.minGuests ?? ours.minGuests,
  maxGuests: theirs.maxGuests ?? ours.maxGuests,
});
