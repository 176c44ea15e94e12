/** Products as OCTO knows them: one option, and one unit, which is a guest at a table or a ticket. */
import { inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import { type Bookable, loadVenues, type ProductRecord, type Venues } from '../../features/venues/service.ts';
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import { isProductId, partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import type { ProductFacts } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import { invalidId, namingId } from './errors.ts';
import { type CapabilityId, OPTION_ID, type Pricing, type Product } from './schema.ts';

export interface ProductsDeps {
  sql: Sql;
  venues: Venues;
  registry: Registry;
}

/** A product that is sold here, with what its system says of it. */
export interface SoldProduct extends Bookable {
  isTicket: boolean;
  unitId: string;
  minUnits: number;
  /** Null: only availability says. */
  maxUnits: number | null;
  pricePence: number | null;
}

const PAGE = 100;

/** Everything that the caller can reserve. */
export async function listProducts(deps: ProductsDeps, caller: Caller): Promise<SoldProduct[]> {
  const { sql, venues } = deps;
  const sold: SoldProduct[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const search = { filter: {}, sortBy: 'default', direction: 'ASC', limit: PAGE, offset } as const;
    const page = await venues.list(caller, search);
    const ids = page.venues.map(({ id }) => id as VenueId);
    const records = await inSnapshot(sql, async (tx) => {
      const [loaded, facts] = await Promise.all([
        loadVenues(tx, visibilityOf(caller), ids),
        describe(tx, deps, ids),
      ]);
      return loaded.flatMap((venue) =>
        venue.products.flatMap((product) => soldAs({ venue, product }, facts.get(product.id), deps) ?? []),
      );
    });
    sold.push(...records);
    if (page.venues.length < PAGE) return sold;
  }
}

/** Throws `INVALID_PRODUCT_ID`, also for what cannot be reserved through OCTO. */
export async function getProduct(deps: ProductsDeps, caller: Caller, id: string): Promise<SoldProduct> {
  if (!isProductId(id)) throw invalidId('productId', id, 'VALID-N-001', 'There is no such product.');
  const bookable = await deps.venues.getBookable(caller, id).catch((error) => {
    throw namingId('productId', id, error);
  });
  const facts = await describe(deps.sql, deps, [bookable.venue.id]);
  const sold = soldAs(bookable, facts.get(id), deps);
  if (sold) return sold;
  throw invalidId(
    'productId',
    id,
    'AVAIL-N-003',
    'This product requires booking details that OCTO has no fields for, or its system cannot hold places.',
  );
}

export function assertOption(optionId: string): void {
  if (optionId !== OPTION_ID)
    throw invalidId('optionId', optionId, 'VALID-N-001', `The only option is ${OPTION_ID}.`);
}

export function assertUnit({ unitId }: SoldProduct, sent: string): void {
  if (sent !== unitId) throw invalidId('unitId', sent, 'VALID-N-001', `The only unit is ${unitId}.`);
}

async function describe(
  tx: Tx,
  { registry }: Pick<ProductsDeps, 'registry'>,
  ids: readonly VenueId[],
): Promise<Map<string, ProductFacts>> {
  const described = await Promise.all(
    [...Map.groupBy(ids, (id) => partsOfVenueId(id).tms)].map(([slug, ofSystem]) => {
      const connector = registry.get(slug);
      return connector?.flavour === 'local' ? (connector.describe?.(tx, ofSystem) ?? []) : [];
    }),
  );
  return new Map(described.flat().map((facts) => [facts.productId, facts]));
}

/** Undefined for what could not be reserved: OCTO has neither pre-orders nor companies, and needs a hold. */
function soldAs(
  { venue, product }: Bookable,
  facts: ProductFacts | undefined,
  { registry }: Pick<ProductsDeps, 'registry'>,
): SoldProduct | undefined {
  const { companyMode = 'none', isRequestOnly = false, maxPartySize = null } = venue.channel ?? {};
  const connector = registry.get(partsOfVenueId(venue.id).tms);
  const isSold =
    !venue.isClosed &&
    !venue.isSuspended &&
    !isRequestOnly &&
    companyMode === 'none' &&
    product.preOrderRequiredType === 'none' &&
    (facts === undefined || facts.maxInstantQuantity >= facts.minQuantity) &&
    connector?.holds !== undefined;
  if (!isSold) return undefined;
  const isTicket = connector.capabilities.capability === 'event_ticket';
  const limits = [facts?.maxInstantQuantity, maxPartySize].filter((limit) => limit != null);
  return {
    venue,
    product,
    isTicket,
    unitId: isTicket ? 'ticket' : 'guest',
    minUnits: facts?.minQuantity ?? 1,
    maxUnits: limits.length > 0 ? Math.min(...limits) : null,
    pricePence: facts?.pricePence ?? null,
  };
}

export function productView(sold: SoldProduct, capabilities: ReadonlySet<CapabilityId>): Product {
  const { venue, product, isTicket, unitId, minUnits, maxUnits } = sold;
  const isPriced = capabilities.has('octo/pricing');
  const prices = isPriced ? { pricingFrom: [pricingOf(sold, 1)], pricing: [pricingOf(sold, 1)] } : {};
  return {
    id: product.id,
    internalName: `${venue.name}: ${product.name}`,
    reference: product.slug,
    locale: 'en-GB',
    timeZone: venue.timeZone,
    allowFreesale: false,
    instantConfirmation: true,
    instantDelivery: true,
    availabilityRequired: true,
    availabilityType: 'START_TIME',
    deliveryFormats: ['QRCODE'],
    deliveryMethods: ['VOUCHER'],
    redemptionMethod: 'MANIFEST',
    options: [
      {
        id: OPTION_ID,
        default: true,
        internalName: product.name,
        reference: null,
        availabilityLocalStartTimes: startTimes(product, isTicket),
        ...cutoffOf(product),
        requiredContactFields: ['firstName', 'lastName'],
        restrictions: { minUnits, maxUnits },
        units: [
          {
            id: unitId,
            internalName: isTicket ? product.name : 'Guest',
            reference: null,
            type: 'ADULT',
            restrictions: {
              minAge: 0,
              maxAge: 100,
              idRequired: false,
              minQuantity: minUnits,
              maxQuantity: maxUnits,
              paxCount: 1,
              accompaniedBy: [],
            },
            requiredContactFields: [],
            ...prices,
          },
        ],
      },
    ],
    ...(isPriced && { defaultCurrency: CURRENCY, availableCurrencies: [CURRENCY], pricingPer: 'UNIT' }),
  };
}

/** Guests at a table pay for what they have, so a place there costs nothing. */
export function pricingOf({ pricePence }: Pick<SoldProduct, 'pricePence'>, units: number): Pricing {
  const amount = (pricePence ?? 0) * units;
  return {
    original: amount,
    retail: amount,
    net: null,
    currency: CURRENCY,
    currencyPrecision: 2,
    includedTaxes: [],
  };
}

/** OCTO wants at least one; which of them exist on a day, availability says. */
function startTimes({ hours, exceptions, timeIntervalMinutes }: ProductRecord, isTicket: boolean): string[] {
  const minutes = new Set<number>();
  for (const { opens, closes } of [...hours, ...exceptions]) {
    if (opens === null || closes === null) continue;
    const last = isTicket ? opens + 1 : closes;
    for (let minute = opens; minute < last; minute += timeIntervalMinutes) minutes.add(minute);
  }
  const times = [...new Set([...minutes].sort((a, b) => a - b).map(clockTime))];
  return times.length > 0 ? times : ['00:00'];
}

/** Until when everything is given back. */
function cutoffOf({ refundTerms }: ProductRecord) {
  const whole = refundTerms.filter(({ percent }) => percent === 100).map(({ hoursBefore }) => hoursBefore);
  const hours = whole.length > 0 ? Math.min(...whole) : 0;
  return {
    cancellationCutoff: hours === 1 ? '1 hour' : `${hours} hours`,
    cancellationCutoffAmount: hours,
    cancellationCutoffUnit: 'hour',
  };
}

export interface HoursOnDay {
  from: string;
  to: string;
}

/** The hours of the trading day, in local time. */
export function openingHours(
  { hours, exceptions }: ProductRecord,
  date: string,
  weekday: number,
): HoursOnDay[] {
  const dated = exceptions.filter((row) => row.date === date);
  const rows = dated.length > 0 ? dated : hours.filter((row) => row.weekday === weekday);
  return rows.flatMap(({ opens, closes }) =>
    opens === null || closes === null ? [] : [{ from: clockTime(opens), to: clockTime(closes) }],
  );
}
