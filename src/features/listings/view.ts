import { isDeepStrictEqual } from 'node:util';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { addDays, clockTime, localOf } from '../../kernel/zone-time.ts';
import type { Capability } from '../../tms/contract.ts';
import type { SaidOfProduct } from '../system-catalogue/service.ts';
import {
  type ExceptionRow,
  type HoursRows,
  locationView,
  type Product,
  type ProductRecord,
  type RuleRecord,
  type VenueRecord,
  venueView,
  type WeeklyRow,
  withoutInvisibleParts,
  withoutScopes,
} from '../venues/service.ts';
import type { Bookable, CalendarRule, Listing, ListingGroup, ListingItem } from './schema.ts';

/** An item as it was read: the row that names it, and the events hosted by it. */
export interface ItemRecord {
  venue: VenueRecord;
  events: VenueRecord[];
}

/** What listings show besides the catalogue. */
export interface ListingContext {
  capabilityOf(id: VenueId): Capability;
  /** Facts that systems report of their products; unknown products are missing. */
  facts: ReadonlyMap<string, SaidOfProduct>;
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
  facts: SaidOfProduct | undefined,
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

/**
 * When a listing can be had, as rules of one shape. `docs/listings.md` tells partners how to read them, and a test
 * reads them as it says and compares the result with the hours they were made from.
 */

type Kind = CalendarRule['kind'];

function ruleOf(kind: Kind, said: Partial<Omit<CalendarRule, 'kind'>>): CalendarRule {
  const { compositeId = null, weekdays = null, startDate = null, endDate = null } = said;
  const { startTime = null, endTime = null, reason = null } = said;
  return { kind, compositeId, weekdays, startDate, endDate, startTime, endTime, reason };
}

/** The rules of a venue or event that the caller may see. */
export function calendarOf(venue: VenueRecord, capability: Capability, nowMs: number): CalendarRule[] {
  const kind = capability === 'event_ticket' ? 'occurrence' : 'opening_hours';
  // The trading day that began yesterday may still be going on.
  const from = addDays(localOf(venue.timeZone, nowMs).date, -1);
  const hours = rulesOfHours(openingsOf(venue), kind, from);
  return [
    ...hours,
    ...venue.products.flatMap((product) => ownRules(product, hours, kind, from)),
    ...withoutScopes(venue, null)
      .rules.filter((rule) => takesFrom(rule, venue))
      .flatMap((rule) => blackoutsOf(rule, from)),
  ];
}

/** A blackout of the listing holds for all of it, so a closed date on which a product trades has that product's hours. */
function openingsOf({ hours, exceptions, products }: VenueRecord): HoursRows {
  const periods = products.flatMap((product) => product.exceptions.filter(({ opens }) => opens !== null));
  const openOn = Map.groupBy(periods, ({ date }) => date);
  return {
    hours,
    exceptions: exceptions.flatMap((row) =>
      row.opens === null ? withoutRepeats(openOn.get(row.date) ?? [row]) : row,
    ),
  };
}

const withoutRepeats = (rows: readonly ExceptionRow[]): ExceptionRow[] => [
  ...new Map(rows.map((row) => [`${row.opens} ${row.closes}`, row])).values(),
];

function rulesOfHours({ hours, exceptions }: HoursRows, kind: Kind, from: string): CalendarRule[] {
  const ahead = exceptions.filter(({ date }) => date >= from);
  return [
    ...weeklyRules(hours),
    ...[...Map.groupBy(ahead, ({ date }) => date)].flatMap(([date, rows]) => datedRules(date, rows, kind)),
  ];
}

/** Weekdays on which the same hours are kept share a rule. */
function weeklyRules(rows: readonly WeeklyRow[]): CalendarRule[] {
  const byTimes = Map.groupBy(rows, ({ opens, closes }) => `${opens} ${closes}`);
  return [...byTimes.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const weekdays = alike.map(({ weekday }) => weekday);
    return ruleOf('opening_hours', { weekdays, ...timesOf(first.opens, first.closes) });
  });
}

function datedRules(date: string, rows: readonly ExceptionRow[], kind: Kind): CalendarRule[] {
  const onDate = { startDate: date, endDate: date };
  const periods = rows.flatMap(({ opens, closes, reason }) =>
    opens === null || closes === null ? [] : ruleOf(kind, { ...onDate, ...timesOf(opens, closes), reason }),
  );
  return periods.length > 0 ? periods : [ruleOf('blackout', { ...onDate, reason: rows[0]?.reason ?? null })];
}

const timesOf = (opens: number, closes: number) => ({
  startTime: clockTime(opens),
  endTime: clockTime(closes),
});

/** A bookable that keeps the hours of its listing has none of its own; closed dates of the listing are not repeated. */
function ownRules(
  product: ProductRecord,
  listed: readonly CalendarRule[],
  kind: Kind,
  from: string,
): CalendarRule[] {
  const own = rulesOfHours(product, kind, from);
  if (isDeepStrictEqual(own, listed)) return [];
  const closed = new Set(listed.filter((rule) => rule.kind === 'blackout').map(({ startDate }) => startDate));
  const kept = own.filter((rule) => rule.kind !== 'blackout' || !closed.has(rule.startDate));
  // Without hours of its own, readers would apply those of the listing.
  const isEverOpen = kept.some((rule) => rule.kind !== 'blackout');
  const rules = isEverOpen ? kept : [ruleOf('blackout', {})];
  return rules.map((rule) => ({ ...rule, compositeId: product.id }));
}

/** Partners see the rules that concern them; other callers see only rules for all partners. */
function takesFrom({ spaceId, partnerIds, categoryIds }: RuleRecord, { channel }: VenueRecord): boolean {
  return spaceId === null && (channel !== null || (partnerIds === null && categoryIds === null));
}

function blackoutsOf({ productId, definition }: RuleRecord, from: string): CalendarRule[] {
  const { dates, ...said } = definition;
  const rule = ruleOf('blackout', { ...said, compositeId: productId });
  const each = dates?.map((date) => ({ ...rule, startDate: date, endDate: date })) ?? [rule];
  return each.filter(({ endDate }) => endDate === null || endDate >= from);
}
