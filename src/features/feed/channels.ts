/**
 * Which partner gets which feed of a product. Most partners have the same offer and share one; a partner with another
 * offer, by an operator's rule, a booking rule or the terms of its channel, has a feed of its own.
 */
import { createHash } from 'node:crypto';
import type { Forecast } from '../../tms/contract.ts';
import {
  type Audience,
  aimedAt,
  type CompiledRules,
  compileRules,
  rulesFor,
} from '../availability/service.ts';
import { type Aimed, type CompiledRule, factsIn, slotRules } from '../booking-rules/service.ts';
import { type ProductRecord, type VenueRecord, withoutScopes } from '../venues/service.ts';

/** What a feed offers to its readers. */
export interface Offering {
  venue: VenueRecord;
  product: ProductRecord;
  audience: Audience;
  operatorRules: CompiledRules;
  aimed: Aimed;
  /** The booking rules that decide what becomes of a start. */
  rules: readonly CompiledRule[];
}

export interface Channel extends Offering {
  /** Null: the shared feed. */
  partnerId: number | null;
  readerIds: number[];
  configHash: string;
}

export interface Distribution {
  /** The venue as its operator sees it. */
  venue: VenueRecord;
  /** The venue as each partner that distributes it sees it. */
  partners: ReadonlyMap<number, VenueRecord>;
  /** All booking rules of the operator. */
  rules: readonly CompiledRule[];
  /** When the venue was closed, if it was. */
  closedAt: Temporal.Instant | null;
}

/** The id of no partner: rules that target partners do not match it, and rules that reserve for others do. */
const ANYBODY = { id: 0, categoryIds: [] };

export function channelsOf(
  product: ProductRecord,
  forecast: Forecast,
  { venue, partners, rules, closedAt }: Distribution,
): Channel[] {
  const seenByAnybody = withoutScopes({ ...venue, channel: null }, ANYBODY);
  const common = offeringTo(ANYBODY, { venue: seenByAnybody, product, rules });
  const commonHash = hashOf(common, forecast, closedAt);
  const readerIds: number[] = [];
  const own: Channel[] = [];
  for (const [partnerId, seen] of partners) {
    const mapped = seen.products.find(({ id }) => id === product.id);
    if (!mapped || seen.isSuspended) continue;
    const partner = { id: partnerId, categoryIds: seen.channel?.categoryIds ?? [] };
    const offering = offeringTo(partner, { venue: seen, product: mapped, rules });
    const configHash = hashOf(offering, forecast, closedAt);
    if (configHash === commonHash) readerIds.push(partnerId);
    else own.push({ ...offering, partnerId, readerIds: [partnerId], configHash });
  }
  return [{ ...common, partnerId: null, readerIds, configHash: commonHash }, ...own];
}

function offeringTo(
  partner: Aimed['partner'],
  { venue, product, rules }: Pick<Offering, 'venue' | 'product' | 'rules'>,
): Offering {
  const audience = { partnerId: partner.id, categoryIds: [...partner.categoryIds] };
  const aimed = aimedAt(partner, { venue, product });
  return {
    venue,
    product,
    audience,
    operatorRules: rulesFor(compileRules(venue.rules), { productId: product.id, audience }),
    aimed,
    rules: slotRules(rules, aimed),
  };
}

/** Raised when the same configuration would give other files. */
const FORMAT = 3;

/** Of every input of the slots, apart from stays and the time. The partner counts only if a rule depends on it. */
function hashOf(
  { venue, product, operatorRules, aimed, rules }: Offering,
  forecast: Forecast,
  closedAt: Distribution['closedAt'],
): string {
  const { maxPartySize = null, isRequestOnly = false } = venue.channel ?? {};
  const spaces = venue.spaces.filter(({ id }) => product.spaceIds.includes(id));
  const whole = [
    FORMAT,
    forecast.fingerprint,
    [venue.id, venue.name, venue.timeZone, closedAt?.toString()],
    [product.id, product.name, product.paymentRules],
    spaces.map(({ id, name }) => [id, name]),
    venue.closures.filter(({ productIds }) => productIds?.includes(product.id) ?? true),
    operatorRules.map(({ rule }) => [rule.effect, rule.spaceId, rule.definition]),
    [maxPartySize, isRequestOnly],
    rules.map(({ rule }) => [rule.id, rule.version]),
    // The facts of rules besides the start's.
    rules.length > 0 ? [aimed.product, aimed.venue] : null,
    rules.some(tellsPartnersApart) ? aimed.partner : null,
  ];
  return createHash('sha256').update(JSON.stringify(whole)).digest('base64url').slice(0, 22);
}

const tellsPartnersApart = ({ rule }: CompiledRule) =>
  rule.effect === 'expression' && [...factsIn(rule.when)].some((fact) => fact.startsWith('partner'));
