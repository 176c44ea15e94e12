/** Bookings that the house takes itself: by telephone, by mail, or walk-ins. */
import { inContestedTransaction, inTransaction, type Tx } from '../../../db/database.ts';
import { type Actor, assertRole } from '../../../http/auth/actor.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { parseProductId, type VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { addDays, localOf, MINUTES_PER_DAY, MS_PER_MINUTE } from '../../../kernel/zone-time.ts';
import { OVERRIDES, type Override, type SystemHold } from '../../../tms/contract.ts';
import { closingMinute, isStartAt, isTradingAt, startMinutes } from '../../venues/service.ts';
import { assertAllowed, assertOpen, getBookableProduct } from '../bookable.ts';
import type { Context } from '../context.ts';
import { askedOf, bookPlanned, type CreateContext } from '../create/create.ts';
import { assertSpace, type BookableProduct, type BookingDraft, startOf } from '../create/draft.ts';
import { valueIn } from '../create/holding.ts';
import { type Plan, plannedRequest } from '../create/new-booking.ts';
import { namingAlternatives } from '../create/time-first.ts';
import { retryOnStaleVenue } from '../create/version-check.ts';
import type { BookingSource, Guest, Origin } from '../record.ts';
import { newCall } from '../remote/claim.ts';
import { ruleOn } from '../ruling.ts';
import type { Booking } from '../schema.ts';
import type { BookingStart } from '../system-request.ts';
import type { DeskOverride, HouseBookingBody, HouseGuest } from './desk-schema.ts';

export interface HouseBooking {
  venueId: VenueId;
  body: HouseBookingBody;
  idempotencyKey?: string | undefined;
  /** The id under which the place is kept for it already. */
  heldId?: string | undefined;
}

/** Staff may set aside what slows service down; the rest is for managers. */
const FOR_STAFF: readonly DeskOverride[] = ['notice', 'pacing'];

export function assertOverrides(
  actor: Actor,
  operatorId: number,
  overrides: readonly DeskOverride[] | undefined = [],
): void {
  if (overrides.some((override) => !FOR_STAFF.includes(override))) assertRole(actor, operatorId, 'manager');
}

/** Without `rules`, which systems know nothing of. How long a party stays is always up to the house. */
export const systemOverrides = (overrides: readonly DeskOverride[] = []): Override[] =>
  OVERRIDES.filter((override) => override === 'duration' || overrides.includes(override));

/** A repeated request with the same key is answered alike. */
export function createHouseBooking(
  context: CreateContext,
  caller: Caller,
  { venueId, body, idempotencyKey: key, heldId }: HouseBooking,
): Promise<Booking> {
  assertComplete(body);
  const id = heldId ?? newId(context.clock);
  const content = { house: venueId, body };
  return context.idempotency.once<Booking>({ clientId: caller.clientId, key, content }, (keep) =>
    retryOnStaleVenue(context, [venueId], async () => {
      const plan = await planHouseBooking(context, caller, id, { venueId, body });
      return namingAlternatives(context, caller, askedOf(plan), () =>
        bookPlanned(
          context,
          plan,
          { idempotencyKey: key, content, isHeld: heldId !== undefined },
          async (tx, booking) => {
            await Promise.all([keep(tx, booking), recordCreation(tx, context, booking, { venueId, body })]);
          },
        ),
      );
    }),
  );
}

export type HeldHouseBooking = Pick<HouseBooking, 'venueId' | 'body'> & { id: string };

export interface HouseHold {
  until: Temporal.Instant;
  /** In the transaction that keeps the place; after the call, where the system is not in our database. */
  written(tx: Tx, held: SystemHold): Promise<void>;
}

