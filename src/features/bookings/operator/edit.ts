/** Changes that operators make, of partners' bookings too. Rules of amendment bind partners; what is taken binds all. */
import { inContestedTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { clockTime, MS_PER_MINUTE } from '../../../kernel/zone-time.ts';
import { type LocalConnector, OVERRIDES, type Override, type SystemBooking } from '../../../tms/contract.ts';
import { assertOperator, getBooking, lockBooking } from '../access.ts';
import { carryOut } from '../amend/amend.ts';
import type { Amendment } from '../amend/amendment.ts';
import { assertOffered, assertOpen, connectorOf, getBookableProduct } from '../bookable.ts';
import { writeChange } from '../change.ts';
import { assertSpace, type BookableProduct, isShownAs, startOf } from '../create/draft.ts';
import { chosenBy } from '../create/new-booking.ts';
import { namingAlternatives } from '../create/time-first.ts';
import { retryOnStaleBooking, retryOnStaleVenue } from '../create/version-check.ts';
import { balanceOf, promisedOf, takenOf } from '../money/ledger.ts';
import { mostOf } from '../money/payment-options.ts';
import { type BookingRecord, type Guest, guestsOf, isOpenEnquiry, isPlaced } from '../record.ts';
import { refusalOf } from '../refusals.ts';
import type { RemoteContext } from '../remote/remote.ts';
import {
  currentRequest,
  type DraftStay,
  isSameStay,
  placementOf,
  requestOf,
  stayOf,
} from '../system-request.ts';
import type { BookingEdit, DeskOverride, Settlement } from './desk-schema.ts';
import { assertTables, systemOverrides } from './house-booking.ts';

export interface EditedBooking {
  record: BookingRecord;
  change: Settlement;
}

export interface EditOptions {
  isDryRun: boolean;
}

export interface SwapOptions extends EditOptions {
  overrides: readonly DeskOverride[] | undefined;
}

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
class DryRun<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('This was a dry run.');
    this.result = result;
  }
}

