import { addDays, type DayClock, localOf, MS_PER_MINUTE, msFrom, weekdayOf } from '../../kernel/zone-time.ts';
import type { DayAvailability, Obstacle, RequestReason, Slot, SlotType, Untimely } from '../contract.ts';
import { unitsFor } from './allocation.ts';
import { type HouseProduct, type Period, periodsOn } from './book.ts';
import { freeStarts, hasStart, type Stays, type Taken, takenStarts } from './occupancy.ts';

/**
 * Which starts of a trading day a party can have. Pure: the configuration, the stays at that moment and the
 * time of asking go in, slots come out. Booking asks the same functions again under its lock.
 */

export interface Party {
  guests: number;
  durationMinutes: number;
  zone: string;
  nowMs: number;
}

/** What changes from minute to minute, read in one statement. */
export interface LiveState {
  stays: Stays;
  /** Guests of the product by the instant their stay begins. */
  guestsByStartMs: ReadonlyMap<number, number>;
}

export interface SlotStart {
  minute: number;
  startMs: number;
}

/** Whether the product trades at all on that day. */
export function isClosedOn(product: HouseProduct, date: string): boolean {
  return periodsOn(product, date, weekdayOf(date)).length === 0;
}

const DAYS_REMEMBERED = 500;
/** Of each product the day that was asked for last: a search asks many products for the same day again and again. */
const remembered = new Map<HouseProduct, { question: string; starts: readonly SlotStart[] }>();

/** Starts of the day whose whole stay lies in one of its periods, ascending. */
export function startsOf(
  product: HouseProduct,
  clock: DayClock,
  durationMinutes: number,
): readonly SlotStart[] {
  const question = `${clock.zone} ${clock.date} ${durationMinutes}`;
  const known = remembered.get(product);
  if (known?.question === question) return known.starts;
  const starts = readStarts(product, clock, durationMinutes);
  if (remembered.size >= DAYS_REMEMBERED)
    for (const [oldest] of remembered.entries().take(1)) remembered.delete(oldest);
  remembered.set(product, { question, starts });
  return starts;
}

function readStarts(product: HouseProduct, clock: DayClock, durationMinutes: number): SlotStart[] {
  const found = new Map<number, SlotStart>();
  for (const period of periodsOn(product, clock.date, weekdayOf(clock.date))) {
    const latestMs = closingMs(clock, period) - durationMinutes * MS_PER_MINUTE;
    for (let minute = period.opens; minute < period.closes; minute += product.intervalMinutes) {
      const startMs = clock.epochMsOf(minute);
      if (startMs !== undefined && startMs <= latestMs) found.set(minute, { minute, startMs });
    }
  }
  return [...found.values()].sort((a, b) => a.minute - b.minute);
}

/**
 * A stay is elapsed time, so it is held against the instant of closing. When the clocks skip that time, the
 * house closes as they jump.
 */
const closingMs = (clock: DayClock, { closes }: Period) => msFrom(clock, closes);

/**
 * The start that a booking asks for. Where clocks repeat an hour, a list shows each time once, by its first
 * instant; a booking may mean the second, which is fine as long as the stay still ends by closing.
 */
export function findStart(
  product: HouseProduct,
  clock: DayClock,
  asked: SlotStart,
  durationMinutes: number,
): SlotStart | undefined {
  const { minute, startMs } = asked;
  if (!isShownAt(clock, minute, startMs)) return undefined;
  const endMs = startMs + durationMinutes * MS_PER_MINUTE;
  const fits = periodsOn(product, clock.date, weekdayOf(clock.date)).some(
    (period) =>
      minute >= period.opens &&
      (minute - period.opens) % product.intervalMinutes === 0 &&
      endMs <= closingMs(clock, period),
  );
  return fits ? { minute, startMs } : undefined;
}

export function isShownAt(clock: DayClock, minute: number, epochMs: number): boolean {
  const firstMs = clock.epochMsOf(minute);
  if (firstMs === undefined || firstMs === epochMs) return firstMs === epochMs;
  const shown = localOf(clock.zone, epochMs);
  const meant = localOf(clock.zone, firstMs);
  return shown.date === meant.date && shown.minute === meant.minute && epochMs % MS_PER_MINUTE === 0;
}

