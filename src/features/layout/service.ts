/** How the built-in reservation book seats its guests: zones, areas, tables and combinations of them. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import {
  countStays,
  deleteParts,
  findDependants,
  insertPart,
  insertParts,
  loadLayout,
  type StoredRow,
  takeIds,
  updatePart,
  updateParts,
} from '../../tms/house/layout-store.ts';
import { assertUnchanged } from '../audit/service.ts';
import { aboutVenue, assertRoom, getFrame, type Request, recordingLosses } from '../venues/service.ts';
import { areas, combinations, type Kind, partsBelow, tables, zones } from './parts.ts';
import { assertHouse, holdSeats, type LayoutDeps, type PartPlan, planLayout } from './plan.ts';
import type {
  Area,
  AreaInput,
  Combination,
  CombinationInput,
  Layout,
  LayoutInput,
  LayoutPreview,
  Table,
  TableInput,
  Zone,
  ZoneInput,
} from './schema.ts';

export interface LayoutService {
  get(venueId: VenueId): Promise<Layout>;
  /** All of it at once: what is sent without an id is new, and what is not sent is removed. */
  replace(by: Request, venueId: VenueId, input: LayoutInput): Promise<Layout>;
  /** What `replace` would do, or the problem that it would meet. */
  preview(by: Request, venueId: VenueId, input: LayoutInput): Promise<LayoutPreview>;
  zones: Parts<Zone, ZoneInput>;
  areas: Parts<Area, AreaInput>;
  tables: Parts<Table, TableInput>;
  combinations: Parts<Combination, CombinationInput>;
}

export interface Parts<Document, Input> {
  list(venueId: VenueId): Promise<Document[]>;
  get(venueId: VenueId, id: number): Promise<Document>;
  create(by: Request, venueId: VenueId, input: Input): Promise<Document>;
  replace(by: Request, venueId: VenueId, id: number, input: Input): Promise<Document>;
  /** Removes what depends on it too; refused where a past or future booking uses a table. */
  remove(by: Request, venueId: VenueId, id: number): Promise<void>;
}

export function createLayout(deps: LayoutDeps): LayoutService {
  return {
    get: (venueId) => readLayout(deps, venueId),

    replace: (by, venueId, input) =>
      deps.trail.change({
        ...by,
        action: 'layout.change',
        ...aboutVenue(venueId, 'layout', venueId),
        find: (tx) => holdLayout(tx, venueId),
        async write(tx, before) {
          const { parts } = planLayout(before, input);
          await assertRemovable(tx, deps, parts);
          const removal = { actor: by.actor, venueId, trail: deps.trail };
          await recordingLosses(tx, removal, () => writePlan(tx, venueId, parts));
        },
      }),

    preview: ({ ifMatch }, venueId, input) =>
      inSnapshot(deps.sql, async (tx) => {
        assertHouse(await getFrame(tx, venueId));
        const before = await loadLayout(tx, venueId);
        assertUnchanged(before, ifMatch);
        const { parts, changes } = planLayout(before, input);
        await assertRemovable(tx, deps, parts);
        return { isDryRun: true, changes };
      }),

    zones: partsOf(deps, zones),
    areas: partsOf(deps, areas),
    tables: partsOf(deps, tables),
    combinations: partsOf(deps, combinations),
  };
}

const removedOf = (parts: readonly PartPlan[], noun: PartPlan['kind']['noun']) =>
  parts.find(({ kind }) => kind.noun === noun)?.removedIds ?? [];

async function assertRemovable(tx: Tx, deps: LayoutDeps, parts: readonly PartPlan[]): Promise<void> {
  await assertNeverUsed(tx, deps, removedOf(parts, 'table'));
  await assertNotNeeded(tx, removedOf(parts, 'zone'));
}

/** What others stand on is written first and removed last. */
async function writePlan(tx: Tx, venueId: VenueId, parts: readonly PartPlan[]): Promise<void> {
  let ids = new Map<number, number>();
  for (const { kind, added, changed } of parts) {
    const naming = (row: StoredRow) => withIds(row, ids);
    const taken = await takeIds(tx, kind.table, added.length);
    const rows = added.map((row, index) => ({ ...naming(row), id: taken[index] ?? 0 }));
    await insertParts(tx, kind.table, venueId, rows);
    await updateParts(tx, kind.table, changed.map(naming));
    ids = new Map(added.map(({ id }, index) => [id, taken[index] ?? 0]));
  }
  for (const { kind, removedIds } of parts.toReversed()) await deleteParts(tx, kind.table, removedIds);
}

/** The parts that a row names are known by the ids that they got. */
function withIds(row: StoredRow, ids: ReadonlyMap<number, number>): StoredRow {
  const real = (id: number) => ids.get(id) ?? id;
  const named = Object.entries(row).map(([column, value]) => {
    if (column === 'zone_id' || column === 'area_id') return [column, real(value as number)];
    if (column === 'table_ids') return [column, (value as number[]).map(real).sort((a, b) => a - b)];
    return [column, value];
  });
  return Object.fromEntries(named);
}

