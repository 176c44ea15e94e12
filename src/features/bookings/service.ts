/**
 * Bookings: made once, changed as a whole or not at all, and never beyond what the system behind the venue has. What
 * each operation does is in a file of its name; here they are put together.
 */

import type { Tx } from '../../db/database.ts';
import { primaryReads, readTogether } from '../../db/reads.ts';
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import { createOutcomeCounts, type OutcomeCounts, outcomeOf } from '../../http/observability/outcomes.ts';
import { type PageQuery, windowOf } from '../../http/validation/paging.ts';
import { nowOf } from '../../kernel/clock.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import type { SystemHold } from '../../tms/contract.ts';
import type { CreationWindow, PastCreation } from '../booking-rules/service.ts';
import type { Keep } from '../idempotency/service.ts';
import { getBooking, partnerOf, withLockedBooking } from './access.ts';
import { amend, patchBooking, replaceBooking } from './amend/amend.ts';
import { changed, type Rewriting } from './amend/amendment.ts';
import { cancelBooking } from './cancel.ts';
import { writeChange } from './change.ts';
import type { BookingsDeps, OperatorAction } from './context.ts';
import { placeAtomically } from './create/atomic.ts';
import { createBatcher } from './create/batch.ts';
import type { AmendmentBody } from './create/body.ts';
import {
  type CreateContext,
  createBooking,
  type NamedBooking,
  type NewBooking,
  placeBooking,
} from './create/create.ts';
import {
  extendHold,
  type HeldPlace,
  holdPlace,
  type MovedHold,
  moveHold,
  releaseHold,
} from './create/holding.ts';
import { countCreations } from './create/past-creations-store.ts';
import {
  confirmPaid,
  giveUpUnpaid,
  type KeptPlace,
  keepForPayment,
  unpaidBookings,
} from './deposit-first.ts';
import { explainRules } from './explain.ts';
import type { ExplainBody, RulesAnswer } from './explain-schema.ts';
import { findProgress, forgetProgress, type HashProgress } from './guest-search/store.ts';
import { type Extension, extendOwnHold, readHold, releaseHoldAt, releaseOwnHold } from './holds/change.ts';
import { createHoldCounts, type HoldCounts } from './holds/counts.ts';
import { assertBelowLimit } from './holds/limit.ts';
import { createHoldBatcher, type HoldContext, makeHold, type NewHold } from './holds/make.ts';
import type { HoldRecord } from './holds/record.ts';
import type { Hold } from './holds/schema.ts';
import { countAllOpen } from './holds/store.ts';
import { sweepHolds } from './holds/sweep.ts';
import { addUpBookings, completeVisits, forgetGuest, forgetOldGuests, hashGuests } from './housekeeping.ts';
import type { MessageWindow } from './message-store.ts';
import { type Message, readMessages, type SentMessage, sendMessage } from './messages.ts';
import { promisedOf } from './money/ledger.ts';
import type { BookingEdit, VisitBody } from './operator/desk-schema.ts';
import {
  type EditedBooking,
  type EditOptions,
  editBooking,
  type SwapOptions,
  swapBookings,
} from './operator/edit.ts';
import { acceptEnquiry, rejectEnquiry, takeUpEnquiry } from './operator/enquiries.ts';
import {
  createHouseBooking,
  type HeldHouseBooking,
  type HouseBooking,
  type HouseHold,
  holdForHouse,
} from './operator/house-booking.ts';
import { listStarts, type StartsQuestion } from './operator/starts.ts';
import type { ProductStarts } from './operator/starts-schema.ts';
import { type Actuals, closeVisit, recordActuals, setVisit } from './operator/visits.ts';
import type { BookingRecord, Guest } from './record.ts';
import { remoteOutcomesOf } from './remote/outcomes.ts';
import { Refused } from './remote/place-all.ts';
import {
  type LookedBefore,
  type Reconciliation,
  reconcileBooking,
  type SystemSource,
} from './remote/reconcile.ts';
import { createRemoteDesk } from './remote/remote.ts';
import { createResolver, type OpenIntents, type Resolver, type Round } from './remote/resolver.ts';
import { atRuledBalance, pastCreations } from './ruling.ts';
import type { SimulatedChanges } from './sandbox/schema.ts';
import { simulate } from './sandbox/simulation.ts';
import type { Booking, ListedBooking } from './schema.ts';
import { type BookingFilter, createBookingStore, type UnpaidBooking } from './store.ts';
import { bookingView, listedView } from './view.ts';
import {
  type BookingWindow,
  type FreeStart,
  listFreeStarts,
  readWindow,
  type WindowQuestion,
} from './window.ts';

