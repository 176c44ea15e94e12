/**
 * Several bookings that are all made or none. Where all systems live in our database, each place is taken in one
 * transaction, which is the hold; its commit confirms them all, and rolled back it gives everything back. With remote
 * systems among them all places are held first, ours too, and then confirmed.
 */

import { inContestedTransaction, inTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { venueOfProduct } from '../../../kernel/ids.ts';
import { Problem, problem } from '../../../kernel/problem.ts';
import type { LocalConnector } from '../../../tms/contract.ts';
import type { Connector } from '../../../tms/remote.ts';
import type { Keep } from '../../idempotency/service.ts';
import { partnerOf } from '../access.ts';
import type { Context } from '../context.ts';
import { lockForUse, sayingItEnded } from '../holds/take.ts';
import type { BookingRecord } from '../record.ts';
import { refusalOf, wantsToBeAsked } from '../refusals.ts';
import { Refused } from '../remote/place-all.ts';
import type { Booking } from '../schema.ts';
import {
  askedOf,
  assertNotPaidFirst,
  type CreateContext,
  contentOf,
  enquiryOf,
  type NamedBooking,
  planBooking,
  remoteOrder,
} from './create.ts';
import {
  admissionOf,
  confirmed,
  type Plan,
  plannedRequest,
  takeHeldPlace,
  takePlaces,
  writeOne,
} from './new-booking.ts';
import { assertUnused, sayingItExists } from './partner-booking-id.ts';
import { withAlternative } from './time-first.ts';
import { retryOnStaleVenue } from './version-check.ts';

export function placeAtomically(
  context: CreateContext,
  caller: Caller,
  asked: readonly NamedBooking[],
  keep: Keep<Booking[]>,
): Promise<Booking[]> {
  const venueIds = [...new Set(asked.map(({ productId }) => venueOfProduct(productId)))];
  return retryOnStaleVenue(context, venueIds, async () => {
    const planned = await planAll(context, caller, asked);
    try {
      const isLocal = planned.every(({ connector }) => connector.flavour === 'local');
      const bookings = await (isLocal
        ? placeInOneTransaction(context, planned, keep)
        : placeOverSystems(context, planned, keep));
      context.holdCounts.add('used', holdIdsOf(planned).length);
      return bookings;
    } catch (error) {
      throw error instanceof Refused ? await withAlternatives(context, planned, error) : error;
    }
  });
}

/** After the transaction, which must not wait for another connection. */
async function withAlternatives(
  context: Context,
  planned: readonly Planned[],
  { problems, heldIds }: Refused,
): Promise<Refused> {
  const named = new Map(problems);
  for (const { plan } of planned) {
    const refusal = problems.get(plan.id);
    if (!refusal) continue;
    const told = plan.hold
      ? sayingItEnded(refusal)
      : await withAlternative(context, plan.caller, askedOf(plan), refusal);
    named.set(plan.id, told);
  }
  return new Refused(named, heldIds);
}

interface Planned {
  asked: NamedBooking;
  plan: Plan;
  connector: Connector;
  /** What an enquiry comes to; a place is found out under its lock. */
  enquiry: BookingRecord | undefined;
}

/** Everything that can be wrong before a place is taken, of all of them at once. */
async function planAll(context: Context, caller: Caller, asked: readonly NamedBooking[]): Promise<Planned[]> {
  const problems = new Map<string, Problem>();
  const planned = await Promise.all(
    asked.map((each) =>
      sayingItExists(context, caller, each.body, () => planOne(context, caller, each)).catch((error) => {
        if (!(error instanceof Problem)) throw error;
        problems.set(each.id, error);
        return undefined;
      }),
    ),
  );
  if (problems.size > 0) throw new Refused(problems);
  return planned.filter((each) => each !== undefined);
}

async function planOne(context: Context, caller: Caller, asked: NamedBooking): Promise<Planned> {
  const plan = await planBooking(context, caller, asked);
  const { connector } = plan.bookable;
  assertNotPaidFirst(plan);
  if (plan.draft.type === 'book') return { asked, plan, connector, enquiry: undefined };
  // An atomic order does not wait for an operator's answer unless the item asks for an enquiry.
  if (asked.body.type === 'book') throw wantsToBeAsked();
  return { asked, plan, connector, enquiry: await enquiryOf(context, plan) };
}

function placeInOneTransaction(
  context: Context,
  planned: readonly Planned[],
  keep: Keep<Booking[]>,
): Promise<Booking[]> {
  // A transaction that moves a booking between two of these days can take the locks in the opposite order.
  return inContestedTransaction(context.sql, (tx) => writePlanned(tx, context, planned, keep, takePlace));
}

/** Takes a place, or the one that is kept; throws why there is none. */
type TakePlace = (tx: Tx, context: Context, planned: Planned) => Promise<BookingRecord>;

/** Writes them all; throws `Refused` at the first that cannot be written. */
async function writePlanned(
  tx: Tx,
  context: Context,
  planned: readonly Planned[],
  keep: Keep<Booking[]>,
  take: TakePlace,
): Promise<Booking[]> {
  await assertAllAdmitted(tx, context, planned);
  // All of them before any place, and whether they have expired is left to their systems.
  const ended = await lockForUse(tx, holdIdsOf(planned), null);
  if (ended.size > 0) throw new Refused(ended);
  const made = new Map<string, Booking>();
  for (const each of planned.toSorted(inLockOrder)) {
    const { plan, enquiry } = each;
    try {
      const record = enquiry ?? (await take(tx, context, each));
      made.set(plan.id, await writeOne(tx, context, { plan, record, keep: async () => {} }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const own = await usedBefore(tx, plan);
      const held = planned.filter((other) => !other.enquiry && made.has(other.plan.id));
      throw new Refused(
        new Map([[plan.id, own ?? error]]),
        held.map((other) => other.plan.id),
      );
    }
  }
  const bookings = planned.flatMap(({ plan }) => made.get(plan.id) ?? []);
  await keep(tx, bookings);
  return bookings;
}

async function assertAllAdmitted(tx: Tx, { mandates }: Context, planned: readonly Planned[]): Promise<void> {
  const refused = await mandates.admitTogether(
    tx,
    planned.map(({ plan }) => admissionOf(plan)),
  );
  if (refused.size > 0) throw new Refused(refused);
}

const holdIdsOf = (planned: readonly Planned[]) => planned.flatMap(({ plan }) => plan.hold?.id ?? []);

const takePlace: TakePlace = async (tx, context, { plan, connector }) => {
  if (connector.flavour === 'remote') throw cannotHold(connector);
  const [place] = plan.hold
    ? [await takeHeldPlace(tx, context, connector, plan)]
    : await takePlaces(tx, context, connector, [plan]);
  if (place && 'record' in place) return place.record;
  throw place?.refusal;
};

const cannotHold = ({ slug }: Connector) =>
  problem('ORDER-N-009', { detail: `${slug} cannot hold a place.` });

/** Longer than a request can take. */
const HELD_MS = 60_000;

/** The places of our own systems are held with the others, so that the last step cannot fail for want of one. */
async function placeOverSystems(
  context: CreateContext,
  planned: readonly Planned[],
  keep: Keep<Booking[]>,
): Promise<Booking[]> {
  const booked = planned.filter(({ enquiry }) => !enquiry);
  for (const { plan, connector } of booked)
    if (!connector.holds) throw new Refused(new Map([[plan.id, cannotHold(connector)]]));
  const orders = booked.flatMap((each) => {
    const { plan, connector, asked } = each;
    if (connector.flavour === 'local') return [];
    const content = contentOf(partnerOf(plan.caller), asked);
    return [
      {
        order: remoteOrder(context, { plan, connector, content, isHeld: plan.hold !== undefined }),
        wanted: plannedRequest(context, plan),
      },
    ];
  });
  // Before any system is asked; what counts is what is found when they are written.
  if (planned.some(({ plan }) => plan.mandate?.mandate))
    await inTransaction(context.sql, (tx) => assertAllAdmitted(tx, context, planned));
  const remoteIds = orders.map(({ order }) => order.bookingId);
  const local = booked.filter(({ connector }) => connector.flavour === 'local');
  try {
    return await context.desk.placeAll(
      orders,
      () => holdLocally(context, local, remoteIds),
      (tx, placed) =>
        writePlanned(tx, context, planned, keep, async (_tx, _context, { plan, connector }) => {
          const held = placed.get(plan.id);
          if (held) return confirmed(context, plan, plan.id, held);
          const place = await takeHeldPlace(tx, context, connector as LocalConnector, plan);
          if ('record' in place) return place.record;
          throw place.refusal;
        }),
    );
  } catch (error) {
    if (error instanceof Refused) await releaseLocally(context, local);
    throw error;
  }
}

/** In one transaction: either all are held or none. */
function holdLocally(context: Context, local: readonly Planned[], heldIds: readonly string[]): Promise<void> {
  const untilMs = nowOf(context.clock).epochMilliseconds + HELD_MS;
  return inContestedTransaction(context.sql, async (tx) => {
    const held = [...heldIds];
    for (const { plan, connector } of local.toSorted(inLockOrder)) {
      const { holds, capabilities } = connector as LocalConnector;
      const outcome = await holds?.hold(tx, plannedRequest(context, plan), untilMs);
      if (outcome && outcome.kind !== 'ok')
        throw new Refused(new Map([[plan.id, refusalOf(outcome, capabilities.capability)]]), held);
      held.push(plan.id);
    }
  });
}

/** What stays held because this fails ends by itself. Holds of the partner stay until they end. */
async function releaseLocally({ sql }: Context, local: readonly Planned[]): Promise<void> {
  const ours = local.filter(({ plan }) => !plan.hold);
  await inTransaction(sql, async (tx) => {
    for (const { plan, connector } of ours.toSorted(inLockOrder))
      await (connector as LocalConnector).holds?.release(tx, plan.id);
  }).catch(() => {});
}

/** A booking that the partner has already made is reported as such, and not as a taken slot. */
async function usedBefore(tx: Tx, { partner, draft }: Plan): Promise<Problem | undefined> {
  try {
    await assertUnused(tx, partner?.id ?? null, draft.partnerBookingId);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Systems lock a venue by days; a transaction with several bookings locks them in one order, whatever the request's.
 */
function inLockOrder({ plan: left }: Planned, { plan: right }: Planned): number {
  const names = [left, right].map(({ bookable }) => bookable.venue.id);
  const [a = '', b = ''] = names;
  if (a !== b) return a < b ? -1 : 1;
  return left.draft.start.startMs - right.draft.start.startMs;
}
