import type { Config } from '../../config.ts';
import { createCatalogueCache, venueTag } from '../../db/catalogue-cache.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import { type Caller, visibilityKey, visibilityOf } from '../../http/auth/caller.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import { type ProductId, type VenueId, venueOfProduct } from '../../kernel/ids.ts';
import { type Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import type { Resolve } from '../../kernel/safe-connector.ts';
import type { CategoryRecord, OperatorSystems, ProductRecord, VenueRecord } from './record.ts';
import type { Venue } from './schema.ts';
import { type Candidates, createCandidates } from './search/candidates.ts';
import { createEmbeddings, type Embeddings } from './search/embeddings.ts';
import { createListCache } from './search/list-cache.ts';
import { findReasons, type Reason, rankByText } from './search/relevance-store.ts';
import {
  type Rank,
  rankVenues,
  searchVenues,
  type VenueFilter,
  type VenueSearch,
} from './search/search-store.ts';
import { findOnSale, findOwner, findSystems, isVisible, listCategories, loadVenues } from './store.ts';
import { venueView } from './view.ts';

export interface Venues {
  list(caller: Caller, search: VenueSearch): Promise<{ venues: Venue[]; total: number }>;
  /** What puts the results of a search into their order. Ask before a transaction begins: it may call elsewhere. */
  rankFor(search: Pick<VenueSearch, 'sortBy' | 'filter'>): Promise<Rank>;
  get(caller: Caller, id: VenueId): Promise<Venue>;
  /** The venues of a filter that fit its `query` best, the best first, each with what speaks for it. */
  rank(caller: Caller, filter: VenueFilter & { query: string }, limit: number): Promise<RankedVenue[]>;
  /** A product that the caller may book at, with its venue; kept in memory until either changes. */
  getBookable(caller: Caller, id: ProductId, codes?: BookableCodes): Promise<Bookable>;
  /** Which venues a search for tables asks. */
  candidates: Candidates;
  /** Venues as `getBookable` keeps them, in the order of the ids; those that the caller may not see are left out. */
  listKept(caller: Caller, ids: readonly VenueId[]): Promise<VenueRecord[]>;
  /** The products of a venue that the caller may see. */
  listProducts(caller: Caller, id: VenueId): Promise<ProductId[]>;
  /** The operator's systems; undefined where the caller sees none of its venues. */
  findSystems(caller: Caller, operatorId: number): Promise<OperatorSystems | undefined>;
  /** Drops a stale venue from the cache: the next read queries the database. */
  forget(id: VenueId): void;
  listCategories(): Promise<CategoryRecord[]>;
  /** Undefined: no embedding endpoint is set. */
  embeddings: Embeddings | undefined;
  /** Throws the matching problem unless the caller may see the venue. */
  assertVisible(tx: Tx, caller: Caller, id: VenueId): Promise<void>;
  /** The same unless the caller runs the venue. */
  assertOperated(tx: Tx, caller: Caller, id: VenueId): Promise<void>;
}

export interface RankedVenue {
  id: VenueId;
  /** Comparable within one answer only. */
  score: number;
  why: Reason[];
}

export interface Bookable {
  venue: VenueRecord;
  product: ProductRecord;
}

/** The codes for a partner without an active association, and for a product that the venue does not have. */
export interface BookableCodes {
  notAssociated: ProblemCode;
  noSuchProduct: ProblemCode;
}

const FOR_AVAILABILITY: BookableCodes = { notAssociated: 'AVAIL-N-002', noSuchProduct: 'AVAIL-N-001' };

export interface VenuesDeps {
  sql: Sql;
  reads?: Reads;
  config: Pick<Config, 'publicUrl' | 'feedUrl' | 'embeddings'>;
  notifications: Notifications;
  resolve?: Resolve;
}

export function createVenues(deps: VenuesDeps): Venues {
  const { sql, reads = primaryReads(sql), notifications } = deps;
  const kept = createCatalogueCache<VenueRecord>('venues', notifications);
  const lists = createListCache(notifications);
  const embeddings = createEmbeddings(deps);

  const rankFor: Venues['rankFor'] = async ({ sortBy, filter: { query } }) =>
    embeddings && sortBy === 'relevance' && query !== undefined ? embeddings.rankFor(query) : rankByText;

  async function getRecord(tx: Tx, caller: Caller, id: VenueId): Promise<VenueRecord> {
    const [venue] = await loadVenues(tx, visibilityOf(caller), [id]);
    if (venue) return venue;
    throw await reasonForAbsence(tx, caller, id);
  }

  async function getKeptRecord(caller: Caller, id: VenueId): Promise<VenueRecord> {
    const visibility = visibilityKey(visibilityOf(caller));
    const key = `${visibility} ${id}`;
    const known = kept.get(key);
    if (known) return known;
    const ticket = kept.beginRead();
    const venue = await getRecord(sql, caller, id);
    kept.keep(ticket, key, venue, estimateBytes(venue), [venueTag(id), visibility]);
    return venue;
  }

  async function listKept(caller: Caller, ids: readonly VenueId[]): Promise<VenueRecord[]> {
    const visibility = visibilityOf(caller);
    const seenBy = visibilityKey(visibility);
    const records = new Map(ids.map((id) => [id, kept.get(`${seenBy} ${id}`)]));
    const missing = ids.filter((id) => !records.get(id));
    if (missing.length > 0) {
      const ticket = kept.beginRead();
      for (const venue of await loadVenues(sql, visibility, missing)) {
        records.set(venue.id, venue);
        kept.keep(ticket, `${seenBy} ${venue.id}`, venue, estimateBytes(venue), [venueTag(venue.id), seenBy]);
      }
    }
    return ids.flatMap((id) => records.get(id) ?? []);
  }

  return {
    candidates: createCandidates({ reads, notifications, rankFor, canKeepRanked: embeddings === undefined }),
    listKept,

    async list(caller, search) {
      const visibility = visibilityOf(caller);
      const cached = lists.find(visibility, search);
      const rank = await rankFor(search);
      return readTogether(reads, async (tx) => {
        const { ids, total } = await searchVenues(tx, visibility, search, cached, rank);
        const venues = ids.length === 0 ? [] : await loadVenues(tx, visibility, ids);
        cached.keep(ids, total);
        return { venues: venues.map((venue) => venueView(venue, deps.config)), total };
      });
    },

    async rank(caller, filter, limit) {
      const rank = await rankFor({ sortBy: 'relevance', filter });
      return readTogether(reads, async (tx) => {
        const visibility = visibilityOf(caller);
        const { question, best } = await rankVenues(tx, visibility, filter, rank);
        const first = best.slice(0, limit);
        const ids = first.map(({ id }) => id);
        const reasons = await findReasons(tx, question, ids);
        return first.map((venue) => ({ ...venue, why: reasons.get(venue.id) ?? [] }));
      });
    },

    rankFor,
    embeddings,

    get: async (caller, id) => venueView(await reads.read((on) => getRecord(on, caller, id)), deps.config),

    async getBookable(caller, id, codes = FOR_AVAILABILITY) {
      const venue = await getKeptRecord(caller, venueOfProduct(id));
      if (venue.isSuspended) throw problem(codes.notAssociated);
      const product = venue.products.find((candidate) => candidate.id === id);
      if (!product) throw await reasonForAbsentProduct(sql, venue, id, codes.noSuchProduct);
      if (venue.isClosed) throw problem('VENUE-N-009', { detail: `${venue.name} has closed.` });
      return { venue, product };
    },

    listProducts: async (caller, id) =>
      (await getKeptRecord(caller, id)).products.map((product) => product.id),

    findSystems: (caller, operatorId) => findSystems(sql, visibilityOf(caller), operatorId),

    forget: (id) => kept.drop(venueTag(id)),

    listCategories: () => reads.read(listCategories),
    assertVisible,
    assertOperated,
  };
}

async function assertVisible(tx: Tx, caller: Caller, id: VenueId): Promise<void> {
  if (!(await isVisible(tx, visibilityOf(caller), id))) throw await reasonForAbsence(tx, caller, id);
}

/** Partners have no say in this. */
async function assertOperated(tx: Tx, caller: Caller, id: VenueId): Promise<void> {
  if (caller.kind === 'partner' || caller.kind === 'agent')
    throw problem('USER-N-009', { detail: 'This is for the operator of the venue.' });
  const owner = await findOwner(tx, id);
  const isOwn = caller.kind === 'platform' || owner?.operatorId === caller.operatorId;
  if (!owner || !isOwn) throw await reasonForAbsence(tx, caller, id);
}

async function reasonForAbsence(tx: Tx, caller: Caller, id: VenueId) {
  const owner = await findOwner(tx, id);
  if (owner === undefined) return problem('VENUE-N-001', { detail: `There is no venue ${id}.` });
  return caller.kind === 'operator'
    ? problem('OPRTR-N-002', { detail: `Venue ${id} belongs to another operator.` })
    : problem('PMAP-N-001', { detail: `Venue ${id} is not mapped to your partner account.` });
}

async function reasonForAbsentProduct(
  tx: Tx,
  venue: VenueRecord,
  id: ProductId,
  noSuchProduct: ProblemCode,
): Promise<Problem> {
  const isOnSale = await findOnSale(tx, id);
  if (!isOnSale) {
    const detail =
      isOnSale === undefined ? `${venue.name} has no product ${id}.` : `${venue.name} no longer sells ${id}.`;
    return problem(noSuchProduct, { detail });
  }
  return venue.products.length === 0
    ? problem('AVAIL-N-003', { detail: `No product of ${venue.name} is mapped to your partner account.` })
    : problem('PMAP-N-002', { detail: `Product ${id} is not mapped to your partner account.` });
}

export { isInClosure } from './closure-store.ts';
export { isClosedOn, partialClosures, reachesInto } from './closures.ts';
export { depositFor } from './deposit.ts';
export { venueExample } from './examples.ts';
export { assertHours, stretchOf, unusable } from './hours/check.ts';
export {
  closingMinute,
  type ExceptionRow,
  type Hours,
  type HoursDocument,
  type HoursRows,
  hoursDocument,
  isStartAt,
  isTradingAt,
  type MinutePeriod,
  minutesOf,
  startMinutes,
  type WeeklyRow,
  writtenPeriod,
} from './hours/hours.ts';
export { replaceHours } from './hours/store.ts';
export { assertProduct, recordingLosses } from './manage/product-check.ts';
export { type ManagedProduct, NewOccurrenceBody, NewProductBody } from './manage/product-schema.ts';
export { listManagedProducts, markWithdrawn, productIdOf } from './manage/product-store.ts';
export { addProduct, saveProduct } from './manage/products.ts';
export { closed, HoursBody, segment, WeekdaySchema, weekdays } from './manage/schema-helpers.ts';
export { findHours, findManagedVenue, hasBookings, lockRef } from './manage/store.ts';
export { getSystems, isEventSystem, venueFaults } from './manage/venue-check.ts';
export {
  aboutVenue,
  assertRoom,
  getVenueRef,
  lockVenueRef,
  MOST_PARTS,
  notFound,
  type Request,
  type VenueRef,
} from './manage/venue-lock.ts';
export { ManagedVenue, NewVenueBody, type VenueBody } from './manage/venue-schema.ts';
export { addVenue, saveVenue } from './manage/venues.ts';
export { MenuBody, PackageBody } from './preorders/schema.ts';
export { assertOptions } from './preorders/service.ts';
export type {
  MenuRecord,
  OperatorSystems,
  PackageRecord,
  PhotoRecord,
  ProductRecord,
  RuleRecord,
  SpaceRecord,
  SpendOverrideRecord,
  VenueRecord,
} from './record.ts';
export { DEPOSIT_TERMS } from './record.ts';
export { definitionErrors, RuleDefinition, withoutScopes } from './rule-definition.ts';
export { Location, Product, Space, Venue } from './schema.ts';
export type { Candidate, CandidateSearch, Candidates } from './search/candidates.ts';
export { embeddingJobs, embeddingMetrics } from './search/embeddings.ts';
export { type Item, searchItems } from './search/item-search-store.ts';
export { createListCache } from './search/list-cache.ts';
export { searchOf, VenueQuery } from './search/query.ts';
export type { VenueFilter, VenueSearch } from './search/search-store.ts';
export { STEP_FREE_TYPE } from './search/search-store.ts';
export { loadVenues } from './store.ts';
export {
  AVAILABILITY_RULE_CHANNELS,
  AVAILABILITY_RULE_EFFECTS,
  AVAILABILITY_RULE_TYPES,
  type AvailabilityRuleDocument,
  type AvailabilityRuleType,
  type BookingRuleDocument,
  CAPACITY_LAYOUTS,
  type CapacityLayout,
  type MinimumSpendBand,
  type OperatorDocument,
  type PaymentRule,
  PRICE_UNITS,
  type PreOrderRequirement,
  type PriceUnit,
  type ProductDocument,
  type RefundTerm,
  type SpaceDocument,
  type SpacePolicies,
  type VenueDocument,
  type VenueKey,
} from './transfer/document.ts';
export {
  findStoredOperator,
  loadStoredVenues,
  type StoredOperator,
  type StoredProduct,
  type StoredRule,
  type StoredSpace,
  type StoredVenue,
} from './transfer/export-store.ts';
export {
  insertMapping as mapVenue,
  insertOperator as importOperator,
  saveVocabulary,
} from './transfer/import-store.ts';
export { locationView, photoUrl, spaceView, venueView, withoutInvisibleParts } from './view.ts';
