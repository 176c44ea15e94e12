/**
 * Changes in a remote system. The intent is written first, then the system is called, then the outcome is written; a
 * crash or a lost connection at any point leaves an intent that says what may have happened. `BOOK-R-002` promises
 * that nothing was changed: the resolver makes that true for every intent left over.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { withinDeadline } from '../../../kernel/request-scope.ts';
import {
  type BookingDetails,
  type BookingRequest,
  type Outcome,
  ok,
  type PlaceRequest,
  type SystemBooking,
} from '../../../tms/contract.ts';
import type { RemoteCall, RemoteConnector } from '../../../tms/remote.ts';
import { fingerprintOf } from '../../idempotency/service.ts';
import type { Context } from '../context.ts';
import { assertBookingUnchanged } from '../create/version-check.ts';
import type { BookingRecord } from '../record.ts';
import { refusalOf } from '../refusals.ts';
import { detailsOf, fits } from '../system-request.ts';
import * as intents from './intent-store.ts';

/** Longer than the calls of one request with their deadlines can take. */
const LEASE_SECONDS = 20;
const FIRST_CHECK_SECONDS = 30;
const CALL_MS = 8000;
/** Longer than a lease: its holder is done by then, or loses it. */
const PATIENCE_MS = 22_000;
const POLL_MS = 50;

/** A call for a request ends before the request has to be answered. */
export function newCall(venueId: VenueId): RemoteCall {
  const deadlineMs = Math.round(withinDeadline(CALL_MS));
  const { operatorId } = partsOfVenueId(venueId);
  return { operatorId, signal: AbortSignal.timeout(deadlineMs), deadlineMs };
}

export function leaseTimes(clock: Clock): intents.LeaseTimes {
  const now = nowOf(clock);
  return {
    now,
    leasedUntil: now.add({ seconds: LEASE_SECONDS }),
    nextCheckAt: now.add({ seconds: FIRST_CHECK_SECONDS }),
  };
}

export interface RemoteOrder extends Omit<intents.Intent, 'tms' | keyof intents.Change> {
  connector: RemoteConnector;
  /** Told to the system; not stored with the intent, which would have a guest's data unsealed. */
  details: BookingDetails;
  /**
   * Throws when the order no longer fits what is stored. Runs once no other request can change the booking through
   * its system, so what it has read stays true until the order is done.
   */
  check(tx: Tx): Promise<void>;
}

/** Writes down what came of it, in the transaction that also ends the intent. */
export type Commit<Value, Result> = (tx: Tx, value: Value, bookingId: string) => Promise<Result>;

