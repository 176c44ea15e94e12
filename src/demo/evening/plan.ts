/** A booking of the demo before it has a place. */
import type { Guest, Origin } from '../../features/bookings/record.ts';
import type { VenueDocument } from '../../features/venues/transfer/document.ts';
import { type ProductId, parseProductId, type VenueId, venueIdOf } from '../../kernel/ids.ts';
import { dayClock, MS_PER_MINUTE, msFrom } from '../../kernel/zone-time.ts';
import type { partners } from '../access.ts';
import type { Random } from './random.ts';

/** A venue with the product that is booked there. */
export interface Place {
  operatorId: number;
  operatorName: string;
  document: VenueDocument;
  venueId: VenueId;
  productId: ProductId;
  product: VenueDocument['products'][number];
  /** How long a party of that size stays. */
  minutesFor(guests: number): number;
}

export type Channel = (typeof partners)[number]['reference'] | Origin;

/** What becomes of it in the end. */
export type Fate = 'comes' | 'stays-away' | 'cancels' | 'enquires';

export interface Planned {
  place: Place;
  /** Trading day and minute of it. */
  date: string;
  minute: number;
  startMs: number;
  createdMs: number;
  adults: number;
  children: number;
  /** Absent: the house chooses. */
  tableIds?: readonly number[];
  guest: Guest;
  channel: Channel;
  fate: Fate;
  depositPence: number | null;
  /** What all guests at the table have ordered ahead; absent: nothing. */
  packageId?: number | undefined;
  /** How early or late the party comes, when it sits down, and how much sooner or later than planned it goes. */
  arrivesAfter: number;
  sitsAfter: number;
  leavesAfter: number;
  spendPence: number | null;
}

export function placeOf(
  { id: operatorId, name: operatorName }: { id: number; name: string },
  document: VenueDocument,
  key: string,
): Place {
  const venueId = venueIdOf({ operatorId, tms: document.tms, resourceId: document.resourceId });
  const product = document.products.find((candidate) => candidate.key === key);
  const turnTimes = document.house?.products.find((candidate) => candidate.key === key)?.turnTimes ?? [];
  if (!product) throw new Error(`${venueId} has no product ${key}.`);
  return {
    operatorId,
    operatorName,
    document,
    venueId,
    productId: parseProductId(`${venueId}|${key}`),
    product,
    minutesFor: (guests) =>
      (turnTimes.find(({ upTo }) => guests <= upTo) ?? turnTimes.at(-1))?.minutes ?? 120,
  };
}

export const startOf = ({ document }: Place, date: string, minute: number): number =>
  msFrom(dayClock(document.timeZone, date), minute);

/** Some days before the visit, and before now. */
export function createdBefore(
  random: Random,
  { startMs, nowMs, mostDays }: { startMs: number; nowMs: number; mostDays: number },
): number {
  const lead = random.integer(3 * 60, mostDays * 24 * 60) * MS_PER_MINUTE;
  const ago = random.integer(20, 5 * 24 * 60) * MS_PER_MINUTE;
  return Math.min(startMs - lead, nowMs - ago);
}

/** Early or late by a few minutes, as people are; the table is left when the stay ends at the latest. */
export function habitsOf(random: Random): Pick<Planned, 'arrivesAfter' | 'sitsAfter' | 'leavesAfter'> {
  return {
    arrivesAfter: random.integer(-9, 4),
    sitsAfter: random.integer(5, 9),
    leavesAfter: -random.integer(0, 14),
  };
}

export const guestsIn = ({ adults, children }: Pick<Planned, 'adults' | 'children'>) => adults + children;
