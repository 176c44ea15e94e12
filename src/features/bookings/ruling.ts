/** What the operator's rules say about something that a partner is about to do with a booking. */
import type { Sql, Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { problem } from '../../kernel/problem.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import { crossedBands, type Spends } from '../availability/service.ts';
import {
  bookingFacts,
  type CreationWindow,
  daysAheadOf,
  depositOf,
  type Facts,
  judgeKept,
  type PastCreation,
  type PaymentFacts,
  productFacts,
  type Ruling,
  refusalOf,
  type Violation,
  venueFacts,
} from '../booking-rules/service.ts';
import { type Bookable, depositFor } from '../venues/service.ts';
import type { Context } from './context.ts';
import type { BookingDraft } from './create/draft.ts';
import { type Creation, listCreations } from './create/past-creations-store.ts';
import { orderedOf } from './money/ledger.ts';
import { priceOf } from './preorder.ts';
import { type BookingRecord, type BookingSource, guestsOf } from './record.ts';
import { findSurroundings, type RuledBooking, type RuledSurroundings } from './ruling-store.ts';

/** What comes of it, when nothing is refused. */
export interface Ruled {
  draft: BookingDraft;
  flags: readonly string[];
  skipsPreorderEmail: boolean;
  /** The version of the evaluated rules; null: none were. */
  rulesVersion: number | null;
  /** What the guest must pay here before the booking is confirmed; null: nothing. */
  depositDuePence: number | null;
}

export interface Asked {
  bookable: Bookable;
  draft: BookingDraft;
  source: BookingSource;
  /** The booking that is to be amended. */
  before?: BookingRecord;
  /** The house takes the booking itself: rules for all partners bind it too. */
  isOfHouse?: boolean;
}

/** Partners are told apart by their ids, and no rule names this one. */
const THE_HOUSE = { id: null };

/** Rules bind partners and the agents that act for them, and what the house books itself; not its changes. */
export async function ruleOn(context: Context, caller: Caller, asked: Asked): Promise<Ruled> {
  const { draft, before, isOfHouse } = asked;
  const partner = 'partner' in caller ? caller.partner : isOfHouse ? THE_HOUSE : undefined;
  if (!partner)
    return { draft, flags: [], skipsPreorderEmail: false, rulesVersion: null, depositDuePence: null };
  const nowMs = nowOf(context.clock).epochMilliseconds;
  const startsMs = [draft.start.startMs, ...(before ? [before.startsAt.epochMilliseconds] : [])];
  const facts = factsOfDraft(asked, partner, nowMs);
  const operation = before ? 'booking_amend' : 'booking_create';
  const ruling = await context.rules.consult(operation, {
    facts,
    nowMs,
    startsMs,
    ...(before && { daysAheadBefore: daysAheadOf(before.date, nowMs) }),
  });
  const { type, flags, skipsPreorderEmail, version } = ruling;
  const depositDuePence = assertFulfilled(ruling, before ? { ...asked, isAmended: true } : asked);
  return { draft: { ...draft, type }, flags, skipsPreorderEmail, rulesVersion: version, depositDuePence };
}

interface Judged extends Pick<Asked, 'bookable' | 'draft'> {
  isAmended?: boolean;
  /** What the places themselves cost, where that is known. */
  pricedPence?: number;
}

/**
 * Throws what the rules refuse. Where guests pay deposits here before a booking is confirmed, a missing one does not
 * refuse it: says how much is due then, or null.
 */
export function assertFulfilled(
  { violations, type }: Pick<Ruling, 'violations' | 'type'>,
  { bookable, draft, isAmended = false, pricedPence = 0 }: Judged,
): number | null {
  const isPaidFirst =
    !isAmended && type === 'book' && bookable.venue.channel?.deposit === 'before_confirmation';
  const refusing = isPaidFirst ? violations.filter(isNotOfDeposit) : violations;
  const [first] = refusing;
  if (first) throw refusalOf(first, refusing, guestsOf(draft));
  return isPaidFirst ? depositDue({ bookable, draft, pricedPence }, violations) : null;
}

const isNotOfDeposit = ({ rule }: Violation) => rule.effect !== 'require_deposit';

/** The larger of what the product and the rules demand; null: neither demands any. */
function depositDue(
  { bookable, draft, pricedPence = 0 }: Judged,
  violations: readonly Violation[],
): number | null {
  const own = depositFor(bookable.product, draft, draft.start.date);
  if (own && own.currency !== CURRENCY && own.total > 0)
    throw problem('PAYM-N-003', { detail: `Deposits in ${own.currency} cannot be paid here.` });
  const rules = violations.map(({ rule }) => rule);
  const ruled = depositOf(rules, guestsOf(draft))?.total ?? 0;
  const ordered = priceOf(draft.preorders) + pricedPence;
  const asked = own?.total ?? 0;
  return Math.max(ordered > 0 ? Math.min(asked, ordered) : asked, ruled) || null;
}

/** Whether the partner may still cancel. */
export async function assertCancellable(
  context: Context,
  caller: Caller,
  booking: BookingRecord,
): Promise<void> {
  const { rules, sql, clock } = context;
  if (!('partner' in caller) || !(await rules.hasRules(booking.operatorId, 'booking_cancel'))) return;
  const nowMs = nowOf(clock).epochMilliseconds;
  const facts = factsOfBooking(booking, await findSurroundings(sql, booking), nowMs);
  const startsMs = [booking.startsAt.epochMilliseconds];
  const { violations } = await rules.consult('booking_cancel', { facts, nowMs, startsMs });
  const [first] = violations;
  if (first) throw refusalOf(first, violations, facts.booking.guests);
}

/** The booking with what it costs by the operator's rules of this moment. */
export async function atRuledBalance(
  tx: Tx,
  context: Context,
  booking: BookingRecord,
): Promise<BookingRecord> {
  return { ...booking, ruledBalancePence: await ruledBalance(tx, context, booking) };
}

/** What rules make of the balance; null: they leave it as it is. */
async function ruledBalance(
  tx: Tx,
  { rules, clock }: Context,
  booking: BookingRecord,
): Promise<number | null> {
  const held = booking.heldTerms;
  const hasRules = held
    ? held.balanceRules.length > 0
    : await rules.hasRules(booking.operatorId, 'booking_payment', tx);
  if (!hasRules) return null;
  // What was offered with a hold does not change with time either.
  const nowMs = held ? held.heldAtMs : nowOf(clock).epochMilliseconds;
  const surroundings = await findSurroundings(tx, booking);
  const { bands, overrides } = held?.spends?.spaceId === booking.spaceId ? held.spends : surroundings;
  const facts = factsOfBooking(booking, surroundings, nowMs);
  facts.payment = {
    finalBalance: orderedOf(booking),
    ...(bands && { bands: bandsOf({ bands, overrides }, facts.booking.weekday, booking) }),
  };
  const startsMs = [booking.startsAt.epochMilliseconds];
  const ruleContext = { facts, nowMs, startsMs };
  const { finalBalance } = held
    ? judgeKept(held.balanceRules, ruleContext)
    : await rules.consult('booking_payment', ruleContext, tx);
  return finalBalance ?? null;
}

/** The part of a booking request that rules evaluate: nothing about the guest. */
export interface RuledDraft extends Omit<BookingDraft, 'guest' | 'partnerBookingId' | 'preorders'> {
  preorders: Parameters<typeof bookingFacts>[0]['preorders'];
}

function bandsOf(
  spends: Spends,
  weekday: number,
  { date, minute: startMinute, durationMinutes }: BookingRecord,
): NonNullable<PaymentFacts['bands']> {
  const crossed = crossedBands(spends, { date, weekday, startMinute, durationMinutes });
  return crossed.map(({ startTime, endTime, amount }) => ({ startTime, endTime, amount }));
}

export function factsOfDraft(
  { bookable, draft, source }: Pick<Asked, 'bookable' | 'source'> & { draft: RuledDraft },
  partner: { id: number | null },
  nowMs: number,
): Facts {
  const { venue, product } = bookable;
  const { start } = draft;
  const space = venue.spaces.find(({ id }) => id === draft.spaceId);
  return {
    booking: bookingFacts({ ...draft, ...start, source }),
    partner: { id: partner.id, categoryIds: venue.channel?.categoryIds ?? [] },
    product: productFacts({ ...product, category: product.category?.slug ?? null }),
    venue: venueFacts(venue),
    ...(space && { space: { id: space.id, name: space.name } }),
    daysAhead: daysAheadOf(start.date, nowMs),
  };
}

function factsOfBooking(booking: RuledBooking, surroundings: RuledSurroundings, nowMs: number): Facts {
  const { venue, spaceId } = booking;
  const { slug, category, categoryIds, spaceName } = surroundings;
  return {
    booking: bookingFacts({ ...booking, durationMinutes: booking.requestedDurationMinutes }),
    partner: { id: booking.partnerId, categoryIds },
    product: productFacts({ id: booking.productId, name: venue.productName, slug, category }),
    venue: venueFacts({ ...venue, ...venue.location, id: booking.venueId }),
    ...(spaceId !== null && spaceName !== null && { space: { id: spaceId, name: spaceName } }),
    daysAhead: daysAheadOf(booking.date, nowMs),
  };
}

/** Past bookings with the facts of their creation, to backtest rules that are not stored yet. */

const BATCH = 500;

/** In batches, the latest first; each is read on demand. */
export async function* pastCreations(
  sql: Sql,
  operatorId: number,
  window: CreationWindow,
): AsyncGenerator<PastCreation[]> {
  let last: Creation | undefined;
  for (;;) {
    const creations = await listCreations(sql, operatorId, window, { last, limit: BATCH });
    if (creations.length > 0) yield creations.map(creationView);
    if (creations.length < BATCH) return;
    last = creations.at(-1);
  }
}

/** As the booking is now, at the moment at which it was made. */
function creationView(creation: Creation): PastCreation {
  const nowMs = creation.createdAt.epochMilliseconds;
  return {
    bookingId: creation.id,
    shown: {
      date: creation.date,
      time: clockTime(creation.minute),
      guests: guestsOf(creation),
      venueName: creation.venue.name,
      partnerName: creation.partnerName,
    },
    ruleContext: {
      facts: factsOfBooking(creation, creation.surroundings, nowMs),
      nowMs,
      startsMs: [creation.startsAt.epochMilliseconds],
    },
  };
}
