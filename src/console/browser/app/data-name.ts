/** `how-it-is-cooked` of «How it is cooked». */
export function dataName(text: string, most = 50): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replace(/^-+|-+$/g, '');
}

/** The name in data, with a number where it is taken. */
export function freeName(text: string, taken: readonly string[], most = 90): string {
  const name = dataName(text, most);
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) if (!taken.includes(`${name}-${number}`)) return `${name}-${number}`;
}
