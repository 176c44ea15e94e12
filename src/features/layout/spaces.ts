/** Spaces: rooms and areas that can be booked as such, on whichever system the venue runs. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { noSuchZone } from '../../tms/layout-parts.ts';
import {
  aboutVenue,
  assertRoom,
  CAPACITY_LAYOUTS,
  getVenueRef,
  type Request,
  type SpacePolicies,
} from '../venues/service.ts';
import { aboutOverride, findLayoutStore, holdSeats, type LayoutDeps } from './plan.ts';
import type { ManagedSpace, SpaceInput } from './space-schema.ts';
import { assertBands, overrideDocument } from './spend-windows.ts';
import {
  deleteSpace,
  findSpaceUses,
  insertSpace,
  listOverrides,
  listSpaces,
  type NewSpace,
  type StoredSpace,
  updateSpace,
} from './store.ts';

export interface Spaces {
  list(venueId: VenueId): Promise<ManagedSpace[]>;
  get(venueId: VenueId, id: number): Promise<ManagedSpace>;
  create(by: Request, venueId: VenueId, input: SpaceInput): Promise<ManagedSpace>;
  replace(by: Request, venueId: VenueId, id: number, input: SpaceInput): Promise<ManagedSpace>;
  /** Refused where it is offered or was ever booked. */
  remove(by: Request, venueId: VenueId, id: number): Promise<void>;
}

export const MOST_SPACES = 200;

export function createSpaces({ sql, auditLog }: LayoutDeps): Spaces {
  const about = (venueId: VenueId, id: number) => aboutVenue(venueId, 'space', id);
  const changeOf = ({ actor, ifMatch }: Request, venueId: VenueId, id: number) => ({
    actor,
    ifMatch,
    ...about(venueId, id),
    async find(tx: Tx) {
      await holdSeats(tx, venueId);
      return getSpace(tx, venueId, id);
    },
  });

  return {
    list: (venueId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        const zones = await listSpaceZones(tx, venueId);
        return (await listSpaces(tx, venueId)).map((space) => documentOf(space, zones));
      }),

    get: (venueId, id) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return getSpace(tx, venueId, id);
      }),

    create: ({ actor }, venueId, input) =>
      auditLog.create({
        actor,
        action: 'space.create',
        about: ({ id }) => about(venueId, id),
        async write(tx) {
          await holdSeats(tx, venueId);
          const space = newSpace(input);
          const zoneId = await zoneOf(tx, venueId, input.zoneIds ?? []);
          assertRoom((await listSpaces(tx, venueId)).length, MOST_SPACES, 'spaces at a venue');
          const id = await insertSpace(tx, venueId, space);
          if (zoneId !== null) await findLayoutStore(venueId)?.placeSpace(tx, venueId, id, zoneId);
          return getSpace(tx, venueId, id);
        },
      }),

    replace: (by, venueId, id, input) =>
      auditLog.change({
        ...changeOf(by, venueId, id),
        action: 'space.change',
        async write(tx, before) {
          const space = newSpace(input);
          const zoneId = await zoneOf(tx, venueId, input.zoneIds ?? []);
          const hadZone = before.zoneIds.length > 0;
          if (hadZone && zoneId === null) await assertZoneNotNeeded(tx, venueId, id);
          await updateSpace(tx, id, space);
          if (hadZone || zoneId !== null) await findLayoutStore(venueId)?.placeSpace(tx, venueId, id, zoneId);
        },
      }),

    remove: (by, venueId, id) =>
      auditLog.remove({
        ...changeOf(by, venueId, id),
        action: 'space.remove',
        async write(tx) {
          await assertUnused(tx, venueId, id);
          for (const override of await listOverrides(tx, id)) {
            await auditLog.record(tx, {
              actor: by.actor,
              action: 'minimum-spend-override.remove',
              ...aboutOverride(venueId, id, override.id),
              before: overrideDocument(override),
            });
          }
          await deleteSpace(tx, id);
        },
      }),
  };
}

export const noSuchSpace = (id: number) =>
  problem('VENUE-N-004', { detail: `The venue has no space ${id}.` });

async function getSpace(tx: Tx, venueId: VenueId, id: number): Promise<ManagedSpace> {
  const [space] = await listSpaces(tx, venueId, id);
  if (!space) throw noSuchSpace(id);
  return documentOf(space, await listSpaceZones(tx, venueId));
}

