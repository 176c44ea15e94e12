/** The reservation book of the remote test system: so many parties at each start, in memory. */
import { dayClock, localOf } from '../../../src/kernel/zone-time.ts';
import type { SystemVisit } from '../../../src/tms/contract.ts';

export interface RemoteBooking {
  id: string;
  reference: string;
  product: string;
  date: string;
  minute: number;
  adults: number;
  children: number;
  guests: number;
  table: string | null;
  /** The name of the guest. */
  name: string;
  /** Set by the venue. */
  visit?: SystemVisit;
  durationMinutes?: number;
}

export interface RemoteBookOptions {
  product: string;
  zone: string;
  /** Starts of every day, in minutes. */
  starts: readonly number[];
  durationMinutes: number;
  partiesPerStart: number;
  maxGuests: number;
  /** Those that are told; the first that is free at a start is given. Absent: it tells none. */
  tables?: readonly string[];
  /** For each guest. Absent: guests pay for what they have. */
  pricePence?: number;
  /** A request that is repeated makes another booking under the same id. */
  isLying?: boolean;
}

export type RemoteAnswer = { status: number; body?: unknown };
/** What is asked for, as `connect` sends it. */
export interface BookingDraft {
  venueId: string;
  productId: string;
  start: string;
  date: string;
  time: string;
  party: { adults: number; children: number };
  guest?: { firstName: string | null; lastName: string | null } | null;
  holdId?: string;
  expiresAt?: string;
}
export type Question = Pick<BookingDraft, 'venueId' | 'productId' | 'party'> & { dates: string[] };

type Draft = Pick<RemoteBooking, 'product' | 'date' | 'minute' | 'adults' | 'children' | 'guests' | 'name'>;

const refusal = (reason: string): RemoteAnswer => ({ status: 409, body: { reason } });
const notFound: RemoteAnswer = { status: 404, body: { reason: 'not-found' } };

