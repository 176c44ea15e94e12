/** Whether two companies are probably one: their names without what says nothing, compared by groups of three letters. */

const SAYS_NOTHING = new Set(
  (
    'the and co company corp corporation inc incorporated limited llc llp ltd ' +
    'plc ab ag aps bv gmbh kg nv oy pty sa sarl sas se spa srl ug'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+/gu;
/** Accents become characters of their own, which are no letters. */
const ACCENTS = /\p{M}/gu;
/** Between letters as in S.A. or O'Neill; it separates nothing. */
const DOTS = /[.'’]/g;

/** Letters and digits of what is left; a name of nothing but empty words is what it is. */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').replace(DOTS, '').toLowerCase();
  const words = plain.match(WORD) ?? [];
  const telling = words.filter((word) => !SAYS_NOTHING.has(word));
  return (telling.length > 0 ? telling : words).join('') || name.trim();
}

function trigramsOf(key: string): Set<string> {
  const letters = [' ', ' ', ...key, ' '];
  return new Set(letters.slice(2).map((_, index) => letters.slice(index, index + 3).join('')));
}

/** From 0 to 1, as the extension pg_trgm counts: the groups that both have, of those that either has. */
export function likeness(one: string, other: string): number {
  const [left, right] = [trigramsOf(one), trigramsOf(other)];
  const common = left.intersection(right).size;
  return common / (left.size + right.size - common);
}

const SIMILAR = 0.6;

export function findSimilar<Named extends { name: string }>(
  name: string,
  others: readonly Named[],
): Named | undefined {
  const key = nameKey(name);
  return others.find((other) => likeness(key, nameKey(other.name)) >= SIMILAR);
}
