/** The operator's desk: bookings with everything known about them, and the operator's actions with their actors. */

import type { Sql, Tx } from '../../../db/database.ts';
import { primaryReads, type Reads, readTogether } from '../../../db/reads.ts';
import { type Actor, operatorCaller } from '../../../http/auth/actor.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../../http/validation/paging.ts';
import { timestampOf } from '../../../kernel/clock.ts';
import type { Keyring } from '../../../kernel/crypto.ts';
import { partsOfVenueId } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/problem.ts';
import { type AuditLog, assertUnchanged } from '../../audit/service.ts';
import type { Events } from '../../events/service.ts';
import type { OperatorAction } from '../context.ts';
import { createGuestHasher, searchHashesOf } from '../guest-search/hashes.ts';
import { type GuestSearch, searchOf } from '../guest-search/terms.ts';
import { countMessages } from '../message-store.ts';
import type { Message, SentMessage } from '../messages.ts';
import type { BookingRecord } from '../record.ts';
import type { Bookings } from '../service.ts';
import { partnerView, visitView } from '../view.ts';
import type { BookingEdit, ChangedBooking, DeskOverride } from './desk-schema.ts';
import type { EditedBooking, EditOptions } from './edit.ts';
import { historyOf } from './history.ts';
import type { HistoryEntry } from './history-schema.ts';
import { assertOverrides, type HouseBooking } from './house-booking.ts';
import type { BookingMessage, ManagedBooking } from './schema.ts';
import type { StartsQuestion } from './starts.ts';
import type { ProductStarts } from './starts-schema.ts';
import { listManagedIds, listPartnerNames, type ManagedFilter } from './store.ts';

/** One action of an operator on a booking. */
export interface Doing {
  actor: Actor;
  operatorId: number;
  bookingId: string;
  /** Such as `accept`. */
  action: string;
  ifMatch: string | undefined;
}

type Named = Pick<Doing, 'actor' | 'operatorId' | 'bookingId'>;

export interface ManagedBookings {
  get(named: Named): Promise<ManagedBooking>;
  list(
    actor: Actor,
    operatorId: number,
    query: ManagedFilter & PageQuery & { guest?: string | undefined },
  ): Promise<PageOf<ManagedBooking>>;
  history(named: Named): Promise<{ data: HistoryEntry[] }>;
  /** Runs `work` if the booking is still the version that the actor has read, and records it with the actor. */
  act(doing: Doing, work: (bookings: Bookings, caller: Caller) => Promise<unknown>): Promise<ManagedBooking>;
  create(actor: Actor, booking: HouseBooking): Promise<ManagedBooking>;
  listStarts(actor: Actor, question: StartsQuestion): Promise<{ data: ProductStarts[] }>;
  edit(doing: Doing, edit: BookingEdit, options: EditOptions): Promise<ChangedBooking>;
  swap(
    doing: Doing,
    other: { bookingId: string; overrides?: readonly DeskOverride[] },
    options: EditOptions,
  ): Promise<{ data: ChangedBooking[] }>;
  listMessages(named: Named, page: PageQuery): Promise<PageOf<BookingMessage>>;
  sendMessage(doing: Doing, message: Message): Promise<BookingMessage>;
}

export interface ManagedBookingsDeps {
  sql: Sql;
  reads?: Reads;
  bookings: Bookings;
  auditLog: AuditLog;
  events: Events;
  encryptionKeys: Keyring;
}

/** So many guests are opened for one search. */
const MOST_OPENED = 500;

