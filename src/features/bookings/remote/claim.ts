/** Who may call a remote system about a booking: the holder of its intent, one at a time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { withinDeadline } from '../../../kernel/request-scope.ts';
import { type BookingDetails, ok } from '../../../tms/contract.ts';
import { callFor, type RemoteCall, type RemoteConnector } from '../../../tms/remote.ts';
import { refusalOf } from '../refusals.ts';
import * as intents from './intent-store.ts';

/** Longer than the calls of one request with their deadlines can take. */
const LEASE_SECONDS = 20;
const FIRST_CHECK_SECONDS = 30;
const POLL_MS = 50;

/** With the account of the operator that has the venue. */
export const newCall = (venueId: VenueId): RemoteCall => callFor(partsOfVenueId(venueId).operatorId);

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
  /** The system keeps the place already: the hold of the booking's id becomes the booking. */
  isHeld?: boolean;
  /**
   * Throws when the order no longer fits what is stored. Runs once no other request can change the booking through
   * its system, so what it has read stays true until the order is done. `bookingId`: of the attempt that goes on, which
   * is an earlier one's where its outcome is in doubt.
   */
  check(tx: Tx, bookingId: string): Promise<void>;
}

/**
 * `new`: no call was made before. Otherwise the system has been called already, for the `same` or `another` request.
 */
export interface Claim extends intents.Lease {
  state: 'new' | 'same' | 'another';
}

/** Not BOOK-R-002: what the others are about may be the same as this, and be applied. */
export const othersAtWork = () =>
  problem('HTTP-R-503', {
    detail: 'Other requests about this booking are still at work.',
    retryAfterSeconds: 5,
  });

export type Claims = ReturnType<typeof createClaims>;

export function createClaims({ sql, clock }: { sql: Sql; clock: Clock }) {
  const newLease = (bookingId: string) => ({ bookingId, lease: randomUUID() });

  /** Waits for other requests about the same booking, and takes over what they have left in doubt. */
  async function claim(
    intent: intents.Intent,
    connector: RemoteConnector,
    check: RemoteOrder['check'],
  ): Promise<Claim> {
    const endsAt = performance.now() + withinDeadline(DEADLINES.sameBooking);
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
      await check(tx, intent.bookingId);
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
        await check(tx, rival.bookingId);
        const createdAt = isSame ? rival.createdAt : nowOf(clock);
        await intents.replaceRequest(tx, lease, {
          ...intent,
          createdAt,
          replaced: intents.replacedBy(intent, rival),
        });
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

  return {
    claim: (
      { connector, check, details: _, isHeld: __, ...order }: RemoteOrder,
      change: intents.Change,
    ): Promise<Claim> => claim({ ...order, ...change, tms: connector.slug }, connector, check),

    /** In the transaction that writes the outcome. */
    async end(tx: Tx, lease: intents.Lease, isDoubtful: boolean): Promise<void> {
      const ended = isDoubtful
        ? intents.settle(tx, lease, leaseTimes(clock).nextCheckAt)
        : intents.finish(tx, lease);
      if (!(await ended)) throw othersAtWork();
    },

    /** Without an outcome; false: another request has taken over, and nothing may be concluded from this one. */
    leave(lease: intents.Lease, isCertain: boolean): Promise<boolean> {
      const left = isCertain ? intents.finish(sql, lease) : intents.abandon(sql, lease, nowOf(clock));
      // If not even this can be written, the lease ends on its own.
      return left.catch(() => true);
    },
  };
}