export function createRemoteBook(options: RemoteBookOptions) {
  const { zone, durationMinutes } = options;
  const bookings = new Map<string, RemoteBooking>();
  const holds = new Map<string, Draft & { expiresMs: number }>();
  const changed: string[] = [];
  let { pricePence = null }: { pricePence?: number | null } = options;
  let lastNumber = 0;

  const at = (date: string, minute: number) =>
    [...bookings.values()].filter((entry) => entry.date === date && entry.minute === minute);
  const heldAt = (date: string, minute: number) =>
    [...holds.values()].filter(
      (entry) => entry.date === date && entry.minute === minute && entry.expiresMs > Date.now(),
    );
  const leftAt = (date: string, minute: number) =>
    options.partiesPerStart - at(date, minute).length - heldAt(date, minute).length;
  const tableFor = ({ date, minute }: Draft) => {
    const taken = new Set(at(date, minute).map(({ table }) => table));
    return options.tables?.find((table) => !taken.has(table)) ?? null;
  };
  const startOf = (date: string, minute: number) => {
    const startMs = dayClock(zone, date).epochMsOf(minute) ?? Number.NaN;
    const { date: day, minute: shown } = localOf(zone, startMs);
    const time = `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`;
    return { day, time, start: Temporal.Instant.fromEpochMilliseconds(startMs).toString({ timeZone: zone }) };
  };
  const show = ({
    id,
    reference,
    date,
    minute,
    adults,
    children,
    table,
    visit,
    name,
    ...own
  }: RemoteBooking) => ({
    id,
    reference,
    date,
    ...whenOf(date, minute),
    durationMinutes: own.durationMinutes ?? durationMinutes,
    party: { adults, children },
    tables: table === null ? [] : [table],
    pricePerGuestPence: pricePence,
    ...(visit && { visit }),
    guest: { firstName: null, lastName: name, email: null, phone: null },
  });
  const whenOf = (date: string, minute: number) => {
    const { time, start } = startOf(date, minute);
    return { time, start };
  };

  /** Undefined: what is asked for is no start of this system. */
  function read({ venueId, productId, start, date, time, party, guest }: BookingDraft): Draft | undefined {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const minute = hours * 60 + minutes;
    if (Date.parse(start) !== dayClock(zone, date).epochMsOf(minute)) return undefined;
    const { adults, children } = party;
    const name = [guest?.firstName, guest?.lastName].filter(Boolean).join(' ');
    const product = `${venueId}|${productId}`;
    return { product, date, minute, adults, children, guests: adults + children, name };
  }

  function obstacleTo(draft: Draft | undefined): string | undefined {
    if (!draft) return 'not-a-start';
    const { product, date, minute, guests } = draft;
    if (!options.product.endsWith(`|${product}`)) return 'no-such-product';
    if (guests > options.maxGuests) return 'party-never-fits';
    if (!options.starts.includes(minute)) return 'closed';
    return leftAt(date, minute) > 0 ? undefined : 'taken';
  }

  function make(id: string, draft: Draft): RemoteAnswer {
    lastNumber += 1;
    const reference = `R${lastNumber}`;
    const made = { id, reference, ...draft, table: tableFor(draft) };
    bookings.set(bookings.has(id) ? reference : id, made);
    changed.push(id);
    return { status: 201, body: show(made) };
  }

  return {
    bookings,
    holds,
    setPrice(pence: number): void {
      pricePence = pence;
    },
    /** What the venue does on its own screen. */
    edit(id: string, change: Partial<RemoteBooking>): void {
      const known = bookings.get(id);
      if (!known) throw new Error(`There is no booking ${id}.`);
      const party = change.guests === undefined ? {} : { adults: change.guests, children: 0 };
      bookings.set(id, { ...known, ...party, ...change });
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
    days({ venueId, productId, party, dates }: Question): RemoteAnswer {
      if (!options.product.endsWith(`|${venueId}|${productId}`)) return refusal('no-such-product');
      const fits = party.adults + party.children <= options.maxGuests;
      const stateAt = (date: string, minute: number) =>
        fits ? (leftAt(date, minute) > 0 ? 'free' : 'taken') : 'party-never-fits';
      const days = dates.map((date) => ({
        date,
        closed: false,
        slots: options.starts.map((minute) => ({
          ...whenOf(date, minute),
          durationMinutes,
          state: stateAt(date, minute),
        })),
      }));
      const durations = { minMinutes: durationMinutes, maxMinutes: durationMinutes, stepMinutes: 1 };
      const { maxGuests } = options;
      const partySizes = { smallest: 1, atOnce: maxGuests, byEnquiry: maxGuests };
      return { status: 200, body: { durations, partySizes, days } };
    },
    book(id: string, sent: BookingDraft): RemoteAnswer {
      const known = bookings.get(id);
      if (known && !options.isLying) return { status: 200, body: show(known) };
      const draft = read(sent);
      const hold = sent.holdId === undefined ? undefined : holds.get(sent.holdId);
      if (sent.holdId !== undefined && (!hold || hold.expiresMs <= Date.now())) return refusal('hold-ended');
      holds.delete(id);
      const obstacle = obstacleTo(draft);
      if (obstacle || !draft) return refusal(obstacle ?? 'rejected');
      return make(id, draft);
    },
    amend(id: string, sent: BookingDraft): RemoteAnswer {
      const known = bookings.get(id);
      if (!known) return notFound;
      const draft = read(sent);
      bookings.delete(id);
      const obstacle = obstacleTo(draft);
      const kept = obstacle || !draft ? known : { ...known, ...draft, table: tableFor(draft) };
      bookings.set(id, kept);
      if (!obstacle) changed.push(id);
      return obstacle ? refusal(obstacle) : { status: 200, body: show(kept) };
    },
    cancel(id: string): RemoteAnswer {
      if (bookings.delete(id)) changed.push(id);
      holds.delete(id);
      return { status: 204 };
    },
    find(id: string): RemoteAnswer {
      const known = bookings.get(id);
      return known ? { status: 200, body: show(known) } : notFound;
    },
    hold(id: string, sent: BookingDraft): RemoteAnswer {
      if (bookings.has(id)) return refusal('hold-ended');
      const expiresMs = Date.parse(sent.expiresAt ?? '');
      const known = holds.get(id);
      const draft = known ?? read(sent);
      const obstacle = known && known.expiresMs > Date.now() ? undefined : obstacleTo(draft);
      if (obstacle || !draft) return refusal(obstacle ?? 'rejected');
      holds.set(id, { ...draft, expiresMs });
      return { status: 201, body: heldView(id, draft, expiresMs) };
    },
    extend(id: string, { expiresAt }: BookingDraft): RemoteAnswer {
      const known = holds.get(id);
      if (!known || known.expiresMs <= Date.now()) return refusal('hold-ended');
      known.expiresMs = Date.parse(expiresAt ?? '');
      return { status: 200, body: heldView(id, known, known.expiresMs) };
    },
    release(id: string): RemoteAnswer {
      holds.delete(id);
      return { status: 204 };
    },
  };

  function heldView(id: string, { date, minute }: Draft, expiresMs: number) {
    return {
      id,
      date,
      ...whenOf(date, minute),
      durationMinutes,
      expiresAt: new Date(expiresMs).toISOString(),
    };
  }
}

export type RemoteBook = ReturnType<typeof createRemoteBook>;
