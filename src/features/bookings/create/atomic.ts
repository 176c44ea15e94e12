/**
 * Several bookings that are all made or none. Each place is taken in one transaction, which is the hold; its commit
 * confirms them all, and rolled back it gives everything back. Only systems that live in our database can take part.
 */

import { inContestedTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { venueOfProduct } from '../../../kernel/ids.ts';
import { Problem, problem } from '../../../kernel/problem.ts';
import type { LocalConnector } from '../../../tms/contract.ts';
import type { Keep } from '../../idempotency/service.ts';
import type { Context } from '../context.ts';
import type { BookingRecord } from '../record.ts';
import type { Booking } from '../schema.ts';
import { askedOf, enquiryOf, type NamedBooking, planBooking } from './create.ts';
import { type Plan, takePlaces, writeOne } from './new-booking.ts';
import { assertUnused, sayingItExists } from './partner-booking-id.ts';
import { withAlternative } from './time-first.ts';
import { retryOnStaleVenue } from './version-check.ts';

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

export function placeAtomically(
  context: Context,
  caller: Caller,
  asked: readonly NamedBooking[],
  keep: Keep<Booking[]>,
): Promise<Booking[]> {
  const venueIds = [...new Set(asked.map(({ productId }) => venueOfProduct(productId)))];
  return retryOnStaleVenue(context, venueIds, async () => {
    const planned = await planAll(context, caller, asked);
    try {
      return await hold(context, planned, keep);
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
    if (refusal) named.set(plan.id, await withAlternative(context, plan.caller, askedOf(plan), refusal));
  }
  return new Refused(named, heldIds);
}

interface Planned {
  plan: Plan;
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
  if (plan.draft.type === 'book') return { plan, enquiry: undefined };
  // An atomic order does not wait for an operator's answer unless the item asks for an enquiry.
  if (asked.body.type === 'book')
    throw problem('AVAIL-N-005', {
      detail: 'The operator wants to be asked about this one.',
      extensions: { enquiryPossible: true },
    });
  return { plan, enquiry: await enquiryOf(context, plan) };
}

function hold(context: Context, planned: readonly Planned[], keep: Keep<Booking[]>): Promise<Booking[]> {
  // A transaction that moves a booking between two of these days can take the locks in the opposite order.
  return inContestedTransaction(context.sql, async (tx) => {
    const made = new Map<string, Booking>();
    for (const { plan, enquiry } of planned.toSorted(inLockOrder)) {
      try {
        const { connector } = plan.bookable;
        if (connector.flavour === 'remote')
          throw problem('ORDER-N-009', { detail: `${connector.slug} cannot hold a place.` });
        const record = enquiry ?? (await takePlace(tx, context, plan, connector));
        made.set(plan.id, await writeOne(tx, context, { plan, record, keep: async () => {} }));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const own = await usedBefore(tx, plan);
        const held = planned.filter((each) => !each.enquiry && made.has(each.plan.id));
        throw new Refused(
          new Map([[plan.id, own ?? error]]),
          held.map((each) => each.plan.id),
        );
      }
    }
    const bookings = planned.flatMap(({ plan }) => made.get(plan.id) ?? []);
    await keep(tx, bookings);
    return bookings;
  });
}

async function takePlace(
  tx: Tx,
  context: Context,
  plan: Plan,
  connector: LocalConnector,
): Promise<BookingRecord> {
  const [place] = await takePlaces(tx, context, connector, [plan]);
  if (place && 'record' in place) return place.record;
  throw place?.refusal;
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
