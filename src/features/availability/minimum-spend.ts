import { addDays, clockTime, MINUTES_PER_DAY, type Weekday } from '../../kernel/zone-time.ts';
import {
  type MinimumSpendBand,
  type MinutePeriod,
  minutesOf,
  type SpendOverrideRecord,
} from '../venues/service.ts';

/** A stay that runs past midnight meets the next day, and one that begins soon after it the end of last night. */
const DAYS_MET = [-1, 0, 1] as const;

/** The minimum spends of a space: by week, and on single dates. */
export interface Spends {
  bands: readonly MinimumSpendBand[];
  overrides: readonly SpendOverrideRecord[];
}

/** A stay on the clock of the trading day on which it begins. */
export interface Stay {
  date: string;
  /** Of that date; a caller with many starts on one date computes it once. */
  weekday: number;
  startMinute: number;
  durationMinutes: number;
}

interface Crossed extends MinutePeriod {
  band: MinimumSpendBand;
}

/**
 * The bands that a stay crosses, in the order of their beginning. The minutes of an override are its own: a weekly band
 * counts only for a stay that also has a minute of it which no override covers. An override counts as a band
 * of its day, unless it asks for nothing.
 */
export function crossedBands({ bands, overrides }: Spends, stay: Stay): MinimumSpendBand[] {
  const weekly = crossedWeekly(bands, stay);
  if (overrides.length === 0) return inOrder(weekly);
  const dated = crossedOverrides(overrides, stay);
  const left = weekly.filter((each) => hasUncovered(each, dated, stay));
  return inOrder([...left, ...dated.filter(({ band }) => band.amount > 0)]);
}

const inOrder = (crossed: Crossed[]) => crossed.sort((a, b) => a.opens - b.opens).map(({ band }) => band);

function crossedWeekly(bands: readonly MinimumSpendBand[], stay: Stay): Crossed[] {
  const crossed: Crossed[] = [];
  for (const band of bands) {
    const period = periodOf(band);
    for (const daysAhead of DAYS_MET) {
      if (!(band.weekdays as number[]).includes(weekdayAfter(stay, daysAhead))) continue;
      const { opens, closes } = shifted(period, daysAhead);
      if (isMet(opens, closes, stay)) crossed.push({ band, opens, closes });
    }
  }
  return crossed;
}

function crossedOverrides(overrides: readonly SpendOverrideRecord[], stay: Stay): Crossed[] {
  const crossed: Crossed[] = [];
  for (const daysAhead of DAYS_MET) {
    const date = addDays(stay.date, daysAhead);
    for (const override of overrides) {
      if (date < override.startDate || date > override.endDate) continue;
      const { opens, closes } = shifted(override, daysAhead);
      if (!isMet(opens, closes, stay)) continue;
      const band = {
        weekdays: [weekdayAfter(stay, daysAhead)],
        startTime: clockTime(override.opens),
        endTime: clockTime(override.closes),
        amount: override.amount,
      };
      crossed.push({ band, opens, closes });
    }
  }
  return crossed.sort((a, b) => a.opens - b.opens);
}

const shifted = ({ opens, closes }: MinutePeriod, days: number): MinutePeriod => ({
  opens: opens + days * MINUTES_PER_DAY,
  closes: closes + days * MINUTES_PER_DAY,
});

const weekdayAfter = ({ weekday }: Stay, days: number) => (((weekday + 6 + days) % 7) + 1) as Weekday;

const isMet = (opens: number, closes: number, { startMinute, durationMinutes }: Stay) =>
  startMinute < closes && opens < startMinute + durationMinutes;

/** Whether the stay has a minute of the band outside the overrides, which come in the order of their beginning. */
function hasUncovered(band: Crossed, overrides: readonly Crossed[], stay: Stay): boolean {
  const to = Math.min(band.closes, stay.startMinute + stay.durationMinutes);
  let at = Math.max(band.opens, stay.startMinute);
  for (const { opens, closes } of overrides) {
    if (opens > at) break;
    at = Math.max(at, closes);
  }
  return at < to;
}

/** A band is kept in memory with its venue; what its clock times mean is kept as long. */
const periods = new WeakMap<MinimumSpendBand, MinutePeriod>();

function periodOf(band: MinimumSpendBand): MinutePeriod {
  const known = periods.get(band);
  if (known) return known;
  const period = minutesOf({ opens: band.startTime, closes: band.endTime });
  periods.set(band, period);
  return period;
}

export function totalOf(bands: readonly MinimumSpendBand[]): number {
  return bands.reduce((sum, { amount }) => sum + amount, 0);
}