/** Everything that can refuse the booking refuses the hold. */
export function holdForHouse(
  context: CreateContext,
  caller: Caller,
  { id, venueId, body }: HeldHouseBooking,
  { until, written }: HouseHold,
): Promise<void> {
  return retryOnStaleVenue(context, [venueId], async () => {
    const plan = await planHouseBooking(context, caller, id, { venueId, body });
    const { connector } = plan.bookable;
    const request = plannedRequest(context, plan);
    const untilMs = until.epochMilliseconds;
    if (connector.flavour === 'local')
      return inContestedTransaction(context.sql, async (tx) =>
        written(tx, valueIn(connector, await connector.holds?.hold(tx, request, untilMs))),
      );
    const outcome = await connector.holds?.hold(newCall(venueId), request, untilMs);
    try {
      const held = valueIn(connector, outcome);
      await inTransaction(context.sql, (tx) => written(tx, held));
    } catch (error) {
      // It may be held there all the same; what cannot be released now ends by itself.
      if (outcome?.kind !== 'refused') await connector.holds?.release(newCall(venueId), id);
      throw error;
    }
  });
}

async function recordCreation(
  tx: Tx,
  { operatorAction }: CreateContext,
  { id: bookingId, status, date, time, partySize, children }: Booking,
  { venueId, body: { origin, overrides = [], tableIds = null } }: HouseBooking,
): Promise<void> {
  const guests = partySize + children;
  const after = { id: bookingId, venueId, status, date, time, guests, origin, overrides, tableIds };
  await operatorAction?.record(tx, { bookingId, what: 'booking', before: null, after });
}

function assertComplete({ origin, guest, date, time }: HouseBookingBody): void {
  if (origin === 'walk_in' && (date == null) !== (time == null))
    throw invalid(date == null ? 'date' : 'time', 'is required with the other; leave out both for now');
  if (origin === 'walk_in') return;
  if (guest == null) throw invalid('guest', 'is required unless the party walks in');
  if (date == null) throw invalid('date', 'is required unless the party walks in');
  if (time == null) throw invalid('time', 'is required unless the party walks in');
}

export async function planHouseBooking(
  context: Context,
  caller: Caller,
  id: string,
  { venueId, body }: Pick<HouseBooking, 'venueId' | 'body'>,
): Promise<Plan> {
  const { origin, overrides = [], tableIds = null } = body;
  const bookable = await getBookableProduct(context, caller, parseProductId(`${venueId}|${body.productKey}`));
  assertTables(bookable, tableIds);
  const draft = draftOf(context, bookable, body);
  const source = sourceOf(origin);
  const judged = await judgeForHouse(context, caller, { bookable, draft, source, overrides });
  return {
    id,
    caller,
    partner: null,
    house: {
      origin,
      isHere: origin === 'walk_in' && body.time == null,
      overrides: impliedBy(origin, systemOverrides(overrides)),
      tableIds,
    },
    bookable,
    source,
    draft,
    skipsPreorderEmail: false,
    depositDuePence: null,
    mandate: null,
    ...judged,
  };
}

/** What closures and rules say of a booking of the house, before its system is asked. */
async function judgeForHouse(
  context: Context,
  caller: Caller,
  { bookable, draft, source, overrides }: Pick<Plan, 'bookable' | 'draft' | 'source'> & DeskOverrides,
): Promise<Pick<Plan, 'flags' | 'rulesVersion' | 'blockedSpaceIds'>> {
  if (!overrides.includes('hours')) await assertOpen(context, caller, bookable, draft);
  const breaksRules = overrides.includes('rules');
  const asked = { bookable, draft, source, isOfHouse: !breaksRules };
  const { flags, rulesVersion } = await ruleOn(context, caller, asked);
  const blockedSpaceIds = breaksRules ? [] : assertAllowed(context, caller, bookable, draft);
  return { flags, rulesVersion, blockedSpaceIds };
}

interface DeskOverrides {
  overrides: readonly DeskOverride[];
}

/** A walk-in needs no notice. */
const impliedBy = (origin: Origin, overrides: readonly Override[]): Override[] =>
  origin === 'walk_in' ? [...new Set([...overrides, 'notice' as const])] : [...overrides];

/** Tables can be chosen only where the system says at which ones guests sit and lives here. */
export function assertTables(
  { connector, venue }: BookableProduct,
  tableIds: readonly number[] | null | undefined,
): void {
  if (tableIds == null || (connector.flavour === 'local' && connector.capabilities.tellsTables)) return;
  throw invalid('tableIds', `must be left out: the system of ${venue.name} assigns places itself`);
}

