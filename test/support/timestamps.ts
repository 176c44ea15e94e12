const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(\.\d+)?Z$/;

/** OCTO writes whole seconds in the first; in the others people write what they like. */
const OTHERS = new Set(['utcCutoffAt', 'text', 'notes', 'firstName', 'lastName', 'phone', 'reference']);

/** Where a value says an instant, but not with three digits of a second as all of ours do. */
export function oddTimestamps(value: unknown, path = ''): string[] {
  if (typeof value === 'string') {
    const found = INSTANT.exec(value);
    return found && found[1]?.length !== 4 ? [`${path}: ${value}`] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).filter(([name]) => !OTHERS.has(name));
  return members.flatMap(([name, member]) => oddTimestamps(member, `${path}.${name}`));
}
