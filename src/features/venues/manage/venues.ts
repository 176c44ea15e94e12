/** Venues and events as their operators keep them: what they say of themselves, their hours, whether they are open. */

import { inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../../http/validation/paging.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { partsOfVenueId, type VenueId, venueIdOf } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/problem.ts';
import type { Registry } from '../../../tms/registry.ts';
import type { AuditLog } from '../../audit/service.ts';
import type { Events } from '../../events/service.ts';
import { venueFieldsOf } from '../fields.ts';
import { assertHours } from '../hours/check.ts';
import type { Hours, HoursDocument } from '../hours/hours.ts';
import { replaceHours } from '../hours/store.ts';
import {
  deleteVenue,
  findHours,
  findManagedVenue,
  hasBookings,
  insertVenue,
  listDistributors,
  listManagedVenues,
  lockHosted,
  markClosed,
  markOpen,
  updateHost,
  updateVenue,
} from './store.ts';
import { assertHost, assertSystem, assertVenueFields, getSystems } from './venue-check.ts';
import { aboutVenue, getVenueRef, lockVenueRef, noSuchVenue, type Request } from './venue-lock.ts';
import type { ManagedVenue, VenueBody } from './venue-schema.ts';

type VenueListQuery = PageQuery & { name?: string | undefined };

export interface VenueKeeping {
  list(operatorId: number, query: VenueListQuery): Promise<PageOf<ManagedVenue>>;
  /** Of all operators. */
  listAll(query: VenueListQuery): Promise<PageOf<ManagedVenue>>;
  get(id: VenueId): Promise<ManagedVenue>;
  create(request: Request, origin: VenueOrigin, body: VenueBody): Promise<ManagedVenue>;
  change(request: Request, id: VenueId, body: VenueBody): Promise<ManagedVenue>;
  /** Only one that was never booked; others are closed. */
  remove(request: Request, id: VenueId): Promise<void>;
  close(request: Request, id: VenueId): Promise<ManagedVenue>;
  reopen(request: Request, id: VenueId): Promise<ManagedVenue>;
  getHours(id: VenueId): Promise<HoursDocument>;
  changeHours(request: Request, id: VenueId, hours: Hours): Promise<HoursDocument>;
}

/** What the id of a venue is made of; it never changes. */
export interface VenueOrigin {
  operatorId: number;
  tms: string;
  resourceId: string;
}

export interface VenueKeepingDeps {
  sql: Sql;
  clock: Clock;
  events: Pick<Events, 'append'>;
  registry: Registry;
  auditLog: AuditLog;
}

export function createVenueKeeping(deps: VenueKeepingDeps): VenueKeeping {
  const { sql, registry, auditLog } = deps;

  const about = (id: VenueId) => aboutVenue(id, 'venue', id);

  async function getLocked(tx: Tx, id: VenueId): Promise<ManagedVenue> {
    await lockVenueRef(tx, id);
    return getVenue(tx, id);
  }

  /** Changes a venue that is there. */
  const changing = (
    action: string,
    { actor, ifMatch }: Request,
    id: VenueId,
    write: (tx: Tx, before: ManagedVenue) => Promise<unknown>,
  ) => auditLog.change({ actor, action, ifMatch, ...about(id), find: (tx) => getLocked(tx, id), write });

  return {
    list: (operatorId, query) =>
      inSnapshot(sql, async (tx) => {
        await getSystems(tx, operatorId);
        const filter = { operatorId, name: query.name };
        const { venues, total } = await listManagedVenues(tx, filter, windowOf(query));
        return pageOf(venues, total, query);
      }),

    listAll: (query) =>
      inSnapshot(sql, async (tx) => {
        const { venues, total } = await listManagedVenues(tx, { name: query.name }, windowOf(query));
        return pageOf(venues, total, query);
      }),

    get: (id) => getVenue(sql, id),

    create: ({ actor }, origin, body) =>
      auditLog.create({
        actor,
        action: 'venue.create',
        about: ({ id }) => about(id),
        async write(tx) {
          const id = await addVenue(tx, registry, origin, body);
          return getVenue(tx, id);
        },
      }),

    change: (request, id, body) =>
      changing('venue.change', request, id, (tx, before) => saveVenue(tx, registry, before, body)),

    remove: ({ actor, ifMatch }, id) =>
      auditLog.remove({
        actor,
        action: 'venue.remove',
        ifMatch,
        ...about(id),
        find: (tx) => getLocked(tx, id),
        async write(tx) {
          if (await hasBookings(tx, { venueId: id }))
            throw invalid('venueId', `${id} has bookings; close it instead`);
          for (const before of await lockHosted(tx, id)) {
            const after = { ...before, hostVenueId: null };
            await auditLog.record(tx, { actor, action: 'venue.change', ...about(before.id), before, after });
          }
          await deleteVenue(tx, id);
        },
      }),

    close: (request, id) => changing('venue.close', request, id, (tx) => closeVenue(tx, deps, id)),
    reopen: (request, id) => changing('venue.reopen', request, id, (tx) => reopenVenue(tx, id)),

    getHours: (id) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, id);
        return findHours(tx, id);
      }),

    changeHours: ({ actor, ifMatch }, id, hours) =>
      auditLog.change({
        actor,
        action: 'hours.change',
        ifMatch,
        ...aboutVenue(id, 'hours', id),
        async find(tx) {
          await lockVenueRef(tx, id);
          return findHours(tx, id);
        },
        async write(tx) {
          assertHours(hours);
          await replaceHours(tx, { venue_id: id }, hours);
        },
      }),
  };
}