export interface Bookings {
  create(caller: Caller, booking: NewBooking): Promise<Booking>;
  get(caller: Caller, id: string): Promise<Booking>;
  list(
    caller: Caller,
    filter: BookingFilter & PageQuery,
  ): Promise<{ bookings: ListedBooking[]; total: number }>;
  replace(caller: Caller, id: string, body: AmendmentBody): Promise<Booking>;
  patch(caller: Caller, id: string, patch: unknown): Promise<Booking>;
  /** `message`: from the operator to the partner; not sent for bookings of the house or of forgotten guests. */
  cancel(caller: Caller, id: string, message?: Message): Promise<void>;
  /** What the operator's rules would say about a booking; nothing is done. */
  explain(caller: Caller, question: ExplainBody): Promise<RulesAnswer>;

  /** For the operator of the venue. */
  accept(caller: Caller, id: string): Promise<Booking>;
  reject(caller: Caller, id: string, message?: Message): Promise<Booking>;
  takeUp(caller: Caller, id: string): Promise<Booking>;
  createForHouse(caller: Caller, booking: HouseBooking): Promise<Booking>;
  /** What the house could book at this moment: every start of a day. */
  listStarts(caller: Caller, question: StartsQuestion): Promise<ProductStarts[]>;
  /** Keeps a place for the booking that `createForHouse` makes later with `heldId`. */
  holdForHouse(caller: Caller, booking: HeldHouseBooking, keeping: HouseHold): Promise<void>;
  /** With what it costs or returns; a dry run changes nothing. */
  edit(caller: Caller, id: string, edit: BookingEdit, options: EditOptions): Promise<EditedBooking>;
  swap(caller: Caller, ids: readonly [string, string], options: SwapOptions): Promise<EditedBooking[]>;
  setVisit(caller: Caller, id: string, visit: VisitBody): Promise<BookingRecord>;
  complete(caller: Caller, id: string): Promise<Booking>;
  markNoShow(caller: Caller, id: string): Promise<Booking>;
  recordActuals(caller: Caller, id: string, actuals: Actuals): Promise<Booking>;
  sendMessage(caller: Caller, id: string, message: Message): Promise<SentMessage>;
  listMessages(caller: Caller, id: string, window: MessageWindow): Promise<SentMessage[]>;
  forgetGuest(caller: Caller, id: string): Promise<void>;
  /** The same operations, recorded with the actor. */
  asOperator(operatorAction: OperatorAction): Bookings;
  /** A booking as lists show it. */
  listedView(caller: Caller, booking: BookingRecord): ListedBooking;
  /** The bookings that the caller may see, in no order. */
  listRecords(tx: Tx, caller: Caller, ids: readonly string[]): Promise<BookingRecord[]>;
  /** All bookings of a venue on a trading day that the caller may see, the earliest first. */
  listDay(tx: Tx, caller: Caller, venueId: VenueId, date: string): Promise<BookingRecord[]>;
  /** For reports: the guest of a row that was read without its record; null: forgotten. */
  openGuest(bookingId: string, sealed: Buffer | null): Guest | null;
  /** The facts with which rules would have been evaluated for the bookings made in a window, the latest first. */
  pastCreations(operatorId: number, window: CreationWindow): AsyncIterable<PastCreation[]>;
  countCreations(operatorId: number, window: CreationWindow): Promise<number>;

  /** For the sandbox: the operator's actions, done by the partner. Sends no event; the caller of this does. */
  simulate(caller: Caller, id: string, changes: SimulatedChanges): Promise<BookingRecord>;