export interface RemoteDesk {
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

/**
 * `new`: no call was made before. Otherwise the system has been called already, for the `same` or `another` request.
 */
interface Claim extends intents.Lease {
  state: 'new' | 'same' | 'another';
}

/** `isDoubtful`: a call of this request may have had an effect, or have it later, that the outcome does not tell. */
interface Called<Value> {
  outcome: Outcome<Value>;
  isDoubtful: boolean;
}

export function createRemoteDesk({ sql, clock }: { sql: Sql; clock: Clock }): RemoteDesk {
  const newLease = (bookingId: string) => ({ bookingId, lease: randomUUID() });

  async function carryOut<Value, Result>(
    { connector, check, details: _, ...order }: RemoteOrder,
    change: intents.Change,
    call: (claim: Claim) => Promise<Called<Value>>,
    commit: Commit<Value, Result>,
  ): Promise<Result> {
    const intent = { ...order, ...change, tms: connector.slug };
    const claimed = await claim(intent, connector, check);
    const { outcome, isDoubtful } = await call(claimed);
    return conclude(
      claimed,
      { outcome, isDoubtful: isDoubtful || claimed.state !== 'new' },
      connector,
      commit,
    );
  }

  async function claim(
    intent: intents.Intent,
    connector: RemoteConnector,
    check: RemoteOrder['check'],
  ): Promise<Claim> {
    const endsAt = performance.now() + withinDeadline(PATIENCE_MS);
    do {
      const begun = await begin(intent, check);
      if (begun) return begun;
      const rival = await intents.findRival(sql, intent, nowOf(clock));
      if (rival?.isLeased) {
        await sleep(POLL_MS);
      } else if (rival) {
        const taken = await takeOver(rival, intent, connector, check);
        if (taken) return taken;
      }
    } while (performance.now() < endsAt);
    throw othersAtWork();
  }

  async function begin(intent: intents.Intent, check: RemoteOrder['check']): Promise<Claim | undefined> {
    const lease = newLease(intent.bookingId);
    return inTransaction(sql, async (tx) => {
      if (!(await intents.insertIntent(tx, intent, lease, leaseTimes(clock)))) return undefined;
      await check(tx);
      return { ...lease, state: 'new' };
    });
  }

  /** Undefined: the rival is resolved, or another request was faster. */
  async function takeOver(
    rival: intents.StoredIntent,
    intent: intents.Intent,
    connector: RemoteConnector,
    check: RemoteOrder['check'],
  ): Promise<Claim | undefined> {
    const lease = newLease(rival.bookingId);
    const isSame = rival.fingerprint.equals(intent.fingerprint);
    const isOurs = isSame || rival.bookingId === intent.bookingId;
    const isTaken = await inTransaction(sql, async (tx) => {
      if (!(await intents.takeLease(tx, rival, lease, leaseTimes(clock)))) return false;
      if (isOurs) {
        await check(tx);
        const createdAt = isSame ? rival.createdAt : nowOf(clock);
        await intents.replaceRequest(tx, lease, { ...intent, createdAt });
      }
      return true;
    });
    if (!isTaken) return undefined;
    if (isOurs) return { ...lease, state: isSame ? 'same' : 'another' };
    // Another request under the same key: the booking of the first must not stay beside the second. In another system
    // it does not conflict, and the resolver clears it up.
    const place = rival.tms === connector.slug ? (rival.wanted ?? rival.standing) : null;
    const cancelled = place ? await connector.cancel(newCall(place.venueId), rival.bookingId) : ok(undefined);
    if (cancelled.kind !== 'ok') {
      await intents.abandon(sql, lease, nowOf(clock));
      throw refusalOf(cancelled, connector.capabilities.capability);
    }
    await intents.detach(sql, lease);
    return undefined;
  }

  async function conclude<Value, Result>(
    lease: intents.Lease,
    { outcome, isDoubtful }: Called<Value>,
    connector: RemoteConnector,
    commit: Commit<Value, Result>,
  ): Promise<Result> {
    const end = (tx: Tx) =>
      isDoubtful ? intents.settle(tx, lease, leaseTimes(clock).nextCheckAt) : intents.finish(tx, lease);
    try {
      if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
      return await inTransaction(sql, async (tx) => {
        if (!(await end(tx))) throw othersAtWork();
        return commit(tx, outcome.value, lease.bookingId);
      });
    } catch (error) {
      const isCertain = outcome.kind !== 'ok' && !isDoubtful;
      const left = isCertain ? intents.finish(sql, lease) : intents.abandon(sql, lease, nowOf(clock));
      // If not even this can be written, the lease ends on its own.
      const isOurs = await left.catch(() => true);
      throw isOurs ? error : othersAtWork();
    }
  }

  return {
    place(order, wanted, commit) {
      const { connector, details } = order;
      const call = (claimed: Claim) =>
        placed(connector, claimed, { ...wanted, details, bookingId: claimed.bookingId });
      return carryOut(order, { standing: null, wanted }, call, commit);
    },

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

/** Not BOOK-R-002: what the others are about may be the same as this, and be applied. */
export const othersAtWork = () =>
  problem('HTTP-R-503', {
    detail: 'Other requests about this booking are still at work.',
    retryAfterSeconds: 5,
  });

/** Amending and cancelling state the final state, so repeating them after a lost connection is idempotent. */
async function insistently<Value>(call: () => Promise<Outcome<Value>>): Promise<Called<Value>> {
  const outcome = await call();
  if (outcome.kind !== 'unknown') return { outcome, isDoubtful: false };
  return { outcome: await call(), isDoubtful: true };
}

/** Adopts what an earlier call has booked, and amends it to the current request. */
async function placed(
  connector: RemoteConnector,
  { state }: Claim,
  wanted: BookingRequest,
): Promise<Called<SystemBooking>> {
  if (state === 'new') return booked(connector, wanted);
  const earlier = await connector.find(newCall(wanted.venueId), wanted.bookingId);
  if (earlier.kind !== 'ok') return { outcome: earlier, isDoubtful: true };
  if (!earlier.value) return booked(connector, wanted);
  // Also an equal request can be for another start by now: the hours or the zone of the venue may have changed.
  const isWanted = state === 'same' && fits(earlier.value, wanted);
  const outcome = isWanted ? ok(earlier.value) : await connector.amend(newCall(wanted.venueId), wanted);
  return { outcome, isDoubtful: true };
}

/** After a lost connection the system is asked whether it has the booking; if it does, that counts as its answer. */
async function booked(connector: RemoteConnector, wanted: BookingRequest): Promise<Called<SystemBooking>> {
  const outcome = await connector.book(newCall(wanted.venueId), wanted);
  if (outcome.kind !== 'unknown') return { outcome, isDoubtful: false };
  const found = await connector.find(newCall(wanted.venueId), wanted.bookingId);
  return found.kind === 'ok' && found.value && fits(found.value, wanted)
    ? { outcome: ok(found.value), isDoubtful: false }
    : { outcome, isDoubtful: true };
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
