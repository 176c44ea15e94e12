/** What of a supplier's option can be had: its key in our product ids, the units of a party, its starts. */
import type { ProductId } from '../../kernel/ids.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { dayClock, localOf, MINUTES_PER_DAY, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import {
  type AvailabilityQuery,
  type Obstacle,
  type Outcome,
  ok,
  type PartySizes,
  type ProductAvailability,
  refused,
  type Slot,
} from '../contract.ts';
import type { Settings } from '../remote.ts';
import type { Availability, Option, Product, Unit } from './schema.ts';

/** An option, and the type of unit that all guests have; absent: adults and children each have theirs. */
export interface OptionKey {
  productId: string;
  optionId: string;
  unitType?: string;
}

const SEPARATOR = '~';
const KEY = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/;

/** Characters that our ids cannot have, and `_` itself, become their bytes: `1|a` is `1_7ca`. */
const escaped = (part: string) =>
  part.replace(/[^A-Za-z0-9.-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );
const unescaped = (part: string) =>
  part.replace(/(?:_[0-9a-f]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('_', ''), 'hex').toString());

/** Undefined where it would be too long, or does not begin with a letter or digit. */
export function keyOf({ productId, optionId, unitType }: OptionKey): string | undefined {
  const parts = [productId, optionId, ...(unitType === undefined ? [] : [unitType])];
  const key = parts.map(escaped).join(SEPARATOR);
  return parts.every((part) => part !== '') && KEY.test(key) ? key : undefined;
}

export function optionKeyOf(productId: ProductId): OptionKey | undefined {
  const key = productId.slice(productId.lastIndexOf('|') + 1);
  const [product, option, unitType, ...rest] = key.split(SEPARATOR).map(unescaped);
  if (!product || !option || rest.length > 0) return undefined;
  return { productId: product, optionId: option, ...(unitType !== undefined && { unitType }) };
}

/** The units that adults and children get. */
export interface PartyUnits {
  adult: Unit;
  child: Unit;
}

export function unitsOf(option: Option, unitType: string | undefined, settings: Settings) {
  const sellable = option.units.filter(standsAlone);
  const byType = (type: string) => sellable.find((unit) => unit.type === type);
  const byId = (id: unknown) => option.units.find((unit) => unit.id === id);
  if (unitType !== undefined) {
    const only = byType(unitType);
    return only && { adult: only, child: only };
  }
  const adult =
    byId(settings.adultUnit) ?? byType('ADULT') ?? (sellable.length === 1 ? sellable[0] : undefined);
  // A child comes with an adult, so its unit may ask for one.
  const child =
    byId(settings.childUnit) ??
    option.units.find(({ type, restrictions }) => type === 'CHILD' && restrictions.paxCount === 1);
  return adult && { adult, child: child ?? adult };
}

/** A unit for one guest that can be bought without another. */
export const standsAlone = ({ restrictions }: Unit) =>
  restrictions.paxCount === 1 && restrictions.accompaniedBy.length === 0;

interface Party {
  adults: number;
  children: number;
}

/** How many of which unit, by its id. */
export type Quantities = ReadonlyMap<string, number>;

export function quantitiesOf({ adult, child }: PartyUnits, { adults, children }: Party): Quantities {
  const quantities = new Map<string, number>();
  for (const [unit, count] of [[adult, adults] as const, [child, children] as const])
    if (count > 0) quantities.set(unit.id, (quantities.get(unit.id) ?? 0) + count);
  return quantities;
}

export function neverFits(option: Option, { adult, child }: PartyUnits, party: Party): boolean {
  const { minUnits, maxUnits } = option.restrictions;
  const guests = party.adults + party.children;
  if (guests < (minUnits ?? 1) || guests > (maxUnits ?? guests)) return true;
  const quantities = quantitiesOf({ adult, child }, party);
  return [adult, child].some(({ id, restrictions: { minQuantity, maxQuantity } }) => {
    const count = quantities.get(id);
    return count !== undefined && (count < (minQuantity ?? 0) || count > (maxQuantity ?? count));
  });
}

export interface Start {
  availability: Availability;
  startMs: number;
  durationMinutes: number;
}

/** The starts of an answer, in order; the answer is not used if it is for another zone or ends before it begins. */
export function startsIn(list: readonly Availability[], zone: string): Outcome<Start[]> {
  const starts = new Map<number, Start>();
  for (const availability of list) {
    const { localDateTimeStart, localDateTimeEnd } = availability;
    const startMs = instantOf(localDateTimeStart).epochMilliseconds;
    const endMs = instantOf(localDateTimeEnd).epochMilliseconds;
    if (endMs <= startMs) return unusable('A start ends before it begins.');
    const { date, minute } = localOf(zone, startMs);
    const wall = `${date}T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    if (!localDateTimeStart.toUpperCase().startsWith(wall))
      return unusable('The starts are of another time zone.');
    // What begins within a minute, or in an hour that the clocks show for the second time, cannot be named here.
    if (dayClock(zone, date).epochMsOf(minute) !== startMs) continue;
    const known = starts.get(startMs);
    const start = { availability, startMs, durationMinutes: Math.round((endMs - startMs) / MS_PER_MINUTE) };
    if (!known || (availability.available && !known.availability.available)) starts.set(startMs, start);
  }
  return ok([...starts.values()].sort((a, b) => a.startMs - b.startMs));
}

const unusable = (detail: string) => ({ kind: 'unavailable', detail }) as const;

/** Why so many units cannot be had at this start; permanent reasons first. */
export function obstacleTo(
  { availability, startMs }: Start,
  { units, isNeverFitting, nowMs }: { units: number; isNeverFitting: boolean; nowMs: number },
): Obstacle | undefined {
  const { available, status, vacancies, capacity, maxUnits, utcCutoffAt } = availability;
  const isUnlimited = status === 'FREESALE';
  if (isNeverFitting || units > (maxUnits ?? units) || (!isUnlimited && units > (capacity ?? units)))
    return 'party-never-fits';
  if (startMs < nowMs || (utcCutoffAt && instantOf(utcCutoffAt).epochMilliseconds < nowMs)) return 'too-soon';
  const isLeft = isUnlimited || (status !== 'SOLD_OUT' && units <= (vacancies ?? units));
  return available && isLeft ? undefined : 'taken';
}

/** Bounds where nothing is on, so that the refusal is not about the duration. */
const ANY_LENGTH = [1, MINUTES_PER_DAY] as const;

export function availabilityOf(
  starts: readonly Start[],
  query: AvailabilityQuery,
  { option, isNeverFitting }: { option: Option; isNeverFitting: boolean },
): Outcome<ProductAvailability> {
  const open = starts.filter(({ availability }) => availability.status !== 'CLOSED');
  const lengths = open.length > 0 ? open.map(({ durationMinutes }) => durationMinutes) : ANY_LENGTH;
  const bounds = { minMinutes: Math.min(...lengths), maxMinutes: Math.max(...lengths), stepMinutes: 1 };
  const wanted = query.durationMinutes;
  if (wanted !== undefined && (wanted < bounds.minMinutes || wanted > bounds.maxMinutes))
    return refused('duration');
  const units = query.adults + query.children;
  const asked = { units, isNeverFitting, nowMs: query.nowMs };
  const slots = open
    .filter(({ durationMinutes }) => wanted === undefined || wanted === durationMinutes)
    .map((start): Slot => {
      const { startMs, durationMinutes } = start;
      const obstacle = obstacleTo(start, asked);
      return {
        ...localOf(query.zone, startMs),
        startMs,
        durationMinutes,
        type: 'book',
        ...(obstacle && { obstacle }),
        spaces: [],
      };
    });
  const byDate = Map.groupBy(slots, ({ date }) => date);
  const openDates = new Set(open.map(({ startMs }) => localOf(query.zone, startMs).date));
  return ok({
    bounds,
    policy: null,
    cancellationPolicy: null,
    partySizes: (_, most) => partySizesOf(option, most),
    days: query.dates.map((date) => ({
      date,
      isClosed: !openDates.has(date),
      slots: byDate.get(date) ?? [],
    })),
  });
}

function partySizesOf({ restrictions }: Option, most: number): PartySizes | undefined {
  const smallest = Math.max(1, restrictions.minUnits ?? 1);
  const largest = Math.min(restrictions.maxUnits ?? most, most);
  return largest < smallest ? undefined : { smallest, atOnce: largest, byEnquiry: largest };
}

export const optionIn = (product: Product, optionId: string) =>
  product.options.find(({ id }) => id === optionId);