  /** For orders; what is kept is written in the transaction that writes the booking. */
  place(caller: Caller, booking: NamedBooking, keep: Keep<Booking>): Promise<Booking>;
  /** Keeps a place for the booking that `place` or `create` makes later with `isHeld`, under the same id. */
  hold(caller: Caller, booking: NamedBooking, until: Temporal.Instant): Promise<SystemHold>;
  /** For partners: a hold of their own, with its terms, that a booking or an order names by `holdId`. */
  makeHold(caller: Caller, hold: NewHold): Promise<Hold>;
  getHold(caller: Caller, id: string): Promise<Hold>;
  extendOwnHold(caller: Caller, extension: Extension): Promise<Hold>;
  releaseOwnHold(caller: Caller, id: string): Promise<void>;
  /** For the operator of the venue; `released` is called in the transaction that ends a hold which was open. */
  releaseHoldAt(
    operatorId: number,
    id: string,
    released: (tx: Tx, hold: HoldRecord) => Promise<void>,
  ): Promise<void>;
  /** Throws where the partner has as many open holds at the venue as it may have, or the client all that its mandate allows; no other transaction counts until this one ends. */
  assertMayHold(tx: Tx, caller: Caller, hold: { id: string; venueId: VenueId }): Promise<void>;
  countOpenHolds(): Promise<number>;
  holdCounts: HoldCounts;
  /** What bookings of this node came to. */
  bookingCounts: OutcomeCounts;
  /** Refused, the place is kept that was kept before. */
  moveHold(caller: Caller, held: HeldPlace, change: MovedHold): Promise<SystemHold>;
  extendHold(held: HeldPlace, until: Temporal.Instant): Promise<SystemHold>;
  releaseHold(held: HeldPlace): Promise<void>;
  /** For the waiting list: throws what makes it pointless to wait for a start of the window. */
  readWindow(caller: Caller, question: WindowQuestion): Promise<BookingWindow>;
  /** The starts of the window that look free at this moment, the earliest first. */
  listFreeStarts(caller: Caller, question: WindowQuestion): Promise<FreeStart[]>;
  /** All of them or none; throws `Refused`. */
  placeAtomically(
    caller: Caller,
    bookings: readonly NamedBooking[],
    keep: Keep<Booking[]>,
  ): Promise<Booking[]>;
  /** The booking becomes what is made of the document that PUT would take. */
  amend(caller: Caller, id: string, change: Rewriting): Promise<Booking>;
  /** The bookings that the caller may see, in no order. */
  listByIds(tx: Tx, caller: Caller, ids: readonly string[]): Promise<Booking[]>;

  /** For payments: the booking, and the same under a lock. */
  getRecord(caller: Caller, id: string): Promise<BookingRecord>;
  inBooking<Result>(
    caller: Caller,
    id: string,
    work: (tx: Tx, booking: BookingRecord) => Promise<Result>,
  ): Promise<Result>;
  /** The booking with what it costs by the operator's rules of this moment. */
  atRuledBalance(tx: Tx, booking: BookingRecord): Promise<BookingRecord>;
  /** Throws where the mandate of the client does not cover the payment, with what is paid or promised already. */
  assertMayPay(tx: Tx, caller: Caller, booking: BookingRecord, amountPence: number): Promise<void>;
  /** Changes a locked booking together with something that belongs to it: writes it and its event. */
  change(tx: Tx, booking: BookingRecord, changes: Partial<BookingRecord>): Promise<BookingRecord>;

  /** Bookings that a payment confirms: those that wait for it, and what becomes of one. */
  unpaid(): Promise<UnpaidBooking[]>;
  /** Before money is taken: whether its place is certain. */
  keepForPayment(id: string): Promise<KeptPlace>;
  /** Where its deposit is paid, it gets its place. */
  confirmPaid(id: string): Promise<BookingRecord>;
  /** False: something is paid or may yet be. */
  giveUpUnpaid(id: string): Promise<boolean>;

  /** The booking becomes what the system of its venue says of it. */
  reconcile(source: SystemSource, bookingId: string, before: LookedBefore): Promise<Reconciliation>;

  /** For jobs; each says how many bookings it concerned. */
  resolveIntents(round?: Round): Promise<number>;
  /** Calls to systems whose outcome is in doubt, and for how long the first of them has been. */
  openIntents(): Promise<OpenIntents>;
  /** Tells of holds that have expired; a later call goes on. */
  sweepHolds(signal?: AbortSignal): Promise<number>;
  completeVisits(): Promise<number>;
  forgetOldGuests(days: number): Promise<number>;
  addUpBookings(): Promise<number>;
  /** Whether all bookings can be found by their guests now; a later call goes on. */
  hashGuests(signal: AbortSignal): Promise<boolean>;
  /** All bookings are looked at again: their guests may have been sealed anew while they were hashed. */
  restartHashing(tx: Tx): Promise<void>;
  /** How far that is; undefined: not begun. */
  hashProgress(): Promise<HashProgress | undefined>;
}

export function createBookings(deps: BookingsDeps): Bookings {
  const store = createBookingStore(deps.encryptionKeys);
  const holdCounts = createHoldCounts();
  const bookingCounts = createOutcomeCounts(
    'bookings_total',
    'Bookings that callers made, amended and cancelled on this node, by outcome: done, refused, failed.',
    ['action', 'outcome', 'code'],
  );
  const context: CountedContext = {
    ...deps,
    store,
    holdCounts,
    bookingCounts,
    holdLocally: createHoldBatcher({ ...deps, holdCounts }),
    desk: createRemoteDesk(deps),
    bookLocally: createBatcher({ ...deps, store }),
  };
  return bookingsIn(context, createResolver({ ...deps, remoteOutcomes: remoteOutcomesOf(context) }));
}

