/**
 * Changes in a remote system. The intent is written first, then the system is called, then the outcome is written; a
 * crash or a lost connection at any point leaves an intent that says what may have happened. `BOOK-R-002` promises
 * that nothing was changed: the resolver makes that true for every intent left over.
 */
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import type { Clock } from '../../../kernel/clock.ts';
import {
  type BookingRequest,
  type Outcome,
  ok,
  type PlaceRequest,
  type SystemBooking,
} from '../../../tms/contract.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import { fingerprintOf } from '../../idempotency/service.ts';
import type { Context } from '../context.ts';
import { assertBookingUnchanged } from '../create/version-check.ts';
import type { BookingRecord } from '../record.ts';
import { refusalOf } from '../refusals.ts';
import { detailsOf, fits } from '../system-request.ts';
import { booked, type Called } from './book.ts';
import { type Claim, createClaims, newCall, othersAtWork, type RemoteOrder } from './claim.ts';
import type * as intents from './intent-store.ts';
import { type CommitAll, type HeldOrder, placeAll } from './place-all.ts';

/** Writes down what came of it, in the transaction that also ends the intent. */
export type Commit<Value, Result> = (tx: Tx, value: Value, bookingId: string) => Promise<Result>;

export interface RemoteDesk {
  /**
   * All of them or none: their places are held, then they are confirmed. `prepare` takes what else belongs to it once
   * all are held, and may throw. Throws `Refused`.
   */
  placeAll<Result>(
    orders: readonly HeldOrder[],
    prepare: () => Promise<void>,
    commit: CommitAll<Result>,
  ): Promise<Result>;
  /** May end up with the booking id of an earlier, equal request whose outcome was never known. */
  place<Result>(
    order: RemoteOrder,
    wanted: PlaceRequest,
    commit: Commit<SystemBooking, Result>,
  ): Promise<Result>;
  move<Result>(
    order: RemoteOrder,
    change: { standing: PlaceRequest; wanted: PlaceRequest },
    commit: Commit<SystemBooking, Result>,
  ): Promise<Result>;
  release<Result>(order: RemoteOrder, standing: PlaceRequest, commit: Commit<void, Result>): Promise<Result>;
}

/** For what may have to call a remote system. */
export interface RemoteContext extends Context {
  desk: RemoteDesk;
}

export function createRemoteDesk(deps: { sql: Sql; clock: Clock }): RemoteDesk {
  const claims = createClaims(deps);

  async function carryOut<Value, Result>(
    order: RemoteOrder,
    change: intents.Change,
    call: (claim: Claim) => Promise<Called<Value>>,
    commit: Commit<Value, Result>,
  ): Promise<Result> {
    const claimed = await claims.claim(order, change);
    const { outcome, ...called } = await call(claimed);
    const isDoubtful = called.isDoubtful || claimed.state !== 'new';
    try {
      if (outcome.kind !== 'ok') throw refusalOf(outcome, order.connector.capabilities.capability);
      return await inTransaction(deps.sql, async (tx) => {
        await claims.end(tx, claimed, isDoubtful);
        return commit(tx, outcome.value, claimed.bookingId);
      });
    } catch (error) {
      const isCertain = outcome.kind !== 'ok' && !isDoubtful;
      throw (await claims.leave(claimed, isCertain)) ? error : othersAtWork();
    }
  }

  return {
    place(order, wanted, commit) {
      const { details } = order;
      const call = (claimed: Claim) =>
        placed(order, claimed, { ...wanted, details, bookingId: claimed.bookingId });
      return carryOut(order, { standing: null, wanted }, call, commit);
    },

    placeAll: (orders, prepare, commit) => placeAll(deps, claims, { orders, prepare, commit }),

    move(order, change, commit) {
      const { connector, details } = order;
      const wanted = { ...change.wanted, details };
      const call = () => insistently(() => connector.amend(newCall(wanted.venueId), wanted));
      return carryOut(order, change, call, commit);
    },

    release(order, standing, commit) {
      const call = () =>
        insistently(() => order.connector.cancel(newCall(standing.venueId), order.bookingId));
      return carryOut(order, { standing, wanted: null }, call, commit);
    },
  };
}

/** Amending and cancelling state the final state, so repeating them after a lost connection is idempotent. */
async function insistently<Value>(call: () => Promise<Outcome<Value>>): Promise<Called<Value>> {
  const outcome = await call();
  if (outcome.kind !== 'unknown') return { outcome, isDoubtful: false };
  return { outcome: await call(), isDoubtful: true };
}

/** Adopts what an earlier call has booked, and amends it to the current request. */
async function placed(
  order: RemoteOrder,
  { state }: Claim,
  wanted: BookingRequest,
): Promise<Called<SystemBooking>> {
  const { connector } = order;
  if (state === 'new') return booked(order, wanted);
  const earlier = await connector.find(newCall(wanted.venueId), wanted.bookingId);
  if (earlier.kind !== 'ok') return { outcome: earlier, isDoubtful: true };
  if (!earlier.value) return booked(order, wanted);
  // Also an equal request can be for another start by now: the hours or the zone of the venue may have changed.
  const isWanted = state === 'same' && fits(earlier.value, wanted);
  const outcome = isWanted ? ok(earlier.value) : await connector.amend(newCall(wanted.venueId), wanted);
  return { outcome, isDoubtful: true };
}

/** An order about a booking, planned on its current version; `content` distinguishes requests. */
export function orderAbout(
  context: Context,
  caller: Caller,
  booking: BookingRecord,
  {
    connector,
    content,
    after = booking,
  }: { connector: RemoteConnector; content: object; after?: BookingRecord },
): RemoteOrder {
  return {
    connector,
    details: detailsOf(after),
    bookingId: booking.id,
    partnerId: booking.partnerId,
    partnerBookingId: null,
    clientId: caller.clientId,
    idempotencyKey: null,
    fingerprint: fingerprintOf(content),
    isByOperator: !('partner' in caller),
    check: (tx: Tx) => assertBookingUnchanged(tx, context, booking),
  };
}
