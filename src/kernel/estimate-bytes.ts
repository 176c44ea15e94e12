const POINTER = 8;
const OBJECT = 32;
const TEXT = 24;
const ENTRY = 40;
/** For what cannot be looked into: functions, instants, keys. */
const OPAQUE = 120;

/**
 * About how much memory a value takes, with everything that it leads to; what it leads to twice counts once. V8 says
 * this of no single value, and caches need to be right by a factor, not by a byte.
 */
export function estimateBytes(value: unknown): number {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  let bytes = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') bytes += TEXT + next.length;
    else if (typeof next === 'number') bytes += POINTER;
    else if (typeof next === 'function') bytes += OPAQUE;
    else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next);
      bytes += shallowBytes(next, waiting);
    }
  }
  return bytes;
}

/** Of the object alone; its parts are added to those that wait. */
function shallowBytes(value: object, waiting: unknown[]): number {
  if (ArrayBuffer.isView(value)) return OPAQUE + value.byteLength;
  if (Array.isArray(value) || value instanceof Set) {
    for (const member of value) waiting.push(member);
    return OBJECT + (Array.isArray(value) ? value.length * POINTER : value.size * ENTRY);
  }
  if (value instanceof Map) {
    for (const [key, member] of value) waiting.push(key, member);
    return 2 * OBJECT + value.size * ENTRY;
  }
  const members = Object.values(value);
  if (members.length === 0) return OPAQUE;
  for (const member of members) waiting.push(member);
  return OBJECT + members.length * POINTER;
}
