/**
 * Several bookings in remote systems that are all made or none. Each has an intent that says «nothing is booked»; while
 * they stand, a crash at any step leaves holds, which end by themselves, and bookings, which the resolver cancels.
 */
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import type { Problem } from '../../../kernel/problem.ts';
import {
  type Outcome,
  ok,
  type PlaceRequest,
  type SystemBooking,
  type SystemHold,
} from '../../../tms/contract.ts';
import { refusalOf } from '../refusals.ts';
import { fits } from '../system-request.ts';
import { booked } from './book.ts';
import { type Claim, type Claims, newCall, othersAtWork, type RemoteOrder } from './claim.ts';

/** Longer than a request can take, and short enough for a place that a crash leaves held. */
const HELD_MS = 60_000;

export interface HeldOrder {
  order: RemoteOrder;
  wanted: PlaceRequest;
}

/** Writes all bookings, in the transaction that also ends the intents. */
export type CommitAll<Result> = (tx: Tx, placed: ReadonlyMap<string, SystemBooking>) => Promise<Result>;

/** Why nothing was booked: what was wrong with which of them, and which had been held by then. */
export class Refused extends Error {
  readonly problems: ReadonlyMap<string, Problem>;
  readonly heldIds: readonly string[];

  constructor(problems: ReadonlyMap<string, Problem>, heldIds: readonly string[] = []) {
    super('Not all of the bookings can be made.');
    this.problems = problems;
    this.heldIds = heldIds;
  }
}

interface Part extends HeldOrder {
  claim: Claim;
  /** By this request, or by an earlier one whose outcome was never known. */
  booking?: SystemBooking;
  isDoubtful: boolean;
}

interface Work<Result> {
  orders: readonly HeldOrder[];
  prepare: () => Promise<void>;
  commit: CommitAll<Result>;
}

export async function placeAll<Result>(
  { sql, clock }: { sql: Sql; clock: Clock },
  claims: Claims,
  { orders, prepare, commit }: Work<Result>,
): Promise<Result> {
  const parts: Part[] = [];
  try {
    // In one order, so that two requests about the same bookings do not wait for each other.
    for (const each of orders.toSorted(byBookingId)) {
      const claim = await claims.claim(each.order, { standing: null, wanted: each.wanted });
      parts.push({ ...each, claim, isDoubtful: claim.state !== 'new' });
    }
    await Promise.all(parts.filter(({ isDoubtful }) => isDoubtful).map(adopt));
    await holdAll(parts, nowOf(clock).epochMilliseconds + HELD_MS);
    await prepare();
    const placed = await confirmAll(parts);
    return await inTransaction(sql, async (tx) => {
      for (const { claim, isDoubtful } of parts) await claims.end(tx, claim, isDoubtful);
      return commit(tx, placed);
    });
  } catch (error) {
    // Anything else than a refusal decides nothing: a repeated request adopts what is there, or the resolver undoes it.
    const undone = error instanceof Refused ? await undo(parts) : new Set<Part>();
    const areOurs = await Promise.all(
      parts.map((part) => claims.leave(part.claim, undone.has(part) && !part.isDoubtful)),
    );
    throw areOurs.every(Boolean) ? error : othersAtWork();
  }
}

const byBookingId = ({ order: a }: HeldOrder, { order: b }: HeldOrder) =>
  a.bookingId < b.bookingId ? -1 : 1;

/** What an earlier request has left behind is taken as it is if it fits, and cancelled if not. */
async function adopt(part: Part): Promise<void> {
  const { order, wanted } = part;
  const found = await order.connector.find(newCall(wanted.venueId), order.bookingId);
  if (found.kind !== 'ok') throw othersAtWork();
  if (!found.value) return;
  if (fits(found.value, wanted)) {
    part.booking = found.value;
    return;
  }
  const cancelled = await order.connector.cancel(newCall(wanted.venueId), order.bookingId);
  if (cancelled.kind !== 'ok') throw othersAtWork();
}

async function holdAll(parts: readonly Part[], untilMs: number): Promise<void> {
  const outcomes = await Promise.all(
    parts.map(async ({ order, wanted, booking }): Promise<Outcome<SystemHold> | undefined> => {
      if (booking) return undefined;
      const call = newCall(wanted.venueId);
      return order.connector.holds?.hold(call, { ...wanted, bookingId: order.bookingId }, untilMs);
    }),
  );
  const problems = problemsOf(parts, outcomes);
  if (problems.size === 0) return;
  const held = parts.filter(({ order }) => !problems.has(order.bookingId));
  throw new Refused(
    problems,
    held.map(({ order }) => order.bookingId),
  );
}

/** One in doubt leaves all as they are: the order is decided when that is known. */
async function confirmAll(parts: readonly Part[]): Promise<Map<string, SystemBooking>> {
  const called = await Promise.all(
    parts.map(async (part) => {
      const { order, wanted } = part;
      if (part.booking) return ok(part.booking);
      const request = { ...wanted, bookingId: order.bookingId, details: order.details };
      const { outcome, isDoubtful } = await booked({ ...order, isHeld: true }, request);
      part.isDoubtful ||= isDoubtful;
      if (outcome.kind === 'ok') part.booking = outcome.value;
      return outcome;
    }),
  );
  if (called.some(({ kind }) => kind === 'unknown')) throw othersAtWork();
  const problems = problemsOf(parts, called);
  if (problems.size > 0)
    throw new Refused(
      problems,
      parts.map(({ order }) => order.bookingId).filter((id) => !problems.has(id)),
    );
  return new Map(parts.flatMap(({ order, booking }) => (booking ? [[order.bookingId, booking]] : [])));
}

function problemsOf(
  parts: readonly Part[],
  outcomes: readonly (Outcome<unknown> | undefined)[],
): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  for (const [index, { order }] of parts.entries()) {
    const outcome = outcomes[index];
    if (outcome && outcome.kind !== 'ok')
      problems.set(order.bookingId, refusalOf(outcome, order.connector.capabilities.capability));
  }
  return problems;
}

/** Gives back what is held and what is confirmed; says of which that is certain. */
async function undo(parts: readonly Part[]): Promise<Set<Part>> {
  const undone = await Promise.all(
    parts.map(async ({ order, wanted, booking }) => {
      const call = newCall(wanted.venueId);
      if (booking) return (await order.connector.cancel(call, order.bookingId)).kind === 'ok';
      // A hold that stays because this fails ends by itself; one of the partner's own is not given back.
      if (!order.isHeld) await order.connector.holds?.release(call, order.bookingId);
      return true;
    }),
  );
  return new Set(parts.filter((_, index) => undone[index]));
}
