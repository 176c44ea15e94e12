import type { Sql } from '../../db/database.ts';
import { ReadCache } from '../../db/read-cache.ts';
import { type Caller, visibilityKey, visibilityOf } from '../../http/auth/caller.ts';
import { liveJson } from '../../http/format/render.ts';
import { createOutcomeCounts, type OutcomeCounts, outcomeOf } from '../../http/observability/outcomes.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type ProductId, partsOfVenueId } from '../../kernel/ids.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { MS_PER_MINUTE, weekdayOf } from '../../kernel/zone-time.ts';
import {
  type DayAvailability,
  type Outcome,
  ok,
  type ProductAvailability,
  type Refusal,
  type Slot,
} from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import type { Rules } from '../booking-rules/service.ts';
import {
  type Bookable,
  closingMinute,
  isClosedOn,
  type ProductRecord,
  type VenueRecord,
  type Venues,
} from '../venues/service.ts';
import { type Ask, answerOf, askingAlone, askingTogether } from './answer.ts';
import { type AskProduct, findTables } from './find/find.ts';
import type { FoundTables, TableQuestion } from './find/schema.ts';
import { type Offer, offersOf, type Party } from './offer.ts';
import {
  blockedSpaces,
  judge,
  type OperatorRules,
  type RuleVerdict,
  slotRulerFor,
} from './operator-rules/operator-rules.ts';
import type { AvailabilityQuery } from './query.ts';
import type { Availability } from './schema.ts';
import { type ClosesOn, type Window, windowOf } from './window.ts';

export interface AvailabilityService {
  /** What the system behind the product says at this moment, as far as the caller may have it. */
  get(caller: Caller, productId: ProductId, query: AvailabilityQuery): Promise<Availability>;
  /**
   * The same for several questions of one request: questions of one event-loop tick are read as one batch, and one
   * remote system is not waited for longer than for a single question.
   */
  batch(caller: Caller): (question: BatchQuestion) => Promise<Availability>;
  /** The closest starts over many venues. */
  findTables(caller: Caller, question: TableQuestion): Promise<FoundTables>;
  /** What the operator's rules take out of one start of a product. */
  judge(caller: Caller, bookable: Bookable, start: Pick<Slot, 'date' | 'minute'>): Judgement;
  /** One start as the system has it at this moment and the caller may enquire about it. */
  look(caller: Caller, bookable: Bookable, question: StayQuestion): Promise<Outcome<Look>>;
  /** All starts of a trading day as the system has them at this moment and the caller may have them. */
  day(caller: Caller, bookable: Bookable, question: DayQuestion): Promise<Outcome<OfferedDay>>;
  /** The same for several trading days, which ascend. */
  days(caller: Caller, bookable: Bookable, question: DaysQuestion): Promise<Outcome<OfferedDay[]>>;
  /** What answers to callers came to on this node. */
  counts: OutcomeCounts;
}

export interface BatchQuestion {
  productId: ProductId;
  date: string;
  /** Covers or tickets. */
  quantity: number;
  /** For tables alone: events take place when they do. */
  time?: string | undefined;
}

export interface Judgement {
  /** The rule that takes the whole start. */
  verdict: RuleVerdict | undefined;
  /** Spaces that rules take out of it. */
  blocked: ReadonlyMap<number, RuleVerdict>;
}

export interface StayQuestion extends Party {
  date: string;
  minute: number;
  startMs: number;
  durationMinutes: number | null;
  spaceId: number | null;
}

export type DayQuestion = Pick<StayQuestion, 'date' | 'adults' | 'children' | 'durationMinutes'>;

export interface DaysQuestion extends Omit<DayQuestion, 'date'> {
  dates: readonly string[];
}

export interface OfferedDay {
  date: string;
  isClosed: boolean;
  /** In the order of their starts, including unavailable ones. */
  offers: Offer[];
  partySizes: ProductAvailability['partySizes'];
}

export interface Look {
  isClosed: boolean;
  /** Undefined: there is no such start. */
  offer: Offer | undefined;
}

export interface AvailabilityDeps {
  sql: Sql;
  clock: Clock;
  venues: Venues;
  registry: Registry;
  operatorRules: OperatorRules;
  rules: Rules;
}

interface Moment {
  nowMs: number;
  ask: Ask;
}

