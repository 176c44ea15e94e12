/**
 * Closing a venue, or some of its products, for days or for part of one. From the commit on nothing can be booked there;
 * the bookings inside stay, or are cancelled in the background.
 */

import type { Registry } from 'prom-client';
import { inContestedTransaction, inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import { type Actor, operatorCaller } from '../../http/auth/actor.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Worker } from '../../jobs/work-loop.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { type Keyring, newId, open, seal } from '../../kernel/crypto.ts';
import { isUuid, type ProductId, partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { assertLocalDate, daysAsInstants, localInstant, startOfDay } from '../../kernel/local-time.ts';
import { invalid } from '../../kernel/problem.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import { addDays, dateTimeOf, daysBetween, localOf } from '../../kernel/zone-time.ts';
import { assertUnchanged } from '../audit/service.ts';
import { type BookingRecord, guestsOf, listPartnerNames, paidOf, takenOf } from '../bookings/service.ts';
import {
  aboutVenue,
  assertRoom,
  getVenueRef,
  lockVenueRef,
  notFound,
  type Request,
} from '../venues/service.ts';
import type { Closure, ClosureBody, ClosurePreview, ClosureQuery } from './schema.ts';
import * as store from './store.ts';
import { type ClosureWorkerDeps, createClosureWorker } from './worker.ts';

export interface Closures extends Worker {
  list(venueId: VenueId, query: ClosureQuery): Promise<PageOf<Closure>>;
  get(venueId: VenueId, id: string): Promise<Closure>;
  /** One like it that stands already is returned as it is. */
  create(by: Request, venueId: VenueId, body: ClosureBody): Promise<Closure>;
  /** What `create` would do, or the problem that it would meet. */
  preview(by: Request, venueId: VenueId, body: ClosureBody): Promise<ClosurePreview>;
  /** Opens again. Bookings that are cancelled stay so; those that are not are not touched any more. */
  remove(by: Request, venueId: VenueId, id: string): Promise<void>;
  /** Whose bookings are still being cancelled, and for how long the first of them has been. */
  running(): Promise<{ count: number; oldestSeconds: number }>;
}

export interface ClosuresDeps extends Omit<ClosureWorkerDeps, 'openMessage'> {
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
}

const MOST_DAYS = 366;
const MOST_CLOSURES = 200;
const BOOKINGS_SHOWN = 1000;
const READ_AT_A_TIME = 500;

const contextOf = (id: string) => `closure:${id}`;

export const SEALED_CLOSURES: SealedTable = {
  table: 'closure',
  columns: ['message'],
  key: ['id'],
  contextOf,
};

export function createClosures(deps: ClosuresDeps): Closures {
  const { sql, clock, encryptionKeys, auditLog, bookings } = deps;
  const openMessage = ({ id, message }: Pick<store.NewClosure, 'id' | 'message'>) =>
    message && open(encryptionKeys, message, contextOf(id)).toString();

  const closureView = (stored: store.StoredClosure): Closure => ({
    id: stored.id,
    from: stored.first,
    to: stored.last,
    productKeys: stored.productIds?.map((id) => id.slice(id.lastIndexOf('|') + 1)) ?? null,
    reason: stored.reason,
    bookings: stored.bookings,
    message: openMessage(stored),
    state: stored.state,
    affected: stored.affected,
    cancelled: stored.cancelled,
    failed: stored.failed,
    createdAt: timestampOf(stored.createdAt),
    finishedAt: stored.finishedAt && timestampOf(stored.finishedAt),
  });

  async function getStored(tx: Tx, venueId: VenueId, id: string): Promise<store.StoredClosure> {
    const stored = isUuid(id) ? await store.findClosure(tx, venueId, id) : undefined;
    if (!stored) throw notFound(`The venue has no closure ${id}.`);
    return stored;
  }

  async function timeOf(
    tx: Tx,
    venueId: VenueId,
    zone: string,
    { from, to, productKeys }: ClosureBody,
  ): Promise<store.ClosedTime> {
    const keys = productKeys ?? null;
    const [unknown] = keys ? await store.findUnknownKeys(tx, venueId, keys) : [];
    if (keys && unknown !== undefined)
      throw invalid(`productKeys.${keys.indexOf(unknown)}`, 'is not a product of this venue');
    const productIds = keys?.toSorted().map((key) => `${venueId}|${key}` as ProductId) ?? null;
    return { ...closedTime(zone, from, to, nowOf(clock)), first: from, last: to, productIds };
  }

  async function findEqual(
    tx: Tx,
    venueId: VenueId,
    time: store.ClosedTime,
    { bookings: mode, reason = null, message = null }: ClosureBody,
  ): Promise<store.StoredClosure | undefined> {
    const candidates = await store.listEqual(tx, venueId, time);
    return candidates.find(
      (each) => each.bookings === mode && each.reason === reason && openMessage(each) === message,
    );
  }

  async function listRecords(tx: Tx, actor: Actor, venueId: VenueId, ids: readonly string[]) {
    const caller = operatorCaller(actor, partsOfVenueId(venueId).operatorId);
    const records = new Map<string, BookingRecord>();
    for (let at = 0; at < ids.length; at += READ_AT_A_TIME)
      for (const record of await bookings.listRecords(tx, caller, ids.slice(at, at + READ_AT_A_TIME)))
        records.set(record.id, record);
    return ids.flatMap((id) => records.get(id) ?? []);
  }

  return {
    ...createClosureWorker({ ...deps, openMessage }),

    list: (venueId, query) =>
      inSnapshot(sql, async (tx) => {
        const { timeZone } = await getVenueRef(tx, venueId);
        const window = { ...daysAsInstants(timeZone, query), ...windowOf(query) };
        const { closures, total } = await store.listClosures(tx, venueId, window);
        return pageOf(closures.map(closureView), total, query);
      }),

    get: (venueId, id) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return closureView(await getStored(tx, venueId, id));
      }),

    create: ({ actor }, venueId, body) =>
      inContestedTransaction(sql, async (tx) => {
        // Of two equal requests of one moment the second waits here, and finds the closure of the first.
        const { timeZone } = await lockVenueRef(tx, venueId);
        const time = await timeOf(tx, venueId, timeZone, body);
        const equal = await findEqual(tx, venueId, time, body);
        if (equal) return closureView(equal);
        await assertRoomFor(tx, venueId);
        const { bookings: mode, reason = null, message = null } = body;
        const [id, createdAt] = [newId(clock), nowOf(clock)];
        const by = { kind: actor.kind, id: actor.id, name: actor.name };
        const sealed = message === null ? null : seal(encryptionKeys, message, contextOf(id));
        const closure = {
          ...time,
          id,
          venueId,
          reason,
          bookings: mode,
          message: sealed,
          actor: by,
          createdAt,
        };
        await store.insertClosure(tx, closure);
        if (mode === 'cancel') await store.noteInside(tx, closure, createdAt);
        const stored = await getStored(tx, venueId, id);
        const about = aboutVenue(venueId, 'closure', id);
        await auditLog.record(tx, { actor, action: 'closure.create', ...about, after: auditedView(stored) });
        return closureView(stored);
      }),

    preview: ({ actor }, venueId, body) =>
      inSnapshot(sql, async (tx) => {
        const { timeZone } = await getVenueRef(tx, venueId);
        const time = await timeOf(tx, venueId, timeZone, body);
        await assertRoomFor(tx, venueId);
        const ids = await store.listInside(tx, venueId, time, nowOf(clock));
        const records = await listRecords(tx, actor, venueId, ids);
        const partnerIds = records.flatMap(({ partnerId }) => partnerId ?? []);
        const names = await listPartnerNames(tx, [...new Set(partnerIds)]);
        return previewOf(records, { zone: timeZone, names, isKept: body.bookings === 'keep' });
      }),

    remove: ({ actor, ifMatch }, venueId, id) =>
      auditLog.remove({
        actor,
        action: 'closure.remove',
        ifMatch: undefined,
        ...aboutVenue(venueId, 'closure', id),
        async find(tx) {
          await lockVenueRef(tx, venueId);
          return auditedView(await getStored(tx, venueId, id));
        },
        async write(tx) {
          assertUnchanged(closureView(await getStored(tx, venueId, id)), ifMatch);
          await store.deleteClosure(tx, id);
        },
      }),

    async running() {
      const { count, since } = await store.countRunning(sql);
      return { count, oldestSeconds: since ? nowOf(clock).since(since).total('seconds') : 0 };
    },
  };

  async function assertRoomFor(tx: Tx, venueId: VenueId): Promise<void> {
    const count = await store.countToCome(tx, venueId, nowOf(clock));
    assertRoom(count, MOST_CLOSURES, 'closures to come at a venue');
  }
}

