import { timestampOf } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { datedHours, weeklyHours } from './hours/hours.ts';
import type { Preorders } from './preorders/schema.ts';
import type {
  MenuRecord,
  PackageRecord,
  PhotoRecord,
  ProductRecord,
  RuleRecord,
  SpaceRecord,
  VenueRecord,
} from './record.ts';
import type { AvailabilityRule, BookingRequirements, Product, Space, Venue } from './schema.ts';
import type { Capacity } from './transfer/document.ts';

function capacityView(capacity: Capacity | undefined): Space['capacitySeated'] {
  return { min: capacity?.min ?? null, max: capacity?.max ?? null };
}

export function spaceView({
  id,
  name,
  description,
  floorLocation,
  facilities,
  capacities,
  policies,
}: SpaceRecord): Space {
  return {
    id,
    spaceName: name,
    description,
    floorLocation,
    facilities,
    capacityStanding: capacityView(capacities.standing),
    capacitySeated: capacityView(capacities.seated),
    capacityCabaret: capacityView(capacities.cabaret),
    capacityTheatre: capacityView(capacities.theatre),
    capacityBoardroom: capacityView(capacities.boardroom),
    capacityClassroom: capacityView(capacities.classroom),
    capacityUShape: capacityView(capacities.uShape),
    capacityBanquet: capacityView(capacities.banquet),
    capacityReception: capacityView(capacities.reception),
    policies,
  };
}

function packageView({ id, slug, name, description, pricePence, pricePer }: PackageRecord) {
  return { id, slug, name, description, price: pricePence, currency: CURRENCY, pricePer };
}

function menuView({ id, slug, name, description, items }: MenuRecord) {
  return {
    id,
    slug,
    name,
    description,
    items: items.map((item) => ({
      id: item.id,
      name: item.name,
      price: item.pricePence,
      description: item.description,
      diet_types: item.dietTypes,
      allergens: item.allergens,
      configurable_options: item.options.map((option) => ({
        id: option.id,
        name: option.name,
        required: option.required,
        values: option.values.map(({ value, pricePence }) => ({ value, price: pricePence })),
      })),
      type: item.type,
      subType: item.subType,
      displayOrder: item.displayOrder,
    })),
  };
}

function preordersView(packages: readonly PackageRecord[], menus: readonly MenuRecord[]): Preorders {
  return { packages: packages.map(packageView), menus: menus.map(menuView) };
}

function ruleView({ id, type, effect, productId, spaceId, definition }: RuleRecord): AvailabilityRule {
  return {
    id,
    type,
    effect,
    productId,
    spaceId,
    startDate: definition.startDate ?? null,
    endDate: definition.endDate ?? null,
    weekdays: definition.weekdays ?? null,
    dates: definition.dates ?? null,
    startTime: definition.startTime ?? null,
    endTime: definition.endTime ?? null,
    reason: definition.reason ?? null,
  };
}

function productView(product: ProductRecord, venue: VenueRecord, feedUrl: string | undefined): Product {
  return {
    compositeId: product.id,
    productName: product.name,
    slug: product.slug,
    timeInterval: product.timeIntervalMinutes,
    preOrderRequired: product.preOrderRequiredType !== 'none',
    preOrderRequiredType: product.preOrderRequiredType,
    depositRequired: product.paymentRules.some(
      (rule) => rule.minPartySize === null && rule.maxPartySize === null && rule.weekdays === null,
    ),
    paymentRules: product.paymentRules,
    availabilityRules: {
      weekly: weeklyHours(product.hours),
      exceptions: datedHours(product.exceptions),
      rules: venue.rules
        .filter(({ productId }) => productId === null || productId === product.id)
        .filter(({ spaceId }) => spaceId === null || product.spaceIds.includes(spaceId))
        .map(ruleView),
    },
    category: product.category,
    preorders: preordersView(
      venue.packages.filter(({ id }) => product.packageIds.includes(id)),
      venue.menus.filter(({ id }) => product.menuIds.includes(id)),
    ),
    spaces: venue.spaces.filter(({ id }) => product.spaceIds.includes(id)).map(spaceView),
    feedUrl: feedUrl && product.feedToken ? `${feedUrl}/${product.feedToken}/index.json` : null,
  };
}

