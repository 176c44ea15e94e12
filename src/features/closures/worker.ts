/**
 * Cancels the bookings of closures in the background. What is to be done stands in tables: a node claims a closure for
 * a while, and each booking is cancelled in a transaction that also notes it. A node that dies only delays.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { operatorCaller } from '../../http/auth/actor.ts';
import { startWorkLoop, type Worker } from '../../jobs/work-loop.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { partsOfVenueId } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { Problem } from '../../kernel/problem.ts';
import { mapConcurrently } from '../../kernel/request-scope.ts';
import type { AuditLog } from '../audit/service.ts';
import {
  type BookingRecord,
  type Bookings,
  canBeTold,
  isCalledOff,
  isOpenEnquiry,
  type OperatorAction,
} from '../bookings/service.ts';
import * as store from './store.ts';

export interface ClosureWorkerDeps {
  sql: Sql;
  clock: Clock;
  notifications: Notifications;
  auditLog: AuditLog;
  bookings: Bookings;
  log: Pick<Log, 'warn'>;
  openMessage(closure: Pick<store.NewClosure, 'id' | 'message'>): string | null;
  /** Left out only by the test which shows that it is needed. */
  listWriters?: typeof store.listWriters;
}

/** Told by the trigger of the table. */
const TOPIC = 'closures';
const LEASE_SECONDS = 60;
const EXTEND_MS = 20_000;
const AT_A_TIME = 4;
const BATCH = 40;
const WRITERS_POLL_MS = 10;
const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 60;
/** A system that is away for longer is not waited for: the guests have to be called. */
const GIVE_UP_MINUTES = 15;

/** The closure was lifted: what is not cancelled yet stays. */
class Reopened extends Error {}
/** The booking has moved out of the closure since it was noted. */
class MovedAway extends Error {}

