/** Many days of one product from one read: for files that are fetched instead of asking. */
import { createHash } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import {
  addDays,
  type DayClock,
  dayClock,
  MS_PER_DAY,
  MS_PER_MINUTE,
  msFrom,
} from '../../kernel/zone-time.ts';
import type { Forecast, ForecastQuery, ForecastSlot, Slot } from '../contract.ts';
import { unitsFor } from './allocation.ts';
import { type HouseProduct, partySizesOf, turnTime } from './book.ts';
import { freeUnits, type Stays, type Taken } from './occupancy.ts';
import { type SlotStart, slotsBeside, startsOf, takenAt } from './slots.ts';
import { readLive } from './store.ts';

/** A trading day ends within two calendar days, and the last to come stay for one more at most. */
const LONGEST_DAYS = 3;

export function forecastOf(product: HouseProduct, { venueId, productId, zone }: ForecastQuery): Forecast {
  const { bounds, noticeMinutes, horizonDays } = product;
  const shortest = Math.min(...product.turnTimes.map(({ minutes }) => minutes), bounds.maxMinutes);
  const longest = Math.max(...product.turnTimes.map(({ minutes }) => minutes), bounds.minMinutes);
  return {
    fingerprint: fingerprintOf(product),
    bounds,
    partySizes: partySizesOf(product),
    noticeMinutes,
    horizonDays,

    rangeOn(date) {
      const starts = startsOf(product, dayClock(zone, date), shortest);
      const [first, last] = [starts[0], starts.at(-1)];
      return first && last && { fromMs: first.startMs, toMs: last.startMs + longest * MS_PER_MINUTE };
    },

    async read(tx: Tx, dates: readonly string[]) {
      const [first = '', last = first] = [dates[0], dates.at(-1)];
      const fromMs = dayStartMs(dayClock(zone, first));
      const toMs = dayStartMs(dayClock(zone, addDays(last, LONGEST_DAYS)));
      const isPaced = product.coversPerStart !== null;
      const live = await readLive(tx, { venueId, productId, isPaced, fromMs, toMs });
      const clocks = new Map(dates.map((date) => [date, dayClock(zone, date)]));
      const staysOn = staysByDay(clocks, live?.stays ?? NO_STAYS);
      const guestsByStartMs = live?.guestsByStartMs ?? new Map();
      const openingOf = (date: string, durationMinutes: number): Opening => {
        const starts = startsOf(product, clocks.get(date) ?? dayClock(zone, date), durationMinutes);
        const taken = takenAt(staysOn.get(date) ?? NO_STAYS, starts, durationMinutes);
        return { date, durationMinutes, starts, taken };
      };
      let opening: Opening | undefined;
      return (date, guests, nowMs) => {
        const durationMinutes = turnTime(product, guests);
        if (opening?.date !== date || opening.durationMinutes !== durationMinutes)
          opening = openingOf(date, durationMinutes);
        const { starts, taken } = opening;
        const party = { guests, durationMinutes, zone, nowMs };
        const slots = slotsBeside(product, date, starts, party, { taken, guestsByStartMs });
        return withSpots(slots, product, guests, taken);
      };
    },
  };
}

/** What parties that stay equally long on one day have in common; they are asked for one after the other. */
interface Opening {
  date: string;
  durationMinutes: number;
  starts: readonly SlotStart[];
  taken: Taken;
}

function fingerprintOf({ weekly, exceptions, ...product }: HouseProduct): string {
  const whole = { ...product, weekly: [...weekly].sort(), exceptions: [...exceptions].sort() };
  return createHash('sha256').update(JSON.stringify(whole)).digest('base64url');
}

const NO_STAYS: Stays = { tableIds: [], startsMs: [], endsMs: [] };

/** Where clocks skip midnight the day begins with the first time they show. */
const dayStartMs = (clock: DayClock) => msFrom(clock, 0);

/** Each day looks at the stays that could touch it, and not at those of half a year. */
function staysByDay(clocks: ReadonlyMap<string, DayClock>, stays: Stays): Map<string, Stays> {
  const days = [...clocks].map(([date, clock]) => ({ date, fromMs: dayStartMs(clock) }));
  const byDay = new Map<string, { tableIds: number[]; startsMs: number[]; endsMs: number[] }>();
  for (const [index, tableId] of stays.tableIds.entries()) {
    const startMs = stays.startsMs[index] ?? 0;
    const endMs = stays.endsMs[index] ?? 0;
    for (let at = days.findLastIndex(({ fromMs }) => fromMs < endMs); at >= 0; at -= 1) {
      const day = days[at];
      if (!day || day.fromMs + LONGEST_DAYS * MS_PER_DAY <= startMs) break;
      const touching = byDay.getOrInsertComputed(day.date, () => ({
        tableIds: [],
        startsMs: [],
        endsMs: [],
      }));
      touching.tableIds.push(tableId);
      touching.startsMs.push(startMs);
      touching.endsMs.push(endMs);
    }
  }
  return byDay;
}

function withSpots(
  slots: readonly Slot[],
  product: HouseProduct,
  guests: number,
  taken: Taken,
): ForecastSlot[] {
  const counted = (units: HouseProduct['units']) => {
    const suitable = unitsFor(units, guests);
    return { total: suitable.length, open: freeUnits(suitable, taken, slots.length) };
  };
  const all = counted(product.units);
  const bySpace = new Map(product.spaces.map(({ spaceId, units }) => [spaceId, counted(units)]));
  return slots.map((slot, index) => ({
    ...slot,
    spots: { total: all.total, open: all.open[index] ?? 0 },
    spaces: slot.spaces.map((space) => {
      const spots = bySpace.get(space.spaceId);
      return { ...space, total: spots?.total ?? 0, open: spots?.open[index] ?? 0 };
    }),
  }));
}
