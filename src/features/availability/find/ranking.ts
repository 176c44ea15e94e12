/**
 * How close a start comes to a question. Everything is reckoned in minutes: those between the start and the time that
 * was asked for, those of a walk, and some for what is worse in another way. The fewest come first.
 */
import { MINUTES_PER_DAY, minuteOfDay } from '../../../kernel/zone-time.ts';
import { type Candidate, closingMinute, type ProductRecord, type VenueRecord } from '../../venues/service.ts';
import type { Availability, AvailabilityTimeSlot } from '../schema.ts';
import { AROUND_MINUTES, type DayRange, onTradingDay } from '../window.ts';
import { DEFAULT_RADIUS_METRES, type Relaxation, type TableQuestion } from './schema.ts';
import { type Stage, slugOf } from './stages.ts';

const METRES_PER_MINUTE = 80;
const ANOTHER_AREA_MINUTES = 15;
/** For a text that a venue does not match at all, and for each type that it is not of. */
const NO_MATCH_MINUTES = 40;
const REQUEST_MINUTES = 60;
const UNKNOWN_PRICE_MINUTES = 10;
/** A set menu, or a room with a minimum spend, is not what a party that says nothing of it looks for. */
const SET_PRICE_MINUTES = 20;
/** Another start of a venue is of less use than another venue. */
const SECOND_START_MINUTES = 40;
/** How much wider the time becomes when nothing fits. */
const WIDER_MINUTES = 60;

/** What one product of a venue has on the day. */
export interface ProductDay {
  product: ProductRecord;
  availability: Availability;
}

export interface VenueDay {
  venue: VenueRecord;
  candidate: Candidate;
  days: readonly ProductDay[];
}

export interface RankedStart {
  minutesOff: number;
  /** What of the question it does not meet. */
  misses: readonly Relaxation[];
  venueDay: VenueDay;
  day: ProductDay;
  slot: AvailabilityTimeSlot;
  /** Of the trading day. */
  minute: number;
  /** After the time that was asked for, or before it; 0 without one. */
  minutesLater: number;
  space: OfferedSpace | undefined;
  /** Least that a guest has to spend; undefined: the venue does not say. */
  pricePence: number | undefined;
}

export interface OfferedSpace {
  id: number;
  name: string;
  minimumSpendPence: number;
}

/** The order of candidates before their systems are asked. */
export function placeMinutes(candidate: Candidate, question: TableQuestion): number {
  const { metres, relevance } = candidate;
  const isMeant = question.areas !== undefined && candidate.isInAreas;
  const walk = metres === null || (isMeant && !question.near) ? 0 : metres / METRES_PER_MINUTE;
  const words = question.text === undefined ? 0 : (1 - relevance) * NO_MATCH_MINUTES;
  return walk + words + (candidate.isInAreas ? 0 : ANOTHER_AREA_MINUTES);
}

/** The best starts of a venue that miss nothing but what is given up. */
export function bestStarts(
  question: TableQuestion,
  venueDay: VenueDay,
  { relaxed, isEither }: Pick<Stage, 'relaxed' | 'isEither'>,
): RankedStart[] {
  const place = placeOf(question, venueDay);
  if (!place.misses.every((miss) => relaxed.has(miss))) return [];
  if (isEither && place.misses.includes('place') && place.misses.includes('text')) return [];
  const [best, second] = bestTwo(venueDay.days.flatMap((day) => startsOf(question, venueDay, day, relaxed)));
  const within = (start: RankedStart | undefined, more: number): RankedStart[] =>
    start
      ? [
          {
            ...start,
            minutesOff: Math.round(start.minutesOff + place.minutes + more),
            misses: [...start.misses, ...place.misses],
          },
        ]
      : [];
  return [...within(best, 0), ...within(second, SECOND_START_MINUTES)];
}

/** At different times. */
function bestTwo(starts: readonly RankedStart[]): RankedStart[] {
  let best = starts[0];
  if (!best) return [];
  for (const start of starts) if (inOrder(start, best) < 0) best = start;
  let second: RankedStart | undefined;
  for (const start of starts)
    if (start.minute !== best.minute && (!second || inOrder(start, second) < 0)) second = start;
  return second ? [best, second] : [best];
}

/** Ids break ties, so that the same question has the same answer on every node. */
export function inOrder(a: RankedStart, b: RankedStart): number {
  const difference = a.minutesOff - b.minutesOff;
  if (difference !== 0) return difference;
  const [one, other] = [a.day.product.id, b.day.product.id];
  return Number(one > other) - Number(one < other) || a.minute - b.minute;
}

/** What holds for every start of a venue. */
function placeOf(question: TableQuestion, { venue, candidate }: VenueDay) {
  const absent = absentTypes(question, venue).length;
  const isFar = (candidate.metres ?? 0) > radiusOf(question);
  const misses: Relaxation[] = [];
  if (isFar || !candidate.isInAreas) misses.push('place');
  if (question.text !== undefined && candidate.relevance === 0) misses.push('text');
  if (absent > 0) misses.push('types');
  return { misses, minutes: placeMinutes(candidate, question) + absent * NO_MATCH_MINUTES };
}

const radiusOf = ({ near }: TableQuestion) =>
  near ? (near.radius ?? DEFAULT_RADIUS_METRES) : Number.POSITIVE_INFINITY;