type CountedContext = CreateContext & HoldContext & { bookingCounts: OutcomeCounts };

function bookingsIn(context: CountedContext, resolver: Resolver): Bookings {
  const { sql, reads = primaryReads(sql), registry } = context;
  const viewed = async (caller: Caller, record: Promise<BookingRecord>) => bookingView(await record, caller);
  const tellsTables = ({ venueId }: BookingRecord) =>
    registry.get(partsOfVenueId(venueId).tms)?.capabilities.tellsTables ?? false;
  const listed = (caller: Caller, record: BookingRecord) => listedView(record, caller, tellsTables(record));

  async function counted<Result>(
    action: 'create' | 'amend' | 'cancel',
    act: () => Promise<Result>,
    count = 1,
  ): Promise<Result> {
    try {
      const result = await act();
      context.bookingCounts.add({ action, outcome: 'done', code: '' }, count);
      return result;
    } catch (error) {
      const [cause = error] = error instanceof Refused ? error.problems.values() : [];
      context.bookingCounts.add({ action, ...outcomeOf(cause) }, count);
      throw error;
    }
  }

  return {
    create: (caller, booking) => counted('create', () => createBooking(context, caller, booking)),
    get: (caller, id) => viewed(caller, getBooking(context, caller, id)),

    async list(caller, query) {
      const { dateFrom, dateTo } = query;
      if (dateFrom !== undefined && dateTo !== undefined && dateTo < dateFrom)
        throw invalid('dateTo', 'must not be before dateFrom');
      const { bookings, total } = await readTogether(reads, (tx) =>
        context.store.list(tx, visibilityOf(caller), query, windowOf(query)),
      );
      return { bookings: bookings.map((each) => listed(caller, each)), total };
    },

    replace: (caller, id, body) => counted('amend', () => replaceBooking(context, caller, id, body)),
    patch: (caller, id, patch) => counted('amend', () => patchBooking(context, caller, id, patch)),
    cancel: (caller, id, message) => counted('cancel', () => cancelBooking(context, caller, id, message)),
    explain: (caller, question) => explainRules(context, caller, question),

    accept: (caller, id) => viewed(caller, acceptEnquiry(context, caller, id)),
    reject: (caller, id, message) => viewed(caller, rejectEnquiry(context, caller, id, message)),
    takeUp: (caller, id) => viewed(caller, takeUpEnquiry(context, caller, id)),
    createForHouse: (caller, booking) =>
      counted('create', () => createHouseBooking(context, caller, booking)),
    holdForHouse: (caller, booking, keeping) => holdForHouse(context, caller, booking, keeping),
    listStarts: (caller, question) => listStarts(context, caller, question),
    edit: (caller, id, edit, options) =>
      counted('amend', () => editBooking(context, caller, id, edit, options)),
    swap: (caller, ids, options) => swapBookings(context, caller, ids, options),
    setVisit: (caller, id, visit) => setVisit(context, caller, id, visit),
    complete: (caller, id) => viewed(caller, closeVisit(context, caller, id, 'completed')),
    markNoShow: (caller, id) => viewed(caller, closeVisit(context, caller, id, 'no_show')),
    recordActuals: (caller, id, actuals) => viewed(caller, recordActuals(context, caller, id, actuals)),
    sendMessage: (caller, id, message) => sendMessage(context, caller, id, message),
    listMessages: (caller, id, window) => readMessages(context, caller, id, window),
    forgetGuest: (caller, id) => forgetGuest(context, caller, id),
    asOperator: (operatorAction) => bookingsIn({ ...context, operatorAction }, resolver),
    listedView: listed,
    listRecords: (tx, caller, ids) => context.store.listByIds(tx, visibilityOf(caller), ids),
    listDay: (tx, caller, venueId, date) => context.store.listDay(tx, visibilityOf(caller), venueId, date),
    openGuest: context.store.openGuest,
    pastCreations: (operatorId, window) => pastCreations(sql, operatorId, window),
    countCreations: (operatorId, window) => countCreations(sql, operatorId, window),
    simulate: (caller, id, changes) => simulate(context, caller, id, changes),
    place: (caller, booking, keep) => counted('create', () => placeBooking(context, caller, booking, keep)),
    hold: (caller, booking, until) => holdPlace(context, caller, booking, until),
    makeHold: (caller, hold) => makeHold(context, caller, hold),
    getHold: (caller, id) => readHold(context, caller, id),
    extendOwnHold: (caller, extension) => extendOwnHold(context, caller, extension),
    releaseOwnHold: (caller, id) => releaseOwnHold(context, caller, id),
    releaseHoldAt: (operatorId, id, released) => releaseHoldAt(context, operatorId, id, released),
    async assertMayHold(tx, caller, { id, venueId }) {
      await context.mandates.assertRoom(tx, caller.clientId, id);
      await assertBelowLimit(tx, context, { partnerId: partnerOf(caller).id, venueId });
    },
    countOpenHolds: () => countAllOpen(sql, nowOf(context.clock)),
    holdCounts: context.holdCounts,
    bookingCounts: context.bookingCounts,
    moveHold: (caller, held, change) => moveHold(context, caller, held, change),
    extendHold: (held, until) => extendHold(context, held, until),
    releaseHold: (held) => releaseHold(context, held),
    readWindow: (caller, question) => readWindow(context, caller, question),
    listFreeStarts: (caller, question) => listFreeStarts(context, caller, question),
    placeAtomically: (caller, bookings, keep) =>
      counted('create', () => placeAtomically(context, caller, bookings, keep), bookings.length),
    amend: (caller, id, change) =>
      counted('amend', () => amend(context, caller, id, (current) => changed(current, change))),

    async listByIds(tx, caller, ids) {
      const records = await context.store.listByIds(tx, visibilityOf(caller), ids);
      return records.map((record) => bookingView(record, caller));
    },

    getRecord: (caller, id) => getBooking(context, caller, id),
    inBooking: (caller, id, work) => withLockedBooking(context, caller, id, work),
    assertMayPay: (tx, caller, booking, amountPence) =>
      context.mandates.assertPayments(tx, caller, promisedOf(booking) + amountPence),
    atRuledBalance: (tx, booking) => atRuledBalance(tx, context, booking),
    change: (tx, booking, changes) => writeChange(tx, context, booking, changes),
    unpaid: () => unpaidBookings(context),
    keepForPayment: (id) => keepForPayment(context, id),
    confirmPaid: (id) => confirmPaid(context, id),
    giveUpUnpaid: (id) => giveUpUnpaid(context, id),
    reconcile: (source, bookingId, before) => reconcileBooking(context, source, bookingId, before),
    resolveIntents: (round) => resolver.resolveDue(round),
    openIntents: () => resolver.open(),
    sweepHolds: (signal) => sweepHolds(context, signal),
    completeVisits: () => completeVisits(context),
    forgetOldGuests: (days) => forgetOldGuests(context, days),
    addUpBookings: () => addUpBookings(context),
    hashGuests: (signal) => hashGuests(context, signal),
    restartHashing: (tx) => forgetProgress(tx),
    hashProgress: () => findProgress(sql, context.store.guestHashing.keyId),
  };
}

