/**
 * A whole layout as it is sent: what it adds, changes and removes. Nothing is written here. What is new has no id yet
 * and gets a negative one, by which the other parts of the plan name it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Sql, Tx } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid, Problem, problem } from '../../kernel/problem.ts';
import type { LayoutStore, PartFields, StoredPart } from '../../tms/layout.ts';
import { areas, combinations, type Kind, tables, zones } from '../../tms/layout-parts.ts';
import { systemOf, systemsWith } from '../../tms/systems.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Bookings } from '../bookings/service.ts';
import { aboutVenue, lockVenueRef } from '../venues/service.ts';
import type { Layout, LayoutChange, LayoutInput } from './schema.ts';

type List = keyof Layout;
type AnyKind = Pick<Kind<never, never>, 'noun' | 'list' | 'most'> & {
  fieldsOf(input: never, layout: Layout): PartFields;
};
/** A part as it is sent: where it names another one, an id or a `ref`. */
type Sent = { id?: number | null; ref?: string | null } & Record<string, unknown>;
type Part = { id: number } & Record<string, unknown>;

export interface PartPlan {
  kind: AnyKind;
  added: StoredPart[];
  changed: StoredPart[];
  removedIds: number[];
}

export interface LayoutPlan {
  /** Each kind after those that it names: zones, areas, tables, combinations. */
  parts: PartPlan[];
  changes: LayoutChange[];
  after: Layout;
}

/** What each kind names, and where. */
const STEPS: { kind: AnyKind; field?: string; names?: List }[] = [
  { kind: zones },
  { kind: areas, field: 'zoneId', names: 'zones' },
  { kind: tables, field: 'areaId', names: 'areas' },
  { kind: combinations, field: 'tableIds', names: 'tables' },
];

/** Throws where something that was sent cannot be, or names what is not there. */
export function planLayout(before: Layout, input: LayoutInput): LayoutPlan {
  const after: Layout = { zones: [], areas: [], tables: [], combinations: [] };
  const refs: Record<List, Map<string, number>> = {
    zones: new Map(),
    areas: new Map(),
    tables: new Map(),
    combinations: new Map(),
  };
  const parts: PartPlan[] = [];
  const changes: LayoutChange[] = [];
  const tableNames = new Map(before.tables.map(({ id, name }) => [id, name]));
  const tell = (kind: AnyKind, old: Part | undefined, now: Part | undefined) => {
    const change = changeOf(kind, old, now, tableNames);
    if (change) changes.push(change);
  };
  for (const { kind, field, names } of STEPS) {
    const { list } = kind;
    const sent = input[list] as Sent[];
    const left = new Map((before[list] as Part[]).map((part) => [part.id, part]));
    const part: PartPlan = { kind, added: [], changed: [], removedIds: [] };
    for (const [index, { id: sentId, ref, ...fields }] of sent.entries()) {
      const path = `${list}.${index}`;
      const id = sentId ?? -1 - index;
      const old = left.get(id);
      if (sentId != null && !old) throw invalid(`${path}.id`, unknownId(sent, index, kind));
      left.delete(id);
      if (ref != null && refs[list].has(ref)) throw invalid(`${path}.ref`, 'is there already');
      if (ref != null) refs[list].set(ref, id);
      if (field && names) fields[field] = resolved(fields[field], refs[names], `${path}.${field}`);
      const now: StoredPart = { id, ...within(path, () => kind.fieldsOf(fields as never, after)) };
      (after[list] as Part[]).push(now);
      if (list === 'tables') tableNames.set(id, String(now.name));
      if (!old) part.added.push(now);
      else if (!isDeepStrictEqual(old, now)) part.changed.push(now);
      tell(kind, old, now);
    }
    part.removedIds = [...left.keys()];
    for (const old of left.values()) tell(kind, old, undefined);
    parts.push(part);
  }
  return { parts, changes, after };
}

function unknownId(sent: readonly Sent[], index: number, { noun }: AnyKind): string {
  const isRepeated = sent.slice(0, index).some(({ id }) => id === sent[index]?.id);
  return isRepeated ? 'is there already' : `is no ${noun} of the venue; leave it out for a new one`;
}

/** Ids stay as they are; whether there is such a part in the new layout is checked with the rest. */
function resolved(value: unknown, refs: ReadonlyMap<string, number>, path: string): unknown {
  if (Array.isArray(value)) return value.map((each, index) => resolved(each, refs, `${path}.${index}`));
  if (typeof value !== 'string') return value;
  const id = refs.get(value);
  if (id === undefined) throw invalid(path, `is ${value}, which is the ref of nothing before it`);
  return id;
}

/** What a check says of a field, it says of the field of this part. */
function within<Result>(path: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Problem) || !error.options.errors) throw error;
    const entries = Object.entries(error.options.errors);
    throw problem(error.code, {
      detail: `${path}: ${error.message}`,
      errors: Object.fromEntries(entries.map(([field, messages]) => [`${path}.${field}`, messages])),
    });
  }
}

function changeOf(
  { noun: part }: AnyKind,
  old: Part | undefined,
  now: Part | undefined,
  tableNames: ReadonlyMap<number, string>,
): LayoutChange | undefined {
  const document = now ?? old;
  if (!document) return undefined;
  const tableIds = (document.tableIds ?? []) as number[];
  const joined = tableIds
    .map((id) => tableNames.get(id))
    .sort()
    .join(' + ');
  const name = part === 'combination' ? joined : String(document.name);
  const fields = Object.keys(document).filter((field) => !isDeepStrictEqual(old?.[field], now?.[field]));
  if (old && now && fields.length === 0) return undefined;
  const action = !old ? 'add' : now ? 'change' : 'remove';
  return { part, action, id: old?.id ?? null, name, fields: action === 'change' ? fields : [] };
}

/** What all parts of a layout share: the venue they belong to, and the lock for changes. */

export interface LayoutDeps {
  sql: Sql;
  bookings: Pick<Bookings, 'listRecords'>;
  clock: Clock;
  auditLog: AuditLog;
}

/** Where the layout of the venue is kept; undefined where its system keeps it elsewhere. */
export const findLayoutStore = (venueId: VenueId): LayoutStore | undefined => systemOf(venueId)?.layout;

export function getLayoutStore(venueId: VenueId): LayoutStore {
  const store = findLayoutStore(venueId);
  if (store) return store;
  const { tms } = partsOfVenueId(venueId);
  throw invalid(
    'venueId',
    `must be a venue that runs on ${systemsWith('layout')}; ${tms} keeps its own layout`,
  );
}

/**
 * Locks the venue and everything below it against changes, and its tables against bookings, until the transaction
 * ends.
 */
export async function holdSeats(tx: Tx, venueId: VenueId): Promise<void> {
  await lockVenueRef(tx, venueId);
  await findLayoutStore(venueId)?.lock(tx, venueId);
}

export const aboutOverride = (venueId: VenueId, spaceId: number, id: number) =>
  aboutVenue(venueId, 'minimum-spend override', `${id} of space ${spaceId}`);
