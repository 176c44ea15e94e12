/** Settings as people type them: `12` and `true` are a number and a boolean, what is in quotes is text. */
export type SettingValue = string | number | boolean;

export interface Pair {
  name: string;
  value: string;
}

export function readSetting(typed: string): SettingValue {
  if (typed === 'true' || typed === 'false') return typed === 'true';
  if (/^".*"$/s.test(typed)) return typed.slice(1, -1);
  return typed !== '' && String(Number(typed)) === typed ? Number(typed) : typed;
}

/** What `readSetting` reads as the same value. */
export function typedOf(value: SettingValue): string {
  if (typeof value !== 'string') return String(value);
  return readSetting(value) === value ? value : `"${value}"`;
}

export const pairsOf = (values: Record<string, SettingValue>): Pair[] =>
  Object.entries(values).map(([name, value]) => ({ name, value: typedOf(value) }));

/** Rows without a name are left out. */
export const valuesOf = <T>(pairs: readonly Pair[], read: (typed: string) => T): Record<string, T> =>
  Object.fromEntries(pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, read(value)]));