export type { PastCreation } from '../booking-rules/service.ts';
export { partnerOf } from './access.ts';
export type { BookingNotices, OperatorAction, ToldChange } from './context.ts';
export { BookingBody, PreorderChoice, phoneText } from './create/body.ts';
export type { NamedBooking } from './create/create.ts';
export { assertReadable, assertWhole } from './create/draft.ts';
export { OURSELVES } from './deposit-first.ts';
export { ExplainBody } from './explain-schema.ts';
export { DEFAULT_TTL_SECONDS, HoldBody } from './holds/schema.ts';
export { canBeTold, SEALED_MESSAGES } from './messages.ts';
export { paidOf, takenOf } from './money/ledger.ts';
export { isCalledOff, optionsOf } from './money/payment-options.ts';
export { oweRefund, refundOnArrival, refundPercent } from './money/refunds.ts';
export { BookingVisit } from './operator/schema.ts';
export { listPartnerNames } from './operator/store.ts';
export type { BookingRecord, BookingSource, BookingStatus } from './record.ts';
export {
  awaitsPayment,
  BOOKING_STATUSES,
  guestNameOf,
  guestsOf,
  isOpenEnquiry,
  isPlaced,
  ORIGINS,
  PAYMENT_OPTIONS,
  type PaymentRecord,
  type PaymentState,
} from './record.ts';
export type { Reconciliation, SystemSource } from './remote/reconcile.ts';
export { SimulatedChanges } from './sandbox/schema.ts';
export {
  ACCESS,
  Booking,
  BookingPath,
  bookingExample,
  CreationHeaders,
  Payment,
  PaymentDue,
  PaymentOptions,
  paymentView,
} from './schema.ts';
export type { UnpaidBooking } from './store.ts';
export { SEALED_GUESTS } from './store.ts';
export { type BookingDocument, notificationView, partnerView, paymentDueOf, visitView } from './view.ts';
export type { FreeStart, WindowQuestion } from './window.ts';
export { Refused };
