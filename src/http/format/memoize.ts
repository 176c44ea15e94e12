import { measureCache } from '../../kernel/cache-budget.ts';

/** About what an entry takes: what is made of a text grows with it. */
const ENTRY_BYTES = 200;
const BYTES_PER_CHARACTER = 16;

const bytesOf = (key: string) => ENTRY_BYTES + BYTES_PER_CHARACTER * key.length;

/**
 * Caches results of `compute` for recently used keys, in about `maxBytes` of memory. Two generations approximate a
 * least-recently-used list: a key that is used again moves to the young one, the old one is dropped whole, and a hit
 * costs one look-up. Errors are not cached.
 */
export function memoize<Value>(maxBytes: number, compute: (key: string) => Value): (key: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  const youngest = { bytes: 0 };
  const oldest = { bytes: 0 };
  measureCache('parsed', youngest);
  measureCache('parsed', oldest);
  return (key) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? compute(key);
    const bytes = bytesOf(key);
    if (youngest.bytes + bytes > maxBytes / 2) {
      old = young;
      oldest.bytes = youngest.bytes;
      young = new Map();
      youngest.bytes = 0;
    }
    if (bytes > maxBytes / 2) return value;
    young.set(key, value);
    youngest.bytes += bytes;
    return value;
  };
}
