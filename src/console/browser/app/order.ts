/** The list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), entry, ...rest.slice(to)];
}

export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

export const replaced = <T>(list: readonly T[], at: number, entry: T): T[] =>
  list.map((each, index) => (index === at ? entry : each));

/** In or out of a set that is kept as a list. */
export const toggled = <T>(list: readonly T[], entry: T): T[] =>
  list.includes(entry) ? list.filter((each) => each !== entry) : [...list, entry];
