/**
 * The ids that the fuzzer has come across. Under `/manage` they are kept by the address of their collection, such as
 * `/manage/venues/7|house|x/zones`; what partners see is kept by kind for each of them.
 */
import type { Caller } from './callers.ts';
import type { Operation } from './document.ts';

/** Enough to choose from; the newest stay, because the older ones have been cancelled and deleted meanwhile. */
const KEPT = 80;

export interface Learnt {
  operation: Operation;
  /** The address as it was asked for, decoded and without its query. */
  path: string;
  caller: Caller;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any answer.
  body: any;
}

export interface Known {
  in(collection: string): readonly string[];
  /** Those of the same kind that were found in other collections. */
  elsewhere(collection: string): readonly string[];
  add(collection: string, id: unknown): void;
  learn(learnt: Learnt): void;
  /** What is there at this moment is never changed by anybody who could; of one collection, or of all. */
  protect(collection?: string): void;
  /** It is gone, and asked for no more. */
  forget(collection: string, id: string): void;
  isProtected(collection: string, id: string): boolean;
}

/** Whose pool a caller draws from. */
export function viewOf({ sight }: Caller): string {
  if (typeof sight === 'string') return sight;
  return 'partner' in sight ? sight.partner : `operator ${sight.operatorId}`;
}

export const KIND_OF: Record<string, string> = {
  venueId: 'venues',
  venueCompositeId: 'venues',
  compositeId: 'products',
  bookingId: 'bookings',
  orderId: 'orders',
  webhookId: 'webhooks',
  deliveryId: 'deliveries',
  eventId: 'events',
  holdId: 'holds',
  entryId: 'entries',
  uuid: 'reservations',
  id: 'products',
  productId: 'products',
  availabilityId: 'starts',
  code: 'codes',
};

export function createKnown(operations: readonly Operation[]): Known {
  const pools = new Map<string, string[]>();
  const kinds = new Map<string, Set<string>>();
  const isKept = new Set<string>();
  const childOf = childParameters(operations);

  function add(collection: string, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const pool = pools.getOrInsertComputed(collection, () => []);
    kinds.getOrInsertComputed(kindOf(collection), () => new Set()).add(collection);
    const text = String(id);
    if (pool.includes(text)) return;
    pool.push(text);
    if (pool.length > KEPT) pool.shift();
  }

  return {
    add,
    in: (collection) => pools.get(collection) ?? [],
    elsewhere(collection) {
      const others = [...(kinds.get(kindOf(collection)) ?? [])].filter((other) => other !== collection);
      return others.slice(-20).flatMap((other) => pools.get(other) ?? []);
    },
    learn({ operation, path, caller, body }) {
      if (typeof body !== 'object' || body === null) return;
      const items = itemsOf(body);
      if (path.startsWith('/manage')) {
        const child = childOf.get(operation.path);
        if (child) for (const item of items) add(path, idOf(item, child));
        return;
      }
      for (const item of items) learnForPartner(add, viewOf(caller), operation.path, item);
    },
    protect(only) {
      for (const [collection, ids] of pools)
        if (only === undefined || only === collection)
          for (const id of ids) isKept.add(`${collection} ${id}`);
    },
    forget(collection, id) {
      const pool = pools.get(collection);
      if (pool)
        pools.set(
          collection,
          pool.filter((other) => other !== id),
        );
    },
    isProtected: (collection, id) => isKept.has(`${collection} ${id}`),
  };
}

/** The ids of its parents do not make a collection another kind. */
function kindOf(collection: string): string {
  if (!collection.startsWith('/manage')) return collection.split(' ').at(-1) ?? '';
  return collection.replaceAll(/\/(?:\d[^/]*|[^/]*\|[^/]*|[0-9a-f-]{36})(?=\/)/g, '/*');
}

/** For each address that is a collection, what its members are called in paths. */
function childParameters(operations: readonly Operation[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path } of operations) {
    for (const [whole, before = '', name = ''] of path.matchAll(/(?<=^(.*))\/\{(\w+)\}/g))
      if (whole) found.set(before, name);
  }
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: members of any answer.
type Item = any;

function itemsOf(body: Item): Item[] {
  if (Array.isArray(body)) return body;
  return Array.isArray(body.data) ? body.data : [body];
}

function idOf(item: Item, name: string): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  return item[name] ?? item.id ?? item.key ?? item.slug ?? item.tms ?? item.partner?.id;
}

function learnForPartner(add: Known['add'], view: string, path: string, item: Item): void {
  if (typeof item !== 'object' || item === null) return;
  if (path === '/venues') {
    add(`${view} venues`, item.id);
    for (const { compositeId } of item.products ?? []) add(`${view} products`, compositeId);
  }
  if (/^\/venues\/.*holds/.test(path)) add(`${view} holds`, item.id);
  if (/^\/venues\/.*waitlist/.test(path)) add(`${view} entries`, item.id);
  if (path === '/octo/availability') add(`${view} starts`, item.id);
  if (path === '/octo/bookings') add(`${view} reservations`, item.uuid);
  if (path === '/problems') add(`${view} codes`, item.code);
  if (path.includes('booking') && 'operatorBookingId' in item) {
    add(`${view} bookings`, item.id);
    add(`${view} operator bookings`, item.operatorBookingId);
    // The operator of the venue has it in its own list.
    add(`/manage/operators/${String(item.compositeId).split('|')[0]}/bookings`, item.id);
  }
  if (path.startsWith('/v1/orders')) {
    add(`${view} orders`, item.orderId);
    for (const { bookingId } of item.items ?? []) add(`${view} order bookings`, bookingId);
  }
  if (path === '/webhooks/subscriptions') add(`${view} webhooks`, item.webhookId);
  if (path === '/webhooks/deliveries') add(`${view} deliveries`, item.id);
  if (path === '/webhooks/events') add(`${view} events`, item.id ?? item.eventId);
}
