/** How far a visit is, and what operators say about it afterwards. */
import type { Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { localOf, MS_PER_MINUTE } from '../../../kernel/zone-time.ts';
import { OVERRIDES } from '../../../tms/contract.ts';
import { systemOf } from '../../../tms/systems.ts';
import { assertOperator, withLockedBooking } from '../access.ts';
import { connectorOf } from '../bookable.ts';
import { writeChange } from '../change.ts';
import type { Context } from '../context.ts';
import {
  type BookingRecord,
  hasBegun,
  isHeld,
  isPlaced,
  NOT_VISITED,
  type Visit,
  type VisitState,
} from '../record.ts';
import { refusalOf } from '../refusals.ts';
import { currentRequest, placementOf } from '../system-request.ts';
import type { VisitBody } from './desk-schema.ts';

export const STATUS_OF = {
  expected: 'confirmed',
  arrived: 'confirmed',
  seated: 'confirmed',
  left: 'completed',
  no_show: 'no_show',
} as const satisfies Record<VisitState, BookingRecord['status']>;

/** Whether the party needs no table from here on. */
const isOver = (state: VisitState) => state === 'left' || state === 'no_show';

/** From any state to any other. A party that has gone frees its tables; one that comes back needs them to be free. */
export async function setVisit(
  context: Context,
  caller: Caller,
  id: string,
  { state, tableIds }: VisitBody,
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    const now = nowOf(context.clock);
    assertVisitable(booking, state, now);
    if (tableIds) assertSeatable(booking, state);
    const isBack = isOver(booking.visit.state) && !isOver(state);
    if (isOver(state) && !isOver(booking.visit.state))
      await systemOf(booking.venueId)?.desk?.release(tx, booking.id, now);
    const placed = isBack || tableIds ? await takeTables(tx, context, booking, { tableIds, now }) : {};
    return writeChange(tx, context, booking, {
      ...placed,
      status: STATUS_OF[state],
      visit: visitAfter(booking.visit, state, now),
    });
  });
}

/** A party that walks in before midnight may have a start, and a trading day, after it. */
const EARLY_HOURS = 3;

/** Arriving is possible on the day, not coming only from the start on, leaving also by those who came early. */
function assertVisitable(booking: BookingRecord, state: VisitState, now: Temporal.Instant): void {
  if (!isHeld(booking)) throw problem('BOOK-N-014', { detail: `The booking is ${booking.status}.` });
  const today = localOf(booking.venue.timeZone, now.epochMilliseconds).date;
  const isHere = booking.visit.state === 'arrived' || booking.visit.state === 'seated';
  const isNear = isOver(state)
    ? hasBegun(booking, now) || (state === 'left' && isHere)
    : state === 'expected' || booking.date <= today || hasBegun(booking, now.add({ hours: EARLY_HOURS }));
  if (!isNear) throw problem('BOOK-N-014', { detail: 'The visit has not begun yet.' });
}

function assertSeatable({ venueId, venue }: BookingRecord, state: VisitState): void {
  if (isOver(state)) throw invalid('tableIds', 'must be left out: the party needs no table any more');
  if (!systemOf(venueId)?.desk)
    throw invalid('tableIds', `must be left out: the system of ${venue.name} assigns places itself`);
}

/** The tables it had, or others, from now to the end of the stay. Once that is over none are needed. */
async function takeTables(
  tx: Tx,
  context: Context,
  booking: BookingRecord,
  { tableIds, now }: { tableIds: readonly number[] | undefined; now: Temporal.Instant },
): Promise<Partial<BookingRecord>> {
  const connector = connectorOf(context, booking);
  const desk = systemOf(booking.venueId)?.desk;
  const endMs = booking.startsAt.epochMilliseconds + booking.durationMinutes * MS_PER_MINUTE;
  if (connector.flavour !== 'local' || !desk || endMs <= now.epochMilliseconds) return {};
  const seats = await desk.listSeats(tx, [booking.id]);
  const chosen = tableIds ?? seats.get(booking.id)?.tableIds;
  const outcome = await connector.amend(tx, {
    ...currentRequest(booking, now.epochMilliseconds),
    durationMinutes: booking.durationMinutes,
    // What the booking has need not be allowed again: only taken tables are in the way, or others that are too small.
    overrides: OVERRIDES.filter((override) => override !== 'covers' || tableIds === undefined),
    ...(chosen && { tableIds: chosen }),
  });
  if (outcome.kind === 'refused' && outcome.reason === 'taken')
    throw problem('AVAIL-N-005', { detail: 'Its table has been given away since; send other tableIds.' });
  if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
  const { tables, area } = placementOf(outcome.value, now);
  return { tables, area };
}

/** Times of states that are passed by are not invented; those of states that are taken back are forgotten. */
export function visitAfter(before: Visit, state: VisitState, now: Temporal.Instant): Visit {
  const { arrivedAt, seatedAt, leftAt } = before;
  switch (state) {
    case 'expected':
      return NOT_VISITED;
    case 'no_show':
      return { ...NOT_VISITED, state };
    case 'arrived':
      return { state, arrivedAt: arrivedAt ?? now, seatedAt: null, leftAt: null };
    case 'seated':
      return { state, arrivedAt: arrivedAt ?? now, seatedAt: seatedAt ?? now, leftAt: null };
    case 'left':
      return { state, arrivedAt, seatedAt, leftAt: leftAt ?? now };
  }
}

/** The guests were there, or were not: the older way to say so. */
export async function closeVisit(
  context: Context,
  caller: Caller,
  id: string,
  status: 'completed' | 'no_show',
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    const now = nowOf(context.clock);
    assertVisited(booking, now);
    const state = status === 'completed' ? 'left' : 'no_show';
    await systemOf(booking.venueId)?.desk?.release(tx, booking.id, now);
    return writeChange(tx, context, booking, { status, visit: visitAfter(booking.visit, state, now) });
  });
}

function assertVisited(booking: BookingRecord, now: Temporal.Instant): void {
  const isOn = hasBegun(booking, now);
  if (isPlaced(booking) && isOn) return;
  throw problem('BOOK-N-014', {
    detail: isOn ? `The booking is ${booking.status}.` : 'The visit has not begun yet.',
  });
}

export interface Actuals {
  guests: number | null;
  spendPence: number | null;
}

/** How many came and what they spent; the status of the booking stays what it is. */
export async function recordActuals(
  context: Context,
  caller: Caller,
  id: string,
  { guests, spendPence }: Actuals,
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    if (!isHeld(booking) || !hasBegun(booking, nowOf(context.clock)))
      throw problem('BOOK-N-014', { detail: 'There has been no visit yet.' });
    return writeChange(tx, context, booking, { actualGuests: guests, actualSpendPence: spendPence });
  });
}
