/** The operator's desk: bookings with everything known about them, and the operator's actions with their actors. */

import { inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import { type Actor, operatorCaller } from '../../../http/auth/actor.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../../http/validation/paging.ts';
import { timestampOf } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/problem.ts';
import { type AuditLog, assertUnchanged } from '../../audit/service.ts';
import type { OperatorAction } from '../context.ts';
import { countMessages } from '../message-store.ts';
import type { Message, SentMessage } from '../messages.ts';
import type { BookingRecord, Visit } from '../record.ts';
import type { Bookings } from '../service.ts';
import type { BookingMessage, ManagedBooking } from './schema.ts';
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
  list(actor: Actor, operatorId: number, query: ManagedFilter & PageQuery): Promise<PageOf<ManagedBooking>>;
  /** Runs `deed` if the booking is still the version that the actor has read, and records it with the actor. */
  act(
    doing: Doing,
    ruleEffect: (bookings: Bookings, caller: Caller) => Promise<unknown>,
  ): Promise<ManagedBooking>;
  listMessages(named: Named, page: PageQuery): Promise<PageOf<BookingMessage>>;
  sendMessage(doing: Doing, message: Message): Promise<BookingMessage>;
}

export interface ManagedBookingsDeps {
  sql: Sql;
  bookings: Bookings;
  auditLog: AuditLog;
}

export function createManagedBookings({ sql, bookings, auditLog }: ManagedBookingsDeps): ManagedBookings {
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

  function operatorActionOf({ actor, operatorId, action, ifMatch }: Doing, caller: Caller): OperatorAction {
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
    doing: Doing,
    ruleEffect: (bookings: Bookings, caller: Caller) => Promise<Result>,
  ): Promise<Result> {
    const caller = operatorCaller(doing.actor, doing.operatorId);
    return ruleEffect(bookings.asOperator(operatorActionOf(doing, caller)), caller);
  }

  return {
    get,

    async list(actor, operatorId, query) {
      const { from, to } = query;
      if (from !== undefined && to !== undefined && to < from) throw invalid('to', 'must not be before from');
      const caller = operatorCaller(actor, operatorId);
      return inSnapshot(sql, async (tx) => {
        const { ids, total } = await listManagedIds(tx, operatorId, query, windowOf(query));
        const records = await bookings.listRecords(tx, caller, ids);
        const byId = new Map(records.map((record) => [record.id, record]));
        const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
        return pageOf(await documentsOf(tx, caller, inOrder), total, query);
      });
    },

    async act(doing, ruleEffect) {
      await overseen(doing, ruleEffect);
      return get(doing);
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

const partnerView = ({ partnerId, partnerSource }: BookingRecord, names: ReadonlyMap<number, string>) =>
  partnerId === null ? null : { id: partnerId, name: names.get(partnerId) ?? partnerSource };

const visitView = ({ state, arrivedAt, seatedAt, leftAt }: Visit): ManagedBooking['visit'] => ({
  state,
  arrivedAt: arrivedAt && timestampOf(arrivedAt),
  seatedAt: seatedAt && timestampOf(seatedAt),
  leftAt: leftAt && timestampOf(leftAt),
});

function messageView({ id, createdAt, message }: SentMessage): BookingMessage {
  return {
    id,
    createdAt: timestampOf(createdAt),
    text: message?.text ?? null,
    replyTo: message?.replyTo ?? null,
  };
}
