/**
 * The marketplace that a venue sells on: a partner with terms of its own. A venue is linked to it as a whole, and what
 * it shows is narrowed there by rules for whole weekdays, and by what the system of the venue hides itself.
 */
import type { Sql, Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import type { AuditLog } from '../../audit/service.ts';
import { mapVenue } from '../../venues/service.ts';
import type { VenueMarketplace } from '../operator-rules/schema.ts';
import { hasVenue, lockVenue } from '../operator-rules/store.ts';
import {
  deleteMarketplace,
  findMarketplace,
  findPartner,
  findUnknownKeys,
  isMapped,
  lockMarketplace,
  mapAllProducts,
  type StoredMarketplace,
  saveMarketplace,
  unmapVenue,
} from './store.ts';

/** What a rule hides there. */
export interface Hiding {
  /** Null: all products. */
  productKey: string | null;
  weekdays: readonly number[];
  /** Whether it takes the place of what the system of the venue hides. */
  replacesManaged: boolean;
}

export interface Marketplaces {
  get(venueId: VenueId): Promise<VenueMarketplace>;
  put(
    actor: Actor,
    venueId: VenueId,
    wanted: { marketplace: VenueMarketplace; ifMatch: string | undefined },
  ): Promise<VenueMarketplace>;
  /** For a rule that is to hold there; throws where it cannot. */
  makeRoom(tx: Tx, actor: Actor, venueId: VenueId, hiding: Hiding): Promise<void>;
}

const NONE: VenueMarketplace = { partnerId: null, listingId: null, isEnabled: false, managed: [] };

export function createMarketplaces({ sql, auditLog }: { sql: Sql; auditLog: AuditLog }): Marketplaces {
  return {
    get: (venueId) => read(sql, venueId),

    put: (actor, venueId, { marketplace, ifMatch }) =>
      auditLog.change({
        ...aboutMarketplace(venueId),
        actor,
        action: 'marketplace.change',
        ifMatch,
        async find(tx) {
          await lockVenue(tx, venueId);
          await lockMarketplace(tx, venueId);
          return read(tx, venueId);
        },
        write: (tx, before = NONE) => replace(tx, venueId, before, marketplace),
      }),

    async makeRoom(tx, actor, venueId, hiding) {
      await lockMarketplace(tx, venueId);
      const before = await read(tx, venueId);
      assertReady(before);
      const managed = before.managed.map((entry) => without(entry, hiding)).filter(hidesSomething);
      if (JSON.stringify(managed) === JSON.stringify(before.managed)) return;
      if (!hiding.replacesManaged) throw replacesTooMuch(before, hiding);
      const after = { ...before, managed };
      await saveMarketplace(tx, venueId, after);
      await auditLog.record(tx, {
        ...aboutMarketplace(venueId),
        actor,
        action: 'marketplace.change',
        before,
        after,
      });
    },
  };
}

const aboutMarketplace = (venueId: VenueId) => ({
  operatorId: partsOfVenueId(venueId).operatorId,
  subject: `marketplace ${venueId}`,
});

async function read(tx: Tx, venueId: VenueId): Promise<VenueMarketplace> {
  const found = await findMarketplace(tx, venueId);
  if (found) return found;
  if (await hasVenue(tx, venueId)) return NONE;
  throw problem('VENUE-N-001', { detail: `There is no venue ${venueId}.` });
}

async function replace(
  tx: Tx,
  venueId: VenueId,
  before: VenueMarketplace,
  wanted: VenueMarketplace,
): Promise<void> {
  if (hasPartner(wanted)) await assertPossible(tx, venueId, wanted);
  else if (wanted.isEnabled || wanted.listingId !== null || wanted.managed.length > 0)
    throw invalid('partnerId', 'must not be null unless everything else is empty too');
  const isKept = wanted.isEnabled && wanted.partnerId === before.partnerId;
  if (hasPartner(before) && before.isEnabled && !isKept) await unmapVenue(tx, venueId, before.partnerId);
  if (!hasPartner(wanted)) return deleteMarketplace(tx, venueId);
  await saveMarketplace(tx, venueId, wanted);
  if (wanted.isEnabled) await offerEverything(tx, venueId, wanted.partnerId);
}

const hasPartner = (place: VenueMarketplace): place is StoredMarketplace => place.partnerId !== null;

async function assertPossible(tx: Tx, venueId: VenueId, wanted: StoredMarketplace): Promise<void> {
  const partner = await findPartner(tx, wanted.partnerId);
  if (!partner) throw problem('PMAP-N-004', { detail: `There is no partner ${wanted.partnerId}.` });
  if (!partner.isMarketplace) throw invalid('partnerId', 'is a partner, but not a marketplace');
  const named = wanted.managed.map(({ productKey }) => productKey);
  const again = named.findIndex((productKey, index) => named.indexOf(productKey) < index);
  if (again >= 0) throw invalid(`managed.${again}.productKey`, 'is named twice');
  const keys = named.filter((productKey) => productKey !== null);
  const [unknown] = await findUnknownKeys(tx, venueId, keys);
  if (unknown === undefined) return;
  throw invalid(`managed.${named.indexOf(unknown)}.productKey`, 'is not a product of this venue');
}

async function offerEverything(tx: Tx, venueId: VenueId, partnerId: number): Promise<void> {
  if (!(await isMapped(tx, venueId, partnerId))) await mapVenue(tx, { partnerId, venueId, productIds: [] });
  await mapAllProducts(tx, venueId, partnerId);
}

function assertReady(place: VenueMarketplace): asserts place is StoredMarketplace {
  if (place.isEnabled && place.listingId !== null) return;
  throw problem('OPRUL-N-012', {
    detail: place.isEnabled
      ? 'The marketplace does not know the venue yet: it has no listingId.'
      : 'The venue sells on no marketplace at this moment.',
  });
}

type Managed = VenueMarketplace['managed'][number];

const isSameProduct = (one: string | null, other: string | null) =>
  one === null || other === null || one === other;

function without(entry: Managed, { productKey, weekdays }: Hiding): Managed {
  if (!isSameProduct(entry.productKey, productKey)) return entry;
  return { ...entry, weekdays: entry.weekdays.filter((weekday) => !weekdays.includes(weekday)) };
}

const hidesSomething = ({ weekdays }: Managed) => weekdays.length > 0;

function replacesTooMuch({ managed }: VenueMarketplace, { productKey, weekdays }: Hiding) {
  const taken = managed
    .filter((entry) => isSameProduct(entry.productKey, productKey))
    .flatMap((entry) => entry.weekdays.filter((weekday) => weekdays.includes(weekday)));
  return problem('OPRUL-N-011', {
    detail: `The system of the venue hides this there already on the weekdays ${[...new Set(taken)].sort().join(', ')}.`,
  });
}
