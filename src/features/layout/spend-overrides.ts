/** What guests of a space spend at least on single dates. No two of them hold at the same time. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { assertRoom, getVenueRef, lockVenueRef, notFound, type Request } from '../venues/service.ts';
import { aboutOverride, type LayoutDeps } from './plan.ts';
import type { SpendOverride, SpendOverrideInput } from './space-schema.ts';
import { noSuchSpace } from './spaces.ts';
import { overlaps, overrideDocument, windowOf } from './spend-windows.ts';
import {
  deleteOverride,
  insertOverride,
  listOverrides,
  listSpaces,
  type SpendWindow,
  type StoredOverride,
  updateOverride,
} from './store.ts';

/** The space that they belong to. */
export interface SpaceKey {
  venueId: VenueId;
  spaceId: number;
}

export interface SpendOverrides {
  list(space: SpaceKey): Promise<SpendOverride[]>;
  get(space: SpaceKey, id: number): Promise<SpendOverride>;
  create(by: Request, space: SpaceKey, input: SpendOverrideInput): Promise<SpendOverride>;
  replace(by: Request, space: SpaceKey, id: number, input: SpendOverrideInput): Promise<SpendOverride>;
  remove(by: Request, space: SpaceKey, id: number): Promise<void>;
}

/** One for every day of a year. */
export const MOST_OVERRIDES = 366;

export function createSpendOverrides({ sql, auditLog }: LayoutDeps): SpendOverrides {
  const about = ({ venueId, spaceId }: SpaceKey, id: number) => aboutOverride(venueId, spaceId, id);
  const changeOf = ({ actor, ifMatch }: Request, space: SpaceKey, id: number) => ({
    actor,
    ifMatch,
    ...about(space, id),
    async find(tx: Tx) {
      await holdSpace(tx, space);
      return getOverride(tx, space, id);
    },
  });

  return {
    list: (space) =>
      inSnapshot(sql, async (tx) => {
        await assertSpace(tx, space);
        return (await listOverrides(tx, space.spaceId)).map(overrideDocument);
      }),

    get: (space, id) =>
      inSnapshot(sql, async (tx) => {
        await assertSpace(tx, space);
        return getOverride(tx, space, id);
      }),

    create: ({ actor }, space, input) =>
      auditLog.create({
        actor,
        action: 'minimum-spend-override.create',
        about: ({ id }) => about(space, id),
        async write(tx) {
          await holdSpace(tx, space);
          const window = windowOf(input);
          const others = await listOverrides(tx, space.spaceId);
          assertRoom(others.length, MOST_OVERRIDES, 'minimum-spend overrides for a space');
          assertApart(window, others);
          const id = await insertOverride(tx, space.venueId, space.spaceId, { ...input, ...window });
          return getOverride(tx, space, id);
        },
      }),

    replace: (by, space, id, input) =>
      auditLog.change({
        ...changeOf(by, space, id),
        action: 'minimum-spend-override.change',
        async write(tx) {
          const window = windowOf(input);
          const all = await listOverrides(tx, space.spaceId);
          assertApart(
            window,
            all.filter((other) => other.id !== id),
          );
          await updateOverride(tx, id, { ...input, ...window });
        },
      }),

    remove: (by, space, id) =>
      auditLog.remove({
        ...changeOf(by, space, id),
        action: 'minimum-spend-override.remove',
        write: (tx) => deleteOverride(tx, id),
      }),
  };
}

async function assertSpace(tx: Tx, { venueId, spaceId }: SpaceKey): Promise<void> {
  await getVenueRef(tx, venueId);
  if ((await listSpaces(tx, venueId, spaceId)).length === 0) throw noSuchSpace(spaceId);
}

async function holdSpace(tx: Tx, space: SpaceKey): Promise<void> {
  await lockVenueRef(tx, space.venueId);
  await assertSpace(tx, space);
}

async function getOverride(tx: Tx, { spaceId }: SpaceKey, id: number): Promise<SpendOverride> {
  const [override] = await listOverrides(tx, spaceId, id);
  if (override) return overrideDocument(override);
  throw notFound(`Space ${spaceId} has no minimum-spend override ${id}.`);
}

function assertApart(window: SpendWindow, others: readonly StoredOverride[]): void {
  const other = others.find((each) => overlaps(window, each));
  if (!other) return;
  const { startDate, endDate, startTime, endTime } = overrideDocument(other);
  throw problem('VENUE-N-007', {
    detail: `Override ${other.id} holds from ${startTime} to ${endTime} on the days from ${startDate} to ${endDate}.`,
  });
}
