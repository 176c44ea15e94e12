import { CACHE_BYTES, type CacheName, measureCache } from '../kernel/cache-budget.ts';

/**
 * A cache of values read from the database. Entries carry tags; a change notification drops the entries with its tag.
 * Bounded by the estimated bytes of its entries; the least recently used are evicted first, where uses between two
 * additions count as one moment: an entry that is read all the time is not moved each time.
 */

/** Of an entry beside its key and its value: its places in the maps of the cache. */
const ENTRY_BYTES = 300;

interface Entry<Value> {
  value: Value;
  size: number;
  tags: readonly string[];
  /** How many entries had been added when this one was last read. */
  usedAt: number;
}

/** Taken before a read begins and passed when its result is cached. */
export type ReadTicket = number;

export class ReadCache<Value> {
  readonly #maxBytes: number;
  readonly #isTrustworthy: () => boolean;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #keysByTag = new Map<string, Set<string>>();
  #bytes = 0;
  #generation = 0;
  #kept = 0;

  /**
   * `isTrustworthy` tells whether changes would reach us now; while they would not, nothing is kept or served.
   * `maxBytes`: for one of several caches that share the budget of their name.
   */
  constructor(name: CacheName, isTrustworthy: () => boolean, maxBytes: number = CACHE_BYTES[name]) {
    this.#maxBytes = maxBytes;
    this.#isTrustworthy = isTrustworthy;
    measureCache(name, this);
  }

  /** Of all entries, as they were estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || !this.#isTrustworthy()) return undefined;
    if (entry.usedAt !== this.#kept) {
      entry.usedAt = this.#kept;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }

  beginRead(): ReadTicket {
    return this.#generation;
  }

  /** Keeps nothing when anything was dropped since the ticket was taken: the read may have seen the old state. */
  keep(ticket: ReadTicket, key: string, value: Value, valueBytes: number, tags: readonly string[]): void {
    const size = entryBytes(key, valueBytes);
    if (ticket !== this.#generation || size > this.#maxBytes || !this.#isTrustworthy()) return;
    this.#remove(key);
    this.#kept += 1;
    this.#entries.set(key, { value, size, tags, usedAt: this.#kept });
    this.#bytes += size;
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag);
      if (keys) keys.add(key);
      else this.#keysByTag.set(tag, new Set([key]));
    }
    this.#shrink();
  }

  /** For a kept value that has grown since; one that is no longer kept is left alone. */
  resize(key: string, value: Value, valueBytes: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.value !== value) return;
    const size = entryBytes(key, valueBytes);
    this.#bytes += size - entry.size;
    entry.size = size;
    // It is in use, so it must not be evicted to make room for itself.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#shrink();
  }

  drop(tag: string): void {
    this.#generation += 1;
    for (const key of this.#keysByTag.get(tag) ?? []) this.#remove(key);
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
    this.#keysByTag.clear();
    this.#bytes = 0;
  }

  #shrink(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.size;
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }
}

const entryBytes = (key: string, valueBytes: number) => ENTRY_BYTES + key.length + valueBytes;
