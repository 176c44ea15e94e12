/**
 * The waiting list of a venue: parties that want a place where nothing is free, in order. When a place becomes free, the
 * first that it fits gets a hold for a quarter of an hour; unused, the next one does.
 */
import type { Registry } from 'prom-client';
import { inSnapshot, inTransaction, type Tx } from '../../db/database.ts';
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import { databaseGauge, nodeCounter } from '../../http/observability/metrics.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { nowOf } from '../../kernel/clock.ts';
import { isUuid, type ProductId, venueOfProduct } from '../../kernel/ids.ts';
import { partnerOf } from '../bookings/service.ts';
import { findVenueMails, type Language, languageOf } from '../notifications/service.ts';
import { type Context, noSuchEntry, type WaitlistDeps } from './context.ts';
import { deleteDays } from './day-store.ts';
import { addEntry, linkHashOf, removeEntry } from './joining.ts';
import { createManagedWaitlist, type ManagedWaitlist } from './managed.ts';
import { createOfferWorker, type OfferWorker } from './offering.ts';
import type { Entry, EntryBody, EntryQuery } from './schema.ts';
import {
  countByStatus,
  createWaitlistStore,
  deleteEnded,
  type EntryFilter,
  type EntryRecord,
  findPositions,
} from './store.ts';
import { takeOffer } from './taking.ts';
import { entryView } from './view.ts';

export interface NewEntryRequest {
  productId: ProductId;
  body: EntryBody;
  idempotencyKey: string | undefined;
}

/** An entry as its guest sees it. */
export interface LinkedEntry {
  entry: EntryRecord;
  language: Language;
}

export interface Waitlist extends OfferWorker {
  add(caller: Caller, request: NewEntryRequest): Promise<Entry>;
  get(caller: Caller, id: string): Promise<Entry>;
  list(caller: Caller, productId: ProductId, query: EntryQuery): Promise<PageOf<Entry>>;
  /** Removing what has ended changes nothing. */
  remove(caller: Caller, id: string): Promise<void>;
  managed: ManagedWaitlist;

  /** For the page behind the link in mails; throws `WAIT-N-001` for a link that has ended. */
  getByLink(secret: string): Promise<LinkedEntry>;
  takeByLink(secret: string): Promise<void>;
  leaveByLink(secret: string): Promise<void>;

  /** For a job: deletes entries whose day is longer ago than guests are to be known; says how many. */
  forgetOldGuests(days: number): Promise<number>;
  count(): Promise<{ waiting: number; offered: number }>;
}

const BATCH = 100;
/** Trading days end in the morning, and venues are in all zones. */
const HOURS_UNTIL_OVER = 72;

