/** When a minimum spend holds: whether the times can be used, and whether two of them get in each other's way. */

import { problem } from '../../kernel/problem.ts';
import { addDays, isTradingDay, MINUTES_PER_DAY } from '../../kernel/zone-time.ts';
import {
  type MinimumSpendBand,
  type MinutePeriod,
  stretchOf,
  unusable,
  writtenPeriod,
} from '../venues/service.ts';
import type { SpendOverride, SpendOverrideInput } from './space-schema.ts';
import type { SpendWindow, StoredOverride } from './store.ts';

interface Times {
  startTime: string;
  endTime: string;
}

/** Throws `VENUE-N-006`. `field` is what their names begin with in the request. */
function periodOf({ startTime, endTime }: Times, field = ''): MinutePeriod {
  const names = { opens: `${field}startTime`, closes: `${field}endTime` };
  return stretchOf({ opens: startTime, closes: endTime }, names);
}

export function timesOf(period: MinutePeriod): Times {
  const { opens, closes } = writtenPeriod(period);
  return { startTime: opens, endTime: closes };
}

export function overrideDocument({
  id,
  startDate,
  endDate,
  amount,
  reason,
  ...period
}: StoredOverride): SpendOverride {
  return { id, startDate, endDate, ...timesOf(period), amount, reason };
}

/** Throws unless each weekly band can be used and no two of them hold at a time on one weekday. */
export function assertBands(bands: readonly MinimumSpendBand[], field: string): void {
  const byWeekday = new Map<number, MinutePeriod[]>();
  for (const [index, band] of bands.entries()) {
    const period = periodOf(band, `${field}.${index}.`);
    for (const weekday of band.weekdays) {
      const others = byWeekday.getOrInsertComputed(weekday, () => []);
      if (others.some((other) => meets(other, period)))
        throw problem('VENUE-N-007', {
          detail: `${field}.${index} holds at the same time of weekday ${weekday} as a band before it.`,
        });
      others.push(period);
    }
  }
}

/** Throws `VENUE-N-006` unless it ends after it begins. */
export function windowOf({ startDate, endDate, ...times }: SpendOverrideInput): SpendWindow {
  for (const [field, date] of Object.entries({ startDate, endDate }))
    if (!isTradingDay(date)) throw unusable(field, 'is too far away');
  if (endDate < startDate) throw unusable('endDate', 'must not be before startDate');
  return { startDate, endDate, ...periodOf(times) };
}

/** A window that runs past midnight also meets those that begin early on the next day. */
export function overlaps(one: SpendWindow, other: SpendWindow): boolean {
  return [-1, 0, 1].some((days) => {
    const sharesDay =
      addDays(one.startDate, days) <= other.endDate && other.startDate <= addDays(one.endDate, days);
    const shift = days * MINUTES_PER_DAY;
    return sharesDay && meets(one, { opens: other.opens + shift, closes: other.closes + shift });
  });
}

const meets = (one: MinutePeriod, other: MinutePeriod) =>
  one.opens < other.closes && other.opens < one.closes;