/** The database keeps members in an order of its own. */
function documentOf(space: StoredSpace, zones: ReadonlyMap<number, number>): ManagedSpace {
  const { id, name, description, floorLocation, facilities, capacities, policies } = space;
  const zoneId = zones.get(id);
  return {
    id,
    name,
    description,
    floorLocation,
    facilities,
    capacities: Object.fromEntries(
      CAPACITY_LAYOUTS.flatMap((layout) => {
        const { min, max } = capacities[layout] ?? {};
        return min === undefined || max === undefined ? [] : [[layout, { min, max }]];
      }),
    ),
    policies: policiesOf(policies),
    zoneIds: zoneId === undefined ? [] : [zoneId],
  };
}

export function policiesOf({ minimumSpend, ...policies }: SpacePolicies): SpacePolicies {
  const { occasionTypes, under18s, promotedEvents, accessibility, servesFood } = policies;
  return {
    minimumSpend: minimumSpend.map(({ weekdays, startTime, endTime, amount }) => ({
      weekdays,
      startTime,
      // A whole day is stored as partners read it, by the time on the clock.
      endTime: startTime === '00:00' && endTime === '00:00' ? '24:00' : endTime,
      amount,
    })),
    occasionTypes,
    under18s,
    promotedEvents,
    accessibility,
    servesFood,
  };
}

export function newSpace(input: SpaceInput): NewSpace {
  const { name, description, floorLocation, facilities, capacities, policies } = input;
  assertBands(policies.minimumSpend, 'policies.minimumSpend');
  for (const [layout, { min, max }] of Object.entries(capacities ?? {}))
    if (min > max) throw invalid(`capacities.${layout}`, 'must not have a min above its max');
  const minimumSpend = policies.minimumSpend.map((band) => ({
    ...band,
    endTime: band.endTime === '24:00' ? '00:00' : band.endTime,
  }));
  return {
    name,
    description: description ?? null,
    floorLocation: floorLocation ?? null,
    facilities: facilities ?? [],
    capacities: capacities ?? {},
    policies: { ...policies, minimumSpend },
  };
}

async function zoneOf(tx: Tx, venueId: VenueId, zoneIds: readonly number[]): Promise<number | null> {
  const [zoneId = null] = zoneIds;
  const layout = findLayoutStore(venueId);
  const most = layout ? 1 : 0;
  if (zoneIds.length > most)
    throw problem('VENUE-N-008', {
      detail: `${partsOfVenueId(venueId).tms} takes ${most === 1 ? 'one zone for a space, or none' : 'no zones'}; ${zoneIds.length} were sent.`,
    });
  if (!layout || zoneId === null) return null;
  const { zones } = await layout.load(tx, venueId);
  if (!zones.some(({ id }) => id === zoneId)) throw noSuchZone(zoneId);
  return zoneId;
}

async function listSpaceZones(tx: Tx, venueId: VenueId): Promise<ReadonlyMap<number, number>> {
  return (await findLayoutStore(venueId)?.listSpaceZones(tx, venueId)) ?? new Map();
}

async function assertZoneNotNeeded(tx: Tx, venueId: VenueId, id: number): Promise<void> {
  const { products } = await findSpaceUses(tx, venueId, id);
  if (products.length === 0) return;
  throw problem('VENUE-N-005', { detail: `Space ${id} is offered by ${products.join(', ')}.` });
}

async function assertUnused(tx: Tx, venueId: VenueId, id: number): Promise<void> {
  const { products, bookings, rules } = await findSpaceUses(tx, venueId, id);
  const uses = [
    ...(products.length > 0 ? [`it is offered by ${products.join(', ')}`] : []),
    ...(bookings > 0 ? [`it has ${bookings === 1 ? '1 booking' : `${bookings} bookings`}`] : []),
    ...(rules > 0
      ? [`${rules === 1 ? '1 availability rule names' : `${rules} availability rules name`} it`]
      : []),
  ];
  if (uses.length === 0) return;
  const detail = `Space ${id} cannot be removed: ${uses.join(', and ')}.`;
  throw problem('VALID-N-001', { detail, errors: { spaceId: uses } });
}
