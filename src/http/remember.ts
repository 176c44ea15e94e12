/**
 * Keeps what `compute` answered for the keys asked for lately, at most `limit` times two. Two generations stand in for
 * a full least-recently-used list: a key that is asked for again moves to the young one, the old one is dropped
 * whole, and a hit costs one look-up. What throws is not kept.
 */
export function remember<Value>(limit: number, compute: (key: string) => Value): (key: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (key) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? compute(key);
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}
