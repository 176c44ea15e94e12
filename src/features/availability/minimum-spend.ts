import type { MinimumSpendBand } from '../venues/document.ts';
import { type MinutePeriod, minutesOf } from '../venues/hours.ts';

const MINUTES_PER_DAY = 1440;

/**
 * The bands that a stay crosses, in the order of their beginning. A stay that runs past midnight can also
 * meet bands of the next weekday's early hours, and one that begins soon after it the end of last night's.
 */
export function crossedBands(
  bands: readonly MinimumSpendBand[],
  weekday: number,
  startMinute: number,
  durationMinutes: number,
): MinimumSpendBand[] {
  const endMinute = startMinute + durationMinutes;
  const crossed: { band: MinimumSpendBand; from: number }[] = [];
  for (const band of bands) {
    const { opens, closes } = periodOf(band);
    for (const daysAhead of [-1, 0, 1]) {
      const shift = daysAhead * MINUTES_PER_DAY;
      const isOnDay = (band.weekdays as number[]).includes(((weekday + 6 + daysAhead) % 7) + 1);
      if (isOnDay && startMinute < closes + shift && opens + shift < endMinute) {
        crossed.push({ band, from: opens + shift });
      }
    }
  }
  return crossed.sort((a, b) => a.from - b.from).map(({ band }) => band);
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
