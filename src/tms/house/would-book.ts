import type { Tx } from '../../db/database.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import { type Outcome, ok, type PlaceRequest, type ProposedPlace } from '../contract.ts';
import { type HouseProduct, turnTime } from './book.ts';
import type { ConfigCache } from './config-cache.ts';
import { decide, draftOf } from './decision.ts';
import type { Occupied } from './holds/held.ts';
import { loadState } from './load-state.ts';
import type { StayCache } from './stay-cache.ts';
import { findHeldSeat, readLive } from './store.ts';

/** Decides on several requests as booking does, on one read of live state and without its locks. */
export async function wouldBook(
  tx: Tx,
  requests: readonly PlaceRequest[],
  { configs, stays, occupied }: { configs: ConfigCache; stays: StayCache; occupied: Occupied },
): Promise<Outcome<ProposedPlace>[]> {
  const [first] = requests;
  if (!first) return [];
  const held = await findHeldSeat(tx, first.bookingId, first.venueId);
  const loaded = await loadState(tx, configs, {
    ids: first,
    planFor: (product) => ok({ product, range: rangeOf(product, requests) }),
    read: (_, window) =>
      // The cache has the stays of all, the booking's own among them.
      held ? readLive(tx, { ...window, exceptBookingIds: [first.bookingId] }) : stays.read(tx, window),
  });
  if (loaded.kind !== 'ok') return requests.map(() => loaded);
  const { book, plan, live } = loaded.value;
  return requests.map((request) => {
    const draft = draftOf(book, plan.product, request, held);
    if (draft.kind !== 'ok') return draft;
    const seat = decide(draft.value, request, occupied(live, request.nowMs, [request.bookingId]));
    if (seat.kind !== 'ok') return seat;
    const { durationMinutes, unit } = seat.value;
    return ok({ durationMinutes, tableIds: unit.tableIds });
  });
}

/** The time that the stays could touch. */
function rangeOf(product: HouseProduct, requests: readonly PlaceRequest[]) {
  const endMs = ({ startMs, durationMinutes, adults, children }: PlaceRequest) =>
    startMs + (durationMinutes ?? turnTime(product, adults + children)) * MS_PER_MINUTE;
  return {
    fromMs: Math.min(...requests.map(({ startMs }) => startMs)),
    toMs: Math.max(...requests.map(endMs)),
  };
}
