import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import type { Capability, ProductFacts } from '../../tms/contract.ts';
import type { Product } from '../venues/schema.ts';
import {
  CURRENCY,
  locationView,
  type VenueRecord,
  venueView,
  withoutInvisibleParts,
} from '../venues/service.ts';
import { calendarOf } from './calendar.ts';
import type { Bookable, Listing, ListingGroup, ListingItem } from './schema.ts';

/** An item as it was read: the row that names it, and the events hosted by it. */
export interface ItemRecord {
  venue: VenueRecord;
  events: VenueRecord[];
}

/** What listings show besides the catalogue. */
export interface ListingContext {
  capabilityOf(id: VenueId): Capability;
  /** What systems say of their products; those they do not know are missing. */
  facts: ReadonlyMap<string, ProductFacts>;
  nowMs: number;
  publicUrl: string;
}

/** One group for each operator, in the order in which the first of its items comes. */
export function groupsOf(
  items: readonly ItemRecord[],
  context: ListingContext,
  wanted?: Capability,
): ListingGroup[] {
  const byOperator = Map.groupBy(items, ({ venue }) => partsOfVenueId(venue.id).operatorId);
  return [...byOperator.values()].map((ofOperator) => ({
    groupName: ofOperator[0]?.venue.operatorName ?? '',
    items: ofOperator.map((item) => itemView(item, context, wanted)),
  }));
}

function itemView({ venue, events }: ItemRecord, context: ListingContext, wanted?: Capability): ListingItem {
  const isWanted = ({ id }: VenueRecord) => wanted === undefined || context.capabilityOf(id) === wanted;
  return {
    name: venue.name,
    location: locationView(venue),
    capabilities: [venue, ...events].filter(isWanted).map((record) => listingView(record, context)),
  };
}

function listingView(
  record: VenueRecord,
  { capabilityOf, facts, nowMs, publicUrl }: ListingContext,
): Listing {
  const capability = capabilityOf(record.id);
  const seen = withoutInvisibleParts(record);
  const venue = venueView(seen, { publicUrl });
  const { maxPartySize } = venue.bookingOverrides;
  return {
    id: venue.id,
    capability,
    name: venue.name,
    content: venue.content,
    timeZone: venue.timeZone,
    reservable: venue.reservable,
    phoneNumber: venue.phone_number,
    website: venue.website,
    types: venue.types,
    photos: venue.photos,
    bookableProducts: venue.products.map((product) =>
      bookableView(product, capability, facts.get(product.compositeId), maxPartySize),
    ),
    availabilityOccurrence: calendarOf(seen, capability, nowMs),
    preorders: venue.preorders,
  };
}

function bookableView(
  product: Product,
  capability: Capability,
  facts: ProductFacts | undefined,
  channelLimit: number | null,
): Bookable {
  const { compositeId, productName, slug, category, preOrderRequiredType, depositRequired, paymentRules } =
    product;
  const isTicket = capability === 'event_ticket';
  const price = facts?.pricePence ?? null;
  // Neither the system nor the channel lets a larger party in.
  const limits = [facts?.maxQuantity ?? null, channelLimit].filter((limit) => limit !== null);
  return {
    compositeId,
    name: productName,
    slug,
    category,
    timeInterval: isTicket ? null : product.timeInterval,
    preOrderRequiredType,
    depositRequired,
    paymentRules,
    spaces: isTicket ? null : product.spaces,
    price,
    currency: price === null ? null : CURRENCY,
    minQuantity: facts?.minQuantity ?? null,
    maxQuantity: limits.length === 0 ? null : Math.min(...limits),
  };
}
