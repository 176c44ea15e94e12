/** What guests can order ahead, as the operator keeps it. Bookings keep what was ordered as it was then. */
import { inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/problem.ts';
import type { AuditLog } from '../../audit/service.ts';
import { recordingLosses } from '../manage/product-check.ts';
import { given } from '../manage/schema-helpers.ts';
import { nextPosition } from '../manage/store.ts';
import {
  aboutVenue,
  assertRoomFor,
  getVenueRef,
  lockVenueRef,
  notFound,
  type Request,
} from '../manage/venue-lock.ts';
import type { ItemBody, ManagedMenu, ManagedPackage, MenuBody, PackageBody } from './schema.ts';
import {
  deletePreorder,
  findDependant,
  insertMenu,
  insertPackage,
  isSlugTaken,
  listManagedMenus,
  listManagedPackages,
  type MenuFields,
  updateMenu,
  updatePackage,
} from './store.ts';

export interface PreorderKeeping<Body, Document> {
  list(venueId: VenueId): Promise<Document[]>;
  get(venueId: VenueId, id: number): Promise<Document>;
  create(request: Request, venueId: VenueId, body: Body): Promise<Document>;
  change(request: Request, venueId: VenueId, id: number, body: Body): Promise<Document>;
  /** Not the last one of a product that requires one. */
  remove(request: Request, venueId: VenueId, id: number): Promise<void>;
}

/** Where packages and menus differ. */
interface Kind<Body, Document> {
  table: 'package' | 'menu';
  list(tx: Tx, venueId: VenueId, id?: number): Promise<Document[]>;
  insert(tx: Tx, venueId: VenueId, body: Body, position: number): Promise<number>;
  update(tx: Tx, venueId: VenueId, before: Document, body: Body): Promise<void>;
}

interface Deps {
  sql: Sql;
  auditLog: AuditLog;
}

export const createPackageKeeping = (deps: Deps): PreorderKeeping<PackageBody, ManagedPackage> =>
  createPreorderKeeping(deps, {
    table: 'package',
    list: listManagedPackages,
    insert: (tx, venueId, body, position) => insertPackage(tx, venueId, given(body), position),
    update: (tx, _venueId, { id }, body) => updatePackage(tx, id, given(body)),
  });

export const createMenuKeeping = (deps: Deps): PreorderKeeping<MenuBody, ManagedMenu> =>
  createPreorderKeeping(deps, {
    table: 'menu',
    list: listManagedMenus,
    insert: (tx, venueId, body, position) => insertMenu(tx, venueId, menuOf(body, []), position),
    update: (tx, venueId, { id, items }, body) => updateMenu(tx, venueId, id, menuOf(body, items)),
  });

function createPreorderKeeping<Body extends { slug?: string | null }, Document extends { id: number }>(
  { sql, auditLog }: Deps,
  { table, list, insert, update }: Kind<Body, Document>,
): PreorderKeeping<Body, Document> {
  const about = (venueId: VenueId, id: number) => aboutVenue(venueId, table, `${venueId} ${id}`);

  async function get(tx: Tx, venueId: VenueId, id: number): Promise<Document> {
    const [document] = await list(tx, venueId, id);
    if (!document) throw notFound(`${venueId} has no ${table} ${id}.`);
    return document;
  }

  async function getLocked(tx: Tx, venueId: VenueId, id: number): Promise<Document> {
    await lockVenueRef(tx, venueId);
    return get(tx, venueId, id);
  }

  async function assertSlug(tx: Tx, venueId: VenueId, { slug }: Body, exceptId?: number): Promise<void> {
    if (slug && (await isSlugTaken(tx, table, { venueId, slug, exceptId })))
      throw invalid('slug', `is taken: another ${table} of the venue has it`);
  }

  return {
    list: (venueId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return list(tx, venueId);
      }),

    get: (venueId, id) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return get(tx, venueId, id);
      }),

    create: ({ actor }, venueId, body) =>
      auditLog.create({
        actor,
        action: `${table}.create`,
        about: ({ id }) => about(venueId, id),
        async write(tx) {
          await lockVenueRef(tx, venueId);
          await assertRoomFor(tx, venueId, table);
          await assertSlug(tx, venueId, body);
          const id = await insert(tx, venueId, body, await nextPosition(tx, table, venueId));
          return get(tx, venueId, id);
        },
      }),

    change: (request, venueId, id, body) =>
      auditLog.change({
        ...request,
        action: `${table}.change`,
        ...about(venueId, id),
        find: (tx) => getLocked(tx, venueId, id),
        async write(tx, before) {
          await assertSlug(tx, venueId, body, id);
          await update(tx, venueId, before, body);
        },
      }),

    remove: (request, venueId, id) =>
      auditLog.remove({
        ...request,
        action: `${table}.remove`,
        ...about(venueId, id),
        find: (tx) => getLocked(tx, venueId, id),
        async write(tx) {
          const product = await findDependant(tx, table, id);
          if (product)
            throw invalid(`${table}Id`, `${id} is the only ${table} of ${product.name}, which requires one`);
          const removal = { actor: request.actor, venueId, auditLog };
          await recordingLosses(tx, removal, () => deletePreorder(tx, table, id));
        },
      }),
  };
}

/** Items may name those that are on the menu, each once. */
function menuOf({ items, ...menu }: MenuBody, known: readonly { id: number }[]): MenuFields {
  const named = new Set<number>();
  for (const [index, { id, options = [] }] of items.entries()) {
    if (id != null && (named.has(id) || !known.some((item) => item.id === id)))
      throw invalid(
        `items.${index}.id`,
        'must be the id of an item of this menu, and that once; new items have none',
      );
    if (id != null) named.add(id);
    assertOptions(options, `items.${index}.options`);
  }
  return { ...given(menu), items: items.map(given<ItemBody>) };
}

/** An order names an option by its id, and what was chosen by its value. */
export function assertOptions(options: NonNullable<ItemBody['options']>, field: string): void {
  if (new Set(options.map(({ id }) => id)).size < options.length)
    throw invalid(field, 'must have different ids');
  for (const [index, { values }] of options.entries()) {
    if (new Set(values.map(({ value }) => value)).size < values.length)
      throw invalid(`${field}.${index}.values`, 'must be different');
  }
}
