/**
 * What happened to a booking. Every change of it is in the event log as the booking after the change, and a change of
 * the operator is in the audit log too, with its actor. Both bear the moment of the change, by which they are matched.
 * The bodies of events go when the guest is forgotten; then only what the audit log has is left of the changes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../db/database.ts';
import { timestampOf } from '../../../kernel/clock.ts';
import type { AuditEntry, AuditLog } from '../../audit/service.ts';
import type { Events, LoggedEvent } from '../../events/service.ts';
import { listRefunds } from '../money/refund-store.ts';
import { type BookingRecord, statusOfPayment } from '../record.ts';
import type { HistoryChange, HistoryEntry } from './history-schema.ts';

/** So many of each log are read. */
const MOST = 500;

export interface HistoryDeps {
  auditLog: AuditLog;
  events: Events;
}

export async function historyOf(
  tx: Tx,
  { auditLog, events }: HistoryDeps,
  booking: BookingRecord,
  partnerName: string | undefined,
): Promise<HistoryEntry[]> {
  const { id, operatorId } = booking;
  const page = { pageNumber: 1, pageSize: MOST };
  const [audited, logged, refunds] = await Promise.all([
    auditLog.list({ operatorId, subject: `booking ${id}` }, page),
    events.listOfBooking(tx, id, MOST),
    listRefunds(tx, id),
  ]);
  const partner = { kind: 'partner', name: partnerName ?? booking.partnerSource } as const;
  const entries = [
    ...changesIn(logged, audited.data, booking, partner),
    ...booking.payments.map((payment) => ({
      at: timestampOf(payment.createdAt),
      by: partner,
      action: 'payment',
      changes: [{ field: 'payment', before: null, after: moneyView(payment) }],
    })),
    ...refunds.map(({ at, amountPence, reason, status }) => ({
      at: timestampOf(at),
      by: SYSTEM,
      action: 'refund',
      changes: [{ field: 'refund', before: null, after: { amountPence, reason, status } }],
    })),
  ];
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const SYSTEM = { kind: 'system', name: 'Maitred' } as const;

const moneyView = (payment: BookingRecord['payments'][number]) => ({
  amountPence: payment.amountPence,
  option: payment.option,
  status: statusOfPayment(payment),
});

type Snapshot = Record<string, unknown>;

function changesIn(
  logged: readonly LoggedEvent[],
  audited: readonly AuditEntry[],
  booking: BookingRecord,
  partner: HistoryEntry['by'],
): HistoryEntry[] {
  const createdAt = timestampOf(booking.createdAt);
  const byMoment = new Map(audited.flatMap((entry) => momentOf(entry, createdAt).map((at) => [at, entry])));
  const told = new Set<AuditEntry>();
  const entries: HistoryEntry[] = [];
  let before: Snapshot | undefined;
  for (const { type, occurredAt, body } of logged) {
    if (type !== 'booking.updated') continue;
    const at = timestampOf(occurredAt);
    const after = snapshotIn(body);
    const isCreation = at === createdAt;
    const changes = isCreation ? creationOf(after) : before && after ? differences(before, after) : [];
    before = after;
    const audit = byMoment.get(at);
    if (audit) {
      told.add(audit);
      entries.push({ ...auditView(audit), at, changes: merged(audit, changes, isCreation) });
    } else if (isCreation) entries.push({ at, by: partner, action: 'create', changes });
    // Payments change a booking too, and have entries of their own.
    else if (after === undefined || changes.length > 0)
      entries.push({ at, ...unaudited(changes, partner), changes });
  }
  const others = audited.filter((entry) => !told.has(entry));
  return [...entries, ...others.map((entry) => ({ ...auditView(entry), changes: auditedChanges(entry) }))];
}

/** The moment of the change that an entry of the audit log is about; none where it changed no booking. */
function momentOf({ action, before, after }: AuditEntry, createdAt: string): string[] {
  if (action === 'booking.create') return [createdAt];
  const [was, is] = [before, after].map((document) => (document as Snapshot | null)?.lastUpdate);
  return typeof is === 'string' && is !== was ? [is] : [];
}

function snapshotIn(body: string | null): Snapshot | undefined {
  if (body === null) return undefined;
  const [booking] = (JSON.parse(body) as { bookings?: Snapshot[] }).bookings ?? [];
  return booking;
}

/** What every change has, or what is a name of the booking and no property. */
const NOT_CHANGES = ['id', 'venueId', 'createdDate', 'lastUpdate'];
const CREATED_WITH = ['date', 'time', 'partySize', 'duration', 'status'];
/** Of these the audit log has nothing. */
const OF_GUEST = ['firstName', 'lastName', 'email', 'phone', 'notes'];
const SHOWN_AS: Record<string, string> = { durationMinutes: 'duration' };

function differences(before: Snapshot, after: Snapshot): HistoryChange[] {
  const fields = Object.keys(after).filter(
    (field) =>
      !NOT_CHANGES.includes(field) && !isDeepStrictEqual(before[field] ?? null, after[field] ?? null),
  );
  return fields.map((field) => ({
    field: SHOWN_AS[field] ?? field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  }));
}

const creationOf = (after: Snapshot | undefined): HistoryChange[] =>
  differences({}, after ?? {}).filter(({ field }) => CREATED_WITH.includes(field));

const auditedChanges = ({ action, before, after }: AuditEntry): HistoryChange[] =>
  action === 'booking.message' || after === null
    ? []
    : differences((before ?? {}) as Snapshot, after as Snapshot);

/** What both logs say of a change: the audit log knows tables and visits, the event what was changed about the guest. */
function merged(audit: AuditEntry, changes: readonly HistoryChange[], isCreation: boolean): HistoryChange[] {
  const own = auditedChanges(audit);
  return isCreation ? own : [...own, ...changes.filter(({ field }) => OF_GUEST.includes(field))];
}

const auditView = ({ at, actor, action }: AuditEntry) => ({
  at,
  by: { kind: actor.kind, name: actor.name },
  action: action.replace(/^booking\./, ''),
});

/** Not by the operator: by the partner, or the visit ended by itself. */
function unaudited(
  changes: readonly HistoryChange[],
  partner: HistoryEntry['by'],
): Pick<HistoryEntry, 'by' | 'action'> {
  const status = changes.find(({ field }) => field === 'status')?.after;
  if (status === 'completed') return { by: SYSTEM, action: 'complete' };
  return { by: partner, action: status === 'cancelled' ? 'cancel' : 'amend' };
}
