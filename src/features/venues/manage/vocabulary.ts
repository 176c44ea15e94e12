/** The words that venues and products of all operators are sorted by. The platform keeps them. */
import { inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import { invalid } from '../../../kernel/problem.ts';
import type { AuditLog } from '../../audit/service.ts';
import { notFound, type Request } from './venue-lock.ts';
import type { ManagedCategory, ManagedVenueType } from './venue-schema.ts';
import * as store from './vocabulary-store.ts';

export interface WordKeeping<Entry> {
  list(): Promise<Entry[]>;
  get(slug: string): Promise<Entry>;
  /** Adds it, or gives it another name. */
  put(request: Request, slug: string, name: string): Promise<Entry>;
  /** Only one that nothing goes by. */
  remove(request: Request, slug: string): Promise<void>;
}

export interface VocabularyKeeping {
  categories: WordKeeping<ManagedCategory>;
  venueTypes: WordKeeping<ManagedVenueType>;
  read(): Promise<{ categories: ManagedCategory[]; venueTypes: ManagedVenueType[] }>;
}

interface Deps {
  sql: Sql;
  auditLog: AuditLog;
}

/** Where categories and types of venues differ. */
interface Kind<Entry> {
  noun: string;
  action: string;
  list(tx: Tx): Promise<Entry[]>;
  find(tx: Tx, slug: string): Promise<Entry | undefined>;
  save(tx: Tx, slug: string, name: string): Promise<void>;
  remove(tx: Tx, slug: string): Promise<boolean>;
}

export function createVocabularyKeeping(deps: Deps): VocabularyKeeping {
  return {
    categories: createWordKeeping(deps, {
      noun: 'product category',
      action: 'productCategory',
      list: store.listCategoryEntries,
      find: store.findCategoryEntry,
      save: store.saveCategory,
      remove: store.deleteCategory,
    }),
    venueTypes: createWordKeeping(deps, {
      noun: 'venue type',
      action: 'venueType',
      list: store.listVenueTypeEntries,
      find: store.findVenueTypeEntry,
      save: store.saveVenueType,
      remove: store.deleteVenueType,
    }),
    read: () =>
      inSnapshot(deps.sql, async (tx) => ({
        categories: await store.listCategoryEntries(tx),
        venueTypes: await store.listVenueTypeEntries(tx),
      })),
  };
}

function createWordKeeping<Entry extends object>(
  { sql, auditLog }: Deps,
  kind: Kind<Entry>,
): WordKeeping<Entry> {
  const { noun, action, list, find, save, remove } = kind;
  const about = (slug: string) => ({ operatorId: null, subject: `${action} ${slug}` });

  async function get(tx: Tx, slug: string): Promise<Entry> {
    const entry = await find(tx, slug);
    if (entry === undefined) throw notFound(`There is no ${noun} ${slug}.`);
    return entry;
  }

  return {
    list: () => list(sql),
    get: (slug) => get(sql, slug),
    put: (request, slug, name) =>
      auditLog.change({
        ...request,
        action: `${action}.change`,
        ...about(slug),
        find: (tx) => find(tx, slug),
        write: (tx) => save(tx, slug, name),
      }),
    remove: (request, slug) =>
      auditLog.remove({
        ...request,
        action: `${action}.remove`,
        ...about(slug),
        find: (tx) => get(tx, slug),
        async write(tx) {
          if (!(await remove(tx, slug))) throw invalid('slug', `${slug} is in use`);
        },
      }),
  };
}
