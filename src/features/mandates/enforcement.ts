/**
 * Holds clients to their mandates, whichever way a booking is made. What can be judged by itself is judged when a booking
 * is planned, on the mandate that the node remembers; the booking is written only if that is still the current one.
 * What is counted is counted under a lock in the transaction that writes. Clients without a mandate cost no statement.
 */

import { Counter, type Registry } from 'prom-client';
import type { Sql, Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { ReadCache } from '../../db/read-cache.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import { Problem, problem } from '../../kernel/problem.ts';
import { fingerprintOf } from '../idempotency/service.ts';
import { createConfirmationTokens } from './confirmation.ts';
import {
  type Confirmable,
  isAboveConfirmation,
  type Limit,
  limitOfDay,
  limitOfMoney,
  limitOfOpen,
  limitOfStay,
  type MandatedStay,
  summaryOf,
} from './limits.ts';
import type { Mandate } from './schema.ts';
import * as store from './store.ts';

export interface EnforcementDeps {
  sql: Sql;
  clock: Clock;
  notifications: Notifications;
  encryptionKeys: Keyring;
}

/** A booking as it is to be, with all that a confirmation binds. */
export interface MandatedBooking extends Confirmable {
  /** The id that it has or will have. */
  bookingId: string;
  /** All that says where, when and for whom a place is taken. */
  stay: object;
  /** What makes it another booking besides: the guest, what is ordered ahead, the booking that is amended. */
  besides: object;
  token: string | null | undefined;
  /** Its place is held already, and may have been confirmed with the hold. */
  isHeld?: boolean;
  /** The guest has agreed, or nothing is booked yet. */
  needsNoConfirmation?: boolean;
  /** It is made only with a token of its own, also where the mandate would not ask for one. */
  needsToken?: boolean;
}

/** What the transaction that writes the booking compares, counts and uses. */
export interface Judgement {
  clientId: string;
  /** Of the mandate; 0: the client had none. */
  version: number;
  mandate: Mandate | undefined;
  confirmation: PendingUse | null;
}

interface PendingUse extends store.UsedConfirmation {
  /** Asks for another one. */
  again(): Problem;
}

export interface Admission {
  bookingId: string;
  judgement: Judgement | null;
}

export type Admitted = 'yes' | Unsure | Problem;

/** There is room only if one that comes before it in the list is not made. */
export interface Unsure {
  /** What is wrong if that one is made. */
  otherwise(): Problem;
}

export interface Enforcement {
  /** Throws `MANDT-N-001` where the venue, the day or the party is beyond the mandate. */
  assertStay(caller: Caller, stay: MandatedStay): Promise<void>;
  /** Throws that, also for the deposit, and `MANDT-N-002` for what has to be confirmed. Null: no partner's booking. */
  judge(caller: Caller, booking: MandatedBooking): Promise<Judgement | null>;
  /** Throws where all payments for one booking together are beyond the mandate. */
  assertPayments(tx: Tx, caller: Caller, totalPence: number): Promise<void>;
  /**
   * In the transaction that writes them, before anything else is locked: for each whether it may be made. Counted under a
   * lock, so that two requests at once do not pass a limit together.
   */
  admit(tx: Tx, wanted: readonly Admission[]): Promise<Admitted[]>;
  /** The same for those that are made all or not at all: what is wrong with which of them, by the id of the booking. */
  admitTogether(tx: Tx, wanted: readonly Admission[]): Promise<ReadonlyMap<string, Problem>>;
  /** The same, but throws the first. */
  assertAdmitted(tx: Tx, wanted: readonly Admission[]): Promise<void>;
  /** Marks the confirmation of a change as used; of new bookings `admit` does. */
  useConfirmation(tx: Tx, judgement: Judgement | null, bookingId: string): Promise<void>;
  /** The same without marking it: before a system is called, which carries out the change at once. */
  assertUnusedConfirmation(tx: Tx, judgement: Judgement | null): Promise<void>;
  /** For a place that is to be kept and has no plan yet; a concurrent repeat may have written it already. */
  assertRoom(tx: Tx, clientId: string, id: string): Promise<void>;
  /** For a caller that finds a stale mandate before the notification arrives. */
  forget(): void;
  refusals: { register(registry: Registry): void };
}

const TOPIC = 'mandate:';
/** Longer than tokens and holds last. */
const CONFIRMATIONS_KEPT = { hours: 24 };

export function createEnforcement(deps: EnforcementDeps): Enforcement {
  const { sql, clock, notifications } = deps;
  const tokens = createConfirmationTokens(deps.encryptionKeys);
  const cache = new ReadCache<store.StoredMandate>('mandates', notifications.isConnected);
  notifications.subscribe({
    changed: (topic) => topic.startsWith(TOPIC) && cache.drop(topic),
    lost: () => cache.clear(),
  });
  const refusals = new Counter({
    name: 'mandate_refusals_total',
    help: 'Requests that went beyond the mandate of their client, by limit; confirmAbove: that have to be confirmed.',
    labelNames: ['limit'],
    registers: [],
  });

  async function find(clientId: string): Promise<store.StoredMandate> {
    const kept = cache.get(clientId);
    if (kept) return kept;
    const ticket = cache.beginRead();
    const found = await store.findMandate(sql, clientId);
    cache.keep(ticket, clientId, found, estimateBytes(found), [`${TOPIC}${clientId}`]);
    return found;
  }

  function counted(refusal: Problem): Problem {
    const { limit = 'confirmAbove' } = (refusal.options.extensions ?? {}) as { limit?: Limit };
    refusals.inc({ limit });
    return refusal;
  }

  /** A mandate from memory may let something pass, which the write finds out; it refuses nothing before it is read again. */
  async function judgedBy<Result>(
    clientId: string,
    judge: (stored: store.StoredMandate) => Promise<Result> | Result,
  ): Promise<Result> {
    const remembered = await find(clientId);
    try {
      return await judge(remembered);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const current = await store.findMandate(sql, clientId);
      if (current.version === remembered.version) throw counted(error);
      cache.drop(`${TOPIC}${clientId}`);
      return judge(current);
    }
  }

  function assertWithin(mandate: Mandate | undefined, stay: MandatedStay): void {
    const refusal = mandate && limitOfStay(mandate, stay, nowOf(clock).epochMilliseconds);
    if (refusal) throw refusal;
  }

  function assertMoney(mandate: Mandate, amountPence: number): void {
    const refusal = limitOfMoney(mandate, amountPence);
    if (refusal) throw refusal;
  }

  /** Null: it was confirmed with the hold. */
  async function confirmationOf(clientId: string, booking: MandatedBooking): Promise<PendingUse | null> {
    const { bookingId, token, isHeld = false } = booking;
    const stay = fingerprintOf(booking.stay);
    // Of a fraction of a penny, which callers may declare, the row keeps the next whole one.
    const depositPence = Math.ceil(booking.depositPence);
    const { stay: where, besides } = booking;
    const terms = fingerprintOf({ where, besides, depositPence });
    const now = nowOf(clock);
    const ask = (isRefused: boolean) =>
      askFor(booking, tokens.issue(clientId, terms, nowOf(clock)), isRefused);
    const id = token == null ? undefined : tokens.findId(token, { clientId, terms, now });
    const confirmed = { clientId, bookingId, stay, depositPence };
    if (id) return { ...confirmed, id, again: () => counted(ask(true)) };
    if (isHeld && (await store.isConfirmed(sql, confirmed))) return null;
    throw ask(token != null);
  }

  async function admit(tx: Tx, wanted: readonly Admission[]): Promise<Admitted[]> {
    const bound = wanted.filter(({ judgement }) => countsFor(judgement?.mandate));
    const rooms = bound.length === 0 ? new Map<Admission, Admitted>() : await roomsFor(tx, bound);
    const confirmations = wanted.flatMap(({ judgement }) => judgement?.confirmation?.id ?? []);
    if (confirmations.length > 1) await store.lockConfirmations(tx, confirmations);
    const used = new Set<string>();
    const admitted: Admitted[] = [];
    for (const each of wanted) {
      const room = rooms.get(each) ?? 'yes';
      const pending = each.judgement?.confirmation;
      const id = pending?.id.toString('hex') ?? '';
      // What the first is made of is not written yet, so the row alone would not refuse the second.
      if (room !== 'yes') admitted.push(room);
      else if (pending && used.has(id)) admitted.push({ otherwise: pending.again });
      else admitted.push(await confirm(tx, each));
      if (pending && admitted.at(-1) === 'yes') used.add(id);
    }
    return admitted;
  }

  async function admitTogether(tx: Tx, wanted: readonly Admission[]): Promise<Map<string, Problem>> {
    const admitted = await admit(tx, wanted);
    return new Map(
      wanted.flatMap(({ bookingId }, index): [string, Problem][] => {
        const each = admitted[index];
        if (each === undefined || each === 'yes') return [];
        return [[bookingId, each instanceof Problem ? each : each.otherwise()]];
      }),
    );
  }

  async function roomsFor(tx: Tx, bound: readonly Admission[]): Promise<Map<Admission, Admitted>> {
    const now = nowOf(clock);
    const byClient = Map.groupBy(bound, ({ judgement }) => judgement?.clientId ?? '');
    await store.lockClients(tx, [...byClient.keys()].sort());
    const rooms = new Map<Admission, Admitted>();
    for (const [clientId, wanted] of byClient) {
      const without = wanted.map(({ bookingId }) => bookingId);
      const { mandate = {} } = await store.findMandate(tx, clientId);
      const usage = await store.countUsage(tx, clientId, { now, without });
      for (const [before, each] of wanted.entries()) rooms.set(each, roomFor(mandate, usage, before));
    }
    return rooms;
  }

  /** `before`: how many of the same client come before it. */
  function roomFor(
    { maxOpenBookings, maxBookingsPerDay }: Mandate,
    { openBookings, bookingsInLastDay }: store.Usage,
    before: number,
  ): Admitted {
    const open = maxOpenBookings ?? Number.POSITIVE_INFINITY;
    const perDay = maxBookingsPerDay ?? Number.POSITIVE_INFINITY;
    if (openBookings >= open) return counted(limitOfOpen(open));
    if (bookingsInLastDay >= perDay) return counted(limitOfDay(perDay));
    if (openBookings + before >= open) return { otherwise: () => counted(limitOfOpen(open)) };
    if (bookingsInLastDay + before >= perDay) return { otherwise: () => counted(limitOfDay(perDay)) };
    return 'yes';
  }

  async function confirm(tx: Tx, { judgement, bookingId }: Admission): Promise<Admitted> {
    const pending = judgement?.confirmation;
    if (!pending) return 'yes';
    const now = nowOf(clock);
    await store.forgetConfirmations(tx, now.subtract(CONFIRMATIONS_KEPT));
    return (await store.useConfirmation(tx, { ...pending, bookingId }, now)) ? 'yes' : pending.again();
  }

  return {
    async assertStay(caller, stay) {
      if (!('partner' in caller)) return;
      await judgedBy(caller.clientId, ({ mandate }) => assertWithin(mandate, stay));
    },

    async judge(caller, booking) {
      if (!('partner' in caller)) return null;
      const { clientId } = caller;
      return judgedBy(clientId, async ({ version, mandate }) => {
        if (!mandate) return { clientId, version, mandate, confirmation: null };
        assertWithin(mandate, booking);
        assertMoney(mandate, booking.depositPence);
        const { needsToken = false, needsNoConfirmation = false } = booking;
        const isAsked = needsToken || (!needsNoConfirmation && isAboveConfirmation(mandate, booking));
        const confirmation = isAsked ? await confirmationOf(clientId, booking) : null;
        return { clientId, version, mandate, confirmation };
      });
    },

    async assertPayments(tx, caller, totalPence) {
      if (!('partner' in caller)) return;
      // Not from memory: a payment has no version to compare.
      const { mandate } = await store.findMandate(tx, caller.clientId);
      const refusal = mandate && limitOfMoney(mandate, totalPence);
      if (refusal) throw counted(refusal);
    },

    admit,

    admitTogether,

    async assertAdmitted(tx, wanted) {
      for (const refusal of (await admitTogether(tx, wanted)).values()) throw refusal;
    },

    async useConfirmation(tx, judgement, bookingId) {
      const admitted = await confirm(tx, { judgement, bookingId });
      if (admitted instanceof Problem) throw admitted;
    },

    async assertUnusedConfirmation(tx, judgement) {
      const pending = judgement?.confirmation;
      if (pending && (await store.isUsed(tx, pending.id))) throw pending.again();
    },

    async assertRoom(tx, clientId, id) {
      const { version, mandate } = await store.findMandate(tx, clientId);
      if (cache.get(clientId)?.version !== version) cache.drop(`${TOPIC}${clientId}`);
      if (!countsFor(mandate)) return;
      await store.lockClients(tx, [clientId]);
      const usage = await store.countUsage(tx, clientId, { now: nowOf(clock), without: [id] });
      const room = roomFor(mandate, usage, 0);
      if (room instanceof Problem) throw room;
    },

    forget: () => cache.clear(),
    refusals: { register: (registry) => registry.registerMetric(refusals) },
  };
}

const countsFor = (mandate: Mandate | undefined): mandate is Mandate =>
  mandate?.maxOpenBookings != null || mandate?.maxBookingsPerDay != null;

function askFor(booking: MandatedBooking, issued: object, isRefused: boolean): Problem {
  const refused = 'The confirmationToken was used, has expired, or is for something else. ';
  return problem('MANDT-N-002', {
    detail: `${isRefused ? refused : ''}A person has to confirm: ${summaryOf(booking)}.`,
    extensions: { ...issued },
  });
}
