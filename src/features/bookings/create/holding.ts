/** Keeps a place for a booking that is made later, under the same id. */
import { inContestedTransaction, inTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { type Outcome, refused, type SystemHold } from '../../../tms/contract.ts';
import type { Connector } from '../../../tms/remote.ts';
import type { Context } from '../context.ts';
import { refusalOf, wantsToBeAsked } from '../refusals.ts';
import { newCall } from '../remote/claim.ts';
import { askedOf, assertNotPaidFirst, type NamedBooking, type NewBooking, planBooking } from './create.ts';
import { type Plan, plannedRequest } from './new-booking.ts';
import { namingAlternatives } from './time-first.ts';
import { retryOnStaleVenue } from './version-check.ts';

/** Everything that can refuse the booking refuses the hold, except what is known only with the guest. */
export function holdPlace(
  context: Context,
  caller: Caller,
  asked: NamedBooking,
  until: Temporal.Instant,
): Promise<SystemHold> {
  return withHoldPlan(context, caller, asked, (plan) => hold(context, plan, until));
}

function withHoldPlan(
  context: Context,
  caller: Caller,
  asked: NamedBooking,
  work: (plan: Plan) => Promise<SystemHold>,
): Promise<SystemHold> {
  return retryOnStaleVenue(context, [venueOfProduct(asked.productId)], async () => {
    const plan = await planBooking(context, caller, asked);
    assertNotPaidFirst(plan);
    if (plan.draft.type === 'request') throw wantsToBeAsked();
    return namingAlternatives(context, caller, askedOf(plan), () => work(plan));
  });
}

async function hold(context: Context, plan: Plan, until: Temporal.Instant): Promise<SystemHold> {
  const { connector, venue } = plan.bookable;
  const request = plannedRequest(context, plan);
  const untilMs = until.epochMilliseconds;
  if (connector.flavour === 'local')
    return valueIn(
      connector,
      await inContestedTransaction(context.sql, async (tx) => {
        await context.mandates.useConfirmation(tx, plan.mandate, plan.id);
        return connector.holds?.hold(tx, request, untilMs);
      }),
    );
  await inTransaction(context.sql, (tx) => context.mandates.useConfirmation(tx, plan.mandate, plan.id));
  const held = await connector.holds?.hold(newCall(venue.id), request, untilMs);
  // It may be held all the same; what cannot be released now ends by itself.
  if (held?.kind === 'unknown') await connector.holds?.release(newCall(venue.id), plan.id);
  return valueIn(connector, held);
}

export interface HeldPlace {
  id: string;
  productId: ProductId;
}

/**
 * The hold of this id becomes one of another place. Refused, it stays as it was: both steps are one transaction, which
 * only systems in our database can do.
 */
export function moveHold(
  context: Context,
  caller: Caller,
  held: HeldPlace,
  { booking, until, keep }: MovedHold,
): Promise<SystemHold> {
  return withHoldPlan(context, caller, { ...booking, id: held.id, isHeld: true }, async (plan) => {
    const before = connectorFor(context, held.productId);
    const { connector } = plan.bookable;
    if (before.flavour !== 'local' || connector.flavour !== 'local')
      throw problem('BOOK-N-009', {
        detail: 'The system of the venue cannot change what it holds. Cancel it, and reserve anew.',
      });
    const request = plannedRequest(context, plan);
    return inContestedTransaction(context.sql, async (tx) => {
      // Another client of the partner may move it, and needs room for it.
      await context.mandates.assertAdmitted(tx, [{ bookingId: plan.id, judgement: plan.mandate }]);
      valueIn(before, await before.holds?.release(tx, held.id));
      const outcome = await connector.holds?.hold(tx, request, until.epochMilliseconds);
      const moved = valueIn(connector, outcome);
      await keep(tx, moved);
      return moved;
    });
  });
}

export interface MovedHold {
  booking: NewBooking;
  until: Temporal.Instant;
  /** Called in the transaction that moves the hold. */
  keep(tx: Tx, moved: SystemHold): Promise<void>;
}

/** Throws `AVAIL-N-005` when it has ended. */
export async function extendHold(
  context: Context,
  { id, productId }: HeldPlace,
  until: Temporal.Instant,
): Promise<SystemHold> {
  const connector = connectorFor(context, productId);
  const untilMs = until.epochMilliseconds;
  const nowMs = nowOf(context.clock).epochMilliseconds;
  const extended =
    connector.flavour === 'local'
      ? await inTransaction(context.sql, async (tx) => connector.holds?.extend(tx, id, untilMs, nowMs))
      : await connector.holds?.extend(newCall(venueOfProduct(productId)), id, untilMs, nowMs);
  return valueIn(connector, extended);
}

/** Releasing what is no longer held changes nothing; a booking stays. */
export async function releaseHold(context: Context, { id, productId }: HeldPlace): Promise<void> {
  const connector = connectorFor(context, productId);
  const released =
    connector.flavour === 'local'
      ? await inTransaction(context.sql, async (tx) => connector.holds?.release(tx, id))
      : await connector.holds?.release(newCall(venueOfProduct(productId)), id);
  valueIn(connector, released);
}

const NONE = refused('hold-ended', 'The system of the venue cannot keep a place.');

export function connectorFor({ registry }: Context, productId: ProductId): Connector {
  const { tms } = partsOfVenueId(venueOfProduct(productId));
  const connector = registry.get(tms);
  if (!connector) throw problem('BOOK-N-003', { detail: `The system ${tms} is not connected.` });
  return connector;
}

/** Without an outcome: the system keeps no places. */
export function valueIn<Value>(
  { capabilities }: Connector,
  outcome: Outcome<Value> | undefined = NONE,
): Value {
  if (outcome.kind === 'ok') return outcome.value;
  throw refusalOf(outcome, capabilities.capability);
}
