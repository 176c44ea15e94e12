/**
 * What an operator takes out of sale. A rule states the trading days and times when it applies, what it takes away
 * (everything, one product, one space) and from which partners: all, some, or categories of them. A reserving rule
 * inverts that and takes the same away from all other partners. Expressions have been evaluated before rules come
 * here.
 */
import type { Caller } from '../../../http/auth/caller.ts';
import type { ProductId } from '../../../kernel/ids.ts';
import { addDays, MINUTES_PER_DAY } from '../../../kernel/zone-time.ts';
import type { Slot } from '../../../tms/contract.ts';
import {
  type Aimed,
  bookingFacts,
  daysAheadOf,
  productFacts,
  type Rules,
  type SlotRuler,
  venueFacts,
} from '../../booking-rules/service.ts';
import {
  type AvailabilityRuleType,
  type Bookable,
  minutesOf,
  type RuleRecord,
  type VenueRecord,
  withoutScopes,
} from '../../venues/service.ts';
import type { AvailabilityQuery } from '../query.ts';

/** The audience of the answer. Operators and the platform are no partner and in no category. */
export interface Audience {
  partnerId: number | null;
  categoryIds: number[];
}

/** One start of one product. */
export interface RuledStart {
  productId: ProductId;
  /** Trading day, and minute of it. */
  date: string;
  weekday: number;
  minute: number;
  audience: Audience;
}

export interface RuleVerdict {
  code: `OPRUL-N-00${1 | 2 | 3 | 4 | 8 | 9}`;
  ruleId: string;
  /** The operator's own words, where they may be shown. */
  reason: string | null;
}

interface CompiledRule {
  rule: RuleRecord;
  covers(date: string, weekday: number, minute: number): boolean;
  verdict: RuleVerdict;
}

/** In the order of their ids, so that of several rules always the same one is named. */
export type CompiledRules = readonly CompiledRule[];

const CODES: Record<AvailabilityRuleType, RuleVerdict['code']> = {
  specific_dates: 'OPRUL-N-001',
  date_range: 'OPRUL-N-002',
  recurring: 'OPRUL-N-003',
  time_based: 'OPRUL-N-004',
  specific_dates_with_time: 'OPRUL-N-004',
  date_range_with_time: 'OPRUL-N-004',
  recurring_with_time: 'OPRUL-N-004',
};

export function compileRules(rules: readonly RuleRecord[]): CompiledRules {
  return rules
    .map((rule) => ({ rule, covers: coverageOf(rule), verdict: verdictOf(rule) }))
    .sort((a, b) => (a.rule.id < b.rule.id ? -1 : 1));
}

function verdictOf({ id, type, effect, spaceId, definition }: RuleRecord): RuleVerdict {
  if (spaceId !== null) return { code: 'OPRUL-N-009', ruleId: id, reason: shownReason(effect, definition) };
  const code = effect === 'reserve' ? 'OPRUL-N-008' : CODES[type];
  return { code, ruleId: id, reason: shownReason(effect, definition) };
}

/** Why something is kept for another partner is between the operator and that partner. */
function shownReason(effect: RuleRecord['effect'], { reason }: RuleRecord['definition']): string | null {
  return effect === 'reserve' ? null : (reason ?? null);
}

function coverageOf({ definition }: RuleRecord): CompiledRule['covers'] {
  const holdsOn = daysOf(definition);
  const { startTime, endTime } = definition;
  if (startTime === undefined || endTime === undefined) return holdsOn;
  const { opens, closes } = minutesOf({ opens: startTime, closes: endTime });
  const isWithin = (minute: number) => opens <= minute && minute < closes;
  return (date, weekday, minute) => {
    // One o'clock of a night that began the evening before is a time of that trading day too.
    if ((isWithin(minute) || isWithin(minute - MINUTES_PER_DAY)) && holdsOn(date, weekday)) return true;
    // A house that opens at midnight or never shuts still lives through the rest of yesterday's range.
    return isWithin(minute + MINUTES_PER_DAY) && holdsOn(addDays(date, -1), weekday === 1 ? 7 : weekday - 1);
  };
}

/** Every condition on the day that the definition has must hold; a rule about times alone has none. */
function daysOf({ startDate, endDate, weekdays, dates }: RuleRecord['definition']) {
  const listed = dates && new Set(dates);
  const recurring = weekdays && new Set<number>(weekdays);
  return (date: string, weekday: number): boolean =>
    (startDate === undefined || startDate <= date) &&
    (endDate === undefined || date <= endDate) &&
    (listed === undefined || listed.has(date)) &&
    (recurring === undefined || recurring.has(weekday));
}

