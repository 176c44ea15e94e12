/** When an event takes place, as its operator keeps it. */
import { inContestedTransaction, inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../../http/validation/paging.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/problem.ts';
import { assertStart, MOST_OCCURRENCES, type OccurrenceStore } from '../../../tms/occurrences.ts';
import { systemOf, systemsWith } from '../../../tms/systems.ts';
import { type AuditLog, assertUnchanged, lockSubject } from '../../audit/service.ts';
import type { ManagedOccurrence, NewOccurrenceBody, OccurrenceBody } from './product-schema.ts';
import type { VenueRef } from './store.ts';
import { aboutVenue, assertRoom, getVenueRef, lockVenueRef, notFound, type Request } from './venue-lock.ts';

export interface OccurrenceKeeping {
  /** `from`: leaves out those of earlier trading days. */
  list(venueId: VenueId, page: PageQuery, from?: string): Promise<PageOf<ManagedOccurrence>>;
  get(venueId: VenueId, id: number): Promise<ManagedOccurrence>;
  create(request: Request, venueId: VenueId, body: NewOccurrenceBody): Promise<ManagedOccurrence>;
  change(request: Request, venueId: VenueId, id: number, body: OccurrenceBody): Promise<ManagedOccurrence>;
  /** An occurrence with sold tickets is taken off sale and stays. */
  remove(request: Request, venueId: VenueId, id: number): Promise<void>;
}

export function createOccurrenceKeeping({
  sql,
  auditLog,
}: {
  sql: Sql;
  auditLog: AuditLog;
}): OccurrenceKeeping {
  const about = (venueId: VenueId, id: number) => aboutVenue(venueId, 'occurrence', `${venueId} ${id}`);

  return {
    list: (venueId, page, from) =>
      inSnapshot(sql, async (tx) => {
        const occurrences = storeOf(venueId, await getVenueRef(tx, venueId));
        const found = await occurrences.list(tx, venueId, { from, ...windowOf(page) });
        return pageOf(found.occurrences, found.total, page);
      }),

    get: (venueId, id) =>
      inSnapshot(sql, async (tx) => {
        return getOccurrence(tx, storeOf(venueId, await getVenueRef(tx, venueId)), venueId, id);
      }),

    create: ({ actor }, venueId, body) =>
      auditLog.create({
        actor,
        action: 'occurrence.create',
        about: ({ id }) => about(venueId, id),
        async write(tx) {
          const venue = await lockVenueRef(tx, venueId);
          const occurrences = storeOf(venueId, venue);
          assertStart(venue.timeZone, body);
          assertRoom(await occurrences.count(tx, venueId), MOST_OCCURRENCES, 'occurrences at a venue');
          const id = await occurrences.insert(tx, venueId, body);
          if (id === undefined) throw taken(venue);
          return getOccurrence(tx, occurrences, venueId, id);
        },
      }),

    change: (request, venueId, id, body) =>
      auditLog.change({
        ...request,
        action: 'occurrence.change',
        ...about(venueId, id),
        find: (tx) => getLocked(tx, venueId, id),
        async write(tx, before) {
          const venue = await getVenueRef(tx, venueId);
          const occurrences = storeOf(venueId, venue);
          assertStart(venue.timeZone, body);
          const isMoved = before.date !== body.date || before.startsMinute !== body.startsMinute;
          if (isMoved && before.hasTickets)
            throw invalid('date', 'cannot be changed: tickets are sold. Withdraw it and add another');
          if (isMoved && (await occurrences.isStartTaken(tx, venueId, { ...body, id }))) throw taken(venue);
          await occurrences.update(tx, id, { ...body, isWithdrawn: body.isWithdrawn ?? false });
        },
      }),

    // An occurrence that stays has an `after` in the audit log, so that it is not taken for deleted.
    remove: ({ actor, ifMatch }, venueId, id) =>
      inContestedTransaction(sql, async (tx) => {
        const { operatorId, subject } = about(venueId, id);
        await lockSubject(tx, subject);
        const before = await getLocked(tx, venueId, id);
        assertUnchanged(before, ifMatch);
        const occurrences = storeOf(venueId, await getVenueRef(tx, venueId));
        if (before.hasTickets) await occurrences.withdraw(tx, id);
        else await occurrences.delete(tx, id);
        const after = await occurrences.find(tx, venueId, id);
        await auditLog.record(tx, { actor, action: 'occurrence.remove', operatorId, subject, before, after });
      }),
  };
}

async function getLocked(tx: Tx, venueId: VenueId, id: number): Promise<ManagedOccurrence> {
  const occurrences = storeOf(venueId, await lockVenueRef(tx, venueId));
  await occurrences.lock(tx, venueId, id);
  return getOccurrence(tx, occurrences, venueId, id);
}

async function getOccurrence(
  tx: Tx,
  occurrences: OccurrenceStore,
  venueId: VenueId,
  id: number,
): Promise<ManagedOccurrence> {
  const occurrence = await occurrences.find(tx, venueId, id);
  if (!occurrence) throw notFound(`${venueId} has no occurrence ${id}.`);
  return occurrence;
}

/** Events of other systems are managed there. */
function storeOf(venueId: VenueId, { name }: VenueRef): OccurrenceStore {
  const occurrences = systemOf(venueId)?.occurrences;
  if (occurrences) return occurrences;
  throw invalid(
    'venueId',
    `must be an event of the system ${systemsWith('occurrences')}, and ${name} is not`,
  );
}

const taken = ({ name }: VenueRef) =>
  invalid('startsMinute', `is taken: ${name} takes place at that time already, or is withdrawn from sale`);
