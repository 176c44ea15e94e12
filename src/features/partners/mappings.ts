/** What partners may distribute: venues, products of them, and on which terms. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { partsOfVenueId } from '../../kernel/ids.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { getOperator, holdOperator, notFound, type PlatformDeps } from '../operators/service.ts';
import { getPartner, holdPartner } from './context.ts';
import {
  addProducts,
  deleteMapping,
  findMapping,
  holdProducts,
  holdVenue,
  isAssociated,
  listMappings,
  removeProduct,
  saveMapping,
} from './mapping-store.ts';
import {
  COMPANY_MODES,
  type Company,
  type Mapping,
  type MappingChange,
  type MappingPath,
  type MappingQuery,
} from './schema.ts';

export interface Mappings {
  list(partnerId: number, query: MappingQuery): Promise<PageOf<Mapping>>;
  get(path: MappingPath): Promise<Mapping>;
  save(actor: Actor, path: MappingPath, change: MappingChange, ifMatch: string | undefined): Promise<Mapping>;
  remove(actor: Actor, path: MappingPath, ifMatch: string | undefined): Promise<void>;
  changeProducts(
    actor: Actor,
    path: MappingPath,
    change: ProductChange,
    ifMatch: string | undefined,
  ): Promise<Mapping>;
}

/** One product comes, one goes, or one takes the place of another. */
export interface ProductChange {
  added?: string;
  removed?: string;
}

export const subjectOfMapping = ({ partnerId, venueId }: Pick<Mapping, 'partnerId' | 'venueId'>) =>
  `mapping ${partnerId} ${venueId}`;
const aboutMapping = (path: MappingPath) => ({
  operatorId: partsOfVenueId(path.venueId).operatorId,
  subject: subjectOfMapping(path),
});

export function createMappings({ sql, auditLog }: PlatformDeps): Mappings {
  async function get(tx: Tx, path: MappingPath): Promise<Mapping> {
    await getPartner(tx, path.partnerId);
    const mapping = await findMapping(tx, path);
    if (mapping) return mapping;
    throw notFound(`Venue ${path.venueId} is not mapped to partner ${path.partnerId}.`);
  }

  const changing = (actor: Actor, action: string, path: MappingPath, ifMatch: string | undefined) => ({
    ...aboutMapping(path),
    actor,
    action,
    ifMatch,
  });

  return {
    list: (partnerId, query) =>
      inSnapshot(sql, async (tx) => {
        await getPartner(tx, partnerId);
        if (query.operatorId !== undefined) await getOperator(tx, query.operatorId);
        const { found, total } = await listMappings(tx, partnerId, query.operatorId, windowOf(query));
        return pageOf(found, total, query);
      }),

    get: (path) => get(sql, path),

    async save(actor, path, change, ifMatch) {
      const company = companyIn(change.company);
      return auditLog.change({
        ...changing(actor, 'mapping.save', path, ifMatch),
        async find(tx) {
          await hold(tx, path);
          return findMapping(tx, path);
        },
        async write(tx) {
          const { operatorId } = partsOfVenueId(path.venueId);
          if (!(await isAssociated(tx, path.partnerId, operatorId)))
            throw problem('OPRTR-N-003', {
              detail: `Say first under which source the partner books, with PUT /manage/operators/${operatorId}/partners/${path.partnerId}.`,
            });
          const productIds = await getProducts(tx, path, change.productKeys);
          await saveMapping(tx, path, { ...change, company }, productIds);
        },
      });
    },

    remove: (actor, path, ifMatch) =>
      auditLog.remove({
        ...changing(actor, 'mapping.delete', path, ifMatch),
        async find(tx) {
          await hold(tx, path);
          return get(tx, path);
        },
        write: (tx) => deleteMapping(tx, path),
      }),

    changeProducts: (actor, path, { added, removed }, ifMatch) =>
      auditLog.change({
        ...changing(actor, 'mapping.products', path, ifMatch),
        async find(tx) {
          await hold(tx, path);
          if (removed !== undefined && !(await findMapping(tx, path))) throw notMapped(removed);
          return get(tx, path);
        },
        async write(tx, before) {
          const { productKeys } = before;
          if (removed !== undefined && !productKeys.includes(removed)) throw notMapped(removed);
          // A product that takes its own place changes nothing.
          if (added === removed) return;
          if (added !== undefined && productKeys.includes(added)) throw mappedAlready(added);
          const coming = await getProducts(tx, path, added === undefined ? [] : [added]);
          if (removed !== undefined) await removeProduct(tx, path, `${path.venueId}|${removed}`);
          await addProducts(tx, path, coming);
        },
      }),
  };
}

/** Locks partner, operator and venue against deletion, and checks that the partner's mapping can be set here. */
async function hold(tx: Tx, { partnerId, venueId }: MappingPath): Promise<void> {
  const { isMarketplace } = await holdPartner(tx, partnerId);
  const noSuchVenue = problem('VENUE-N-001', { detail: `There is no venue ${venueId}.` });
  if (!(await holdVenue(tx, venueId))) throw noSuchVenue;
  await holdOperator(tx, partsOfVenueId(venueId).operatorId);
  if (isMarketplace)
    throw problem('PMAP-N-015', { detail: 'Venues are linked to a marketplace whole, by their operators.' });
}

async function getProducts(tx: Tx, { venueId }: MappingPath, keys: readonly string[]): Promise<string[]> {
  const ids = keys.map((key) => `${venueId}|${key}`);
  const found = new Set(await holdProducts(tx, venueId, ids));
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw problem('VENUE-N-002', { detail: `There is no product ${unknown}.` });
  return ids;
}

const notMapped = (key: string) =>
  problem('PMAP-N-005', { detail: `The product ${key} is not mapped to the partner.` });
const mappedAlready = (key: string) =>
  problem('PMAP-N-006', { detail: `The product ${key} is mapped to the partner already.` });

const MOST_NAMES = 500;
const LONGEST_NAME = 150;

const refusal = (detail: string): Problem => problem('PMAP-N-013', { detail });

/** In whose name a partner may book; throws `PMAP-N-013` where that makes no sense. */
function companyIn({ mode, names }: Company): Mapping['company'] {
  const known = COMPANY_MODES.find((candidate) => candidate === mode);
  if (!known) throw refusal(`The mode is none of ${COMPANY_MODES.join(', ')}.`);
  if (known === 'none' && names.length > 0) throw refusal('With the mode none there are no names.');
  if (known === 'single' && names.length !== 1)
    throw refusal('With the mode single there is exactly one name.');
  if (known === 'list' && (names.length === 0 || names.length > MOST_NAMES))
    throw refusal(`With the mode list there are 1 to ${MOST_NAMES} names.`);
  for (const name of names) {
    if (name.trim() === '' || name.length > LONGEST_NAME)
      throw refusal(`A name has 1 to ${LONGEST_NAME} characters and is not blank.`);
  }
  if (new Set(names.map((name) => name.trim().toLowerCase())).size < names.length)
    throw refusal('A name is there twice.');
  return { mode: known, names };
}
