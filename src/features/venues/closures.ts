/**
 * When a venue, or one of its products, is closed. Closures of whole trading days, and dates that the hours close,
 * are exceptions of the product without periods; closures of part of a day are held against the time of a stay.
 */
import type { ProductId } from '../../kernel/ids.ts';
import { addDays, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { ExceptionRow } from './hours/hours.ts';
import type { ClosureRecord, ProductRecord, VenueRecord } from './record.ts';

/** A stay as far as closures are concerned. */
export interface TimedStay {
  /** Trading day. */
  date: string;
  startMs: number;
  durationMinutes: number;
}

const concerns = ({ productIds }: ClosureRecord, productId: ProductId) =>
  productIds === null || productIds.includes(productId);

/** Those of part of a day that concern a product. */
export function partialClosures(
  { closures }: Pick<VenueRecord, 'closures'>,
  { id }: Pick<ProductRecord, 'id'>,
): readonly ClosureRecord[] {
  return closures.filter((closure) => closure.firstDay === null && concerns(closure, id));
}

export function isClosedOn({ exceptions }: Pick<ProductRecord, 'exceptions'>, date: string): boolean {
  const dated = exceptions.filter((row) => row.date === date);
  return dated.length > 0 && dated.every(({ opens }) => opens === null);
}

/** Whether a stay reaches into the closure of part of a day. */
export function reachesInto({ fromMs, toMs }: ClosureRecord, stay: Omit<TimedStay, 'date'>): boolean {
  return stay.startMs < toMs && stay.startMs + stay.durationMinutes * MS_PER_MINUTE > fromMs;
}

/** Says of each product, and of the venue where it is closed as a whole, on which days it is closed. */
export function withClosedDays<Venue extends Pick<VenueRecord, 'closures' | 'exceptions' | 'products'>>(
  venue: Venue,
): Venue {
  const dated = venue.closures.filter(({ firstDay }) => firstDay !== null);
  if (dated.length === 0) return venue;
  return {
    ...venue,
    exceptions: closedOn(
      venue.exceptions,
      dated.filter(({ productIds }) => productIds === null),
    ),
    products: venue.products.map((product) => ({
      ...product,
      exceptions: closedOn(
        product.exceptions,
        dated.filter((closure) => concerns(closure, product.id)),
      ),
    })),
  };
}

/** A closure takes the place of whatever else is said about its days. Why it was closed is for the staff. */
function closedOn(exceptions: readonly ExceptionRow[], closures: readonly ClosureRecord[]): ExceptionRow[] {
  const closed = new Set(closures.flatMap(daysOf));
  const rows = [...closed].map((date) => ({ date, opens: null, closes: null, reason: null }));
  return [...exceptions.filter(({ date }) => !closed.has(date)), ...rows].sort(
    (a, b) => a.date.localeCompare(b.date) || (a.opens ?? 0) - (b.opens ?? 0),
  );
}

function daysOf({ firstDay, lastDay }: ClosureRecord): string[] {
  const days: string[] = [];
  for (let day = firstDay ?? ''; day !== '' && day <= (lastDay ?? ''); day = addDays(day, 1)) days.push(day);
  return days;
}