export function createClosureWorker(deps: ClosureWorkerDeps): Worker {
  const { sql, clock, notifications, auditLog, bookings, log } = deps;
  const { listWriters = store.listWriters } = deps;
  const leaseEnd = () => nowOf(clock).add({ seconds: LEASE_SECONDS });

  async function workDue(signal?: AbortSignal): Promise<Temporal.Instant | null> {
    while (!signal?.aborted) {
      const lease = randomUUID();
      const times = { now: nowOf(clock), leasedUntil: leaseEnd() };
      const closure = await store.claimClosure(sql, lease, times);
      if (!closure) break;
      const extend = () => store.extendLease(sql, lease, leaseEnd()).catch(() => {});
      const extending = setInterval(extend, EXTEND_MS).unref();
      try {
        await work(closure, signal);
      } finally {
        clearInterval(extending);
      }
    }
    return store.findNextDue(sql);
  }

  async function work(closure: store.ClaimedClosure, signal: AbortSignal | undefined): Promise<void> {
    if (!(await haveWritersEnded(signal)))
      return store.putOff(sql, closure, nowOf(clock).add({ seconds: FIRST_PAUSE_SECONDS }));
    await store.noteInside(sql, closure, nowOf(clock));
    for (;;) {
      if (signal?.aborted) return store.putOff(sql, closure, nowOf(clock));
      const due = await store.listDue(sql, closure.id, nowOf(clock), BATCH);
      if (due.length === 0) break;
      try {
        // Those that have failed come one by one: bookings are read together, and one that cannot be fails the others.
        const [fresh, failed] = [due.filter(isFresh), due.filter((each) => !isFresh(each))];
        await mapConcurrently(fresh, AT_A_TIME, (each) => attempt(closure, each));
        await mapConcurrently(failed, 1, (each) => attempt(closure, each));
      } catch (error) {
        if (error instanceof Reopened) return;
        throw error;
      }
    }
    await store.concludeClosure(sql, closure, nowOf(clock));
  }

  /** Bookings that were decided on before the closure was committed are waited for; all later ones know of it. */
  async function haveWritersEnded(signal: AbortSignal | undefined): Promise<boolean> {
    const endsAt = performance.now() + DEADLINES.closingVenue;
    let writers = new Set(await listWriters(sql));
    while (writers.size > 0 && performance.now() < endsAt && !signal?.aborted) {
      await sleep(WRITERS_POLL_MS);
      writers = writers.intersection(new Set(await listWriters(sql)));
    }
    return writers.size === 0;
  }

  async function attempt(closure: store.ClaimedClosure, due: store.DueBooking): Promise<void> {
    try {
      await callOff(closure, due.bookingId);
      await store.markCancelled(sql, closure.id, due.bookingId);
    } catch (error) {
      if (error instanceof Reopened) throw error;
      if (error instanceof MovedAway) return store.dropBooking(sql, closure.id, due.bookingId);
      const now = nowOf(clock);
      const failure = failureOf(error, due, now);
      log.warn(
        { err: error, closureId: closure.id, bookingId: due.bookingId, code: failure.code },
        'A booking of a closure could not be cancelled.',
      );
      await store.markFailed(sql, closure.id, due.bookingId, failure, now);
    }
  }

  /** An enquiry is rejected, anything else is cancelled, with everything paid refunded. */
  async function callOff(closure: store.ClaimedClosure, bookingId: string): Promise<void> {
    const caller = operatorCaller(
      { ...closure.actor, isPlatform: false, roles: new Map() },
      partsOfVenueId(closure.venueId).operatorId,
    );
    const text = deps.openMessage(closure);
    const message = text === null ? undefined : { text, replyTo: null };
    const record = await bookings.getRecord(caller, bookingId);
    if (isCalledOff(record)) return;
    const isEnquiry = isOpenEnquiry(record);
    const action = isEnquiry ? 'booking.reject' : 'booking.cancel';
    const operated = bookings.asOperator(operatorActionOf(closure, action, text));
    if (isEnquiry) await operated.reject(caller, bookingId, canBeTold(record) ? message : undefined);
    else await operated.cancel(caller, bookingId, message);
  }

  function operatorActionOf(
    closure: store.ClaimedClosure,
    action: string,
    text: string | null,
  ): OperatorAction {
    const { id, venueId, actor } = closure;
    const { operatorId } = partsOfVenueId(venueId);
    return {
      actorId: actor.id,
      ...(text !== null && { guestMessage: text }),
      async check(tx, booking) {
        if (!(await store.standsStill(tx, id))) throw new Reopened();
        if (!isInside(closure, booking)) throw new MovedAway();
      },
      async record(tx, { bookingId, what, before, after }) {
        const by = { ...actor, isPlatform: false, roles: new Map() };
        const subject = `booking ${bookingId}`;
        const done = what === 'message' ? 'booking.message' : action;
        await auditLog.record(tx, { actor: by, operatorId, action: done, subject, before, after });
        if (what === 'booking') await store.markCancelled(tx, id, bookingId);
      },
    };
  }

  return {
    workDue,

    start: () =>
      startWorkLoop({
        clock,
        notifications,
        topic: TOPIC,
        workDue,
        onError: (err) => log.warn({ err }, 'Closures could not be worked on.'),
      }),
  };
}

function isInside(closure: store.ClosedTime, booking: BookingRecord): boolean {
  const { firstDay, lastDay, fromAt, toAt, productIds } = closure;
  const { productId, date, startsAt, durationMinutes } = booking;
  if (!(productIds?.includes(productId) ?? true)) return false;
  if (firstDay !== null && lastDay !== null) return firstDay <= date && date <= lastDay;
  const endsAt = startsAt.add({ minutes: durationMinutes });
  return Temporal.Instant.compare(startsAt, toAt) < 0 && Temporal.Instant.compare(endsAt, fromAt) > 0;
}

const isFresh = ({ attempts }: store.DueBooking) => attempts === 0;

/** What may pass is tried again for a while, later each time. */
function failureOf(
  error: unknown,
  { attempts, firstAttemptAt }: store.DueBooking,
  now: Temporal.Instant,
): store.Failure {
  const isProblem = error instanceof Problem;
  const failure = {
    code: isProblem ? error.code : 'HTTP-R-500',
    detail: isProblem ? error.message : 'It could not be carried out.',
  };
  const givesUpAt = (firstAttemptAt ?? now).add({ minutes: GIVE_UP_MINUTES });
  const isFinal = (isProblem && !error.isRetryable) || Temporal.Instant.compare(now, givesUpAt) >= 0;
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_SECONDS);
  return { ...failure, nextAttemptAt: isFinal ? null : now.add({ seconds }) };
}