export function createAvailability(deps: AvailabilityDeps): AvailabilityService {
  const { clock, venues, operatorRules } = deps;
  const cached = createAnswerCache();
  const ask = askingAlone(deps);
  const counts = createOutcomeCounts(
    'availability_answers_total',
    'Questions about a product, by outcome: offered, nothing, refused, failed.',
    ['outcome'],
  );

  async function counted(answering: Promise<Availability>): Promise<Availability> {
    try {
      const answered = await answering;
      counts.add({ outcome: answered.times.length > 0 ? 'offered' : 'nothing' });
      return answered;
    } catch (error) {
      counts.add({ outcome: outcomeOf(error).outcome });
      throw error;
    }
  }

  async function answer(
    caller: Caller,
    { venue, product }: Bookable,
    query: AvailabilityQuery,
    moment: Moment,
  ): Promise<Availability> {
    const { nowMs } = moment;
    const closesOn = (date: string) => closingMinute(product, date);
    const window = windowOf(query, venue.timeZone, closesOn);
    const audience = operatorRules.audienceOf(caller, venue);
    const [outcome, ruleSlot] = await Promise.all([
      moment.ask({
        productId: product.id,
        venueId: venue.id,
        zone: venue.timeZone,
        dates: window.dates,
        adults: query.partySize,
        children: query.children,
        ...(query.duration !== undefined && { durationMinutes: query.duration }),
        nowMs,
      }),
      slotRulerFor(deps.rules, caller, { venue, product }, { query, nowMs }),
    ]);
    if (outcome.kind !== 'ok') throw problemOf(outcome);
    const system = outcome.value;
    const workOut = () => {
      const compiled = operatorRules.compiled(venue);
      const context = { venue, product, operatorRules: compiled, audience, query, ruleSlot };
      const slots = slotsIn(window, system.days, closesOn);
      // The night before is read for its late starts; without one of them it is not part of the answer.
      const days = (window.instants ? system.days.slice(1) : system.days).map((day) =>
        shownDay(product, day),
      );
      return answerOf({ ...system, days }, offersOf(slots, context), {
        venue,
        product,
        party: { adults: query.partySize, children: query.children },
        date: query.date ?? slots[0]?.date ?? days[0]?.date ?? '',
        includeUnavailable: query.includeUnavailable,
      });
    };
    // What booking rules say of a start changes with the hour, not only with the system's answer.
    if (ruleSlot) return workOut();
    const seenBy = visibilityKey(visibilityOf(caller));
    return cached(system, venue, `${seenBy} ${product.id} ${liveJson(query)}`, workOut);
  }

  async function days(
    caller: Caller,
    { venue, product }: Bookable,
    { dates, adults, children, durationMinutes }: DaysQuestion,
  ): Promise<Outcome<OfferedDay[]>> {
    const nowMs = clock().epochMilliseconds;
    const query = {
      partySize: adults,
      children,
      ...(durationMinutes !== null && { duration: durationMinutes }),
      includeUnavailable: true,
    };
    const [outcome, ruleSlot] = await Promise.all([
      ask({
        productId: product.id,
        venueId: venue.id,
        zone: venue.timeZone,
        dates,
        adults,
        children,
        ...(durationMinutes !== null && { durationMinutes }),
        nowMs,
      }),
      slotRulerFor(deps.rules, caller, { venue, product }, { query, nowMs }),
    ]);
    if (outcome.kind !== 'ok') return outcome;
    const { partySizes } = outcome.value;
    const byDate = new Map(outcome.value.days.map((day) => [day.date, day]));
    const context = {
      venue,
      product,
      operatorRules: operatorRules.compiled(venue),
      audience: operatorRules.audienceOf(caller, venue),
      query,
      ruleSlot,
    };
    return ok(
      dates.map((date) => {
        const day = byDate.get(date);
        const isClosed = !day || shownDay(product, day).isClosed;
        return { date, isClosed, offers: offersOf(day?.slots ?? [], context), partySizes };
      }),
    );
  }

  return {
    judge(caller, { venue, product }, { date, minute }) {
      const audience = operatorRules.audienceOf(caller, venue);
      const start = { date, minute, weekday: weekdayOf(date), productId: product.id, audience };
      const compiled = operatorRules.compiled(venue);
      return { verdict: judge(compiled, start), blocked: blockedSpaces(compiled, start) };
    },

    async look(caller, { venue, product }, question) {
      const { adults, children, durationMinutes, spaceId } = question;
      const outcome = await ask({
        productId: product.id,
        venueId: venue.id,
        zone: venue.timeZone,
        dates: [question.date],
        adults,
        children,
        ...(durationMinutes !== null && { durationMinutes }),
        ...(spaceId !== null && { spaceId }),
        nowMs: clock().epochMilliseconds,
      });
      if (outcome.kind !== 'ok') return outcome;
      const [day] = outcome.value.days;
      const isWholeMinute = question.startMs % MS_PER_MINUTE === 0;
      const slots = day?.slots.filter(({ minute }) => minute === question.minute && isWholeMinute) ?? [];
      // Asked of the operator, a space may be taken at this moment, although another is free.
      const enquired = slots.map((slot): Slot => ({ ...slot, type: 'request' }));
      const audience = operatorRules.audienceOf(caller, venue);
      const query = { partySize: adults, children, includeUnavailable: true };
      const [offer] = offersOf(enquired, {
        venue,
        product,
        operatorRules: operatorRules.compiled(venue),
        audience,
        query,
      });
      return ok({ isClosed: !day || shownDay(product, day).isClosed, offer });
    },

    days,
    counts,

    async day(caller, bookable, { date, ...question }) {
      const outcome = await days(caller, bookable, { ...question, dates: [date] });
      if (outcome.kind !== 'ok') return outcome;
      const [day] = outcome.value;
      return day ? ok(day) : { kind: 'unavailable' };
    },

    get(caller, productId, query) {
      const moment = { ask, nowMs: clock().epochMilliseconds };
      const bookable = venues.getBookable(caller, productId);
      return counted(bookable.then((found) => answer(caller, found, query, moment)));
    },

    findTables(caller, question) {
      const moment = { ask: askingTogether(deps), nowMs: clock().epochMilliseconds };
      const askProduct: AskProduct = (bookable, query) => answer(caller, bookable, query, moment);
      return findTables(deps, caller, question, askProduct);
    },

    batch(caller) {
      const moment = { ask: askingTogether(deps), nowMs: clock().epochMilliseconds };
      const bookables = new Map<ProductId, Promise<Bookable>>();
      const answerQuestion = async ({ productId, date, quantity, time }: BatchQuestion) => {
        const bookable = await bookables.getOrInsertComputed(productId, () =>
          venues.getBookable(caller, productId),
        );
        const isTimed =
          deps.registry.capabilityOf(partsOfVenueId(bookable.venue.id).tms) === 'table_reservation';
        const query = {
          partySize: quantity,
          children: 0,
          date,
          ...(isTimed && time !== undefined && { time }),
          includeUnavailable: false,
        };
        return answer(caller, bookable, query, moment);
      };
      return (question) => counted(answerQuestion(question));
    },
  };
}

