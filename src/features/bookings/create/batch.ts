/** Bookings of the same moment at systems that live in our database, in one transaction. */
import { inContestedTransaction, inTransaction, limitLockWaits, type Tx } from '../../../db/database.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { codeOf, Problem } from '../../../kernel/problem.ts';
import { notWanted } from '../../../kernel/request-scope.ts';
import type { LocalConnector } from '../../../tms/contract.ts';
import type { Keep } from '../../idempotency/service.ts';
import type { Context } from '../context.ts';
import type { Booking } from '../schema.ts';
import { type NewBookingParts, type Plan, takeHeldPlace, takePlaces, writeAll } from './new-booking.ts';
import { StaleVenue } from './version-check.ts';

export interface LocalBooking {
  plan: Plan;
  connector: LocalConnector;
  keep: Keep<Booking>;
  /** The place is kept for it already, under its id. */
  isHeld: boolean;
}

/** Takes the place and writes the booking; throws why it cannot be had. */
export type BookLocally = (booking: LocalBooking) => Promise<Booking>;

type Deps = Pick<Context, 'sql' | 'clock' | 'store' | 'events' | 'notices'>;
type Result = { booking: Booking } | { error: unknown };

/** More would wait for each other; fewer would leave the database idle while one of them is on its way. */
const BATCHES_UNDER_WAY = 4;
const MOST_IN_A_BATCH = 32;
/** A batch that has to wait longer for a lock is given up, so that one busy venue does not hold up the others. */
const BATCH_LOCK_TIMEOUT_MS = 200;

export function createBatcher(deps: Deps): BookLocally {
  const batchers = new Map<LocalConnector, (booking: LocalBooking) => Promise<Result>>();
  const batcherFor = (connector: LocalConnector) =>
    inBatches<LocalBooking, Result>((bookings, isWanted) => bookBatch(deps, connector, bookings, isWanted), {
      underWay: BATCHES_UNDER_WAY,
      most: MOST_IN_A_BATCH,
    });
  return async (booking) => {
    const { connector, keep, isHeld } = booking;
    // A booking of an order marks its item in the same transaction, which only it can do.
    const result =
      keep.answerOf && !isHeld
        ? await batchers.getOrInsertComputed(connector, batcherFor)(booking)
        : await bookAlone(deps, booking);
    if ('error' in result) throw result.error;
    return result.booking;
  };
}

/**
 * A booking that gets a place and cannot be written rolls the batch back; then each is tried in a transaction of its
 * own, so that no request fails because of another. The ones that then wait for a lock do not delay the next batch.
 */
async function bookBatch(
  deps: Deps,
  connector: LocalConnector,
  bookings: readonly LocalBooking[],
  isWanted: (booking: LocalBooking) => boolean,
): Promise<readonly (Result | Promise<Result>)[]> {
  // Callers that disconnected while the transaction waited for a connection were told that nothing was done.
  let wanted = bookings;
  const each = (resultOf: (booking: LocalBooking) => Result | Promise<Result>) =>
    bookings.map((booking) => (wanted.includes(booking) ? resultOf(booking) : { error: notWanted() }));
  try {
    const results = await inTransaction(deps.sql, async (tx) => {
      wanted = bookings.filter(isWanted);
      // Sent before the first statement of the system, and not waited for.
      const limited = limitLockWaits(tx, BATCH_LOCK_TIMEOUT_MS);
      const [made] = await Promise.all([bookInTransaction(tx, deps, connector, wanted), limited]);
      return made;
    });
    return each((booking) => results[wanted.indexOf(booking)] as Result);
  } catch (error) {
    // A booking that was alone has its answer, unless it gave up a lock too soon.
    const isFinal = bookings.length === 1 && !CONTESTED.has(codeOf(error) ?? '');
    if (isFinal || !isRolledBack(error)) throw error;
    return each((booking) => bookAlone(deps, booking));
  }
}

async function bookAlone(deps: Deps, booking: LocalBooking): Promise<Result> {
  try {
    const [result] = await inContestedTransaction(deps.sql, (tx) =>
      bookInTransaction(tx, deps, booking.connector, [booking]),
    );
    return result as Result;
  } catch (error) {
    return { error };
  }
}

async function bookInTransaction(
  tx: Tx,
  deps: Deps,
  connector: LocalConnector,
  bookings: readonly LocalBooking[],
): Promise<Result[]> {
  const plans = bookings.map(({ plan }) => plan);
  const [alone] = bookings;
  const places = alone?.isHeld
    ? [await takeHeldPlace(tx, deps, connector, alone.plan)]
    : await takePlaces(tx, deps, connector, plans);
  const parts: NewBookingParts[] = [];
  for (const [index, { plan, keep }] of bookings.entries()) {
    const place = places[index];
    if (place && 'record' in place) parts.push({ plan, keep, record: place.record });
  }
  const written = await writeAll(tx, deps, parts);
  const byPlan = new Map(parts.map(({ plan }, index) => [plan, written[index]]));
  return bookings.map(({ plan }, index) => {
    const place = places[index];
    if (place && 'refusal' in place) return { error: place.refusal };
    return { booking: byPlan.get(plan) as Booking };
  });
}

const LOCK_TIMEOUT = '55P03';
const DEADLOCK = '40P01';
/** Another transaction was in the way; a transaction that waits longer may succeed. */
const CONTESTED = new Set([LOCK_TIMEOUT, DEADLOCK]);

const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Classes of SQLSTATE after which the outcome is not known: the connection broke, or the server was shut down. */
const IN_DOUBT = ['08', '57P'];

/** Whether the transaction is known to be rolled back: the server refused it, or we did. */
function isRolledBack(error: unknown): boolean {
  if (error instanceof Problem || error instanceof StaleVenue) return true;
  const code = codeOf(error) ?? '';
  return SQLSTATE.test(code) && !IN_DOUBT.some((group) => code.startsWith(group));
}
