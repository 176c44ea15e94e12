/** What is wrong, field by field, bounded so that a hostile request does not get a hostile answer. */
export interface FieldReport {
  add(path: string, message: string): void;
  readonly isFull: boolean;
  readonly size: number;
  entries(): [path: string, messages: string[]][];
}

const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 100;
/** Of fields or parameters that do not exist; the others are counted. */
export const MAX_UNKNOWN_NAMED = 20;

export function fieldReport(): FieldReport {
  // A map, because a field may well be called `__proto__`.
  const errors = new Map<string, string[]>();
  return {
    add(path, message) {
      const messages = errors.get(path);
      if (messages?.includes(message)) return;
      if (messages) messages.push(message);
      else if (errors.size < MAX_FIELDS) errors.set(path, [message]);
    },
    get isFull() {
      return errors.size >= MAX_FIELDS;
    },
    get size() {
      return errors.size;
    },
    entries: () => [...errors],
  };
}

/** `preorders.menus.0.id`; names that callers made up are shortened. */
export function memberPath(path: string, name: string | number): string {
  const text = String(name);
  const shown = text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;
  return path === '' ? shown : `${path}.${shown}`;
}

/** Of the unknown ones in one place, those that were not named one by one. */
export function reportUnnamed(
  unknown: number,
  kind: 'field' | 'parameter',
  path: string,
  report: FieldReport,
): void {
  const unnamed = unknown - MAX_UNKNOWN_NAMED;
  if (unnamed > 0) report.add(path, `has ${unnamed} more unknown ${kind}${unnamed === 1 ? '' : 's'}`);
}