function readLayout({ sql }: LayoutDeps, venueId: VenueId): Promise<Layout> {
  return inSnapshot(sql, async (tx) => {
    assertHouse(await getFrame(tx, venueId));
    return loadLayout(tx, venueId);
  });
}

/** The layout, locked against changes and bookings until the transaction ends. */
async function holdLayout(tx: Tx, venueId: VenueId): Promise<Layout> {
  assertHouse(await holdSeats(tx, venueId));
  return loadLayout(tx, venueId);
}

function partsOf<Document extends { id: number }, Input>(
  deps: LayoutDeps,
  kind: Kind<Document, Input>,
): Parts<Document, Input> {
  const { trail } = deps;
  const { noun, table } = kind;
  const listIn = (layout: Layout) => layout[kind.list] as unknown as Document[];

  function getIn(layout: Layout, id: number): Document {
    const found = listIn(layout).find((part) => part.id === id);
    if (found) return found;
    throw kind.noSuch(id);
  }

  const about = (venueId: VenueId, id: number) => aboutVenue(venueId, noun, id);
  const changeOf = ({ actor, ifMatch }: Request, venueId: VenueId, id: number) => ({
    actor,
    ifMatch,
    ...about(venueId, id),
    find: async (tx: Tx) => getIn(await holdLayout(tx, venueId), id),
  });

  return {
    list: async (venueId) => listIn(await readLayout(deps, venueId)),
    get: async (venueId, id) => getIn(await readLayout(deps, venueId), id),

    create: ({ actor }, venueId, input) =>
      trail.create({
        actor,
        action: `${noun}.create`,
        about: ({ id }) => about(venueId, id),
        async write(tx) {
          const layout = await holdLayout(tx, venueId);
          assertRoom(listIn(layout).length, kind.most, `${kind.list} at a venue`);
          const id = await insertPart(tx, table, venueId, kind.rowOf(input, layout));
          return getIn(await loadLayout(tx, venueId), id);
        },
      }),

    replace: (by, venueId, id, input) =>
      trail.change({
        ...changeOf(by, venueId, id),
        action: `${noun}.change`,
        write: async (tx, before) =>
          updatePart(tx, table, id, kind.rowOf(input, await loadLayout(tx, venueId), before)),
      }),

    remove: (by, venueId, id) =>
      trail.remove({
        ...changeOf(by, venueId, id),
        action: `${noun}.remove`,
        async write(tx) {
          const below = partsBelow(await loadLayout(tx, venueId), noun, id);
          const tableIds = noun === 'table' ? [id] : below.tables.map((each) => each.id);
          await assertNeverUsed(tx, deps, tableIds);
          if (noun === 'zone') await assertNotNeeded(tx, [id]);
          await removeBelow(tx, deps, by, venueId, below);
          const removal = { actor: by.actor, venueId, trail };
          await recordingLosses(tx, removal, () => deleteParts(tx, table, [id]));
        },
      }),
  };
}

/** Dependants first; each gets an audit entry. */
async function removeBelow(
  tx: Tx,
  { trail }: LayoutDeps,
  { actor }: Request,
  venueId: VenueId,
  below: ReturnType<typeof partsBelow>,
): Promise<void> {
  for (const { list, noun, table } of [combinations, tables, areas]) {
    const parts = below[list as keyof typeof below];
    await deleteParts(
      tx,
      table,
      parts.map(({ id }) => id),
    );
    for (const before of parts) {
      const about = aboutVenue(venueId, noun, before.id);
      await trail.record(tx, { actor, action: `${noun}.remove`, ...about, before });
    }
  }
}

/** Stays are kept when they are over, and a table would take them along. */
async function assertNeverUsed(tx: Tx, { clock }: LayoutDeps, tableIds: readonly number[]): Promise<void> {
  const [used] = await countStays(tx, tableIds, nowOf(clock));
  if (!used) return;
  const { name, tableId, stays, coming } = used;
  const these = stays === 1 ? '1 booking' : `${stays} bookings`;
  throw problem('VALID-N-001', {
    detail: `Table ${name} (${tableId}) has ${these}, of which ${coming} not over. Set its isActive to false instead.`,
    errors: { tableId: [`has ${these}`] },
  });
}

async function assertNotNeeded(tx: Tx, zoneIds: readonly number[]): Promise<void> {
  const names = await findDependants(tx, zoneIds);
  if (names.length === 0) return;
  throw problem('VENUE-N-005', {
    detail: `Zone ${zoneIds.join(', ')} is where these seat their guests: ${names.slice(0, 5).join(', ')}.`,
  });
}

export { areas, combinations, type Kind, tables, zones } from './parts.ts';
export { CombinationInput, Layout, TableInput, ZoneInput } from './schema.ts';
export { ManagedSpace, SpaceInput, SpendOverrideInput } from './space-schema.ts';
export { MOST_SPACES, newSpace, policiesOf } from './spaces.ts';
export { MOST_OVERRIDES } from './spend-overrides.ts';
export { overlaps, timesOf, windowOf } from './spend-windows.ts';
export type { SpendWindow } from './store.ts';
