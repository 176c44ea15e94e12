/**
 * What a node keeps in memory of things it has read. Entries carry tags; a notification that something
 * changed drops the entries with its tag. Bounded by the sum of the sizes that entries declare; the least
 * recently used ones go first, where uses between two additions count as one moment: an entry that is asked for
 * all the time is not moved each time.
 */

interface Entry<Value> {
  value: Value;
  size: number;
  tags: readonly string[];
  /** How many entries had been kept when this one was last asked for. */
  usedAt: number;
}

/** Taken before a read begins and shown when its result is kept. */
export type ReadTicket = number;

export class ReadCache<Value> {
  readonly #maxSize: number;
  readonly #isTrustworthy: () => boolean;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #keysByTag = new Map<string, Set<string>>();
  #size = 0;
  #generation = 0;
  #kept = 0;

  /** `isTrustworthy` tells whether changes would reach us now; while they would not, nothing is kept or served. */
  constructor(maxSize: number, isTrustworthy: () => boolean) {
    this.#maxSize = maxSize;
    this.#isTrustworthy = isTrustworthy;
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
  keep(ticket: ReadTicket, key: string, value: Value, size: number, tags: readonly string[]): void {
    if (ticket !== this.#generation || size > this.#maxSize || !this.#isTrustworthy()) return;
    this.#remove(key);
    this.#kept += 1;
    this.#entries.set(key, { value, size, tags, usedAt: this.#kept });
    this.#size += size;
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag);
      if (keys) keys.add(key);
      else this.#keysByTag.set(tag, new Set([key]));
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.#remove(oldest);
    }
  }

  drop(tag: string): void {
    this.#generation += 1;
    for (const key of this.#keysByTag.get(tag) ?? []) this.#remove(key);
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
    this.#keysByTag.clear();
    this.#size = 0;
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }
}