/** A venue that is not there yet. */
export async function addVenue(
  tx: Tx,
  registry: Registry,
  origin: VenueOrigin,
  body: VenueBody,
): Promise<VenueId> {
  await assertSystem(tx, registry, origin);
  const fields = venueFieldsOf(body);
  const { hostVenueId = null } = body;
  await assertVenueFields(tx, fields);
  await assertHost(tx, registry, { ...origin, hostVenueId });
  const id = venueIdOf(origin);
  if (!(await insertVenue(tx, { ...fields, ...origin, id, closedAt: null })))
    throw invalid('resourceId', `is taken: there is a venue ${id} already`);
  await updateHost(tx, id, hostVenueId);
  return id;
}

/** One that is locked. */
export async function saveVenue(
  tx: Tx,
  registry: Registry,
  { id, timeZone }: Pick<ManagedVenue, 'id' | 'timeZone'>,
  body: VenueBody,
): Promise<void> {
  const fields = venueFieldsOf(body);
  const { hostVenueId = null } = body;
  await assertVenueFields(tx, fields);
  if (fields.timeZone !== timeZone && (await hasBookings(tx, { venueId: id })))
    throw invalid('timeZone', 'cannot be changed: there are bookings at times of the old one');
  await assertHost(tx, registry, { ...partsOfVenueId(id), hostVenueId });
  await updateVenue(tx, id, fields);
  await updateHost(tx, id, hostVenueId);
}

async function getVenue(tx: Tx, id: VenueId): Promise<ManagedVenue> {
  const venue = await findManagedVenue(tx, id);
  if (!venue) throw noSuchVenue(id);
  return venue;
}

/** Venues that close for good, and those that open again after all. */

interface ClosingDeps {
  clock: Clock;
  events: Pick<Events, 'append'>;
}

/** Tells every partner that distributes it, and the operator once. Closing what is closed does nothing. */
async function closeVenue(tx: Tx, { clock, events }: ClosingDeps, id: VenueId): Promise<void> {
  const occurredAt = nowOf(clock);
  if (!(await markClosed(tx, id, occurredAt))) return;
  const content = { venues: [{ compositeId: id, active: false }] };
  const told = { type: 'venue.updated', venueId: id, occurredAt, content } as const;
  const { operatorId } = partsOfVenueId(id);
  const toPartners = (await listDistributors(tx, id)).map((partnerId) => ({ ...told, partnerId }));
  await events.append(tx, ...toPartners, { ...told, partnerId: null, operatorId });
}

/** Sends nothing: there is no event for it. */
async function reopenVenue(tx: Tx, id: VenueId): Promise<void> {
  await markOpen(tx, id);
}
