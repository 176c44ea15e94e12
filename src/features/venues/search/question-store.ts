/**
 * Reads a free text as what it asks for (`understand.ts`), with the stems that the database has for its words, the
 * places that it names, and misspelt words put right.
 */
import type { Fragment, Tx } from '../../../db/database.ts';
import type { Visibility } from '../../../http/auth/caller.ts';
import { visibleVenues } from '../../../http/auth/visibility-store.ts';
import { GROUPS_OF, isNot, isStopWord } from './synonyms.ts';
import { type Concept, nearestWord, placesIn, saysNothing, understand } from './understand.ts';

/** So many names a misspelt word is held against. */
const MOST_ALIKE = 200;

/** A concept as queries on `venue.search`. */
export interface Asked extends Concept {
  /** Parts of a query, each a word, words in a row or a place. */
  sameParts: readonly string[];
  nearParts: readonly string[];
}

export interface Question {
  concepts: readonly Asked[];
  /** All of the words, as they would stand in a name; numbers may be part of it, or of the party and the time. */
  names: readonly string[];
}

/** Both are on a venue `v`. */
export interface Scope {
  visibility: Visibility;
  /** Undefined: all that are visible. */
  condition: Fragment | undefined;
}

export const partsIn = ({ sameParts, nearParts }: Asked) => [...sameParts, ...nearParts];

/** Reads a text. Words that no venue of the caller has are taken for misspelt ones, where there is one like them. */
export async function readQuestion(tx: Tx, visibility: Visibility, text: string): Promise<Question> {
  let tokens = await readTokens(tx, text);
  let known = await findKnown(tx, visibility, tokens);
  if (known.strange.length > 0) {
    const corrected = await correct(tx, visibility, tokens, known.strange);
    if (corrected.some((token, n) => token !== tokens[n])) {
      tokens = corrected;
      known = await findKnown(tx, visibility, tokens);
    }
  }
  const concepts = understand(tokens, known.places);
  const queryOf = await readPhrases(tx, [
    ...tokens,
    ...concepts.flatMap(({ same, near }) => [...same, ...near]),
  ]);
  const asked = concepts.map((concept) => ({
    ...concept,
    sameParts: [...partsOf(concept.same, queryOf), ...concept.places.map(quoted)],
    nearParts: partsOf(concept.near, queryOf),
  }));
  const isInUse = await findInUse(tx, asked.flatMap(partsIn));
  return {
    concepts: asked.map((concept) => ({
      ...concept,
      sameParts: [...new Set(concept.sameParts)].filter(isInUse),
      nearParts: [...new Set(concept.nearParts)].filter(isInUse),
    })),
    names: [
      ...new Set([saysNothing, isStopWord].map((isLeftOut) => nameOf(tokens, isLeftOut, queryOf))),
    ].filter(Boolean),
  };
}

/** The words of a text as the database folds and parts those of venues. */
async function readTokens(tx: Tx, text: string): Promise<string[]> {
  const [row] = await tx<{ tokens: string[] }[]>`
    select string_to_array(search_words(${text}), ' ') as tokens`;
  return (row?.tokens ?? []).filter(Boolean);
}

const nameOf = (
  tokens: readonly string[],
  isLeftOut: (token: string) => boolean,
  queryOf: (token: string) => string,
) =>
  tokens
    .filter((token) => !isLeftOut(token))
    .flatMap((token) => queryOf(token) || [])
    .join(' & ');

/** Most synonyms are in no venue at all, and would only have to be looked for in each. */
async function findInUse(tx: Tx, parts: readonly string[]): Promise<(part: string) => boolean> {
  const words = [...new Set(parts.flatMap(lexemesOf))];
  const rows = await tx<{ word: string }[]>`
    select word from unnest(${words}::text[]) word where exists (select from venue_term where term = word)`;
  const inUse = new Set(rows.map(({ word }) => word));
  return (part) => lexemesOf(part).every((lexeme) => inUse.has(lexeme));
}

