/** From the words of a question to what it asks for. Knows no catalogue: what is a place, the caller has to tell. */
import { GROUPS_OF, isDegree, isNot, isStopWord, MOST_WORDS, OPPOSITE_OF, WEAK_WORDS } from './synonyms.ts';

/** One thing that is asked for. */
export interface Concept {
  /** The words of the question. */
  asked: string;
  weight: number;
  isUnwanted: boolean;
  /** Ways to say it, as words with a space between them. */
  same: readonly string[];
  /** What points to it. */
  near: readonly string[];
  /** Places with this name, as `area/soho`. */
  places: readonly string[];
}

const WEIGHTS = { area: 1.7, city: 1.3, known: 1.3, plain: 1, weak: 0.4 };

const isNumber = (token: string) => /^\d{1,2}(?:pm|am|h|th|st|nd|rd|uhr)?$/.test(token);
/** Whether the word by itself asks for nothing. */
export const saysNothing = (token: string) => isStopWord(token) || isNumber(token);

/** Runs of words that may name a place. */
export function placesIn(tokens: readonly string[]): string[] {
  const runs = tokens.flatMap((_, start) =>
    Array.from({ length: Math.min(4, tokens.length - start) }, (_, n) => tokens.slice(start, start + n + 1)),
  );
  return [...new Set(runs.filter((run) => !run.every(saysNothing)).map((run) => run.join(' ')))];
}

/** What is asked for. `placesNamed` has the keys of the places that there are, by name. */
export function understand(
  tokens: readonly string[],
  placesNamed: ReadonlyMap<string, readonly string[]>,
): Concept[] {
  const concepts: Concept[] = [];
  let isUnwanted = false;
  for (let at = 0; at < tokens.length; ) {
    const length = lengthAt(tokens, at, placesNamed);
    const asked = tokens.slice(at, at + Math.max(1, length)).join(' ');
    at += Math.max(1, length);
    if (length === 0) {
      // «Not» reaches over «too» and the like to the next word that says something.
      isUnwanted = isNot(asked) || (isUnwanted && isDegree(asked));
      continue;
    }
    const opposite = isUnwanted ? OPPOSITE_OF.get(asked) : undefined;
    concepts.push({
      ...conceptOf(opposite ?? asked, placesNamed.get(asked) ?? []),
      isUnwanted: isUnwanted && opposite === undefined,
    });
    isUnwanted = false;
  }
  // A name may be made of such words alone: «28-50».
  return concepts.length > 0 ? concepts : tokens.map(weakConcept);
}

/** Of the longest thing that is known and begins here; one for any other word; none where the word says nothing. */
function lengthAt(tokens: readonly string[], at: number, places: ReadonlyMap<string, unknown>): number {
  for (let length = Math.min(MOST_WORDS, tokens.length - at); length > 1; length--) {
    const words = tokens.slice(at, at + length).join(' ');
    if (GROUPS_OF.has(words) || places.has(words)) return length;
  }
  return saysNothing(tokens[at] ?? '') ? 0 : 1;
}

function conceptOf(asked: string, places: readonly string[]): Omit<Concept, 'isUnwanted'> {
  const groups = GROUPS_OF.get(asked) ?? [];
  const own = groups.filter(({ same }) => same.includes(asked));
  const wider = groups.filter((group) => group.isWider && !own.includes(group));
  const same = new Set([asked, ...own.flatMap((group) => group.same)]);
  const near = new Set([...own.flatMap((group) => group.near), ...wider.flatMap((group) => group.same)]);
  return {
    asked,
    weight: weightOf(asked, places, groups.length > 0),
    same: [...same],
    near: [...near.difference(same)],
    places,
  };
}

function weightOf(asked: string, places: readonly string[], isKnown: boolean): number {
  if (places.some((key) => key.startsWith('area/'))) return WEIGHTS.area;
  if (places.length > 0) return WEIGHTS.city;
  if (WEAK_WORDS.has(asked)) return WEIGHTS.weak;
  return isKnown ? WEIGHTS.known : WEIGHTS.plain;
}

const weakConcept = (asked: string): Concept => ({
  asked,
  weight: WEIGHTS.weak,
  isUnwanted: false,
  same: [asked],
  near: [],
  places: [],
});

/** Letters to add, take away, change or swap to get from one word to the other; more than `most` is `Infinity`. */
function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(change, swap, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = last;
    last = row;
  }
  const distance = last[to.length] ?? 0;
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** How many letters may be wrong in a word. */
const mostWrong = (word: string) => (word.length < 4 ? 0 : word.length < 7 ? 1 : 2);

/** The word of the candidates that was probably meant. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate, mostWrong(word)) + (candidate[0] === word[0] ? 0 : 0.5);
    if (distance < (best?.distance ?? mostWrong(word) + 0.6)) best = { word: candidate, distance };
  }
  return best?.word;
}
