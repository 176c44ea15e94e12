/** How venues seat their guests, where their system keeps the layout with us: zones, areas, tables and combinations of them. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { Problem, problem } from '../../kernel/problem.ts';
import type { LayoutStore, StoredPart } from '../../tms/layout.ts';
import { areas, combinations, type Kind, partsBelow, tables, zones } from '../../tms/layout-parts.ts';
import { assertUnchanged } from '../audit/service.ts';
import { aboutVenue, assertRoom, getVenueRef, type Request, recordingLosses } from '../venues/service.ts';
import { getLayoutStore, holdSeats, type LayoutDeps, type PartPlan, planLayout } from './plan.ts';
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
import { listUnseated } from './unseated.ts';

export interface LayoutService {
  get(venueId: VenueId): Promise<Layout>;
  /** All of it at once: what is sent without an id is new, and what is not sent is removed. */
  replace(by: Request, venueId: VenueId, input: LayoutInput): Promise<Layout>;
  /** What `replace` would do, whom it would unseat, and why it would be refused. */
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
      deps.auditLog.change({
        ...by,
        action: 'layout.change',
        ...aboutVenue(venueId, 'layout', venueId),
        find: (tx) => holdLayout(tx, venueId),
        async write(tx, before) {
          const store = getLayoutStore(venueId);
          const { parts } = planLayout(before, input);
          await assertRemovable(tx, store, deps, parts);
          const removal = { actor: by.actor, venueId, auditLog: deps.auditLog };
          await recordingLosses(tx, removal, () => writePlan(tx, store, venueId, parts));
        },
      }),

    preview: ({ actor, ifMatch }, venueId, input) =>
      inSnapshot(deps.sql, async (tx) => {
        await getVenueRef(tx, venueId);
        const store = getLayoutStore(venueId);
        const before = await store.load(tx, venueId);
        assertUnchanged(before, ifMatch);
        const { parts, changes, after } = planLayout(before, input);
        const [refusal, unseated] = await Promise.all([
          findRefusal(() => assertRemovable(tx, store, deps, parts)),
          listUnseated(tx, { ...deps, store, actor }, venueId, { before, after }),
        ]);
        return { isDryRun: true, changes, refusal, ...unseated };
      }),

    zones: partsOf(deps, zones),
    areas: partsOf(deps, areas),
    tables: partsOf(deps, tables),
    combinations: partsOf(deps, combinations),
  };
}

/** What is in use stands in the way of storing it, and is part of the answer. */
async function findRefusal(check: () => Promise<void>): Promise<LayoutPreview['refusal']> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, detail: error.message };
  }
}

const removedOf = (parts: readonly PartPlan[], noun: PartPlan['kind']['noun']) =>
  parts.find(({ kind }) => kind.noun === noun)?.removedIds ?? [];

async function assertRemovable(
  tx: Tx,
  store: LayoutStore,
  deps: LayoutDeps,
  parts: readonly PartPlan[],
): Promise<void> {
  await assertNeverUsed(tx, store, deps, removedOf(parts, 'table'));
  await assertNotNeeded(tx, store, removedOf(parts, 'zone'));
}

/** What others stand on is written first and removed last. */
async function writePlan(
  tx: Tx,
  store: LayoutStore,
  venueId: VenueId,
  parts: readonly PartPlan[],
): Promise<void> {
  let ids = new Map<number, number>();
  for (const { kind, added, changed } of parts) {
    const naming = (part: StoredPart) => withIds(part, ids);
    const taken = await store.takeIds(tx, kind.list, added.length);
    const inserted = added.map((part, index) => ({ ...naming(part), id: taken[index] ?? 0 }));
    await store.insertParts(tx, kind.list, venueId, inserted);
    await store.updateParts(tx, kind.list, changed.map(naming));
    ids = new Map(added.map(({ id }, index) => [id, taken[index] ?? 0]));
  }
  for (const { kind, removedIds } of parts.toReversed()) await store.deleteParts(tx, kind.list, removedIds);
}

/** The parts that a part names are known by the ids that they got. */
function withIds(part: StoredPart, ids: ReadonlyMap<number, number>): StoredPart {
  const real = (id: number) => ids.get(id) ?? id;
  const named = Object.entries(part).map(([field, value]) => {
    if (field === 'zoneId' || field === 'areaId') return [field, real(value as number)];
    if (field === 'tableIds') return [field, (value as number[]).map(real).sort((a, b) => a - b)];
    return [field, value];
  });
  return Object.fromEntries(named);
}