/** What the audit log keeps: without the message, which may name guests, and without what becomes of the bookings. */
const auditedView = ({ first, last, productIds, reason, bookings }: store.StoredClosure) => ({
  from: first,
  to: last,
  productIds,
  reason,
  bookings,
});

const isDate = (text: string) => text.length === DATE_LENGTH;
const DATE_LENGTH = '2026-12-05'.length;

/** Throws where the time cannot be, or is over. */
function closedTime(
  zone: string,
  from: string,
  to: string,
  now: Temporal.Instant,
): Pick<store.ClosedTime, 'firstDay' | 'lastDay' | 'fromAt' | 'toAt'> {
  if (isDate(from) !== isDate(to)) throw invalid('to', 'must be a date or a date-time as from is');
  if (isDate(from)) {
    assertLocalDate('from', from);
    assertLocalDate('to', to);
    if (to < from) throw invalid('to', 'must not be before from');
    if (daysBetween(from, to) >= MOST_DAYS)
      throw invalid('to', `must be less than ${MOST_DAYS} days after from`);
    if (to < localOf(zone, now.epochMilliseconds).date) throw invalid('to', 'must not be over');
    const [fromAt, toAt] = [startOfDay(zone, from), startOfDay(zone, addDays(to, 1))];
    return { firstDay: from, lastDay: to, fromAt, toAt };
  }
  const [fromAt, toAt] = [localInstant('from', zone, from), localInstant('to', zone, to)];
  if (Temporal.Instant.compare(toAt, fromAt) <= 0) throw invalid('to', 'must be after from');
  if (toAt.since(fromAt).total('hours') > MOST_DAYS * 24)
    throw invalid('to', `must be at most ${MOST_DAYS} days after from`);
  if (Temporal.Instant.compare(toAt, now) <= 0) throw invalid('to', 'must not be over');
  return { firstDay: null, lastDay: null, fromAt, toAt };
}

