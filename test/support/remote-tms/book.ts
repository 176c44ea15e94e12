/** The reservation book of the remote test system: so many parties at each start, in memory. */
import type { SystemVisit } from '../../../src/tms/contract.ts';

export interface RemoteBooking {
  id: string;
  reference: string;
  product: string;
  date: string;
  minute: number;
  guests: number;
  table: string | null;
  /** Set by the venue. */
  visit?: SystemVisit;
  durationMinutes?: number;
}

export interface RemoteBookOptions {
  product: string;
  /** Starts of every day, in minutes. */
  starts: readonly number[];
  durationMinutes: number;
  partiesPerStart: number;
  maxGuests: number;
  /** Those that are told; the first that is free at a start is given. Absent: it tells none. */
  tables?: readonly string[];
  /** For each guest. Absent: guests pay for what they have. */
  pricePence?: number;
}

export type RemoteAnswer = { status: number; body?: unknown };
export type BookingDraft = Pick<RemoteBooking, 'product' | 'date' | 'minute' | 'guests'>;

const refusal = (reason: string): RemoteAnswer => ({ status: 409, body: { reason } });

export function createRemoteBook(options: RemoteBookOptions) {
  const bookings = new Map<string, RemoteBooking>();
  let { pricePence = null }: { pricePence?: number | null } = options;
  let lastNumber = 0;
  /** Ids in the order of their changes, whoever made them. */
  const changed: string[] = [];

  const at = (date: string, minute: number) =>
    [...bookings.values()].filter((entry) => entry.date === date && entry.minute === minute);
  const leftAt = (date: string, minute: number) => options.partiesPerStart - at(date, minute).length;
  const tableFor = ({ date, minute }: BookingDraft) => {
    const taken = new Set(at(date, minute).map(({ table }) => table));
    return options.tables?.find((table) => !taken.has(table)) ?? null;
  };
  const show = (booking: RemoteBooking) => {
    return { durationMinutes: options.durationMinutes, ...booking, pricePence };
  };

  function obstacleTo({ product, date, minute, guests }: BookingDraft): string | undefined {
    if (product !== options.product) return 'no-such-product';
    if (guests > options.maxGuests) return 'party-never-fits';
    if (!options.starts.includes(minute)) return 'closed';
    return leftAt(date, minute) > 0 ? undefined : 'taken';
  }

  return {
    bookings,
    setPrice(pence: number): void {
      pricePence = pence;
    },
    days(product: string, dates: readonly string[]): RemoteAnswer {
      if (product !== options.product) return refusal('no-such-product');
      const days = dates.map((date) => ({
        date,
        starts: options.starts.map((minute) => ({ minute, left: leftAt(date, minute) })),
      }));
      const { durationMinutes, maxGuests } = options;
      return { status: 200, body: { durationMinutes, maxGuests, days } };
    },
    book(id: string, draft: BookingDraft): RemoteAnswer {
      const known = bookings.get(id);
      if (known) return { status: 200, body: show(known) };
      const obstacle = obstacleTo(draft);
      if (obstacle) return refusal(obstacle);
      lastNumber += 1;
      const made = { id, reference: `R${lastNumber}`, ...draft, table: tableFor(draft) };
      bookings.set(id, made);
      changed.push(id);
      return { status: 201, body: show(made) };
    },
    amend(id: string, draft: BookingDraft): RemoteAnswer {
      const known = bookings.get(id);
      if (!known) return { status: 404 };
      bookings.delete(id);
      const obstacle = obstacleTo(draft);
      const kept = obstacle ? known : { ...known, ...draft, table: tableFor(draft) };
      bookings.set(id, kept);
      if (!obstacle) changed.push(id);
      return obstacle ? refusal(obstacle) : { status: 200, body: show(kept) };
    },
    cancel(id: string): RemoteAnswer {
      if (bookings.delete(id)) changed.push(id);
      return { status: 204 };
    },
    /** What the venue does itself, whatever else is booked. */
    edit(id: string, change: Partial<RemoteBooking>): void {
      const known = bookings.get(id);
      if (!known) throw new Error(`There is no booking ${id}.`);
      bookings.set(id, { ...known, ...change });
      changed.push(id);
    },
    /** Up to ten at a time, from a place in the log; without one from its end. */
    changes(after: string | null): RemoteAnswer {
      const from = after === null ? changed.length : Number(after);
      if (from > changed.length) return refusal('rejected');
      const bookingIds = changed.slice(from, from + 10);
      const end = from + bookingIds.length;
      return { status: 200, body: { bookingIds, cursor: String(end), hasMore: end < changed.length } };
    },
    find(id: string): RemoteAnswer {
      const known = bookings.get(id);
      return known ? { status: 200, body: show(known) } : { status: 404 };
    },
  };
}

export type RemoteBook = ReturnType<typeof createRemoteBook>;