function readLayout({ sql }: LayoutDeps, venueId: VenueId): Promise<Layout> {
  return inSnapshot(sql, async (tx) => {
    await getVenueRef(tx, venueId);
    return getLayoutStore(venueId).load(tx, venueId);
  });
}

/** The layout, locked against changes and bookings until the transaction ends. */
async function holdLayout(tx: Tx, venueId: VenueId): Promise<Layout> {
  await holdSeats(tx, venueId);
  return getLayoutStore(venueId).load(tx, venueId);
}

function partsOf<Document extends { id: number }, Input>(
  deps: LayoutDeps,
  kind: Kind<Document, Input>,
): Parts<Document, Input> {
  const { auditLog } = deps;
  const { noun, list } = kind;
  const listIn = (layout: Layout) => layout[list] as unknown as Document[];

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
      auditLog.create({
        actor,
        action: `${noun}.create`,
        about: ({ id }) => about(venueId, id),
        async write(tx) {
          const layout = await holdLayout(tx, venueId);
          assertRoom(listIn(layout).length, kind.most, `${list} at a venue`);
          const store = getLayoutStore(venueId);
          const id = await store.insertPart(tx, list, venueId, kind.fieldsOf(input, layout));
          return getIn(await store.load(tx, venueId), id);
        },
      }),

    replace: (by, venueId, id, input) =>
      auditLog.change({
        ...changeOf(by, venueId, id),
        action: `${noun}.change`,
        async write(tx, before) {
          const store = getLayoutStore(venueId);
          await store.updatePart(tx, list, id, kind.fieldsOf(input, await store.load(tx, venueId), before));
        },
      }),

    remove: (by, venueId, id) =>
      auditLog.remove({
        ...changeOf(by, venueId, id),
        action: `${noun}.remove`,
        async write(tx) {
          const store = getLayoutStore(venueId);
          const below = partsBelow(await store.load(tx, venueId), noun, id);
          const tableIds = noun === 'table' ? [id] : below.tables.map((each) => each.id);
          await assertNeverUsed(tx, store, deps, tableIds);
          if (noun === 'zone') await assertNotNeeded(tx, store, [id]);
          await removeBelow(tx, deps, by, venueId, below);
          const removal = { actor: by.actor, venueId, auditLog };
          await recordingLosses(tx, removal, () => store.deleteParts(tx, list, [id]));
        },
      }),
  };
}

/** Dependants first; each gets an audit entry. */
async function removeBelow(
  tx: Tx,
  { auditLog }: LayoutDeps,
  { actor }: Request,
  venueId: VenueId,
  below: ReturnType<typeof partsBelow>,
): Promise<void> {
  const store = getLayoutStore(venueId);
  for (const { list, noun } of [combinations, tables, areas]) {
    const parts = below[list as keyof typeof below];
    await store.deleteParts(
      tx,
      list,
      parts.map(({ id }) => id),
    );
    for (const before of parts) {
      const about = aboutVenue(venueId, noun, before.id);
      await auditLog.record(tx, { actor, action: `${noun}.remove`, ...about, before });
    }
  }
}

/** Stays are kept when they are over, and a table would take them along. */
async function assertNeverUsed(
  tx: Tx,
  store: LayoutStore,
  { clock }: LayoutDeps,
  tableIds: readonly number[],
): Promise<void> {
  const [used] = await store.countStays(tx, tableIds, nowOf(clock));
  if (!used) return;
  const { name, tableId, stays, coming } = used;
  const these = stays === 1 ? '1 booking' : `${stays} bookings`;
  throw problem('VALID-N-001', {
    detail: `Table ${name} (${tableId}) has ${these}, of which ${coming} not over. Set its isActive to false instead.`,
    errors: { tableId: [`has ${these}`] },
  });
}

async function assertNotNeeded(tx: Tx, store: LayoutStore, zoneIds: readonly number[]): Promise<void> {
  const names = await store.findDependants(tx, zoneIds);
  if (names.length === 0) return;
  throw problem('VENUE-N-005', {
    detail: `Zone ${zoneIds.join(', ')} is where these seat their guests: ${names.slice(0, 5).join(', ')}.`,
  });
}

export { CombinationInput, TableInput, ZoneInput } from './schema.ts';
export { ManagedSpace, SpaceInput, SpendOverrideInput } from './space-schema.ts';
export { MOST_SPACES, newSpace, policiesOf } from './spaces.ts';
export { MOST_OVERRIDES } from './spend-overrides.ts';
export { overlaps, timesOf, windowOf } from './spend-windows.ts';
export { insertSpace, listSpaces, type SpendWindow, updateSpace } from './store.ts';
