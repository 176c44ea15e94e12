import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { OccurrenceDocument, OccurrenceStore, StoredOccurrence } from '../occurrences.ts';
import { lock, occurrenceName } from './store.ts';

async function listOccurrences(
  tx: Tx,
  venueId: VenueId,
  { from, limit, offset }: { from: string | undefined; limit: number; offset: number },
): Promise<{ occurrences: StoredOccurrence[]; total: number }> {
  const isMeant = tx`o.venue_id = ${venueId} and ${from === undefined ? tx`true` : tx`o.date >= ${from}`}`;
  const occurrences = await tx<StoredOccurrence[]>`
    ${selected(tx)} where ${isMeant} order by date, starts_minute limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from ticket_occurrence o where ${isMeant}`;
  return { occurrences: [...occurrences], total: counted.total };
}

async function findOccurrence(tx: Tx, venueId: VenueId, id: number): Promise<StoredOccurrence | undefined> {
  const [found] = await tx<StoredOccurrence[]>`
    ${selected(tx)} where o.venue_id = ${venueId} and o.id = ${id}`;
  return found;
}

const selected = (tx: Tx) => tx`
  select o.id, date, starts_minute as "startsMinute", duration_minutes as "durationMinutes",
    is_withdrawn as "isWithdrawn",
    exists (select from ticket_reservation r where r.occurrence_id = o.id) as "hasTickets"
  from ticket_occurrence o`;

/** Undefined when the event takes place at that time already. */
async function insertOccurrence(
  tx: Tx,
  venueId: VenueId,
  { date, startsMinute, durationMinutes }: OccurrenceDocument,
): Promise<number | undefined> {
  const [made] = await tx<{ id: number }[]>`
    insert into ticket_occurrence (venue_id, date, starts_minute, duration_minutes)
    values (${venueId}, ${date}, ${startsMinute}, ${durationMinutes})
    on conflict (venue_id, date, starts_minute) do nothing returning id`;
  return made?.id;
}

async function updateOccurrence(
  tx: Tx,
  id: number,
  { date, startsMinute, durationMinutes, isWithdrawn }: OccurrenceDocument & { isWithdrawn: boolean },
): Promise<void> {
  await tx`
    update ticket_occurrence set date = ${date}, starts_minute = ${startsMinute},
      duration_minutes = ${durationMinutes}, is_withdrawn = ${isWithdrawn}
    where id = ${id}`;
}

/** Whether another occurrence of the event has that start. */
async function isStartTaken(
  tx: Tx,
  venueId: VenueId,
  { id, date, startsMinute }: { id: number; date: string; startsMinute: number },
): Promise<boolean> {
  const others = await tx`
    select from ticket_occurrence
    where venue_id = ${venueId} and date = ${date} and starts_minute = ${startsMinute} and id <> ${id}`;
  return others.length > 0;
}

/** Blocks sales of the occurrence, with their stock check, until the transaction ends; an earlier sale counts. */
async function lockOccurrence(tx: Tx, venueId: VenueId, id: number): Promise<void> {
  const [found] = await tx<{ date: string; minute: number }[]>`
    select date, starts_minute as minute from ticket_occurrence where id = ${id} and venue_id = ${venueId}`;
  if (found) await lock(tx, [occurrenceName({ venueId, ...found })]);
  await tx`select from ticket_occurrence where id = ${id} and venue_id = ${venueId} for update`;
}

async function deleteOccurrence(tx: Tx, id: number): Promise<void> {
  await tx`delete from ticket_occurrence where id = ${id}`;
}

export async function withdrawOccurrence(tx: Tx, id: number): Promise<void> {
  await tx`update ticket_occurrence set is_withdrawn = true where id = ${id}`;
}

async function countOccurrences(tx: Tx, venueId: VenueId): Promise<number> {
  const [found] = await tx<[{ count: number }]>`
    select count(*) from ticket_occurrence where venue_id = ${venueId}`;
  return found.count;
}

export const occurrences: OccurrenceStore = {
  list: listOccurrences,
  count: countOccurrences,
  find: findOccurrence,
  insert: insertOccurrence,
  update: updateOccurrence,
  isStartTaken,
  lock: lockOccurrence,
  withdraw: withdrawOccurrence,
  delete: deleteOccurrence,
};