interface PreviewTerms {
  zone: string;
  /** Of partners. */
  names: ReadonlyMap<number, string>;
  isKept: boolean;
}

function previewOf(records: readonly BookingRecord[], { zone, names, isKept }: PreviewTerms): ClosurePreview {
  const previewed = records.map((record) => ({
    id: record.id,
    start: dateTimeOf(zone, record.startsAt.epochMilliseconds),
    guests: guestsOf(record),
    status: record.status,
    partner: record.partnerId === null ? null : (names.get(record.partnerId) ?? record.partnerSource),
    origin: record.origin,
    paidPence: paidOf(record),
    refundPence: isKept ? 0 : takenOf(record.payments),
  }));
  const total = (field: 'guests' | 'paidPence' | 'refundPence') =>
    previewed.reduce((sum, each) => sum + each[field], 0);
  return {
    isDryRun: true,
    bookings: previewed.slice(0, BOOKINGS_SHOWN),
    totals: {
      bookings: previewed.length,
      guests: total('guests'),
      paidPence: total('paidPence'),
      refundPence: total('refundPence'),
    },
  };
}

/** New closures are worked on at once; this finds what a node that died has left. */
export function closureJobs(closures: Closures): JobDefinition[] {
  return [
    {
      name: 'closures.work-due',
      schedule: '* * * * *',
      handle: async (signal) => void (await closures.workDue(signal)),
    },
  ];
}

export function closureMetrics(registry: Registry, closures: Closures): void {
  databaseGauge(registry, {
    name: 'closures_running',
    help: 'Closures whose bookings are still being cancelled, of all nodes.',
    read: async () => (await closures.running()).count,
  });
  databaseGauge(registry, {
    name: 'closures_oldest_seconds',
    help: 'Age of the oldest of them.',
    read: async () => (await closures.running()).oldestSeconds,
  });
}
