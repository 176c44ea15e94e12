import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { addDays, localOf } from '../../kernel/zone-time.ts';
import { type Outcome, ok, type PlaceRequest, type Refusal, refused } from '../contract.ts';
import type { HouseBook } from './book.ts';
import type { ConfigCache } from './config-cache.ts';
import { draftOf, type HeldSeat, type SeatDraft } from './decision.ts';
import { type MarkedState, readLiveStates, type VenueDay, type Window } from './store.ts';

/** Claims for seats, with the live state that decides on them. It is read under the locks of their days. */

const ATTEMPTS = 5;
const CHANGING: Refusal = { kind: 'unavailable', detail: 'The venue is being changed again and again.' };

export interface Stretch {
  fromMs: number;
  toMs: number;
}

export interface SeatClaim {
  request: PlaceRequest;
  /** What the reservation has now, where it is changed. */
  leaves?: HeldSeat;
  /** The reservations that give up their tables in this transaction, its own included: they are not in the way. */
  leavingIds?: readonly string[];
}

export interface LockedClaim {
  book: HouseBook;
  draft: SeatDraft;
  live: MarkedState;
  /** Those that are locked for it. */
  days: readonly VenueDay[];
}

interface ClaimOptions {
  configs: ConfigCache;
  lock(tx: Tx, days: readonly VenueDay[]): Promise<void>;
}

interface Drafted {
  claim: SeatClaim;
  book: HouseBook;
  draft: SeatDraft;
}

/**
 * Locks the days of all claims in one statement and reads live state for all of them in the next. When a venue turns
 * out to have changed since its configuration was kept, that is read again and its claims are drafted anew. What an
 * outdated configuration would refuse is not refused before a fresh one agrees.
 */
export async function lockClaims(
  tx: Tx,
  claims: readonly SeatClaim[],
  { configs, lock }: ClaimOptions,
): Promise<Outcome<LockedClaim>[]> {
  const outcomes = new Map<SeatClaim, Outcome<LockedClaim>>();
  const fresh = new Map<VenueId, HouseBook | undefined>();

  async function load(stale: readonly SeatClaim[]): Promise<void> {
    const venueIds = [...new Set(stale.map(({ request }) => request.venueId))];
    await Promise.all(venueIds.map(async (venueId) => fresh.set(venueId, await configs.load(tx, venueId))));
  }

  function draftFor(claim: SeatClaim): Outcome<Drafted> {
    const { venueId, productId } = claim.request;
    const book = fresh.has(venueId) ? fresh.get(venueId) : configs.kept(venueId);
    const product = book?.products.get(productId);
    if (!book || !product) return refused('no-such-product');
    const draft = draftOf(book, product, claim.request, claim.leaves);
    return draft.kind === 'ok' ? ok({ claim, book, draft: draft.value }) : draft;
  }

  let open = claims;
  for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt += 1) {
    const unsure = open.filter((claim) => !fresh.has(claim.request.venueId) && draftFor(claim).kind !== 'ok');
    // Before any lock: locks taken later could be out of order.
    if (unsure.length > 0) await load(unsure);
    const drafted: Drafted[] = [];
    for (const claim of open) {
      const draft = draftFor(claim);
      if (draft.kind === 'ok') drafted.push(draft.value);
      else outcomes.set(claim, draft);
    }
    const locked = drafted.map(daysOf);
    // Sent together and carried out in this order: what is read is what the locks have waited for.
    const [, states] = await Promise.all([
      lock(tx, locked.flat()),
      readLiveStates(tx, drafted.map(windowOf)),
    ]);
    for (const [index, { claim, book, draft }] of drafted.entries()) {
      const live = states[index];
      const days = locked[index] ?? [];
      if (live?.version === book.version) outcomes.set(claim, ok({ book, draft, live, days }));
    }
    open = open.filter((claim) => !outcomes.has(claim));
    if (open.length > 0) await load(open);
  }
  return claims.map((claim) => outcomes.get(claim) ?? CHANGING);
}

function windowOf({ claim: { request, leavingIds }, draft }: Drafted): Window {
  const { bookingId, venueId, productId } = request;
  return {
    venueId,
    productId,
    fromMs: draft.fromMs,
    toMs: draft.endMs,
    isPaced: draft.product.coversPerStart !== null,
    ...(leavingIds ? { exceptBookingIds: leavingIds } : { newBookingId: bookingId }),
  };
}

/** The days that a stay leaves change too. */
function daysOf({ claim: { request, leaves }, draft }: Drafted): VenueDay[] {
  const { venueId, zone, startMs: fromMs } = request;
  const stays = [{ fromMs, toMs: draft.endMs }, ...(leaves ? [leaves] : [])];
  return stays.flatMap((stay) => datesTouched(zone, stay).map((date) => ({ venueId, date })));
}

/**
 * The calendar days that a stay touches, ascending. Two stays that meet share one of them, whichever trading
 * days they belong to; so the lock of a trading day that runs past midnight includes that of the next.
 */
function datesTouched(zone: string, { fromMs, toMs }: Stretch): string[] {
  const last = localOf(zone, toMs - 1).date;
  const dates = [localOf(zone, fromMs).date];
  for (let date = dates[0] ?? last; date < last; ) {
    date = addDays(date, 1);
    dates.push(date);
  }
  return dates;
}
