/** Days like any other: three months of past ones for reports and rules, and a fortnight to come. */
import { addDays, MS_PER_MINUTE, weekdayOf } from '../../kernel/zone-time.ts';
import { anyGuest, guestAtTheDoor } from './guests.ts';
import {
  type Channel,
  createdBefore,
  type Fate,
  habitsOf,
  type Place,
  type Planned,
  startOf,
} from './plan.ts';
import type { Random } from './random.ts';

const PAST_DAYS = 90;
const COMING_DAYS = 14;

/** What a venue is like on most days. */
export interface Habit {
  place: Place;
  /** Bookings on a past day, by how busy its weekday is, and on one to come. */
  quiet: readonly [number, number];
  busy: readonly [number, number];
  coming: readonly [number, number];
  /** The first start, the busiest one, and when the last party has gone. */
  firstMinute: number;
  busiestMinute: number;
  lastMinute: number;
  channels: readonly (readonly [Channel, number])[];
  spendPerGuestPence: readonly [number, number];
  /** What partners take ahead for each guest, where they do. */
  depositPerGuestPence: number;
  /** The packages of which a booking has one; absent: there is nothing to order ahead. */
  packageIds?: readonly number[];
}

const PARTY_SIZES = [
  [1, 2],
  [2, 45],
  [3, 12],
  [4, 22],
  [5, 6],
  [6, 8],
  [7, 2],
  [8, 3],
] as const;

const PAST_FATES: readonly (readonly [Fate, number])[] = [
  ['comes', 84],
  ['stays-away', 6],
  ['cancels', 10],
];
const COMING_FATES: readonly (readonly [Fate, number])[] = [
  ['comes', 94],
  ['cancels', 6],
];

export function otherDays(random: Random, habits: readonly Habit[], today: string, nowMs: number): Planned[] {
  const offsets = Array.from({ length: PAST_DAYS + COMING_DAYS + 1 }, (_, index) => index - PAST_DAYS);
  return offsets
    .filter((offset) => offset !== 0)
    .flatMap((offset) => {
      const date = addDays(today, offset);
      return habits.flatMap((habit) => dayAt(random, habit, date, nowMs));
    });
}

/** One day of one venue. Starts are in the order of the day, as the house would fill up. */
export function dayAt(random: Random, habit: Habit, date: string, nowMs: number): Planned[] {
  const usual = weekdayOf(date) >= 5 ? habit.busy : habit.quiet;
  const isComing = startOf(habit.place, date, 0) > nowMs;
  const count = random.integer(...(isComing ? habit.coming : usual));
  const planned = Array.from({ length: count }, () => anyBooking(random, habit, date, nowMs));
  return planned.sort((a, b) => a.startMs - b.startMs);
}

function anyBooking(random: Random, habit: Habit, date: string, nowMs: number): Planned {
  const { place } = habit;
  const guests = random.weighted(PARTY_SIZES);
  const minute = startFor(random, habit, guests);
  const startMs = startOf(place, date, minute);
  const isPast = startMs < nowMs;
  const wanted = random.weighted(habit.channels);
  // A party that will walk in tomorrow is not known today.
  const channel = wanted === 'walk_in' && !isPast ? 'phone' : wanted;
  const isWalkIn = channel === 'walk_in';
  const fate = isWalkIn ? 'comes' : random.weighted(isPast ? PAST_FATES : COMING_FATES);
  const children = guests >= 3 && random.chance(0.12) ? 1 : 0;
  const takesDeposit = channel === 'demo-partner' && random.chance(0.3);
  return {
    place,
    date,
    minute,
    startMs,
    createdMs: isWalkIn ? walkInAt(startMs) : createdBefore(random, { startMs, nowMs, mostDays: 21 }),
    adults: guests - children,
    children,
    guest: isWalkIn ? guestAtTheDoor(null) : anyGuest(random),
    channel,
    fate,
    depositPence: takesDeposit ? habit.depositPerGuestPence * guests : null,
    packageId: isWalkIn || !habit.packageIds ? undefined : random.pick(habit.packageIds),
    ...habitsOf(random),
    spendPence: random.integer(...habit.spendPerGuestPence) * guests,
  };
}

/** A few minutes before the next start, which is when the house lets the visit begin. */
export const walkInAt = (startMs: number): number => startMs - 4 * MS_PER_MINUTE;

/** Two throws, so that most starts are near the busiest one. */
function startFor(
  random: Random,
  { place, firstMinute, busiestMinute, lastMinute }: Habit,
  guests: number,
): number {
  const step = place.product.timeIntervalMinutes;
  const last = lastMinute - place.minutesFor(guests);
  const reach = Math.max(busiestMinute - firstMinute, last - busiestMinute) / step;
  const steps = random.integer(0, reach) - random.integer(0, reach);
  return Math.min(Math.max(busiestMinute + steps * step, firstMinute), last);
}
