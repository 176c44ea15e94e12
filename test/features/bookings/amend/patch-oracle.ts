/** JSON Patch applied another way than `src/kernel/patch.ts` does it: to a copy, by recursion, or not at all. */

// biome-ignore lint/suspicious/noExplicitAny: documents are whatever a patch makes of them.
type Value = any;

const NOT_APPLICABLE = Symbol('not applicable');

/** The patched document; undefined when the patch cannot be applied. */
export function patchedBy(document: Value, steps: readonly Value[]): Value {
  let result = document;
  for (const { op, path, value } of steps) {
    const tokens = path === '' ? [] : path.slice(1).split('/').map(unescaped);
    result = applied(result, tokens, op, value);
    if (result === NOT_APPLICABLE) return undefined;
  }
  return result;
}

const unescaped = (token: string) => token.replace(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~'));

function applied(target: Value, [token, ...rest]: string[], op: string, value: Value): Value {
  if (token === undefined) return op === 'remove' ? NOT_APPLICABLE : value;
  if (Array.isArray(target)) return appliedToList(target, token, rest, op, value);
  if (target === null || typeof target !== 'object') return NOT_APPLICABLE;
  const members = new Map(Object.entries(target));
  const isLast = rest.length === 0;
  if (!members.has(token) && !(isLast && op === 'add')) return NOT_APPLICABLE;
  if (isLast && op === 'remove') members.delete(token);
  else {
    const inner = isLast ? value : applied(members.get(token), rest, op, value);
    if (inner === NOT_APPLICABLE) return NOT_APPLICABLE;
    members.set(token, inner);
  }
  return Object.fromEntries(members);
}

function appliedToList(list: Value[], token: string, rest: string[], op: string, value: Value): Value {
  const isLast = rest.length === 0;
  const isAdding = isLast && op === 'add';
  const index = token === '-' && isAdding ? list.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
  if (index < 0 || index > list.length || (index === list.length && !isAdding)) return NOT_APPLICABLE;
  const [head, tail] = [list.slice(0, index), list.slice(index)];
  if (isAdding) return [...head, value, ...tail];
  if (isLast && op === 'remove') return [...head, ...tail.slice(1)];
  const inner = isLast ? value : applied(list[index], rest, op, value);
  return inner === NOT_APPLICABLE ? NOT_APPLICABLE : [...head, inner, ...tail.slice(1)];
}