interface Answered {
  /** Weak references: the cache does not keep either alive. */
  system: WeakRef<ProductAvailability>;
  venue: WeakRef<VenueRecord>;
  answer: Availability;
}

/** The text of an answer, which is kept with it, and the answer itself, which takes about twice as much. */
const BYTES_PER_CHARACTER = 3;

/**
 * A system that returns the same object has verified that it is current. The answer made from it for the same venue,
 * as this caller sees it, and the same query is then reused too.
 */
function createAnswerCache() {
  const answers = new ReadCache<Answered>('availability_answers', () => true);
  return (
    system: ProductAvailability,
    venue: VenueRecord,
    question: string,
    workOut: () => Availability,
  ): Availability => {
    const known = answers.get(question);
    if (known && known.system.deref() === system && known.venue.deref() === venue) return known.answer;
    const answer = workOut();
    const bytes = BYTES_PER_CHARACTER * liveJson(answer).length;
    const kept = { system: new WeakRef(system), venue: new WeakRef(venue), answer };
    answers.keep(answers.beginRead(), question, kept, bytes, []);
    return answer;
  };
}

/** What the operator has closed is closed, whatever the system says. */
const shownDay = (product: ProductRecord, day: DayAvailability): DayAvailability =>
  !day.isClosed && isClosedOn(product, day.date) ? { ...day, isClosed: true } : day;

function problemOf(outcome: Refusal): Problem {
  switch (outcome.kind) {
    case 'refused':
      if (outcome.reason === 'duration')
        return problem('AVAIL-N-006', outcome.detail === undefined ? {} : { detail: outcome.detail });
      // For example credentials that it does not accept: the product may well exist.
      return outcome.reason === 'rejected'
        ? problem('AVAIL-R-001', { detail: 'The system of this venue refuses to answer.' })
        : problem('AVAIL-N-001');
    case 'rate-limited':
      return problem('AVAIL-R-001', { retryAfterSeconds: outcome.retryAfterSeconds });
    case 'unavailable':
    case 'unknown':
      return problem('AVAIL-R-001', {
        detail: 'The system of this venue does not answer; try again shortly.',
      });
  }
}

/** A window without an end lasts until the end of the trading day in which it begins. */
function slotsIn(
  { instants, includes }: Window,
  days: readonly DayAvailability[],
  closesOn: ClosesOn,
): Slot[] {
  const isAhead = ({ slots }: DayAvailability) =>
    slots.some(({ startMs }) => startMs >= (instants?.startMs ?? startMs));
  const isOpenEnded = instants !== undefined && instants.endMs === undefined;
  const asked = isOpenEnded ? days.filter(isAhead).slice(0, 1) : days;
  return asked.flatMap(({ date, slots }) => {
    const day = {
      firstMinute: slots[0]?.minute ?? 0,
      lastMinute: slots.at(-1)?.minute ?? 0,
      closesMinute: closesOn(date) ?? 0,
    };
    return slots.filter((slot) => includes(slot, day));
  });
}

export { FoundTables, TableQuestion } from './find/schema.ts';
export { crossedBands, type Spends } from './minimum-spend.ts';
export { type Offer, offersOf } from './offer.ts';
export { assertScopeReferences, contentOf, recordingRuleLosses } from './operator-rules/checks.ts';
export {
  type Audience,
  aimedAt,
  type CompiledRules,
  compileRules,
  ruleSlotBy,
  rulesFor,
} from './operator-rules/operator-rules.ts';
export { MAX_LISTED } from './operator-rules/schema.ts';
export { MAX_RULES } from './operator-rules/storing.ts';
export { AvailabilityQuery, MOST_GUESTS } from './query.ts';
