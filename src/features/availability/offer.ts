import { weekdayOf } from '../../kernel/zone-time.ts';
import type { Slot } from '../../tms/contract.ts';
import {
  isClosedOn,
  type MinimumSpendBand,
  type ProductRecord,
  partialClosures,
  reachesInto,
  type SpaceRecord,
  type VenueRecord,
} from '../venues/service.ts';
import { crossedBands, totalOf } from './minimum-spend.ts';
import {
  type Audience,
  blockedSpaces,
  type CompiledRules,
  judge,
  type RuleSlot,
  rulesFor,
} from './operator-rules/operator-rules.ts';
import type { AvailabilityQuery } from './query.ts';

/** One start as it stands for this caller: what the system says, cut by rules, filters and the channel. */
export interface Offer {
  slot: Slot;
  type: 'book' | 'request';
  requestReason: string | undefined;
  spaces: OfferedSpace[];
  /** Why it cannot be had; empty when it can. */
  reasons: string[];
  /** The system would give it, an operator's rule does not. */
  isTakenByRule: boolean;
}

export interface OfferedSpace {
  space: SpaceRecord;
  /** The bands that the stay crosses. */
  minimumSpend: MinimumSpendBand[];
}

export interface Party {
  adults: number;
  children: number;
}

export interface OfferContext {
  venue: VenueRecord;
  product: ProductRecord;
  operatorRules: CompiledRules;
  audience: Audience;
  query: AvailabilityQuery;
  /** What booking rules do to a start; absent: there are none. */
  ruleSlot?: RuleSlot | undefined;
}

/** What is the same for all starts. */
interface Terms extends OfferContext {
  isPartyTooLarge: boolean;
  isRequestOnly: boolean;
  needsSpace: boolean;
  /** The product's spaces with the requested policies. */
  requestedSpaces: SpaceRecord[];
  weekdays: ReadonlyMap<string, number>;
  /** Whether a closure, or a date that the hours close, takes the start. */
  isClosed(slot: Slot): boolean;
}

/** What no caller can have. */
export const CLOSED = 'AVAIL-N-004';

const OBSTACLE_REASONS: Record<NonNullable<Slot['obstacle']>, string> = {
  'too-soon': 'AVAIL-N-007',
  'too-far': 'AVAIL-N-008',
  taken: 'AVAIL-N-005',
  'party-never-fits': 'PARTY_SIZE',
};

/** Says of the system's slots what the caller may have of each. */
export function offersOf(slots: readonly Slot[], context: OfferContext): Offer[] {
  const { venue, product, query, audience } = context;
  const { maxPartySize = null, isRequestOnly = false } = venue.channel ?? {};
  const terms: Terms = {
    ...context,
    operatorRules: rulesFor(context.operatorRules, { productId: product.id, audience }),
    isPartyTooLarge: maxPartySize !== null && query.partySize + query.children > maxPartySize,
    isRequestOnly,
    needsSpace: product.spaceIds.length > 0 || asksForSpaces(query),
    requestedSpaces: venue.spaces.filter(
      (space) => product.spaceIds.includes(space.id) && hasRequestedPolicies(space, query),
    ),
    weekdays: weekdaysOf(slots),
    isClosed: closingOf(venue, product),
  };
  return slots.map((slot) => offerOf(slot, terms));
}

/** Closed dates of a system that knows the hours have no slots; other systems do not know of them. */
function closingOf(venue: VenueRecord, product: ProductRecord): Terms['isClosed'] {
  const partial = partialClosures(venue, product);
  const dates = new Map<string, boolean>();
  return (slot) =>
    dates.getOrInsertComputed(slot.date, (date) => isClosedOn(product, date)) ||
    partial.some((closure) => reachesInto(closure, slot));
}

function weekdaysOf(slots: readonly Slot[]): Map<string, number> {
  const weekdays = new Map<string, number>();
  for (const { date } of slots) if (!weekdays.has(date)) weekdays.set(date, weekdayOf(date));
  return weekdays;
}