function concerns({ rule, covers }: CompiledRule, start: RuledStart): boolean {
  return (
    isAbout(rule, start.productId) &&
    isAimedAt(rule, start.audience) &&
    covers(start.date, start.weekday, start.minute)
  );
}

function isAbout(rule: RuleRecord, productId: ProductId): boolean {
  return rule.productId === null || rule.productId === productId;
}

/** Rules that target partners do not apply to callers that are no partner; rules for all apply to them too. */
function isAimedAt({ partnerIds, categoryIds, effect }: RuleRecord, audience: Audience): boolean {
  if (partnerIds === null && categoryIds === null) return effect === 'disable';
  if (audience.partnerId === null) return false;
  const isNamed =
    partnerIds?.includes(audience.partnerId) || categoryIds?.some((id) => audience.categoryIds.includes(id));
  return effect === 'disable' ? isNamed === true : !isNamed;
}

/** The rules that can affect these starts at all; most often none, and then no start is checked. */
export function rulesFor(
  rules: CompiledRules,
  { productId, audience }: Pick<RuledStart, 'productId' | 'audience'>,
): CompiledRules {
  return rules.filter(({ rule }) => isAbout(rule, productId) && isAimedAt(rule, audience));
}

/** The first rule, by id, that takes the whole of this start away; undefined when none does. */
export function judge(rules: CompiledRules, start: RuledStart): RuleVerdict | undefined {
  return rules.find((compiled) => compiled.rule.spaceId === null && concerns(compiled, start))?.verdict;
}

/** The spaces that rules take out of this start, each with the first rule that does. */
export function blockedSpaces(rules: CompiledRules, start: RuledStart): ReadonlyMap<number, RuleVerdict> {
  const blocked = new Map<number, RuleVerdict>();
  for (const compiled of rules) {
    const { spaceId } = compiled.rule;
    if (spaceId === null || blocked.has(spaceId)) continue;
    if (concerns(compiled, start)) blocked.set(spaceId, compiled.verdict);
  }
  return blocked;
}

export interface OperatorRules {
  audienceOf(caller: Caller, venue: VenueRecord): Audience;
  compiled(venue: VenueRecord): CompiledRules;
}

/**
 * Rules come with the venue, so they live and are forgotten with the record that a node has read. A record that was
 * read for a partner has no scopes left.
 */
export function createOperatorRules(): OperatorRules {
  const kept = new WeakMap<VenueRecord, CompiledRules>();
  return {
    audienceOf: (caller, venue) => ({
      partnerId: 'partner' in caller ? caller.partner.id : null,
      categoryIds: venue.channel?.categoryIds ?? [],
    }),
    compiled(venue) {
      const rules = kept.get(venue) ?? compileRules(withoutScopes(venue, null).rules);
      kept.set(venue, rules);
      return rules;
    },
  };
}

/** What booking rules make of one start. */
export type RuleSlot = (slot: Slot) => ReturnType<SlotRuler>;

export const aimedAt = (partner: Aimed['partner'], { venue, product }: Bookable): Aimed => ({
  partner,
  product: productFacts({ ...product, category: product.category?.slug ?? null }),
  venue: venueFacts(venue),
});

const NOTHING_ORDERED = { packages: [], menus: [] };

/** Undefined: nothing changes. Rules bind only partners. */
export async function slotRulerFor(
  rules: Rules,
  caller: Caller,
  { venue, product }: Bookable,
  { query, nowMs }: { query: AvailabilityQuery; nowMs: number },
): Promise<RuleSlot | undefined> {
  if (!('partner' in caller)) return undefined;
  const partner = { id: caller.partner.id, categoryIds: venue.channel?.categoryIds ?? [] };
  const aimed = aimedAt(partner, { venue, product });
  const rule = await rules.slotRuler(aimed);
  return rule && ruleSlotBy(rule, aimed, { query, nowMs });
}

/** What rules make of starts for one party at one moment. */
export function ruleSlotBy(
  rule: SlotRuler,
  aimed: Aimed,
  { query, nowMs }: { query: Pick<AvailabilityQuery, 'partySize' | 'children' | 'duration'>; nowMs: number },
): RuleSlot {
  const { partySize: adults, children, duration: durationMinutes = null } = query;
  const guest = {
    adults,
    children,
    durationMinutes,
    source: 'api',
    depositPence: null,
    preorders: NOTHING_ORDERED,
  };
  return (slot) =>
    rule({
      facts: {
        ...aimed,
        booking: bookingFacts({ ...guest, ...slot, durationMinutes }),
        daysAhead: daysAheadOf(slot.date, nowMs),
      },
      nowMs,
      startsMs: [slot.startMs],
    });
}
