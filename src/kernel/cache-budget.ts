/**
 * How much memory the caches of a node may take, in bytes. All of them are listed here, so that their sum can be
 * documented (`docs/operating.md`); what each holds now is in the metrics.
 */
const MB = 1024 ** 2;

export const CACHE_BYTES = {
  answers: 64 * MB,
  venues: 24 * MB,
  list_facts: 4 * MB,
  embeddings: 32 * MB,
  house_configurations: 40 * MB,
  house_stays: 32 * MB,
  house_answers: 16 * MB,
  availability_answers: 24 * MB,
  booking_rules: 24 * MB,
  identity: 16 * MB,
  feed_inputs: 24 * MB,
  feed_indexes: 8 * MB,
  diaries: 16 * MB,
  system_accounts: 4 * MB,
  system_spaces: 2 * MB,
  parsed: 12 * MB,
} as const satisfies Record<string, number>;

export type CacheName = keyof typeof CACHE_BYTES;

interface Measured {
  readonly bytes: number;
}

/** Weakly, since several applications may come and go in one process. */
let caches: { name: CacheName; cache: WeakRef<Measured> }[] = [];

export function measureCache(name: CacheName, cache: Measured): void {
  caches.push({ name, cache: new WeakRef(cache) });
}

/** What the caches of this thread hold now. */
export function cacheBytes(): Map<CacheName, number> {
  const names = Object.keys(CACHE_BYTES) as CacheName[];
  const sums = new Map(names.map((name) => [name, 0]));
  caches = caches.filter(({ cache }) => cache.deref());
  for (const { name, cache } of caches) sums.set(name, (sums.get(name) ?? 0) + (cache.deref()?.bytes ?? 0));
  return sums;
}
