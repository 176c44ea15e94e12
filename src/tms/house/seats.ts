import type { Tx } from '../../db/database.ts';
import { type Outcome, ok, type PlaceRequest, type SystemBooking } from '../contract.ts';
import type { HouseTable } from './book.ts';
import type { LockedClaim } from './claims.ts';
import { decide, type GivenSeat, type Seat, withSeats } from './decision.ts';
import type { Occupied } from './holds/held.ts';
import * as store from './store.ts';

/** Seats between the decision and the database. */

const REFERENCE_ATTEMPTS = 20;

/** A seat that is certain, and not written yet. */
export interface ClaimedSeat extends store.Reservation {
  /** The names of at least its own. */
  tables: ReadonlyMap<number, Pick<HouseTable, 'name' | 'areaId' | 'areaName'>>;
  seat: store.StoredSeat;
}

export interface DecidedSeat extends ClaimedSeat {
  seat: Seat;
}

/** Decides on a request under its locks; `given` are the seats that others got in the same transaction. */
export function seatFor(
  request: PlaceRequest,
  { book, draft, live }: LockedClaim,
  { given, occupied }: { given: readonly (GivenSeat & { bookingId: string })[]; occupied: Occupied },
): Outcome<DecidedSeat> {
  const { bookingId, productId, venueId, date, nowMs } = request;
  const taken = occupied(live, nowMs, [bookingId, ...given.map((other) => other.bookingId)]);
  const decided = decide(draft, request, withSeats(taken, request, given));
  return decided.kind === 'ok'
    ? ok({ bookingId, productId, venueId, date, tables: book.tables, seat: decided.value })
    : decided;
}

/** Without an outcome: no unused reference was found. One that is in use already is replaced by another. */
export async function insertSeats(
  tx: Tx,
  seats: readonly ClaimedSeat[],
  random: (bound: number) => number,
): Promise<Map<string, Outcome<SystemBooking>>> {
  const outcomes = new Map<string, Outcome<SystemBooking>>();
  let open = seats;
  for (let attempt = 0; attempt < REFERENCE_ATTEMPTS && open.length > 0; attempt += 1) {
    const rows = open.map((seat) => ({ ...seat, reference: makeReference(random) }));
    const inserted = await store.insertReservations(tx, rows);
    for (const { reference, ...seat } of rows)
      if (inserted.has(seat.bookingId)) outcomes.set(seat.bookingId, ok(bookingOf(reference, seat)));
    open = open.filter(({ bookingId }) => !inserted.has(bookingId));
    const ids = open.map(({ bookingId }) => bookingId);
    for (const [bookingId, meanwhile] of await store.findReservations(tx, ids))
      outcomes.set(bookingId, ok(meanwhile));
    open = open.filter(({ bookingId }) => !outcomes.has(bookingId));
  }
  return outcomes;
}

export function bookingOf(reference: string, { bookingId, tables, seat }: ClaimedSeat): SystemBooking {
  const own = seat.unit.tableIds.flatMap((id) => tables.get(id) ?? []);
  return {
    bookingId,
    reference,
    tables: own.map(({ name }) => name),
    areaId: own[0]?.areaId ?? null,
    areaName: own[0]?.areaName ?? null,
    startMs: seat.startMs,
    durationMinutes: seat.durationMinutes,
    guests: seat.guests,
    pricePerGuestPence: null,
  };
}

/** Digits and capitals that are not taken for one another when read out. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

/** A number that guests and staff can say on the phone, such as `H-7K3M9Q`. Not unique by itself. */
function makeReference(random: (bound: number) => number): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length)));
  return `H-${characters.join('')}`;
}