/** Runs a transaction to its end, and rolls it back where it was only tried. */
async function tryOut<Result>(
  isDryRun: boolean,
  work: (finish: (result: Result) => Result) => Promise<Result>,
): Promise<Result> {
  try {
    return await work((result) => {
      if (isDryRun) throw new DryRun(result);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result as Result;
    throw error;
  }
}

export async function editBooking(
  context: RemoteContext,
  caller: Caller,
  id: string,
  edit: BookingEdit,
  { isDryRun }: EditOptions,
): Promise<EditedBooking> {
  assertOperator(caller);
  return retryOnStaleBooking(async () => {
    const current = await getBooking(context, caller, id);
    assertEditable(context, current, edit);
    return retryOnStaleVenue(context, [current.venueId], async () => {
      const amendment = await planEdit(context, caller, current, edit);
      const { bookable, request, step } = amendment;
      if (isDryRun && step !== 'nothing' && bookable.connector.flavour === 'remote')
        throw problem('BOOK-N-009', {
          detail: `The system of ${bookable.venue.name} cannot try a change without making it.`,
        });
      const asked = { bookable, stay: { ...request, start: request }, type: 'book' as const };
      const record = await namingAlternatives(context, caller, asked, () =>
        tryOut<BookingRecord>(isDryRun, (finish) => carryOut(context, amendment, finish)),
      );
      return { record, change: settlementOf(current, record, isDryRun) };
    });
  });
}

/** What it cost and costs, what goes back and what is still to be paid. */
function settlementOf(before: BookingRecord, after: BookingRecord, isDryRun: boolean): Settlement {
  return {
    isDryRun,
    balanceBeforePence: balanceOf(before),
    balancePence: balanceOf(after),
    refundPence: takenOf(before.payments) - takenOf(after.payments),
    duePence: Math.max(0, mostOf(after) - promisedOf(after)),
  };
}

/** A visit that is over can still be told about, but nothing is moved any more. */
export function assertEditable({ clock }: RemoteContext, booking: BookingRecord, edit: BookingEdit): void {
  if (!isPlaced(booking) && !isOpenEnquiry(booking))
    throw problem('BOOK-N-014', { detail: `A booking that is ${booking.status} cannot be changed.` });
  if (edit.guest !== undefined && booking.partnerId !== null)
    throw invalid('guest', 'belongs to the partner: only for bookings of the house');
  if (booking.guest === null && (edit.guest !== undefined || edit.notes !== undefined))
    throw problem('BOOK-N-014', { detail: 'The guest was forgotten.' });
  if (edit.tableIds && isOpenEnquiry(booking))
    throw problem('BOOK-N-014', { detail: 'An enquiry has no table before it is accepted.' });
  const moves = [
    edit.date,
    edit.time,
    edit.partySize,
    edit.children,
    edit.duration,
    edit.spaceId,
    edit.tableIds,
  ];
  if (moves.every((value) => value === undefined) || isOpenEnquiry(booking)) return;
  const nowMs = nowOf(clock).epochMilliseconds;
  const endsMs = (minutes: number) => booking.startsAt.epochMilliseconds + minutes * MS_PER_MINUTE;
  if (endsMs(booking.durationMinutes) <= nowMs) throw problem('BOOK-N-014', { detail: 'The visit is over.' });
  const keepsStart = edit.date === undefined && edit.time === undefined;
  if (keepsStart && edit.duration != null && endsMs(edit.duration) <= nowMs)
    throw problem('BOOK-N-014', { detail: 'The visit would be over already; say that the party has left.' });
}

export async function planEdit(
  context: RemoteContext,
  caller: Caller,
  current: BookingRecord,
  edit: BookingEdit,
): Promise<Amendment> {
  const bookable = await getBookableProduct(context, caller, current.productId);
  assertTables(bookable, edit.tableIds);
  const draft = stayAfter(bookable, current, edit);
  const stay = { productId: current.productId, ...stayOf(draft) };
  const isMoving = edit.tableIds !== undefined || !isSameStay(current, stay);
  if (draft.spaceId !== null && draft.spaceId !== current.spaceId) assertSpace(draft.spaceId, bookable);
  if (current.visit.state === 'seated' && !stay.startsAt.equals(current.startsAt))
    throw problem('BOOK-N-014', { detail: 'The party is seated: its start cannot be changed any more.' });
  const overrides = waived(current, draft, edit);
  if (isMoving && !overrides.includes('hours')) await assertOpen(context, caller, bookable, draft);
  const nowMs = nowOf(context.clock).epochMilliseconds;
  const request = {
    ...requestOf(current.id, bookable, draft, { blockedSpaceIds: [], nowMs }),
    ...chosenBy({ overrides, tableIds: edit.tableIds ?? null }),
  };
  const isEnquiry = isOpenEnquiry(current);
  return {
    caller,
    current,
    bookable,
    rulesVersion: null,
    mandate: null,
    step: isMoving && !isEnquiry ? 'move' : 'nothing',
    request,
    changes: {
      ...stay,
      ...(isEnquiry &&
        isMoving && {
          durationMinutes: await enquiredDuration(context, caller, bookable, { ...edit, draft, current }),
        }),
      guest: guestAfter(current, edit),
    },
  };
}

/** The start must be on offer, unless a manager sets that aside; never in the past. */
async function enquiredDuration(
  context: RemoteContext,
  caller: Caller,
  bookable: BookableProduct,
  {
    draft,
    current,
    overrides = [],
  }: { draft: DraftStay; current: BookingRecord; overrides?: readonly DeskOverride[] },
): Promise<number> {
  if (draft.start.startMs < nowOf(context.clock).epochMilliseconds)
    throw problem('AVAIL-N-007', { detail: 'The start lies in the past.' });
  const { preorders, depositPence, partnerBookingId, guest } = current;
  if (overrides.some((override) => override === 'hours' || override === 'covers') || guest === null)
    return draft.durationMinutes ?? current.durationMinutes;
  return assertOffered(context, caller, bookable, {
    ...draft,
    type: 'request',
    preorders,
    depositPence,
    partnerBookingId,
    guest,
  });
}

/** A start that is not to change is taken as it is: of a time that clocks show twice it may be the second. */
function stayAfter(
  { venue, product }: BookableProduct,
  current: BookingRecord,
  edit: BookingEdit,
): DraftStay {
  const { date, minute, startsAt } = current;
  const moment = { date: edit.date ?? date, time: edit.time ?? clockTime(minute) };
  const start = isShownAs(current, moment)
    ? { date, minute, startMs: startsAt.epochMilliseconds }
    : startOf(moment, venue.timeZone, product);
  return {
    start,
    adults: edit.partySize ?? current.adults,
    children: edit.children ?? current.children,
    durationMinutes: edit.duration === undefined ? current.requestedDurationMinutes : edit.duration,
    spaceId: edit.spaceId === undefined ? current.spaceId : edit.spaceId,
  };
}

function guestAfter({ guest }: BookingRecord, { guest: asked, notes }: BookingEdit): Guest | null {
  if (guest === null) return null;
  return { ...guest, ...asked, ...(notes !== undefined && { comments: notes }) };
}

/** What the operator sets aside, and what the booking has already: limits are about what is new. */
function waived(current: BookingRecord, draft: DraftStay, { overrides = [] }: BookingEdit): Override[] {
  const keepsStart = draft.start.startMs === current.startsAt.epochMilliseconds;
  const isSmaller = guestsOf(draft) <= guestsOf(current);
  const isShorter =
    draft.durationMinutes === null
      ? // The system gives a larger party more time.
        current.requestedDurationMinutes === null && isSmaller
      : draft.durationMinutes <= current.durationMinutes;
  const has: Record<Override, boolean> = {
    notice: keepsStart,
    pacing: keepsStart && isSmaller,
    hours: keepsStart && isShorter,
    duration: true,
    // A party may stay at its own tables, whatever they seat; see `asOperatorAllows`.
    covers: false,
  };
  const asked = systemOverrides(overrides);
  return OVERRIDES.filter((override) => has[override] || asked.includes(override));
}

/** Two bookings of one venue exchange their tables; each keeps its time. */
export async function swapBookings(
  context: RemoteContext,
  caller: Caller,
  ids: readonly [string, string],
  { overrides, isDryRun }: SwapOptions,
): Promise<EditedBooking[]> {
  assertOperator(caller);
  const [id, otherId] = ids;
  if (id === otherId) throw invalid('bookingId', 'must be another booking');
  const current = await getBooking(context, caller, id);
  const connector = connectorOf(context, current);
  if (connector.flavour !== 'local' || !connector.swap)
    throw problem('BOOK-N-009', { detail: 'The system of this venue assigns places itself.' });
  return tryOut<EditedBooking[]>(isDryRun, (finish) =>
    inContestedTransaction(context.sql, async (tx) => {
      const pair = await lockBoth(tx, context, caller, ids);
      const nowMs = nowOf(context.clock).epochMilliseconds;
      const requests = pair.map((booking) => ({
        ...currentRequest(booking, nowMs),
        durationMinutes: booking.durationMinutes,
        overrides: swapOverrides(overrides),
      }));
      const placed = await exchange(tx, connector, requests as never);
      const edited: EditedBooking[] = [];
      for (const [index, booking] of pair.entries()) {
        const { tables, area } = placementOf(placed[index] as SystemBooking, booking.createdAt);
        const record = await writeChange(tx, context, booking, { tables, area });
        edited.push({ record, change: settlementOf(booking, record, isDryRun) });
      }
      return finish(edited);
    }),
  );
}

/** Both keep their times and sizes, so only the sizes of the tables can be in the way. */
const swapOverrides = (overrides: readonly DeskOverride[] = []): Override[] =>
  OVERRIDES.filter((override) => override !== 'covers' || overrides.includes('covers'));

/** Locked in the order of their ids; returned in the order asked. */
async function lockBoth(
  tx: Tx,
  context: RemoteContext,
  caller: Caller,
  ids: readonly [string, string],
): Promise<BookingRecord[]> {
  const locked = new Map<string, BookingRecord>();
  for (const id of ids.toSorted()) locked.set(id, await lockBooking(tx, context, caller, id));
  const pair = ids.flatMap((id) => locked.get(id) ?? []);
  const [first, second] = pair;
  if (first) await context.operatorAction?.check(tx, first);
  if (first?.venueId !== second?.venueId) throw invalid('bookingId', 'must be a booking of the same venue');
  for (const booking of pair) {
    assertEditable(context, booking, { tableIds: [] });
    if (!isPlaced(booking)) throw problem('BOOK-N-014', { detail: `The booking is ${booking.status}.` });
  }
  return pair;
}

async function exchange(
  tx: Tx,
  connector: LocalConnector,
  requests: Parameters<NonNullable<LocalConnector['swap']>>[1],
): Promise<SystemBooking[]> {
  const outcome = await connector.swap?.(tx, requests);
  if (!outcome) throw new Error('The system cannot swap.');
  if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
  return outcome.value;
}
