import type { Notifications } from '../../db/notifications.ts';
import { ReadCache } from '../../db/read-cache.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';

export interface Cache<V> {
  find(key: string): V | undefined;
  /** What is kept under the key, or else what `load` gives; `undefined` is never kept. */
  read(key: string, load: () => Promise<V>): Promise<V>;
  clear(): void;
}

export interface Caches {
  create<V>(maxBytes: number): Cache<V>;
}

/** Caches that are emptied together: when something about identity changes, and when a change could go unheard. */
export function createCaches(notifications: Notifications): Caches {
  const all: ReadCache<never>[] = [];
  const clearAll = () => {
    for (const cache of all) cache.clear();
  };
  notifications.subscribe({
    changed: (topic) => {
      if (topic === 'identity') clearAll();
    },
    lost: clearAll,
  });
  const isConnected = () => notifications.isConnected();

  function create<V>(maxBytes: number): Cache<V> {
    const cache = new ReadCache<V>('identity', isConnected, maxBytes);
    all.push(cache as ReadCache<never>);

    async function read(key: string, load: () => Promise<V>): Promise<V> {
      const kept = cache.get(key);
      if (kept !== undefined) return kept;
      // A read that begins while the listener is disconnected may miss a change, so its result is not cached.
      const ticket = isConnected() ? cache.beginRead() : undefined;
      const value = await load();
      if (ticket !== undefined && value !== undefined)
        cache.keep(ticket, key, value, estimateBytes(value), []);
      return value;
    }

    return { find: (key) => cache.get(key), read, clear: () => cache.clear() };
  }

  return { create };
}
