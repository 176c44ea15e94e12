import { type FieldReport, memberPath } from './field-report.ts';

/** Deeper than anything the interface knows, and far from where walking a value exhausts the stack. */
const MAX_DEPTH = 64;

const NUL = '\0';

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
function isStorableText(text: string): boolean {
  return !text.includes(NUL) && text.isWellFormed();
}

/** Whether every text inside a value, names included, can be stored and the value is not nested too deeply. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1));
  for (const name of Object.keys(value)) {
    if (!isStorableText(name) || !isStorable((value as Record<string, unknown>)[name], depth + 1))
      return false;
  }
  return true;
}

/** Says which fields made `isStorable` false. Answers false itself when the nesting did, and nothing deeper was read. */
export function reportUnstorable(value: unknown, report: FieldReport, path = '', depth = 0): boolean {
  if (typeof value === 'string') {
    if (!isStorableText(value)) report.add(path, 'contains a character that cannot be stored');
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) {
    report.add(path, 'is nested too deeply');
    return false;
  }
  return Object.entries(value).every(([name, member]) => {
    const memberAt = memberPath(path, name);
    if (!isStorableText(name)) report.add(memberAt, 'has a name with a character that cannot be stored');
    return reportUnstorable(member, report, memberAt, depth + 1);
  });
}
