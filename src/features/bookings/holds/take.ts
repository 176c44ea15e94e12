/** A booking of a held place: the hold is the caller's, has not ended and is for just that, and its terms hold. */
import type { Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { isUuid, type ProductId } from '../../../kernel/ids.ts';
import { type Problem, problem } from '../../../kernel/problem.ts';
import { partnerOf } from '../access.ts';
import { assertOpen, getBookableProduct } from '../bookable.ts';
import type { Context } from '../context.ts';
import type { BookingBody } from '../create/body.ts';
import { type BookableProduct, isStart, readBookingDraft } from '../create/draft.ts';
import type { BookingSource } from '../record.ts';
import { SystemRefusal } from '../refusals.ts';
import type { Ruled } from '../ruling.ts';
import type { DraftStay } from '../system-request.ts';
import { type HoldRecord, statusOf } from './record.ts';
import { findHold, lockMoments } from './store.ts';
import { onTermsOf, ruleOnHeld } from './terms.ts';

interface AskedBooking {
  productId: ProductId;
  body: BookingBody;
  source: BookingSource;
}

export interface HeldPlan extends Ruled {
  bookable: BookableProduct;
  hold: HoldRecord;
}

/** Throws unless the caller's partner has such a hold; what is still being placed is not there yet. */
export async function getHold(tx: Tx, caller: Caller, id: string): Promise<HoldRecord> {
  const hold = isUuid(id) ? await findHold(tx, id) : undefined;
  if (!hold || hold.state === 'placing' || hold.partnerId !== partnerOf(caller).id) throw unknownHold(id);
  return hold;
}

export const unknownHold = (id: string) => problem('HOLD-N-001', { detail: `You have no hold ${id}.` });

/** The rights of the caller and closures are those of now, everything else is what was offered. */
export async function planHeldBooking(
  context: Context,
  caller: Caller,
  asked: AskedBooking,
  holdId: string,
): Promise<HeldPlan> {
  const hold = await getHold(context.sql, caller, holdId);
  assertUsable(hold, nowOf(context.clock));
  assertMatches(hold, asked);
  if (asked.body.offerToken != null) await assertOffered(context, caller, hold, asked.body.offerToken);
  const found = await getBookableProduct(context, caller, hold.productId);
  const stay = stayOfHold(hold);
  await assertOpen(context, caller, found, stay);
  const bookable = onTermsOf(hold, found);
  // The space was on offer when it was held.
  const draft = { ...readBookingDraft(asked.body, bookable, { ...stay, spaceId: null }), ...stay };
  return { ...ruleOnHeld(hold, { bookable, draft, source: asked.source }), bookable, hold };
}

export function assertUsable(hold: HoldRecord, now: Temporal.Instant): void {
  const status = statusOf(hold, now);
  if (status !== 'open') throw endedHold(hold.id, status);
}

const ENDINGS = {
  used: 'A booking has used this hold.',
  released: 'This hold was released.',
  expired: 'This hold has expired.',
};

export const endedHold = (id: string, how: keyof typeof ENDINGS) =>
  problem('HOLD-N-002', {
    detail: ENDINGS[how],
    ...(how === 'used' && { extensions: { bookingId: id } }),
  });

function stayOfHold(hold: HoldRecord): DraftStay {
  const { date, minute, startsAt, adults, children, requestedDurationMinutes, spaceId } = hold;
  return {
    start: { date, minute, startMs: startsAt.epochMilliseconds },
    adults,
    children,
    durationMinutes: requestedDurationMinutes,
    spaceId,
  };
}

/** Children, duration and space may be left out: they are those of the hold. */
function assertMatches(hold: HoldRecord, { productId, body }: AskedBooking): void {
  const { children, duration, spaceId } = body;
  const isHeldDuration = duration === hold.durationMinutes || duration === hold.requestedDurationMinutes;
  const differs: [field: string, isOther: boolean][] = [
    ['type', body.type !== 'book'],
    ['compositeId', productId !== hold.productId],
    [body.dateTime != null ? 'dateTime' : 'date or time', !isStart(hold, body)],
    ['partySize', body.partySize !== hold.adults],
    ['children', children != null && children !== hold.children],
    ['duration', duration != null && !isHeldDuration],
    ['spaceId', spaceId != null && spaceId !== hold.spaceId],
  ];
  const [wrong] = differs.find(([, isOther]) => isOther) ?? [];
  if (wrong === 'type') throw mismatch('A hold is for a booking; type must be book.');
  if (wrong !== undefined) throw mismatch(`The ${wrong} is not what is held.`);
}

const mismatch = (detail: string) => problem('HOLD-N-003', { detail });

async function assertOffered(
  { offers }: Context,
  caller: Caller,
  { id }: HoldRecord,
  token: string,
): Promise<void> {
  const holdId = await offers.findHold(token, caller.clientId);
  if (holdId === undefined)
    throw mismatch('The offerToken has expired, was changed, or was given to another client.');
  if (holdId !== id) throw mismatch('The offerToken is that of another hold.');
}

/**
 * Locks the holds that bookings are about to use, before their places are taken; says of each that cannot be used why.
 * Two bookings with one hold: the second waits here, and learns that the first has it.
 */
export async function lockForUse(
  tx: Tx,
  ids: readonly string[],
  /** Null: one that has expired by our clock can still be used, because its system has kept the place. */
  now: Temporal.Instant | null,
): Promise<Map<string, Problem>> {
  if (ids.length === 0) return new Map();
  const locked = await lockMoments(tx, ids);
  return new Map(
    ids.flatMap((id): [string, Problem][] => {
      const hold = locked.get(id);
      if (!hold) return [[id, unknownHold(id)]];
      const status = statusOf(hold, now ?? hold.createdAt);
      return status === 'open' ? [] : [[id, endedHold(id, status)]];
    }),
  );
}

/** The same for one booking, which throws; without a hold there is nothing to check. */
export async function assertStillHeld(
  tx: Tx,
  hold: HoldRecord | undefined,
  now: Temporal.Instant | null,
): Promise<void> {
  const ended = await lockForUse(tx, hold ? [hold.id] : [], now);
  for (const refusal of ended.values()) throw refusal;
}

/** The system of the venue no longer keeps the place, although the hold has not ended by our clock. */
export function sayingItEnded(refusal: Problem): Problem {
  const isEnded = refusal instanceof SystemRefusal && refusal.reason === 'hold-ended';
  return isEnded
    ? problem('HOLD-N-002', { detail: 'The system of the venue no longer keeps the place.' })
    : refusal;
}