export function absentTypes({ types = [] }: TableQuestion, venue: VenueRecord): string[] {
  return types.map(slugOf).filter((slug) => !venue.types.some((type) => type.slug === slug));
}

function startsOf(
  question: TableQuestion,
  venueDay: VenueDay,
  day: ProductDay,
  relaxed: ReadonlySet<Relaxation>,
): RankedStart[] {
  const { minutes, range } = clocks.get(day.availability) ?? readClock(day, question.date);
  const asked = askedTime(question, range);
  const mostOutside = relaxed.has('day') ? Number.POSITIVE_INFINITY : relaxed.has('time') ? WIDER_MINUTES : 0;
  const packagePence = packagePrice(day.product, venueDay.venue, question);
  const starts: RankedStart[] = [];
  for (const [index, minute] of minutes.entries()) {
    const outside = minutesOutside(minute, asked);
    const slot = day.availability.times[index];
    if (!slot || outside > mostOutside) continue;
    const terms = termsOf(slot, packagePence, question);
    if (terms.pricePence !== undefined && terms.pricePence > (question.maxPrice ?? terms.pricePence))
      continue;
    const minutesLater = asked.time === undefined ? 0 : minute - asked.time;
    const away = asked.time === undefined ? outside : Math.abs(minutesLater);
    const minutesOff = away + termMinutes(slot, terms, question);
    starts.push({
      ...{ minutesOff, misses: timeMisses(outside), venueDay, day, slot, minute, minutesLater },
      ...terms,
    });
  }
  return starts;
}

interface Clock {
  minutes: readonly number[];
  range: DayRange;
}

/** An answer that has not changed is the same object again. */
const clocks = new WeakMap<Availability, Clock>();

function readClock({ product, availability }: ProductDay, date: string): Clock {
  const minutes = availability.times.map((slot) => {
    const isAfterMidnight = slot.dateTime.slice(0, slot.date.length) > slot.date;
    return minuteOfDay(slot.time) + (isAfterMidnight ? MINUTES_PER_DAY : 0);
  });
  const closesMinute = closingMinute(product, date) ?? 0;
  const range = { firstMinute: minutes[0] ?? 0, lastMinute: minutes.at(-1) ?? 0, closesMinute };
  clocks.set(availability, { minutes, range });
  return { minutes, range };
}

interface AskedTime {
  /** Undefined: no time is better than another. */
  time: number | undefined;
  from: number;
  to: number;
}

function askedTime({ time, earliest, latest }: TableQuestion, range: DayRange): AskedTime {
  const on = (clockTime: string | undefined) =>
    clockTime === undefined ? undefined : onTradingDay(clockTime, range);
  const around = on(time);
  const from = on(earliest) ?? (around === undefined ? 0 : around - AROUND_MINUTES);
  const to = on(latest) ?? (around === undefined ? Number.POSITIVE_INFINITY : around + AROUND_MINUTES);
  return { time: around, from, to: earliest !== undefined && to < from ? to + MINUTES_PER_DAY : to };
}

const minutesOutside = (minute: number, { from, to }: AskedTime) => Math.max(0, from - minute, minute - to);

function timeMisses(outside: number): readonly Relaxation[] {
  if (outside === 0) return [];
  return outside <= WIDER_MINUTES ? ['time'] : ['day'];
}

type Terms = Pick<RankedStart, 'space' | 'pricePence'>;

const guestsOf = ({ partySize, children = 0 }: TableQuestion) => partySize + children;

/** The space that demands least of those that can be had, and what a guest spends at least. */
function termsOf(
  { product }: AvailabilityTimeSlot,
  packagePence: number | undefined,
  question: TableQuestion,
): Terms {
  if (product.spaces.length === 0) return { space: undefined, pricePence: packagePence };
  const [space] = product.spaces
    .map(({ id, spaceName: name, policies }): OfferedSpace => {
      const minimumSpendPence = policies.minimumSpend.reduce((sum, { amount }) => sum + amount, 0);
      return { id, name, minimumSpendPence };
    })
    .sort((a, b) => a.minimumSpendPence - b.minimumSpendPence || a.id - b.id);
  const spend = Math.ceil((space?.minimumSpendPence ?? 0) / guestsOf(question));
  return { space, pricePence: spend > 0 ? Math.max(spend, packagePence ?? 0) : packagePence };
}

/** For each guest, of the cheapest package where one has to be ordered; undefined: none has. */
function packagePrice(
  { preOrderRequiredType, packageIds }: ProductRecord,
  venue: VenueRecord,
  question: TableQuestion,
): number | undefined {
  if (preOrderRequiredType !== 'package' && preOrderRequiredType !== 'packageAndMenu') return undefined;
  const prices = venue.packages
    .filter(({ id }) => packageIds.includes(id))
    .map(({ pricePence, pricePer }) =>
      pricePer === 'guest' ? pricePence : Math.ceil(pricePence / guestsOf(question)),
    );
  return prices.length === 0 ? undefined : Math.min(...prices);
}

function termMinutes({ type }: AvailabilityTimeSlot, { pricePence }: Terms, { maxPrice }: TableQuestion) {
  const unknown = maxPrice === undefined ? 0 : UNKNOWN_PRICE_MINUTES;
  const known = maxPrice === undefined ? SET_PRICE_MINUTES : 0;
  return (type === 'request' ? REQUEST_MINUTES : 0) + (pricePence === undefined ? unknown : known);
}
