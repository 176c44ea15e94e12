import { invalid } from './problem.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What bookings, orders and subscriptions are known by. */
export const isUuid = (text: string) => UUID.test(text);

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `group|tms|resource`, for example `1|house|soho-grill`. */
export type VenueId = Branded<'VenueId'>;
/** A venue id and the product or ticket type, for example `1|house|soho-grill|dinner`. */
export type ProductId = Branded<'ProductId'>;

const MAX_GROUP_ID = 2_147_483_647;
const GROUP = '[1-9][0-9]{0,9}';
const SEGMENT = '[A-Za-z0-9][A-Za-z0-9._~-]{0,99}';
const VENUE_ID = new RegExp(`^${GROUP}\\|${SEGMENT}\\|${SEGMENT}$`);
const PRODUCT_ID = new RegExp(`^${GROUP}\\|${SEGMENT}\\|${SEGMENT}\\|${SEGMENT}$`);

export interface VenueIdParts {
  operatorId: number;
  tms: string;
  resourceId: string;
}

/** What follows the group is left out by `parseInt`. */
const hasGroup = (text: string) => Number.parseInt(text, 10) <= MAX_GROUP_ID;

export function isVenueId(text: string): text is VenueId {
  return VENUE_ID.test(text) && hasGroup(text);
}

export function isProductId(text: string): text is ProductId {
  return PRODUCT_ID.test(text) && hasGroup(text);
}

export function parseVenueId(text: string, field = 'venueId'): VenueId {
  if (isVenueId(text)) return text;
  throw invalid(
    field,
    isProductId(text)
      ? 'is the compositeId of a product or ticket type, with four segments; the id of a venue or listing, with three, belongs here'
      : 'must be a venue id: group, system and resource joined by "|", such as 1|house|soho-grill',
  );
}

export function parseProductId(text: string, field = 'compositeId'): ProductId {
  if (isProductId(text)) return text;
  throw invalid(
    field,
    isVenueId(text)
      ? 'is the id of a venue or listing, with three segments; the compositeId of a product or ticket type, with four, belongs here'
      : 'must be a product id: a venue id and a fourth segment, such as 1|house|soho-grill|dinner',
  );
}

export function venueIdOf(parts: VenueIdParts): VenueId {
  return parseVenueId(`${parts.operatorId}|${parts.tms}|${parts.resourceId}`);
}

export function venueOfProduct(productId: ProductId): VenueId {
  return productId.slice(0, productId.lastIndexOf('|')) as VenueId;
}

export function partsOfVenueId(id: VenueId): VenueIdParts {
  const [group, tms, resourceId] = id.split('|') as [string, string, string];
  return { operatorId: Number(group), tms, resourceId };
}
