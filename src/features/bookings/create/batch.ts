/** Bookings of the same moment at systems that live in our database, in one transaction. */
import {
  inContestedTransaction,
  inTransaction,
  limitLockWaits,
  type Sql,
  type Tx,
} from '../../../db/database.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import { codeOf, Problem } from '../../../kernel/problem.ts';
import { currentScope, notWanted } from '../../../kernel/request-scope.ts';
import { currentSpan } from '../../../kernel/tracing.ts';
import type { LocalConnector } from '../../../tms/contract.ts';
import type { Keep } from '../../idempotency/service.ts';
import type { Context } from '../context.ts';
import type { Booking } from '../schema.ts';
import {
  admissionOf,
  type NewBookingParts,
  type Plan,
  takeHeldPlaces,
  takePlaces,
  writeAll,
} from './new-booking.ts';
import { StaleVenue } from './version-check.ts';

export interface LocalBooking {
  plan: Plan;
  connector: LocalConnector;
  keep: Keep<Booking>;
  /** The place is kept for it already, under its id. */
  isHeld: boolean;
  /** Requests share the transaction, and each event belongs to the trace of its own. */
  traceparent?: string | null;
}

/** Takes the place and writes the booking; throws why it cannot be had. */
export type BookLocally = (booking: LocalBooking) => Promise<Booking>;

type Deps = Pick<Context, 'sql' | 'clock' | 'store' | 'events' | 'notices' | 'mandates'>;
export type Result<Value> = { value: Value } | { error: unknown };
/** Whether it can be done depends on what the others of its batch come to: it is tried by itself afterwards. */
export const LEFT_OUT = { isLeftOut: true } as const;

/** More would wait for each other; fewer would leave the database idle while one of them is on its way. */
const BATCHES_UNDER_WAY = 4;
const MOST_IN_A_BATCH = 32;

/** For each of them what came of it, in one transaction; throws where one cannot be written. A single one is not left out. */
export type CarryOut<Item, Value> = (
  tx: Tx,
  items: readonly Item[],
) => Promise<(Result<Value> | typeof LEFT_OUT)[]>;

export interface Batcher<Item, Value> {
  /** With others of the same moment. */
  inBatch(item: Item): Promise<Value>;
  alone(item: Item): Promise<Value>;
}

/**
 * An item that cannot be written rolls its batch back; then each is tried in a transaction of its own, so that no
 * request fails because of another. The ones that then wait for a lock do not delay the next batch.
 */
export function createTransactionBatcher<Item, Value>(
  sql: Sql,
  carryOut: CarryOut<Item, Value>,
): Batcher<Item, Value> {
  async function tryAlone(item: Item): Promise<Result<Value>> {
    try {
      const [result] = await inContestedTransaction(sql, (tx) => carryOut(tx, [item]));
      return result as Result<Value>;
    } catch (error) {
      return { error };
    }
  }

  async function tryTogether(
    items: readonly Item[],
    isWanted: (item: Item) => boolean,
  ): Promise<readonly (Result<Value> | Promise<Result<Value>>)[]> {
    // Callers that disconnected while the transaction waited for a connection were told that nothing was done.
    let wanted = items;
    const each = (resultOf: (item: Item) => Result<Value> | Promise<Result<Value>>) =>
      items.map((item) => (wanted.includes(item) ? resultOf(item) : { error: notWanted() }));
    try {
      const results = await inTransaction(sql, async (tx) => {
        wanted = items.filter(isWanted);
        // Sent before the first statement of the system, and not waited for.
        const limited = limitLockWaits(tx, DEADLINES.batchLock);
        const [made] = await Promise.all([carryOut(tx, wanted), limited]);
        return made;
      });
      return each((item) => {
        const result = results[wanted.indexOf(item)] ?? LEFT_OUT;
        return 'isLeftOut' in result ? tryAlone(item) : result;
      });
    } catch (error) {
      // One that was alone has its answer, unless it gave up a lock too soon.
      const isFinal = items.length === 1 && !CONTESTED.has(codeOf(error) ?? '');
      if (isFinal || !isRolledBack(error)) throw error;
      return each(tryAlone);
    }
  }

  const batched = inBatches(tryTogether, { underWay: BATCHES_UNDER_WAY, most: MOST_IN_A_BATCH });
  const valueOrThrow = (result: Result<Value>): Value => {
    if ('error' in result) throw result.error;
    return result.value;
  };
  const alone = async (item: Item) => valueOrThrow(await tryAlone(item));
  return {
    alone,
    // A request that is to fail must not take others along.
    inBatch: async (item) => (currentScope()?.faults ? alone(item) : valueOrThrow(await batched(item))),
  };
}

export function createBatcher(deps: Deps): BookLocally {
  const batcherFor = (isHeld: boolean) => (connector: LocalConnector) =>
    createTransactionBatcher<LocalBooking, Booking>(deps.sql, (tx, bookings) =>
      bookInTransaction(tx, deps, connector, { bookings, isHeld }),
    );
  // Held places and others lock in different orders.
  const batchers = [false, true].map((isHeld) => ({
    make: batcherFor(isHeld),
    made: new Map<LocalConnector, Batcher<LocalBooking, Booking>>(),
  }));
  return (asked) => {
    const { connector, keep, isHeld } = asked;
    const booking = { ...asked, traceparent: currentSpan()?.traceparent ?? null };
    const { make, made } = batchers[isHeld ? 1 : 0] as (typeof batchers)[number];
    const batcher = made.getOrInsertComputed(connector, make);
    // A booking of an order marks its item in the same transaction, which only it can do.
    return keep.answerOf ? batcher.inBatch(booking) : batcher.alone(booking);
  };
}

async function bookInTransaction(
  tx: Tx,
  deps: Deps,
  connector: LocalConnector,
  { bookings, isHeld }: { bookings: readonly LocalBooking[]; isHeld: boolean },
): Promise<(Result<Booking> | typeof LEFT_OUT)[]> {
  const results = new Map<LocalBooking, Result<Booking> | typeof LEFT_OUT>();
  const admitted = await deps.mandates.admit(
    tx,
    bookings.map(({ plan }) => admissionOf(plan)),
  );
  for (const [index, booking] of bookings.entries()) {
    const room = admitted[index];
    if (room instanceof Problem) results.set(booking, { error: room });
    else if (room !== 'yes') results.set(booking, LEFT_OUT);
  }
  const allowed = bookings.filter((booking) => !results.has(booking));
  const plans = allowed.map(({ plan }) => plan);
  const places =
    plans.length === 0 ? [] : await (isHeld ? takeHeldPlaces : takePlaces)(tx, deps, connector, plans);
  const parts: NewBookingParts[] = [];
  for (const [index, booking] of allowed.entries()) {
    const place = places[index];
    if (place && 'record' in place) parts.push({ ...booking, record: place.record });
    if (place && 'refusal' in place) results.set(booking, { error: place.refusal });
  }
  const written = await writeAll(tx, deps, parts);
  const byPlan = new Map(parts.map(({ plan }, index) => [plan, written[index]]));
  return bookings.map((booking) => results.get(booking) ?? { value: byPlan.get(booking.plan) as Booking });
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
