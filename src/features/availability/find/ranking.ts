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
const STARTS_PER_VENUE = 2;
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
  const isMeant = question.areas !== undefined && isInAreas(question, candidate);
  const walk = metres === null || (isMeant && !question.near) ? 0 : metres / METRES_PER_MINUTE;
  const words = question.text === undefined ? 0 : (1 - relevance) * NO_MATCH_MINUTES;
  return walk + words + (isInAreas(question, candidate) ? 0 : ANOTHER_AREA_MINUTES);
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
  const starts = venueDay.days.flatMap((day) => startsOf(question, venueDay, day, relaxed));
  const chosen: RankedStart[] = [];
  for (const start of starts.sort(inOrder)) {
    if (chosen.some(({ minute }) => minute === start.minute)) continue;
    const more = place.minutes + (chosen.length > 0 ? SECOND_START_MINUTES : 0);
    const minutesOff = Math.round(start.minutesOff + more);
    chosen.push({ ...start, minutesOff, misses: [...start.misses, ...place.misses] });
    if (chosen.length === STARTS_PER_VENUE) break;
  }
  return chosen;
}

/** Ids break ties, so that the same question has the same answer on every node. */
export function inOrder(a: RankedStart, b: RankedStart): number {
  const [one, other] = [a.day.product.id, b.day.product.id];
  return a.minutesOff - b.minutesOff || Number(one > other) - Number(one < other) || a.minute - b.minute;
}

/** What holds for every start of a venue. */
function placeOf(question: TableQuestion, { venue, candidate }: VenueDay) {
  const absent = absentTypes(question, venue).length;
  const isFar = (candidate.metres ?? 0) > radiusOf(question);
  const misses: Relaxation[] = [];
  if (isFar || !isInAreas(question, candidate)) misses.push('place');
  if (question.text !== undefined && candidate.relevance === 0) misses.push('text');
  if (absent > 0) misses.push('types');
  return { misses, minutes: placeMinutes(candidate, question) + absent * NO_MATCH_MINUTES };
}

export function isInAreas({ areas }: TableQuestion, { area }: { area: string }): boolean {
  return areas === undefined || areas.some((asked) => asked.toLowerCase() === area.toLowerCase());
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
  const { times } = day.availability;
  const minutes = minutesOf(times);
  const closesMinute = closingMinute(day.product, question.date) ?? 0;
  const range = { firstMinute: minutes[0] ?? 0, lastMinute: minutes.at(-1) ?? 0, closesMinute };
  const asked = askedTime(question, range);
  const starts: RankedStart[] = [];
  for (const [index, slot] of times.entries()) {
    const minute = minutes[index] ?? 0;
    const misses = timeMisses(minute, asked);
    if (!misses.every((miss) => relaxed.has(miss))) continue;
    const terms = termsOf(slot, day.product, venueDay.venue, question);
    if (terms.pricePence !== undefined && terms.pricePence > (question.maxPrice ?? terms.pricePence))
      continue;
    const minutesLater = asked.time === undefined ? 0 : minute - asked.time;
    const away = asked.time === undefined ? minutesOutside(minute, asked) : Math.abs(minutesLater);
    const minutesOff = away + termMinutes(slot, terms, question);
    starts.push({ minutesOff, misses, venueDay, day, slot, minute, minutesLater, ...terms });
  }
  return starts;
}

/** Times ascend; one that is less than the one before it is after midnight. */
function minutesOf(times: readonly AvailabilityTimeSlot[]): number[] {
  let days = 0;
  let before = -1;
  return times.map(({ time }) => {
    const minute = minuteOfDay(time);
    if (minute < before) days += 1;
    before = minute;
    return minute + days * MINUTES_PER_DAY;
  });
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

const WIDER: readonly Relaxation[] = ['time'];
const ANY_TIME: readonly Relaxation[] = ['day'];
const NOTHING: readonly Relaxation[] = [];

function timeMisses(minute: number, asked: AskedTime): readonly Relaxation[] {
  const outside = minutesOutside(minute, asked);
  if (outside === 0) return NOTHING;
  return outside <= WIDER_MINUTES ? WIDER : ANY_TIME;
}

type Terms = Pick<RankedStart, 'space' | 'pricePence'>;

/** The space that demands least of those that can be had, and what a guest spends in it at least. */
function termsOf(
  slot: AvailabilityTimeSlot,
  product: ProductRecord,
  venue: VenueRecord,
  { partySize, children = 0 }: TableQuestion,
): Terms {
  const guests = partySize + children;
  let space: OfferedSpace | undefined;
  for (const { id, spaceName: name, policies } of slot.product.spaces) {
    const minimumSpendPence = policies.minimumSpend.reduce((sum, { amount }) => sum + amount, 0);
    if (!space || minimumSpendPence < space.minimumSpendPence) space = { id, name, minimumSpendPence };
  }
  const prices = [
    ...packagePrices(product, venue, guests),
    ...(space && space.minimumSpendPence > 0 ? [Math.ceil(space.minimumSpendPence / guests)] : []),
  ];
  return { space, pricePence: prices.length === 0 ? undefined : Math.max(...prices) };
}

/** Of the cheapest package where one has to be ordered. */
function packagePrices(product: ProductRecord, venue: VenueRecord, guests: number): number[] {
  const isOrdered = ['package', 'packageAndMenu'].includes(product.preOrderRequiredType);
  if (!isOrdered || product.packageIds.length === 0) return [];
  const prices = venue.packages
    .filter(({ id }) => product.packageIds.includes(id))
    .map(({ pricePence, pricePer }) => (pricePer === 'guest' ? pricePence : Math.ceil(pricePence / guests)));
  return prices.length === 0 ? [] : [Math.min(...prices)];
}

function termMinutes({ type }: AvailabilityTimeSlot, { pricePence }: Terms, { maxPrice }: TableQuestion) {
  const unknown = maxPrice === undefined ? 0 : UNKNOWN_PRICE_MINUTES;
  const known = maxPrice === undefined ? SET_PRICE_MINUTES : 0;
  return (type === 'request' ? REQUEST_MINUTES : 0) + (pricePence === undefined ? unknown : known);
}
