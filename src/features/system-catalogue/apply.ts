/** Reads a venue as it is here, and makes it what its system says, in one transaction. */
import type { Tx } from '../../db/database.ts';
import { type ProductId, partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import { findSystemSpaces } from '../../tms/system-store.ts';
import { insertSpace, listSpaces, MOST_SPACES, newSpace, updateSpace } from '../layout/service.ts';
import {
  addProduct,
  addVenue,
  assertRoom,
  findHours,
  findManagedVenue,
  hasBookings,
  listManagedProducts,
  lockVenueRef,
  MOST_PARTS,
  markWithdrawn,
  productIdOf,
  replaceHours,
  saveProduct,
  saveVenue,
  type VenueRef,
} from '../venues/service.ts';
import type { ProductPlan, SpacePlan, VenuePlan } from './difference.ts';
import { linkSpace, listFacts, saveFacts } from './facts-store.ts';
import { NO_FACTS, type OurVenue } from './merge.ts';

export async function findOurs(tx: Tx, id: VenueId): Promise<OurVenue | undefined> {
  const venue = await findManagedVenue(tx, id);
  if (!venue) return undefined;
  const facts = new Map((await listFacts(tx, [id])).map(({ productId, ...each }) => [productId, each]));
  const systemIds = await findSystemSpaces(tx, id);
  return {
    venue,
    hours: await findHours(tx, id),
    spaces: (await listSpaces(tx, id)).map(({ id: spaceId, name, description }) => ({
      id: spaceId,
      systemId: systemIds.get(spaceId) ?? null,
      name,
      description,
    })),
    products: (await listManagedProducts(tx, id)).map((product) => ({
      product,
      facts: facts.get(product.compositeId as ProductId) ?? NO_FACTS,
    })),
  };
}

/** What writing would refuse, so that a review says it too. */
export async function assertPossible(tx: Tx, ours: OurVenue | undefined, plan: VenuePlan): Promise<void> {
  const { products = [], spaces = [] } = ours ?? {};
  const added = plan.products.filter(({ saved }) => saved?.isNew).length;
  assertRoom(products.length + added - 1, MOST_PARTS.product, 'products at a venue');
  const newSpaces = plan.spaces.filter(({ id }) => id === null).length;
  assertRoom(spaces.length + newSpaces - 1, MOST_SPACES, 'spaces at a venue');
  if (
    ours &&
    ours.venue.timeZone !== plan.body.timeZone &&
    (await hasBookings(tx, { venueId: ours.venue.id }))
  )
    throw invalid('timeZone', 'cannot be changed: there are bookings at times of the old one');
}

export interface WriteOptions {
  registry: Registry;
  /** Whether venues and products that are not here yet are added. */
  isAdding: boolean;
}

/** For a venue that was read in the same transaction, under its lock. */
export async function writePlan(
  tx: Tx,
  id: VenueId,
  ours: OurVenue | undefined,
  plan: VenuePlan,
  { registry, isAdding }: WriteOptions,
): Promise<void> {
  if (!ours && !isAdding) return;
  if (!ours) await addVenue(tx, registry, partsOfVenueId(id), plan.body);
  else if (plan.found) await saveVenue(tx, registry, ours.venue, plan.body);
  if (plan.areHoursChanged) await replaceHours(tx, { venue_id: id }, plan.hours);
  await writeSpaces(tx, id, plan.spaces);
  await writeProducts(tx, id, plan.products, isAdding);
}

export async function writeProducts(
  tx: Tx,
  id: VenueId,
  plans: readonly ProductPlan[],
  isAdding: boolean,
): Promise<void> {
  const ref = await lockVenueRef(tx, id);
  for (const plan of plans)
    if (plan.found && (isAdding || plan.found.kind !== 'added')) await write(tx, id, ref, plan);
}

async function write(tx: Tx, id: VenueId, ref: VenueRef, { key, saved }: ProductPlan): Promise<void> {
  const productId = productIdOf(id, key);
  if (!saved) return markWithdrawn(tx, [productId], true);
  const { body, facts, isNew } = saved;
  if (isNew) await addProduct(tx, ref, id, body);
  else {
    await saveProduct(tx, ref, id, body);
    await markWithdrawn(tx, [productId], false);
  }
  await saveFacts(tx, productId, id, facts);
}

/** What systems do not say of a space. */
const PLAIN_SPACE = {
  policies: {
    minimumSpend: [],
    occasionTypes: [],
    under18s: true,
    promotedEvents: false,
    accessibility: false,
    servesFood: true,
  },
};

async function writeSpaces(tx: Tx, venueId: VenueId, plans: readonly SpacePlan[]): Promise<void> {
  const stored = plans.length === 0 ? [] : await listSpaces(tx, venueId);
  for (const { id, systemId, name, description } of plans) {
    const known = stored.find((space) => space.id === id);
    if (known) {
      await updateSpace(tx, known.id, { ...known, name, description });
    } else {
      const spaceId = await insertSpace(tx, venueId, newSpace({ ...PLAIN_SPACE, name, description }));
      await linkSpace(tx, venueId, systemId, spaceId);
    }
  }
}