export function daySlots(
  product: HouseProduct,
  date: string,
  starts: readonly SlotStart[],
  party: Party,
  live: LiveState,
): DayAvailability {
  return { date, isClosed: isClosedOn(product, date), slots: slotsAt(product, date, starts, party, live) };
}

/** A slot for each of the starts, which ascend. */
export function slotsAt(
  product: HouseProduct,
  date: string,
  starts: readonly SlotStart[],
  party: Party,
  { stays, guestsByStartMs }: LiveState,
): Slot[] {
  const taken = takenAt(stays, starts, party.durationMinutes);
  return slotsBeside(product, date, starts, party, { taken, guestsByStartMs });
}

export function takenAt(stays: Stays, starts: readonly SlotStart[], durationMinutes: number): Taken {
  const startsMs = starts.map(({ startMs }) => startMs);
  return takenStarts(stays, startsMs, durationMinutes * MS_PER_MINUTE);
}

/** The same where it is known already which tables are taken, as it is for all parties that stay equally long. */
export function slotsBeside(
  product: HouseProduct,
  date: string,
  starts: readonly SlotStart[],
  party: Party,
  { taken, guestsByStartMs }: { taken: Taken } & Pick<LiveState, 'guestsByStartMs'>,
): Slot[] {
  const { guests, durationMinutes } = party;
  const suitable = unitsFor(product.units, guests);
  const free = freeStarts(suitable, taken, starts.length);
  const spaces = product.spaces
    .map(({ spaceId, units }) => ({ spaceId, suitable: unitsFor(units, guests) }))
    .filter((space) => space.suitable.length > 0)
    .map((space) => ({ spaceId: space.spaceId, free: freeStarts(space.suitable, taken, starts.length) }));
  const judge = judgeOf(product, party, date, suitable.length > 0);
  return starts.map(({ minute, startMs }, index) => ({
    ...judge(startMs, hasStart(free, index), guestsByStartMs.get(startMs) ?? 0),
    date,
    minute,
    startMs,
    durationMinutes,
    spaces: spaces.map((space) => ({ spaceId: space.spaceId, isFree: hasStart(space.free, index) })),
  }));
}

interface Verdict {
  type: SlotType;
  requestReason?: RequestReason;
  obstacle?: Obstacle;
  untimely?: Untimely;
}

const BOOK: Verdict = { type: 'book' };
const obstacle = (reason: Obstacle): Verdict => ({ type: 'book', obstacle: reason });
const request = (reason: RequestReason): Verdict => ({ type: 'request', requestReason: reason });

/** What does not depend on the start is decided once; the rest is a function of it. */
function judgeOf(product: HouseProduct, party: Party, date: string, canBeSeated: boolean) {
  const { guests, nowMs } = party;
  const { coversPerStart, instantLimit, takesEnquiries, isRequestOnly } = product;
  const isTooLarge = instantLimit !== null && guests > instantLimit;
  const neverFits =
    !canBeSeated ||
    guests < product.minGuests ||
    guests > product.maxGuests ||
    (isTooLarge && !takesEnquiries && !isRequestOnly);
  const earliestMs = nowMs + product.noticeMinutes * MS_PER_MINUTE;
  const isTooFar = isBeyondHorizon(product, party, date);

  return (startMs: number, isTableFree: boolean, guestsStarting: number): Verdict => {
    const untimely = startMs < earliestMs ? 'too-soon' : isTooFar ? 'too-far' : undefined;
    if (neverFits) return { ...obstacle('party-never-fits'), ...(untimely && { untimely }) };
    if (untimely) return obstacle(untimely);
    if (isRequestOnly) return request('request_only');
    const isOpen = isTableFree && (coversPerStart === null || guestsStarting + guests <= coversPerStart);
    if (isOpen) return isTooLarge ? request('exceeds_auto_confirm') : BOOK;
    return takesEnquiries ? request('fully_booked') : obstacle('taken');
  };
}

function isBeyondHorizon({ horizonDays }: HouseProduct, { zone, nowMs }: Party, date: string): boolean {
  return horizonDays !== null && date > addDays(localOf(zone, nowMs).date, horizonDays);
}