export const LEXEME = /'(?:[^']|'')+'/g;
export const lexemesOf = (part: string) =>
  (part.match(LEXEME) ?? []).map((lexeme) => lexeme.slice(1, -1).replaceAll(/(['\\])\1/g, '$1'));
export const quoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;

function partsOf(phrases: readonly string[], queryOf: (phrase: string) => string): string[] {
  return phrases.flatMap((phrase) => {
    const query = queryOf(phrase);
    const isWhole = !phrase.includes(' ') || (query.includes('<') && !phrase.split(' ').some(isNot));
    // Stop words are lost: «no steps» would ask for steps. The stem of «lively» is that of «live».
    if (query === '' || !isWhole || phrase === 'lively') return [];
    return phrase.includes(' ') ? [`(${query})`, quoted(`type/${phrase.replaceAll(' ', '-')}`)] : [query];
  });
}

/** The stems of what the synonyms name are the same for as long as the program runs. */
const stems = new Map<string, string>();

async function readPhrases(tx: Tx, phrases: readonly string[]): Promise<(phrase: string) => string> {
  const isFirst = stems.size === 0;
  const missing = [...new Set(isFirst ? [...GROUPS_OF.keys(), ...phrases] : phrases)].filter(
    (phrase) => !stems.has(phrase),
  );
  const own = new Map<string, string>();
  if (missing.length > 0) {
    const rows = await tx<{ phrase: string; query: string }[]>`
      select phrase, phraseto_tsquery('english', phrase)::text as query from unnest(${missing}::text[]) phrase`;
    for (const { phrase, query } of rows) (GROUPS_OF.has(phrase) ? stems : own).set(phrase, query);
  }
  return (phrase) => stems.get(phrase) ?? own.get(phrase) ?? '';
}

/** The terms `t` of visible venues; `venue` itself is read only where something has to be known of it. */
export function termsOf(
  tx: Tx,
  { visibility, condition }: Scope,
  terms: Fragment = tx`venue_term`,
): Fragment {
  const isByTerm = visibility.kind !== 'operator' && condition === undefined;
  return isByTerm
    ? tx`${terms} t, lateral (select t.venue_id as id) v where ${visibleVenues(tx, visibility)}`
    : tx`${terms} t join venue v on v.id = t.venue_id
        where ${visibleVenues(tx, visibility)} and ${condition ?? tx`true`}`;
}

interface Known {
  places: Map<string, string[]>;
  /** Words of the text that no visible venue has. */
  strange: string[];
}

async function findKnown(tx: Tx, visibility: Visibility, tokens: readonly string[]): Promise<Known> {
  const names = placesIn(tokens);
  const words = [...new Set(tokens.filter((token) => !saysNothing(token) && !GROUPS_OF.has(token)))];
  const terms = termsOf(tx, { visibility, condition: undefined });
  const found = await tx<{ kind: 'area' | 'city' | 'word'; text: string }[]>`
    select kind, text from unnest(${names}::text[]) text, unnest(array['area', 'city']) kind
    where exists (select from ${terms} and t.term = kind || '/' || text)
    union all
    select 'word', text from unnest(${words}::text[]) text
    where exists (select from ${terms} and t.term = (ts_lexize('english_stem', text))[1])`;
  const places = new Map<string, string[]>();
  for (const { kind, text } of found)
    if (kind !== 'word') places.set(text, [...(places.get(text) ?? []), `${kind}/${text}`]);
  const isKnown = new Set(found.map(({ text }) => text).flatMap((text) => text.split(' ')));
  return { places, strange: words.filter((word) => !isKnown.has(word)) };
}

/** Longer ones are names and numbers of their own kind. */
const LONGEST_CORRECTED = 30;
const GROUP_WORDS = [...GROUPS_OF.keys()].filter((word) => !word.includes(' '));

/** Puts the words right that are strange: from the synonyms, from names and places, and as beginnings of words. */
async function correct(
  tx: Tx,
  visibility: Visibility,
  tokens: readonly string[],
  strange: readonly string[],
): Promise<string[]> {
  const asked = strange.filter((word) => word.length > 2 && word.length <= LONGEST_CORRECTED);
  if (asked.length === 0) return [...tokens];
  const alike = await findAlike(tx, visibility, asked);
  const meant = new Map(
    asked.map((word) => {
      const candidates = [...GROUP_WORDS, ...(alike.get(word) ?? [])];
      const begun = (alike.get(word) ?? []).find((candidate) => candidate.startsWith(word));
      return [word, begun ?? nearestWord(word, candidates) ?? word];
    }),
  );
  return tokens.map((token) => meant.get(token) ?? token);
}

/** Words of names, areas and cities that look like these. */
async function findAlike(
  tx: Tx,
  visibility: Visibility,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const named = tx`fold(v.name || ' ' || v.area || ' ' || v.city)`;
  // Two letters in the wrong order leave less than half of a short word as it was.
  await tx`select set_config('pg_trgm.word_similarity_threshold', '0.4', true)`;
  const rows = await tx<{ word: string; named: string[] }[]>`
    select word, string_to_array(search_words(alike.named), ' ') as named from unnest(${[...words]}::text[]) word,
      lateral (select ${named} as named, word_similarity(word, ${named}) as similarity from venue v
        where word <% ${named} and ${visibleVenues(tx, visibility)} order by 2 desc, 1 limit ${MOST_ALIKE}) alike
    order by word, alike.similarity desc, alike.named`;
  return new Map(
    [...Map.groupBy(rows, ({ word }) => word)].map(([word, found]) => [
      word,
      [...new Set(found.flatMap(({ named }) => named))],
    ]),
  );
}