function draftOf(context: Context, bookable: BookableProduct, body: HouseBookingBody): BookingDraft {
  const { partySize, children, duration, spaceId, guest, notes } = body;
  if (spaceId != null) assertSpace(spaceId, bookable);
  return {
    start: startFor(context, bookable, body),
    adults: partySize,
    children: children ?? 0,
    durationMinutes: duration ?? null,
    spaceId: spaceId ?? null,
    type: 'book',
    preorders: { packages: [], menus: [] },
    guest: guestOf(guest ?? {}, notes ?? null),
    depositPence: null,
    partnerBookingId: null,
  };
}

const guestOf = ({ firstName, lastName, email, phone }: HouseGuest, notes: string | null): Guest => ({
  firstName: firstName ?? null,
  lastName: lastName ?? null,
  email: email ?? null,
  phone: phone ?? null,
  company: null,
  labels: [],
  comments: notes,
  adminNotes: null,
});

function startFor(
  { clock }: Context,
  { venue, product }: BookableProduct,
  { date, time, overrides = [] }: HouseBookingBody,
): BookingStart {
  if (date != null) return startOf({ date, time }, venue.timeZone, product);
  const nowMs = Math.ceil(nowOf(clock).epochMilliseconds / MS_PER_MINUTE) * MS_PER_MINUTE;
  return startNow(venue.timeZone, product, { nowMs, isAnyTime: overrides.includes('hours') });
}

/** A start lies so close at most, also where the clocks change. */
const SEARCHED_MINUTES = 26 * 60;

/**
 * The next start on the grid of the trading day that is under way, which may be that of yesterday. Looked for minute by
 * minute, so that times that clocks skip or show twice are what they are.
 */
function startNow(
  zone: string,
  product: BookableProduct['product'],
  { nowMs, isAnyTime }: { nowMs: number; isAnyTime: boolean },
): BookingStart {
  const stepMinutes = product.timeIntervalMinutes;
  const isOpenNow = daysAt(zone, nowMs).some(({ date, minute }) => isTradingAt(product, date, minute));
  if (!isOpenNow && !isAnyTime) throw problem('AVAIL-N-004', { detail: `${product.name} is closed now.` });
  for (let startMs = nowMs; startMs < nowMs + SEARCHED_MINUTES * MS_PER_MINUTE; startMs += MS_PER_MINUTE) {
    const days = daysAt(zone, startMs);
    const day = isOpenNow
      ? days.find(({ date, minute }) => isStartAt(product, { date, minute, stepMinutes }))
      : [lastDayOf(product, days)].find(({ minute }) => minute % stepMinutes === 0);
    if (day) return { ...day, startMs };
  }
  throw problem('AVAIL-N-004', { detail: `${product.name} has no start any more.` });
}

interface DayMinute {
  date: string;
  minute: number;
}

/** The trading days that an instant can belong to, the one under way first. */
function daysAt(zone: string, epochMs: number): [yesterday: DayMinute, today: DayMinute] {
  const { date, minute } = localOf(zone, epochMs);
  return [
    { date: addDays(date, -1), minute: minute + MINUTES_PER_DAY },
    { date, minute },
  ];
}

/** The one a closed venue is in: an evening that went on after midnight lasts until the next opening. */
function lastDayOf(
  product: BookableProduct['product'],
  [yesterday, today]: [yesterday: DayMinute, today: DayMinute],
): DayMinute {
  const wasLate = (closingMinute(product, yesterday.date) ?? 0) > MINUTES_PER_DAY;
  const [opens = MINUTES_PER_DAY] = startMinutes(product, today.date, product.timeIntervalMinutes);
  return wasLate && today.minute < opens ? yesterday : today;
}

/** The sources of the interface are those of partners; what has none of its own is the operator's portal. */
const sourceOf = (origin: Origin): BookingSource =>
  origin === 'phone' || origin === 'email' ? origin : 'portal';