export function createWaitlist(deps: WaitlistDeps): Waitlist {
  const context: Context = { ...deps, store: createWaitlistStore(deps.encryptionKeys) };
  const { sql, clock, store, venues, idempotency, notices } = context;

  async function viewOf(tx: Tx, entry: EntryRecord): Promise<Entry> {
    const positions = await findPositions(tx, [entry.id], nowOf(clock));
    return entryView(entry, positions.get(entry.id));
  }

  async function getVisible(caller: Caller, id: string): Promise<EntryRecord> {
    const entry = isUuid(id) ? await store.find(sql, id, nowOf(clock)) : undefined;
    const { partnerId, operatorId } = filterOf(caller);
    const isVisible =
      entry &&
      (partnerId === undefined || partnerId === entry.partnerId) &&
      (operatorId === undefined || operatorId === entry.operatorId);
    if (!isVisible) throw noSuchEntry(id);
    return entry;
  }

  async function getLinked(secret: string): Promise<EntryRecord> {
    const entry = await store.findByLink(sql, linkHashOf(secret), nowOf(clock));
    if (!entry) throw noSuchEntry('of this link');
    return entry;
  }

  return {
    ...createOfferWorker(context),
    managed: createManagedWaitlist(context),

    add(caller, { productId, body, idempotencyKey: key }) {
      const content = { wait: productId, partner: partnerOf(caller).id, body };
      return idempotency.once<Entry>({ clientId: caller.clientId, key, content }, async (keep) => {
        let view: Entry | undefined;
        const entry = await addEntry(context, caller, {
          productId,
          body,
          async written(tx, made) {
            view = await viewOf(tx, made);
            await keep(tx, view);
          },
        });
        return view ?? viewOf(sql, entry);
      });
    },

    async get(caller, id) {
      return viewOf(sql, await getVisible(caller, id));
    },

    list: (caller, productId, query) =>
      inSnapshot(sql, async (tx) => {
        const now = nowOf(clock);
        const venueId = venueOfProduct(productId);
        await venues.assertVisible(tx, caller, venueId);
        const { date, status } = query;
        const filter = { ...filterOf(caller), venueId, productId, date, status };
        const { entries, total } = await store.list(tx, filter, { ...windowOf(query), now });
        const ids = entries.map(({ id }) => id);
        const positions = await findPositions(tx, ids, now);
        return pageOf(
          entries.map((entry) => entryView(entry, positions.get(entry.id))),
          total,
          query,
        );
      }),

    async remove(caller, id) {
      partnerOf(caller);
      const entry = await getVisible(caller, id);
      await removeEntry(context, entry.id);
    },

    async getByLink(secret) {
      const entry = await getLinked(secret);
      const { language } = await findVenueMails(sql, entry.venueId);
      return { entry, language: language ?? languageOf(entry.venue.countryCode) };
    },

    async takeByLink(secret) {
      await takeOffer(context, await getLinked(secret), null);
    },

    async leaveByLink(secret) {
      await removeEntry(context, (await getLinked(secret)).id);
    },

    async forgetOldGuests(days) {
      const now = nowOf(clock);
      const over = now.subtract({ hours: HOURS_UNTIL_OVER }).toString().slice(0, 10);
      await deleteDays(sql, over);
      let total = 0;
      for (;;) {
        const deleted = await inTransaction(sql, async (tx) => {
          const ids = await deleteEnded(tx, now.subtract({ hours: 24 * days }), BATCH);
          await notices.forgetWaiting(tx, ids);
          return ids.length;
        });
        total += deleted;
        if (deleted < BATCH) return total;
      }
    },

    count: () => countByStatus(sql, nowOf(clock)),
  };
}

/** Partners see their own entries, operators those at their venues. */
function filterOf(caller: Caller): Pick<EntryFilter, 'partnerId' | 'operatorId'> {
  const visibility = visibilityOf(caller);
  if (visibility.kind === 'partner') return { partnerId: visibility.partnerId };
  return visibility.kind === 'operator' ? { operatorId: visibility.operatorId } : {};
}

export function waitlistJobs(
  waitlist: Waitlist,
  { guestDataDays }: { guestDataDays: number },
): JobDefinition[] {
  return [
    {
      name: 'waitlist.forget-guests',
      schedule: '47 2 * * *',
      handle: async () => void (await waitlist.forgetOldGuests(guestDataDays)),
    },
  ];
}

export function waitlistMetrics(registry: Registry, waitlist: Waitlist): void {
  databaseGauge(registry, {
    name: 'waitlist_waiting',
    help: 'Parties that wait for a place, of all venues.',
    read: async () => (await waitlist.count()).waiting,
  });
  databaseGauge(registry, {
    name: 'waitlist_offers_open',
    help: 'Places that are kept for parties of waiting lists at this moment.',
    read: async () => (await waitlist.count()).offered,
  });
  nodeCounter(registry, {
    name: 'waitlist_offers_total',
    help: 'Places that this node has offered to parties of waiting lists.',
    read: () => waitlist.offersMade(),
  });
}
export { SEALED_ENTRIES } from './store.ts';