export function createManagedBookings(deps: ManagedBookingsDeps): ManagedBookings {
  const { sql, reads = primaryReads(sql), bookings, auditLog } = deps;
  const hashers = deps.encryptionKeys.all.map(createGuestHasher);

  /** The document of the booking: what is read, and what `If-Match` is about. */
  async function documentsOf(
    tx: Tx,
    caller: Caller,
    records: readonly BookingRecord[],
  ): Promise<ManagedBooking[]> {
    const partnerIds = records.flatMap(({ partnerId }) => partnerId ?? []);
    const names = await listPartnerNames(tx, [...new Set(partnerIds)]);
    return records.map((record) => ({
      ...bookings.listedView(caller, record),
      partner: partnerView(record, names),
      source: record.source,
      origin: record.origin,
      visit: visitView(record.visit),
    }));
  }

  async function listPage(
    tx: Tx,
    caller: Caller,
    operatorId: number,
    filter: ManagedFilter,
    window: { limit: number; offset: number },
  ): Promise<{ records: BookingRecord[]; total: number }> {
    const { ids, total } = await listManagedIds(tx, operatorId, filter, window);
    const found = await bookings.listRecords(tx, caller, ids);
    const byId = new Map(found.map((record) => [record.id, record]));
    return { records: ids.flatMap((id) => byId.get(id) ?? []), total };
  }

  /**
   * Opens what the hashes find, because a search may be longer than what is hashed, and two terms may have one hash.
   * Where they find very much, only the page is opened, and the total is that of the hashes.
   */
  async function findByGuest(
    tx: Tx,
    caller: Caller,
    operatorId: number,
    filter: ManagedFilter & PageQuery,
    { term, matches }: GuestSearch,
  ): Promise<{ records: BookingRecord[]; total: number }> {
    const hashed = { ...filter, guestHashes: searchHashesOf(hashers, operatorId, term) };
    const isMatch = ({ guest }: BookingRecord) => matches(guest);
    const { limit, offset } = windowOf(filter);
    const first = await listPage(tx, caller, operatorId, hashed, { limit: MOST_OPENED, offset: 0 });
    if (first.total <= MOST_OPENED) {
      const records = first.records.filter(isMatch);
      return { records: records.slice(offset, offset + limit), total: records.length };
    }
    const { records, total } = await listPage(tx, caller, operatorId, hashed, { limit, offset });
    return { records: records.filter(isMatch), total };
  }

  async function get({ actor, operatorId, bookingId }: Named): Promise<ManagedBooking> {
    const caller = operatorCaller(actor, operatorId);
    const record = await bookings.getRecord(caller, bookingId);
    return documentOf(sql, caller, record);
  }

  async function documentOf(tx: Tx, caller: Caller, record: BookingRecord): Promise<ManagedBooking> {
    const [document] = await documentsOf(tx, caller, [record]);
    if (!document) throw new Error(`Booking ${record.id} has no document.`);
    return document;
  }

  async function changedView(caller: Caller, { record, change }: EditedBooking): Promise<ChangedBooking> {
    return { ...(await documentOf(sql, caller, record)), change };
  }

  function operatorActionOf(
    { actor, operatorId, action, ifMatch }: Omit<Doing, 'bookingId'>,
    caller: Caller,
  ): OperatorAction {
    return {
      async check(tx, booking) {
        if (ifMatch !== undefined) assertUnchanged(await documentOf(tx, caller, booking), ifMatch);
      },
      record: (tx, { bookingId, what, before, after }) =>
        auditLog.record(tx, {
          actor,
          operatorId,
          action: `booking.${what === 'message' ? 'message' : action}`,
          subject: `booking ${bookingId}`,
          before,
          after,
        }),
      actorId: actor.id,
    };
  }

  async function overseen<Result>(
    doing: Omit<Doing, 'bookingId'>,
    work: (bookings: Bookings, caller: Caller) => Promise<Result>,
  ): Promise<Result> {
    const caller = operatorCaller(doing.actor, doing.operatorId);
    return work(bookings.asOperator(operatorActionOf(doing, caller)), caller);
  }

  return {
    get,

    async list(actor, operatorId, query) {
      const { from, to } = query;
      if (from !== undefined && to !== undefined && to < from) throw invalid('to', 'must not be before from');
      const caller = operatorCaller(actor, operatorId);
      const { guest, ...filter } = query;
      const search = guest === undefined ? undefined : searchOf(guest);
      return readTogether(reads, async (tx) => {
        const { records, total } = search
          ? await findByGuest(tx, caller, operatorId, filter, search)
          : await listPage(tx, caller, operatorId, filter, windowOf(query));
        return pageOf(await documentsOf(tx, caller, records), total, query);
      });
    },

    async history({ actor, operatorId, bookingId }) {
      const record = await bookings.getRecord(operatorCaller(actor, operatorId), bookingId);
      const names = await listPartnerNames(sql, record.partnerId === null ? [] : [record.partnerId]);
      return { data: await historyOf(sql, deps, record, names.get(record.partnerId ?? 0)) };
    },

    async act(doing, work) {
      await overseen(doing, work);
      return get(doing);
    },

    async create(actor, booking) {
      const { operatorId } = partsOfVenueId(booking.venueId);
      assertOverrides(actor, operatorId, booking.body.overrides);
      const doing = { actor, operatorId, action: 'create', ifMatch: undefined };
      const made = await overseen(doing, (watched, caller) => watched.createForHouse(caller, booking));
      return get({ actor, operatorId, bookingId: made.id });
    },

    async listStarts(actor, question) {
      const { operatorId } = partsOfVenueId(question.venueId);
      return { data: await bookings.listStarts(operatorCaller(actor, operatorId), question) };
    },

    async edit(doing, edit, options) {
      assertOverrides(doing.actor, doing.operatorId, edit.overrides);
      return overseen(doing, async (watched, caller) =>
        changedView(caller, await watched.edit(caller, doing.bookingId, edit, options)),
      );
    },

    async swap(doing, { bookingId: otherId, overrides }, options) {
      assertOverrides(doing.actor, doing.operatorId, overrides);
      return overseen(doing, async (watched, caller) => {
        const ids = [doing.bookingId.toLowerCase(), otherId.toLowerCase()] as const;
        const edited = await watched.swap(caller, ids, { ...options, overrides });
        return { data: await Promise.all(edited.map((each) => changedView(caller, each))) };
      });
    },

    async listMessages({ actor, operatorId, bookingId }, page) {
      const caller = operatorCaller(actor, operatorId);
      const messages = await bookings.listMessages(caller, bookingId, windowOf(page));
      return pageOf(messages.map(messageView), await countMessages(sql, bookingId), page);
    },

    sendMessage: (doing, message) =>
      overseen(doing, async (watched, caller) =>
        messageView(await watched.sendMessage(caller, doing.bookingId, message)),
      ),
  };
}

function messageView({ id, createdAt, message }: SentMessage): BookingMessage {
  return {
    id,
    createdAt: timestampOf(createdAt),
    text: message?.text ?? null,
    replyTo: message?.replyTo ?? null,
  };
}
