/** What can be booked at a venue, as its operator keeps it. */
import { inSnapshot, type Sql, type Tx } from '../../../db/database.ts';
import type { ProductId, VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import type { Registry } from '../../../tms/registry.ts';
import { LOCAL_SYSTEMS, type SystemSlug, systemOf } from '../../../tms/systems.ts';
import type { AuditLog } from '../../audit/service.ts';
import { assertProduct, assertSystemParts } from './product-check.ts';
import type { ManagedProduct, NewProductBody, ProductBody } from './product-schema.ts';
import {
  deleteProduct,
  findBelongings,
  insertProduct,
  listManagedProducts,
  productIdOf,
  updateProduct,
} from './product-store.ts';
import { given } from './schema-helpers.ts';
import { hasBookings, nextPosition, type VenueRef } from './store.ts';
import { isEventSystem } from './venue-check.ts';
import { aboutVenue, assertRoomFor, getVenueRef, lockVenueRef, type Request } from './venue-lock.ts';

type ChangedProduct = ProductBody & Pick<NewProductBody, 'key'>;

export interface ProductKeeping {
  list(venueId: VenueId): Promise<ManagedProduct[]>;
  get(venueId: VenueId, key: string): Promise<ManagedProduct>;
  create(request: Request, venueId: VenueId, body: NewProductBody): Promise<ManagedProduct>;
  change(request: Request, venueId: VenueId, body: ChangedProduct): Promise<ManagedProduct>;
  /** Only one that was never booked. */
  remove(request: Request, venueId: VenueId, key: string): Promise<void>;
}

export interface ProductKeepingDeps {
  sql: Sql;
  registry: Registry;
  auditLog: AuditLog;
}

export function createProductKeeping({ sql, registry, auditLog }: ProductKeepingDeps): ProductKeeping {
  const about = (venueId: VenueId, id: string) => aboutVenue(venueId, 'product', id);

  async function getProduct(tx: Tx, venue: VenueRef, venueId: VenueId, id: ProductId) {
    const [product] = await listManagedProducts(tx, venueId, id);
    if (product) return product;
    throw problem(isEventSystem(registry, venue.tms) ? 'EVENT-N-002' : 'VENUE-N-002', {
      detail: `${venue.name} has no product ${id}.`,
    });
  }

  async function getLocked(tx: Tx, venueId: VenueId, id: ProductId): Promise<ManagedProduct> {
    return getProduct(tx, await lockVenueRef(tx, venueId), venueId, id);
  }

  return {
    list: (venueId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return listManagedProducts(tx, venueId);
      }),

    get: (venueId, key) =>
      inSnapshot(sql, async (tx) =>
        getProduct(tx, await getVenueRef(tx, venueId), venueId, productIdOf(venueId, key)),
      ),

    create: ({ actor }, venueId, body) =>
      auditLog.create({
        actor,
        action: 'product.create',
        about: ({ compositeId }) => about(venueId, compositeId),
        async write(tx) {
          const venue = await lockVenueRef(tx, venueId);
          await addProduct(tx, venue, venueId, body);
          return getProduct(tx, venue, venueId, productIdOf(venueId, body.key));
        },
      }),

    change(request, venueId, body) {
      const id = productIdOf(venueId, body.key);
      return auditLog.change({
        ...request,
        action: 'product.change',
        ...about(venueId, id),
        find: (tx) => getLocked(tx, venueId, id),
        async write(tx) {
          const venue = await getVenueRef(tx, venueId);
          await saveProduct(tx, venue, venueId, body);
        },
      });
    },

    remove(request, venueId, key) {
      const id = productIdOf(venueId, key);
      return auditLog.remove({
        ...request,
        action: 'product.remove',
        ...about(venueId, id),
        find: (tx) => getLocked(tx, venueId, id),
        async write(tx) {
          if (await hasBookings(tx, { productId: id }))
            throw invalid(
              'productKey',
              `${id} has bookings; take it out of what partners distribute instead`,
            );
          await deleteProduct(tx, id);
        },
      });
    },
  };
}

/** A product that is not there yet, of a venue that is locked. */
export async function addProduct(
  tx: Tx,
  venue: VenueRef,
  venueId: VenueId,
  body: NewProductBody,
): Promise<void> {
  await assertRoomFor(tx, venueId, 'product');
  await save(tx, venue, venueId, body, async (product) => {
    const position = await nextPosition(tx, 'product', venueId);
    if (!(await insertProduct(tx, venueId, product, position)))
      throw invalid('key', `is taken: ${venue.name} has a product ${product.key} already`);
  });
}

/** One that is there. */
export const saveProduct = (tx: Tx, venue: VenueRef, venueId: VenueId, body: ChangedProduct): Promise<void> =>
  save(tx, venue, venueId, body, (product) => updateProduct(tx, venueId, product));

type Product = Parameters<typeof insertProduct>[2];

/** The product first, then what the system behind the venue keeps of it. */
async function save(
  tx: Tx,
  venue: VenueRef,
  venueId: VenueId,
  body: NewProductBody,
  store: (product: Product) => Promise<void>,
): Promise<void> {
  const sent = given(body);
  const product = withoutParts(sent);
  assertProduct(product, venue, await findBelongings(tx, venueId));
  assertSystemParts(sent, venue);
  await store(product);
  const system = systemOf(venueId);
  const part = system && sent[system.slug];
  if (!part) return;
  const document = { ...given<object>(part), key: body.key };
  await system.catalogue.checkProduct(tx, venueId, document);
  await system.catalogue.saveProduct(tx, venueId, document);
}

function withoutParts<Sent extends object>(sent: Sent): Omit<Sent, SystemSlug> {
  const product: Partial<Record<SystemSlug, unknown>> & Sent = { ...sent };
  for (const { slug } of LOCAL_SYSTEMS) delete product[slug];
  return product;
}
