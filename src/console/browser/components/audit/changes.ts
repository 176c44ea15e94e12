/** What is different between two documents, member by member. */
export interface Change {
  /** Such as `hours.monday` or `tables[2].seats`. */
  path: string;
  /** Undefined: it was not there, or is gone. */
  before: unknown;
  after: unknown;
}

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists of plain values are shown whole; in others the entries are compared by their place. */
const isPlainList = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null);

export function changesOf(before: unknown, after: unknown, path = ''): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isMembers(before) && isMembers(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesOf(before[name], after[name], path ? `${path}.${name}` : name));
  }
  const isCompared = Array.isArray(before) && Array.isArray(after);
  if (isCompared && !(isPlainList(before) && isPlainList(after))) {
    const places = Array.from({ length: Math.max(before.length, after.length) }, (_, place) => place);
    return places.flatMap((place) => changesOf(before[place], after[place], `${path}[${place}]`));
  }
  // What is new or gone as a whole is shown by its members.
  if (path === '' && isMembers(before) !== isMembers(after)) {
    const whole = isMembers(after) ? after : isMembers(before) ? before : undefined;
    const other = isMembers(after) ? before : after;
    if (whole && (other === null || other === undefined))
      return isMembers(after) ? changesOf({}, after) : changesOf(before, {});
  }
  return [{ path, before, after }];
}

/** A value as a line of text; undefined where there is none. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  return isPlainList(value) && (value as unknown[]).length > 0
    ? (value as unknown[]).map(String).join(', ')
    : JSON.stringify(value, null, 2);
}
