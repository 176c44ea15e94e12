/** Mails that time brings: reminders of guests, and the summaries of the day. */
import { inTransaction, type Sql } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { type BookingRecord, type Bookings, isPlaced } from '../bookings/service.ts';
import type { Mailing } from '../mail/service.ts';
import { addressOfGuest, guestNoticeOf } from './guest-notices.ts';
import type { Notices } from './notices.ts';
import { summaryLetter } from './people-letter.ts';
import {
  type DueSummary,
  deleteOldSummaries,
  listDueSummaries,
  listVenueDays,
  markSummary,
} from './people-store.ts';
import { claimReminders, listWrittenTo } from './store.ts';

const BATCH = 100;
/** A summary is of no use the day after. */
const HOURS_TO_SEND_SUMMARY = 12;
const HOURS_SUMMARIES_ARE_KNOWN = 7 * 24;

const PLATFORM: Caller = { kind: 'platform', clientId: 'notifications', scopes: new Set() };

export interface BackgroundDeps {
  sql: Sql;
  clock: Clock;
  mailing: Mailing;
  notices: Notices;
  bookings: Pick<Bookings, 'listRecords'>;
}

/** How many were written. A booking that changes at this moment is left for the next run. */
export async function writeReminders(deps: BackgroundDeps): Promise<number> {
  let total = 0;
  for (;;) {
    const claimed = await inTransaction(deps.sql, async (tx) => {
      const now = nowOf(deps.clock);
      const due = await claimReminders(tx, now, BATCH);
      if (due.length === 0) return 0;
      const ids = due.map(({ bookingId }) => bookingId);
      const records = await deps.bookings.listRecords(tx, PLATFORM, ids);
      const writtenTo = await listWrittenTo(tx, ids);
      const sequences = new Map(due.map(({ bookingId, sequence }) => [bookingId, sequence]));
      const requests = records
        .filter((record) => writtenTo.has(record.id))
        .flatMap((record) => reminderOf(deps, record, sequences.get(record.id) ?? 0, now) ?? []);
      await deps.mailing.request(tx, ...requests);
      total += requests.length;
      return due.length;
    });
    if (claimed < BATCH) return total;
  }
}

function reminderOf(
  { notices }: BackgroundDeps,
  record: BookingRecord,
  sequence: number,
  now: Temporal.Instant,
) {
  const to = addressOfGuest(record);
  const isToCome = Temporal.Instant.compare(record.startsAt, now) > 0;
  if (!isPlaced(record) || !isToCome || to === undefined) return undefined;
  return notices.requestFor(guestNoticeOf(record, { kind: 'reminder', to, sequence }), record.startsAt);
}

/** How many were written: one a day for each person and operator, on however many nodes this runs. */
export async function writeSummaries(deps: BackgroundDeps, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = deps;
  const now = nowOf(clock);
  await deleteOldSummaries(sql, now.subtract({ hours: HOURS_SUMMARIES_ARE_KNOWN }));
  let total = 0;
  for (;;) {
    const due = await listDueSummaries(sql, now, BATCH);
    for (const summary of due) {
      if (signal?.aborted) return total;
      if (await writeSummary(deps, summary, now)) total += 1;
    }
    if (due.length < BATCH) return total;
  }
}

/** False: another node has written it. */
function writeSummary(
  { sql, mailing }: BackgroundDeps,
  summary: DueSummary,
  now: Temporal.Instant,
): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    if (!(await markSummary(tx, summary))) return false;
    const venues = await listVenueDays(tx, summary.operatorId, now);
    if (venues.length === 0) return true;
    const expiresAt = now.add({ hours: HOURS_TO_SEND_SUMMARY });
    const letter = summaryLetter({ ...summary, venues }, summary);
    await mailing.post(tx, { ...letter, kind: 'summary', expiresAt });
    return true;
  });
}
