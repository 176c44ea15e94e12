/** What can be had: the same starts as live availability, with those that OCTO cannot book marked as not available. */
import type { AvailabilityService, Offer, OfferedDay } from '../../features/availability/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { type Clock, epochMilliseconds } from '../../kernel/clock.ts';
import { invalid, type Problem, problem } from '../../kernel/problem.ts';
import { instantOf, isDateTime } from '../../kernel/rfc3339.ts';
import {
  addDays,
  dateTimeOf,
  daysBetween,
  isTradingDay,
  localOf,
  MS_PER_MINUTE,
  weekdayOf,
} from '../../kernel/zone-time.ts';
import type { Refusal } from '../../tms/contract.ts';
import { invalidId } from './errors.ts';
import {
  assertOption,
  assertUnit,
  getProduct,
  openingHours,
  type ProductsDeps,
  pricingOf,
  type SoldProduct,
} from './products.ts';
import type { AvailabilityBody, CalendarBody } from './request-schema.ts';
import type { Availability, AvailabilityStatus, CalendarDay, CapabilityId } from './schema.ts';

export interface AvailabilityDeps extends ProductsDeps {
  clock: Clock;
  availability: AvailabilityService;
}

const MOST_DAYS = 100;

interface Start {
  offer: Offer;
  day: OfferedDay;
  /** The day on which clocks show the start; of a late one it is the day after the trading day. */
  localDate: string;
}

export async function checkAvailability(
  deps: AvailabilityDeps,
  caller: Caller,
  body: AvailabilityBody,
  capabilities: ReadonlySet<CapabilityId>,
): Promise<Availability[]> {
  const sold = await getAsked(deps, caller, body);
  const ids = body.availabilityIds ?? undefined;
  if (ids && (body.localDateStart != null || body.localDateEnd != null))
    throw invalid('availabilityIds', 'cannot be sent together with localDateStart and localDateEnd');
  const units = unitsOf(sold, body.units);
  const starts = ids
    ? await startsOf(deps, caller, sold, units, daysOf(ids, sold.venue.timeZone))
    : await startsOf(deps, caller, sold, units, daysBetweenBounds(body));
  const views = starts.map((start) => availabilityView(start, sold, capabilities));
  return ids ? views.filter(({ id }) => ids.some((asked) => isSameStart(asked, id))) : views;
}

export async function checkCalendar(
  deps: AvailabilityDeps,
  caller: Caller,
  body: CalendarBody,
  capabilities: ReadonlySet<CapabilityId>,
): Promise<CalendarDay[]> {
  const sold = await getAsked(deps, caller, body);
  const dates = daysBetweenBounds(body);
  const starts = await startsOf(deps, caller, sold, unitsOf(sold, body.units), dates);
  const byDate = Map.groupBy(starts, ({ localDate }) => localDate);
  return dates.map((date) => calendarView(date, byDate.get(date) ?? [], sold, capabilities));
}

async function getAsked(
  deps: AvailabilityDeps,
  caller: Caller,
  { productId, optionId }: Pick<CalendarBody, 'productId' | 'optionId'>,
): Promise<SoldProduct> {
  const sold = await getProduct(deps, caller, productId);
  assertOption(optionId);
  return sold;
}

