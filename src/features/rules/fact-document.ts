/** Facts of the things that rules are about. What is null there is absent here. */
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { weekdayOf } from '../../kernel/zone-time.ts';
import { clockTime } from '../venues/hours.ts';
import type { BookingFacts, Facts } from './facts.ts';

interface Ordered {
  slug: string | null;
  id: number;
}

export interface BookingLike {
  adults: number;
  children: number;
  type: 'book' | 'request';
  /** Trading day and minute of it. */
  date: string;
  minute: number;
  source: string;
  depositPence: number | null;
  /** Null: nobody asked for any. */
  durationMinutes: number | null;
  preorders: { packages: readonly Ordered[]; menus: readonly Ordered[] };
}

export function bookingFacts(booking: BookingLike): BookingFacts {
  const { adults, children, type, date, minute, source, depositPence, durationMinutes, preorders } = booking;
  return {
    partySize: adults,
    children,
    guests: adults + children,
    type,
    date,
    weekday: weekdayOf(date),
    time: clockTime(minute),
    ...(durationMinutes !== null && { duration: durationMinutes }),
    source,
    depositAmount: depositPence ?? 0,
    packages: preorders.packages.map(nameOf),
    menus: preorders.menus.map(nameOf),
  };
}

const nameOf = ({ slug, id }: Ordered) => slug ?? String(id);

interface ProductLike {
  id: string;
  name: string;
  slug: string | null;
  /** The slug of its category. */
  category: string | null;
}

export function productFacts({ id, name, slug, category }: ProductLike): Facts['product'] {
  return { id, name, ...(slug !== null && { slug }), ...(category !== null && { category }) };
}

type VenueLike = Omit<Facts['venue'], 'id' | 'operatorId'> & { id: VenueId };

export function venueFacts({ id, name, area, city, timeZone }: VenueLike): Facts['venue'] {
  return { id, operatorId: partsOfVenueId(id).operatorId, name, area, city, timeZone };
}
