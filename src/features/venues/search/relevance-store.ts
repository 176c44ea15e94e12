/**
 * Venues in the order of how well they fit a free text. What the text asks for (`question-store.ts`) becomes queries
 * on the words of venues. Candidates come first, a limited number from the lists of each word and from the venues
 * that have several things at once, and only those are scored: the cost does not grow with the catalogue.
 */
import type { Fragment, Tx } from '../../../db/database.ts';
import { visibleVenues } from '../../../http/auth/visibility-store.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import {
  type Asked,
  LEXEME,
  lexemesOf,
  partsIn,
  type Question,
  quoted,
  type Scope,
  termsOf,
} from './question-store.ts';

/** So many venues a list by relevance has at most. */
const MOST_RANKED = 600;
/**
 * How many of the things that are asked for are looked up; candidates of a word, of a word that points to what is
 * asked for, and by several words at once; how many venues of each word are looked at for those; and how many are
 * so few that each is scored.
 */
const MOST = { things: 8, same: 300, near: 60, together: 200, looked: 2000, few: 3000 };

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

const anyOf = (parts: readonly string[]) => parts.join(' | ');
/** Areas, cities and types as a whole: they stand nowhere in a text and have no weight. */
const isKey = (part: string) => /^'(?:area|city|type)\//.test(part);

/** Only words that stand where they have one of these weights, and keys unless they are left out. */
function weighted(parts: readonly string[], weights: string, hasKeys = true): string {
  const words = parts.filter((part) => !isKey(part)).map((part) => part.replaceAll(LEXEME, `$&:${weights}`));
  return anyOf([...words, ...(hasKeys ? parts.filter(isKey) : [])]);
}

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