function unitsOf(sold: SoldProduct, units: CalendarBody['units']): number {
  for (const { id } of units ?? []) assertUnit(sold, id);
  const asked = (units ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
  return asked === 0 ? sold.minUnits : asked;
}

function daysBetweenBounds({ localDateStart, localDateEnd }: CalendarBody): string[] {
  if (localDateStart == null || localDateEnd == null) {
    const missing = localDateStart == null ? 'localDateStart' : 'localDateEnd';
    throw invalid(missing, 'is required');
  }
  const count = daysBetween(localDateStart, localDateEnd) + 1;
  if (count < 1) throw invalid('localDateEnd', 'must not lie before localDateStart');
  if (count > MOST_DAYS)
    throw invalid('localDateEnd', `must be at most ${MOST_DAYS - 1} days after localDateStart`);
  const dates = Array.from({ length: count }, (_, index) => addDays(localDateStart, index));
  if (
    !isTradingDay(localDateStart) ||
    !isTradingDay(localDateEnd) ||
    !isTradingDay(addDays(localDateStart, -1))
  )
    throw invalid('localDateStart', 'is too far away');
  return dates;
}

/** Ids that are none name no start, so there is nothing to return for them. */
function daysOf(ids: readonly string[], zone: string): string[] {
  const dates = ids.filter(isDateTime).map((id) => localOf(zone, instantOf(id).epochMilliseconds).date);
  return [...new Set(dates)].filter((date) => isTradingDay(date) && isTradingDay(addDays(date, -1))).sort();
}

const isSameStart = (asked: string, id: string) =>
  isDateTime(asked) && instantOf(asked).equals(instantOf(id));

/** Starts on these local days that have not begun. */
async function startsOf(
  { availability, clock }: AvailabilityDeps,
  caller: Caller,
  sold: SoldProduct,
  units: number,
  localDates: readonly string[],
): Promise<Start[]> {
  if (localDates.length === 0) return [];
  const zone = sold.venue.timeZone;
  const wanted = new Set(localDates);
  // A trading day may last until the next morning.
  const dates = [...new Set(localDates.flatMap((date) => [addDays(date, -1), date]))].sort();
  const question = { dates, adults: units, children: 0, durationMinutes: null };
  const outcome = await availability.days(caller, sold, question);
  if (outcome.kind !== 'ok') throw problemOf(outcome, sold);
  const nowMs = epochMilliseconds(clock);
  return outcome.value.flatMap((day) =>
    day.offers
      .filter(({ slot }) => slot.startMs > nowMs)
      .map((offer) => ({ offer, day, localDate: localOf(zone, offer.slot.startMs).date }))
      .filter(({ localDate }) => wanted.has(localDate)),
  );
}

function problemOf(outcome: Refusal, { product }: SoldProduct): Problem {
  if (outcome.kind === 'refused')
    return invalidId(
      'productId',
      product.id,
      'AVAIL-N-001',
      'The system of the venue does not know this product.',
    );
  return outcome.kind === 'rate-limited'
    ? problem('AVAIL-R-001', { retryAfterSeconds: outcome.retryAfterSeconds })
    : problem('AVAIL-R-001', { detail: 'The system of this venue does not answer; try again shortly.' });
}

function statusOf({ type, requestReason, reasons, slot }: Offer): AvailabilityStatus {
  const { spots } = slot;
  const isTaken = reasons.includes('AVAIL-N-005') || (type === 'request' && requestReason === 'fully_booked');
  if (isTaken) return spots && spots.open > 0 ? 'LIMITED' : 'SOLD_OUT';
  if (reasons.length > 0 || type === 'request') return 'CLOSED';
  return spots && spots.open * 2 < spots.total ? 'LIMITED' : 'AVAILABLE';
}

const isAvailable = ({ type, reasons }: Offer) => type === 'book' && reasons.length === 0;

function maxUnitsOf({ spots }: Offer['slot'], { maxUnits }: SoldProduct): number | null {
  const limits = [spots?.open, maxUnits].filter((limit) => limit != null);
  return limits.length > 0 ? Math.min(...limits) : null;
}

function availabilityView(
  { offer, day }: Start,
  sold: SoldProduct,
  capabilities: ReadonlySet<CapabilityId>,
): Availability {
  const { slot } = offer;
  return {
    ...startView(sold.venue.timeZone, slot.startMs, slot.durationMinutes),
    available: isAvailable(offer),
    status: statusOf(offer),
    vacancies: slot.spots?.open ?? null,
    capacity: slot.spots?.total ?? null,
    maxUnits: maxUnitsOf(slot, sold),
    openingHours: openingHours(sold.product, day.date, weekdayOf(day.date)),
    ...(capabilities.has('octo/pricing') && {
      unitPricing: [{ unitId: sold.unitId, ...pricingOf(sold, 1) }],
    }),
  };
}

/** A start, named by the local time and its offset. */
export function startView(zone: string, startMs: number, durationMinutes: number) {
  const start = dateTimeOf(zone, startMs);
  return {
    id: start,
    localDateTimeStart: start,
    localDateTimeEnd: dateTimeOf(zone, startMs + durationMinutes * MS_PER_MINUTE),
    // Whole seconds, as OCTO's examples have them.
    utcCutoffAt: new Date(startMs).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    allDay: false,
  };
}

const BEST: readonly AvailabilityStatus[] = ['AVAILABLE', 'LIMITED', 'SOLD_OUT', 'CLOSED'];

function calendarView(
  localDate: string,
  starts: readonly Start[],
  sold: SoldProduct,
  capabilities: ReadonlySet<CapabilityId>,
): CalendarDay {
  const available = starts.some(({ offer }) => isAvailable(offer));
  const counted = available ? starts.filter(({ offer }) => isAvailable(offer)) : starts;
  const statuses = new Set(counted.map(({ offer }) => statusOf(offer)));
  const spots = counted.flatMap(({ offer }) => offer.slot.spots ?? []);
  const most = (values: number[]) => (values.length > 0 ? Math.max(...values) : null);
  return {
    localDate,
    available,
    status: BEST.find((status) => statuses.has(status)) ?? 'CLOSED',
    vacancies: most(spots.map(({ open }) => open)),
    capacity: most(spots.map(({ total }) => total)),
    openingHours: openingHours(sold.product, localDate, weekdayOf(localDate)),
    ...(capabilities.has('octo/pricing') && {
      unitPricingFrom: [{ unitId: sold.unitId, ...pricingOf(sold, 1) }],
    }),
  };
}