function offerOf(slot: Slot, terms: Terms): Offer {
  const requested = terms.requestedSpaces.length === 0 ? [] : spacesAt(slot, terms);
  const reasons = reasonsAgainst(slot, requested, terms);
  const wasAvailable = reasons.length === 0;
  const { spaces, codes }: { spaces: OfferedSpace[]; codes: string[] } =
    terms.operatorRules.length === 0 ? { spaces: requested, codes: [] } : afterRules(slot, requested, terms);
  // A request-only channel is ruled as an enquiry.
  const ruling = terms.ruleSlot?.(terms.isRequestOnly ? { ...slot, type: 'request' } : slot);
  const refusals = ruling ? codes.concat(ruling.codes) : codes;
  return {
    slot,
    ...kindOf(slot, terms, ruling),
    spaces,
    reasons:
      refusals.length === 0 ? reasons : reasons.concat(refusals.filter((code) => !reasons.includes(code))),
    isTakenByRule: wasAvailable && refusals.length > 0,
  };
}

/** What is an enquiry already stays what it was. */
function kindOf(
  slot: Slot,
  { isRequestOnly }: Terms,
  ruling: ReturnType<RuleSlot> | undefined,
): Pick<Offer, 'type' | 'requestReason'> {
  if (slot.type === 'request') return { type: 'request', requestReason: slot.requestReason };
  if (isRequestOnly) return { type: 'request', requestReason: 'request_only' };
  if (ruling?.type === 'request') return { type: 'request', requestReason: 'operator_rule' };
  return { type: 'book', requestReason: undefined };
}

function reasonsAgainst(slot: Slot, requested: readonly OfferedSpace[], terms: Terms): string[] {
  const reasons: string[] = [];
  if (terms.isClosed(slot)) reasons.push(CLOSED);
  if (slot.obstacle) reasons.push(OBSTACLE_REASONS[slot.obstacle]);
  if (terms.isPartyTooLarge && slot.obstacle !== 'party-never-fits') reasons.push('PARTY_SIZE');
  if (terms.needsSpace && requested.length === 0 && slot.obstacle !== 'party-never-fits') {
    const isTaken = spacesAt({ ...slot, type: 'request' }, terms).length > 0;
    if (!isTaken) reasons.push('SPACE_POLICY');
    else if (reasons.length === 0) reasons.push('AVAIL-N-005');
  }
  return reasons;
}

/** For an instant booking a space must be free; an enquiry may name any. */
function spacesAt(slot: Slot, { requestedSpaces, query, weekdays }: Terms): OfferedSpace[] {
  const { date, minute: startMinute, durationMinutes } = slot;
  const stay = { date, weekday: weekdays.get(date) ?? 0, startMinute, durationMinutes };
  const offered: OfferedSpace[] = [];
  for (const space of requestedSpaces) {
    const state = slot.spaces.find(({ spaceId }) => spaceId === space.id);
    if (!state || !(state.isFree || slot.type === 'request')) continue;
    const spends = { bands: space.policies.minimumSpend, overrides: space.spendOverrides };
    const minimumSpend = crossedBands(spends, stay);
    if (query.minimumSpend !== undefined && totalOf(minimumSpend) > query.minimumSpend) continue;
    offered.push({ space, minimumSpend });
  }
  return offered;
}

function afterRules(
  slot: Slot,
  requested: OfferedSpace[],
  { product, operatorRules: rules, audience, weekdays }: Terms,
) {
  const { date, minute } = slot;
  const at = { date, minute, weekday: weekdays.get(date) ?? 0, productId: product.id, audience };
  const verdict = judge(rules, at);
  const blocked = blockedSpaces(rules, at);
  const spaces = requested.filter(({ space }) => !blocked.has(space.id));
  const isSpaceless = requested.length > 0 && spaces.length === 0;
  return { spaces, codes: [...(verdict ? [verdict.code] : []), ...(isSpaceless ? ['OPRUL-N-009'] : [])] };
}

/** Whether a space has the requested policies, apart from its minimum spend, which depends on the hour. */
function hasRequestedPolicies({ policies }: SpaceRecord, query: AvailabilityQuery): boolean {
  const requested = ['under18s', 'promotedEvents', 'accessibility', 'servesFood'] as const;
  return (
    requested.every((name) => query[name] === undefined || query[name] === policies[name]) &&
    (query.occasionTypes ?? []).every((ruleContext) => policies.occasionTypes.includes(ruleContext))
  );
}

function asksForSpaces(query: AvailabilityQuery): boolean {
  const { under18s, promotedEvents, accessibility, servesFood, occasionTypes, minimumSpend } = query;
  return [under18s, promotedEvents, accessibility, servesFood, occasionTypes, minimumSpend].some(
    (policy) => policy !== undefined,
  );
}