function requirementsView({ channel }: VenueRecord): BookingRequirements {
  const mode = channel?.companyMode ?? 'none';
  const isRequired = mode !== 'none';
  return {
    requiredFields: [
      'type',
      'partySize',
      'firstName',
      'lastName',
      'dateTime',
      ...(isRequired ? ['company'] : []),
    ],
    company: { mode, isRequired, companyNames: channel?.companyNames ?? [] },
  };
}

/**
 * What a partner does not distribute leaves no trace: pre-orders and rules that belong only to products
 * it cannot see are dropped here, before anything is selected or rendered.
 */
export function withoutInvisibleParts(venue: VenueRecord): VenueRecord {
  if (venue.channel === null) return venue;
  const productIds = new Set(venue.products.map(({ id }) => id));
  const packageIds = new Set(venue.products.flatMap((product) => product.packageIds));
  const menuIds = new Set(venue.products.flatMap((product) => product.menuIds));
  const spaceIds = new Set(venue.products.flatMap((product) => product.spaceIds));
  return {
    ...venue,
    packages: venue.packages.filter(({ id }) => packageIds.has(id)),
    menus: venue.menus.filter(({ id }) => menuIds.has(id)),
    rules: venue.rules
      .filter(({ productId }) => productId === null || productIds.has(productId))
      .filter(({ spaceId }) => spaceId === null || spaceIds.has(spaceId))
      .map(withoutFavourite),
  };
}

/** The operator's reason for a reserved time may name the partner it is reserved for. */
function withoutFavourite(rule: RuleRecord): RuleRecord {
  if (rule.effect !== 'reserve') return rule;
  const { reason: _, ...definition } = rule.definition;
  return { ...rule, definition };
}

export function locationView(venue: VenueRecord): Venue['location'] {
  const { lat, lng, address, area, city, postcode, countryCode } = venue;
  return { lat, lng, address, area, city, postcode, countryCode };
}

/** Where that is which answers point to. Without `feedUrl` no feeds are named. */
export interface Addresses {
  publicUrl: string;
  feedUrl?: string;
}

/** Pictures that are kept here move with us. */
export function photoUrl({ mediaId, url }: Pick<PhotoRecord, 'mediaId' | 'url'>, publicUrl: string): string {
  return mediaId === null ? (url ?? '') : `${publicUrl}/media/${mediaId}`;
}

function photoView(photo: PhotoRecord, publicUrl: string): Venue['photos'][number] {
  const { caption, width, height } = photo;
  return { url: photoUrl(photo, publicUrl), caption, width, height };
}

export function venueView(record: VenueRecord, { publicUrl, feedUrl }: Addresses): Venue {
  const venue = withoutInvisibleParts(record);
  const photos = venue.photos.map((photo) => photoView(photo, publicUrl));
  return {
    id: venue.id,
    name: venue.name,
    venueGroupName: venue.operatorName,
    content: venue.content,
    phone_number: venue.phoneNumber,
    website: venue.website,
    reservable: !venue.isClosed && !venue.isSuspended,
    timeZone: venue.timeZone,
    location: locationView(venue),
    types: venue.types,
    photos,
    media: photos,
    is_active: !venue.isClosed,
    created_at: timestampOf(venue.createdAt),
    updated_at: timestampOf(venue.updatedAt),
    products: venue.products.map((product) => productView(product, venue, feedUrl)),
    preorders: preordersView(venue.packages, venue.menus),
    opening_times: { weekly: weeklyHours(venue.hours), exceptions: datedHours(venue.exceptions) },
    bookingOverrides: {
      maxPartySize: venue.channel?.maxPartySize ?? null,
      requestOnly: venue.channel?.isRequestOnly ?? false,
    },
    operatorAvailabilityRules: venue.rules.map(ruleView),
    bookingRequirements: requirementsView(venue),
  };
}
