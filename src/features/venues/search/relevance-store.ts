/**
 * Venues in the order of how well they fit a free text. What the text asks for (`understand.ts`) becomes queries on
 * the words of venues. Candidates come first, a limited number from the lists of each word and from the venues that
 * have several things at once, and only those are scored: the cost does not grow with the catalogue.
 */
import type { Fragment, Tx } from '../../../db/database.ts';
import type { Visibility } from '../../../http/auth/caller.ts';
import { visibleVenues } from '../../../http/auth/visibility-store.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { GROUPS_OF, isNot, isStopWord } from './synonyms.ts';
import { type Concept, nearestWord, placesIn, saysNothing, understand } from './understand.ts';

/** So many venues a list by relevance has at most. */
export const MOST_RANKED = 600;
/**
 * How many of the things that are asked for are looked up; candidates of a word, of a word that points to what is
 * asked for, and by several words at once; how many venues of each word are looked at for those; how many venues are
 * so few that each is scored; and how many names a misspelt word is held against.
 */
const MOST = { things: 8, same: 300, near: 60, together: 200, looked: 2000, few: 3000, alike: 200 };

/** A concept as queries on `venue.search`. */
interface Asked extends Concept {
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

const LEXEME = /'(?:[^']|'')+'/g;
const lexemesOf = (part: string) =>
  (part.match(LEXEME) ?? []).map((lexeme) => lexeme.slice(1, -1).replaceAll(/(['\\])\1/g, '$1'));
/** In so many names and texts that a list of the venues that have them leads nowhere. */
const COMMON = new Set([
  'bar',
  'dine',
  'food',
  'free',
  'friend',
  'hous',
  'menu',
  'night',
  'parti',
  'place',
  'restaur',
  'room',
  'tabl',
]);
/** A word to find each part by; words in a row by the last that is not a common one. */
const termsIn = (parts: readonly string[]) => [
  ...new Set(
    parts.flatMap((part) => {
      const lexemes = lexemesOf(part);
      return lexemes.findLast((lexeme) => !COMMON.has(lexeme)) ?? lexemes[0] ?? [];
    }),
  ),
];

const quoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;

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
function termsOf(tx: Tx, { visibility, condition }: Scope, terms: Fragment = tx`venue_term`): Fragment {
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
        where word <% ${named} and ${visibleVenues(tx, visibility)} order by 2 desc, 1 limit ${MOST.alike}) alike
    order by word, alike.similarity desc, alike.named`;
  return new Map(
    [...Map.groupBy(rows, ({ word }) => word)].map(([word, found]) => [
      word,
      [...new Set(found.flatMap(({ named }) => named))],
    ]),
  );
}

const anyOf = (parts: readonly string[]) => parts.join(' | ');
/** Areas, cities and types as a whole: they stand nowhere in a text and have no weight. */
const isKey = (part: string) => /^'(?:area|city|type)\//.test(part);

/** Only words that stand where they have one of these weights, and keys unless they are left out. */
function weighted(parts: readonly string[], weights: string, hasKeys = true): string {
  const words = parts.filter((part) => !isKey(part)).map((part) => part.replaceAll(LEXEME, `$&:${weights}`));
  return anyOf([...words, ...(hasKeys ? parts.filter(isKey) : [])]);
}

const partsIn = ({ sameParts, nearParts }: Asked) => [...sameParts, ...nearParts];
const wantedOf = ({ concepts }: Question) =>
  concepts.filter((asked) => !asked.isUnwanted && partsIn(asked).length > 0);

/** Read once for the whole statement, not for each row. */
const query = (tx: Tx, text: string): Fragment => tx`(select ${text}::tsquery)`;

/** Whether the text says only what is not wanted. */
const isOnlyUnwanted = ({ concepts }: Question) =>
  concepts.length > 0 && concepts.every(({ isUnwanted }) => isUnwanted);

/** Whether a venue `v` has nothing of what is not wanted. */
function hasNothingUnwanted(tx: Tx, { concepts }: Question): Fragment {
  const parts = concepts.filter(({ isUnwanted }) => isUnwanted).flatMap(({ sameParts }) => sameParts);
  return parts.length === 0 ? tx`true` : tx`not v.search @@ ${query(tx, anyOf(parts))}`;
}

/** The venues of the scope that have nothing of what is not wanted. */
export function withoutUnwanted(tx: Tx, question: Question, { visibility, condition }: Scope): Scope {
  if (!question.concepts.some(({ isUnwanted }) => isUnwanted)) return { visibility, condition };
  return {
    visibility,
    condition: tx`${condition ?? tx`true`} and ${hasNothingUnwanted(tx, question)}`,
  };
}

/** Whether a venue `v` has anything of what is asked for. */
export function hasAny(tx: Tx, question: Question): Fragment {
  if (isOnlyUnwanted(question)) return hasNothingUnwanted(tx, question);
  const parts = wantedOf(question).flatMap(partsIn);
  return parts.length === 0 ? tx`false` : tx`v.search @@ ${query(tx, anyOf(parts))}`;
}

/**
 * How much a venue `v` has of one thing, by where it says so: name, types and places count most, then the short text,
 * then the long one. What only points to the thing counts less wherever it stands.
 */
function scoreOf(tx: Tx, { sameParts, nearParts, weight, isUnwanted }: Asked): Fragment {
  const when = (text: string, level: number) =>
    text === '' ? tx`` : tx`when v.search @@ ${query(tx, text)} then ${level}::float`;
  const levels = (parts: readonly string[], [first, second, last]: readonly [number, number, number]) =>
    tx`${when(weighted(parts, 'AB'), first)} ${when(weighted(parts, 'C', false), second)} ${when(anyOf(parts), last)}`;
  const parts = [...sameParts, ...nearParts];
  return tx`${isUnwanted ? -weight : weight}::float * case when not v.search @@ ${query(tx, anyOf(parts))} then 0
    ${levels(sameParts, LEVELS.same)} ${levels(nearParts, LEVELS.near)} else 0 end`;
}

const LEVELS = { same: [1, 0.85, 0.7], near: [0.5, 0.35, 0.25] } as const;
const NAME_BONUS = 1.2;

function totalScore(tx: Tx, { concepts, names }: Question): Fragment {
  const scores = concepts.filter((asked) => partsIn(asked).length > 0).map((asked) => scoreOf(tx, asked));
  const bonuses = names.map(
    (name) =>
      tx`case when v.search @@ ${query(tx, weighted([name], 'A'))} then ${NAME_BONUS}::float else 0 end`,
  );
  return [...scores, ...bonuses].reduce((sum, score) => tx`${sum} + ${score}`, tx`0::float`);
}

/** A word of `venue_term` to begin with. */
interface WordList {
  term: string;
  most: number;
  weight: number;
  /** Which of the things that are asked for it stands for, as a bit. */
  thing: number;
}

function wordLists({ sameParts, nearParts, weight }: Asked, n: number): WordList[] {
  const thing = 1 << n;
  const same = termsIn(sameParts).map((term) => ({ term, most: MOST.same, weight, thing }));
  const near = termsIn(nearParts).map((term) => ({
    term,
    most: MOST.near,
    weight: weight / 2,
    // What points to a thing counts as the thing where nothing else does.
    thing: same.length === 0 ? thing : 0,
  }));
  return [...same, ...near];
}

const listsAs = (tx: Tx, lists: readonly WordList[]): Fragment =>
  tx`unnest(${lists.map(({ term }) => term)}::text[], ${lists.map(({ most }) => most)}::int[],
    ${lists.map(({ weight }) => weight)}::float[], ${lists.map(({ thing }) => thing)}::int[])
    list (term, most, weight, thing)`;

/**
 * Ids of venues that may be among the best: the first of each word, and those that have nearly everything that is
 * asked for, which are not always among the first of anything.
 */
function candidates(tx: Tx, question: Question, scope: Scope): Fragment {
  const wanted = wantedOf(question).slice(0, MOST.things);
  const lists = wanted.flatMap(wordLists);
  const firsts = tx`
    select found.id, list.weight from ${listsAs(tx, lists)},
      lateral (select v.id from ${termsOf(tx, scope)} and t.term = list.term
        order by t.tier, t.venue_id limit list.most) found`;
  if (wanted.length < 2) return firsts;
  const looked = listsAs(
    tx,
    lists.filter(({ thing }) => thing > 0),
  );
  const together = tx`
    select t.venue_id, bit_count(bit_or(list.thing)::bit(32)) as tier, 'together' as term from ${looked},
      lateral (select venue_id from venue_term t where t.term = list.term
        order by t.tier, t.venue_id limit ${MOST.looked}) t
    group by t.venue_id having bit_count(bit_or(list.thing)::bit(32)) >= ${Math.max(2, wanted.length - 1)}
    order by 2 desc, 1`;
  return tx`${firsts}
    union all
    (select v.id, t.tier * 2 from ${termsOf(tx, scope, tx`(${together})`)} limit ${MOST.together})`;
}

/** All ids of the scope if there are few, so that each can be looked at; undefined where there are many. */
export async function findFew(tx: Tx, { visibility, condition }: Scope): Promise<VenueId[] | undefined> {
  const rows = await (visibility.kind === 'partner' && condition === undefined
    ? tx<
        { id: VenueId }[]
      >`select venue_id as id from venue_mapping where partner_id = ${visibility.partnerId}
        limit ${MOST.few + 1}`
    : tx<{ id: VenueId }[]>`select v.id from venue v where ${visibleVenues(tx, visibility)}
        and ${condition ?? tx`true`} limit ${MOST.few + 1}`);
  return rows.length > MOST.few ? undefined : rows.map(({ id }) => id);
}

export interface Ranked {
  id: VenueId;
  score: number;
}

/** The best venues of the scope, the best first, `MOST_RANKED` at most. */
export async function rankByText(tx: Tx, question: Question, scope: Scope): Promise<Ranked[]> {
  if (isOnlyUnwanted(question)) return rankWithout(tx, question, scope);
  if (wantedOf(question).length === 0) return [];
  const few = await findFew(tx, scope);
  const chosen = few
    ? tx`unnest(${few}::text[]) candidate (id)`
    : tx`(select id from (${candidates(tx, question, scope)}) found
        group by id order by sum(weight) desc, id limit ${MOST_RANKED}) candidate`;
  const rows = await tx<Ranked[]>`
    select id, score from (
      select v.id, (${totalScore(tx, question)})::float as score from ${chosen} join venue v on v.id = candidate.id
    ) scored where score > 0 order by score desc, id limit ${MOST_RANKED}`;
  return [...rows];
}

/** Those that have nothing of what is not wanted, those last that have what points to it; by id otherwise. */
async function rankWithout(tx: Tx, question: Question, scope: Scope): Promise<Ranked[]> {
  const { visibility, condition } = withoutUnwanted(tx, question, scope);
  const rows = await tx<Ranked[]>`
    select id, score from (
      select v.id, greatest(0.1, 1 + ${totalScore(tx, question)})::float as score from venue v
      where ${visibleVenues(tx, visibility)} and ${condition ?? tx`true`} order by v.id limit ${MOST_RANKED}
    ) scored order by score desc, id`;
  return [...rows];
}

/** Where venues have what was asked for. */
export interface Reason {
  /** The words of the text, corrected where they were misspelt. */
  asked: string;
  where: 'name' | 'area' | 'city' | 'type' | 'summary' | 'description';
  /** False: not the thing itself, but what points to it, such as ramen where Japanese food is asked for. */
  isExact: boolean;
}

/** Why these venues fit. */
export async function findReasons(
  tx: Tx,
  question: Question,
  ids: readonly VenueId[],
): Promise<Map<VenueId, Reason[]>> {
  const wanted = wantedOf(question);
  if (wanted.length === 0 || ids.length === 0) return new Map();
  const places = wanted.map((asked) => whereOf(tx, asked)).reduce((all, one) => tx`${all}, ${one}`);
  const rows = await tx<{ id: VenueId; places: string[] }[]>`
    select v.id, array[${places}]::text[] as places from venue v where v.id = any(${[...ids]}::text[])`;
  return new Map(
    rows.map(({ id, places }) => [
      id,
      places.flatMap((place, n) => {
        const [where, how] = place.split(' ');
        const asked = wanted[n]?.asked;
        return where && asked ? { asked, where: where as Reason['where'], isExact: how === 'same' } : [];
      }),
    ]),
  );
}

function whereOf(tx: Tx, { sameParts, nearParts, places }: Asked): Fragment {
  const when = (parts: readonly string[], where: string) =>
    parts.length === 0 ? tx`` : tx`when v.search @@ ${query(tx, parts.join(' | '))} then ${where}`;
  const levels = (parts: readonly string[], how: string) =>
    parts.length === 0
      ? tx``
      : tx`when v.search @@ ${query(tx, weighted(parts, 'A', false))} then ${`name ${how}`}
          when v.search @@ ${query(tx, weighted(parts, 'B'))} then ${`type ${how}`}
          when v.search @@ ${query(tx, weighted(parts, 'C', false))} then ${`summary ${how}`}
          when v.search @@ ${query(tx, parts.join(' | '))} then ${`description ${how}`}`;
  const named = (kind: string) => places.filter((key) => key.startsWith(`${kind}/`)).map(quoted);
  return tx`case ${when(named('area'), 'area same')} ${when(named('city'), 'city same')}
    ${levels(sameParts, 'same')} ${levels(nearParts, 'near')} else '' end`;
}
