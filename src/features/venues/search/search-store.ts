import type { Fragment, Tx } from '../../../db/database.ts';
import type { Visibility } from '../../../http/auth/caller.ts';
import { visibleProducts, visibleVenues } from '../../../http/auth/visibility-store.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { MINUTES_PER_DAY } from '../../../kernel/zone-time.ts';
import { isClosedAt } from '../closure-store.ts';
import { bySystem } from '../hours/store.ts';
import { countVisibleVenues } from '../store.ts';
import { type Question, readQuestion, type Scope } from './question-store.ts';
import { hasAny, type Ranked, rankByText } from './relevance-store.ts';

export const SORTS = ['default', 'name', 'city', 'area', 'venueGroup', 'relevance'] as const;

export interface VenueFilter {
  venueGroupName?: string;
  /** Part of the operator's name. */
  operatorName?: string;
  /** Behind one of these systems, or behind none of them. */
  systems?: { slugs: readonly string[]; areMeant: boolean };
  venueName?: string;
  city?: string;
  area?: string;
  /** In one of these; case and accents make no difference. */
  cities?: readonly string[];
  areas?: readonly string[];
  /** The venue, or a space of it, can be reached without steps. */
  isStepFree?: boolean;
  productName?: string;
  features?: readonly string[];
  near?: { lat: number; lng: number; radiusMetres: number };
  /** Open on this trading day, at this minute of the clock when one is given. */
  open?: { date: string; weekday: number; minute?: number };
  query?: string;
}

export interface VenueSearch {
  filter: VenueFilter;
  sortBy: (typeof SORTS)[number];
  direction: 'ASC' | 'DESC';
  limit: number;
  offset: number;
}

/** The venue type of a house that can be reached without steps as a whole. */
export const STEP_FREE_TYPE = 'wheelchair-accessible';

const EARTH_RADIUS_METRES = 6_371_008.8;
const METRES_PER_DEGREE = 111_320;

const likePattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
/** Case is folded by Unicode's rules whatever the database's own locale. */
const folded = (tx: Tx, expression: Fragment) => tx`lower((${expression}) collate "und-x-icu")`;

function contains(tx: Tx, column: Fragment, text: string): Fragment {
  return tx`${folded(tx, column)} like ${folded(tx, tx`${likePattern(text)}::text`)}`;
}

function equals(tx: Tx, column: Fragment, text: string): Fragment {
  return tx`${folded(tx, column)} = ${folded(tx, tx`${text}::text`)}`;
}

/** Whether a venue `v` is in one of these, by the words that a search knows the place by. */
export function isInOneOf(tx: Tx, kind: 'area' | 'city', names: readonly string[]): Fragment {
  return tx`v.search @@ (select string_agg('''' || ${kind}::text || '/' || search_words(asked) || '''', ' | ')::tsquery
    from unnest(${[...names]}::text[]) asked)`;
}

function isStepFree(tx: Tx): Fragment {
  return tx`(v.types @> ${[STEP_FREE_TYPE]}::text[] or exists (
    select from space s where s.venue_id = v.id and s.policies @> '{"accessibility": true}'::jsonb))`;
}

/** Degrees are the narrower the nearer a pole is. A circle that reaches one, or across the date line, may be anywhere. */
function longitudesAround(lat: number, lng: number, latitudeSpan: number): [number, number] {
  const nearestToPole = Math.abs(lat) + latitudeSpan;
  const span = nearestToPole >= 89 ? 360 : latitudeSpan / Math.cos((nearestToPole * Math.PI) / 180);
  const isWhole = lng - span < -180 || lng + span > 180;
  return isWhole ? [-180, 180] : [lng - span, lng + span];
}

/** From a point to a venue `v`. */
export function metresFrom(tx: Tx, { lat, lng }: { lat: number; lng: number }): Fragment {
  return tx`${2 * EARTH_RADIUS_METRES} * asin(sqrt(least(1,
      power(sin(radians(v.lat - ${lat}) / 2), 2)
      + cos(radians(${lat})) * cos(radians(v.lat)) * power(sin(radians(v.lng - ${lng}) / 2), 2))))`;
}

function nearby(tx: Tx, { lat, lng, radiusMetres }: NonNullable<VenueFilter['near']>): Fragment {
  const latitudeSpan = radiusMetres / METRES_PER_DEGREE + 0.01;
  const [west, east] = longitudesAround(lat, lng, latitudeSpan);
  return tx`point(v.lng, v.lat) <@ box(point(${west}, ${lat - latitudeSpan}), point(${east}, ${lat + latitudeSpan}))
    and ${metresFrom(tx, { lat, lng })} <= ${radiusMetres}`;
}

/** A time before dawn may belong to the trading day that began the day before: both readings are tried. */
function openAt(
  tx: Tx,
  visibility: Visibility,
  { date, weekday, minute }: NonNullable<VenueFilter['open']>,
): Fragment {
  const covers =
    minute === undefined
      ? tx`true`
      : tx`(opens_minute <= ${minute} and closes_minute > ${minute}
          or opens_minute <= ${minute + MINUTES_PER_DAY} and closes_minute > ${minute + MINUTES_PER_DAY})`;
  const exceptions = tx`select from venue_exception e where e.venue_id = v.id and e.date = ${date}`;
  // A venue that is closed on the date may have a product that is not.
  const ownHours = tx`select from product p join product_exception x on x.product_id = p.id
    where p.venue_id = v.id and x.date = ${date} and opens_minute is not null and ${covers}
      and ${visibleProducts(tx, visibility)}`;
  const byCatalogue = tx`case
    when exists (${exceptions} and opens_minute is null) then exists (${ownHours})
    when exists (${exceptions}) then exists (${exceptions} and opens_minute is not null and ${covers})
    else exists (select from venue_hours h where h.venue_id = v.id and h.weekday = ${weekday} and ${covers}) end`;
  const bySystemHours = (hours: Fragment) =>
    tx`exists (select from (${hours}) o where o.date = ${date} and ${covers})`;
  return tx`v.closed_at is null and ${bySystem(tx, bySystemHours, byCatalogue)}
    and not ${isClosedAt(tx, visibility, { date, minute })}`;
}

function conditionsOf(tx: Tx, visibility: Visibility, filter: VenueFilter): Fragment[] {
  const all: Fragment[] = [];
  if (filter.venueGroupName !== undefined) {
    all.push(
      tx`v.operator_id in (select o.id from operator o where ${equals(tx, tx`o.name`, filter.venueGroupName)})`,
    );
  }
  if (filter.operatorName !== undefined) {
    all.push(
      tx`v.operator_id in (select o.id from operator o where ${contains(tx, tx`o.name`, filter.operatorName)})`,
    );
  }
  if (filter.systems !== undefined) {
    const { slugs, areMeant } = filter.systems;
    all.push(areMeant ? tx`v.tms = any(${[...slugs]}::text[])` : tx`v.tms <> all(${[...slugs]}::text[])`);
  }
  if (filter.venueName !== undefined) all.push(contains(tx, tx`v.name`, filter.venueName));
  if (filter.city !== undefined) all.push(equals(tx, tx`v.city`, filter.city));
  if (filter.area !== undefined) all.push(equals(tx, tx`v.area`, filter.area));
  if (filter.cities !== undefined) all.push(isInOneOf(tx, 'city', filter.cities));
  if (filter.areas !== undefined) all.push(isInOneOf(tx, 'area', filter.areas));
  if (filter.isStepFree) all.push(isStepFree(tx));
  if (filter.features !== undefined) all.push(tx`v.types @> ${[...filter.features]}::text[]`);
  if (filter.productName !== undefined) {
    all.push(tx`exists (select from product p where p.venue_id = v.id and ${visibleProducts(tx, visibility)}
      and ${contains(tx, tx`p.name`, filter.productName)})`);
  }
  if (filter.near !== undefined) all.push(nearby(tx, filter.near));
  if (filter.open !== undefined) all.push(openAt(tx, visibility, filter.open));
  return all;
}

export interface Search {
  /** Undefined: no condition. */
  condition: Fragment | undefined;
  order: Fragment;
}

const allOf = (tx: Tx, conditions: readonly Fragment[]): Fragment | undefined =>
  conditions.length === 0 ? undefined : conditions.reduce((left, right) => tx`${left} and ${right}`);

/** The condition of a search on a venue `v`, and the order of its results. */
export async function readSearch(
  tx: Tx,
  visibility: Visibility,
  search: VenueSearch,
  rank: Rank = rankByText,
): Promise<Search> {
  const { filter, sortBy } = search;
  if (sortBy === 'relevance') {
    const { best } = await rankVenues(tx, visibility, filter, rank);
    const position = tx`(${tx.json(Object.fromEntries(best.map(({ id }, n) => [id, best.length - n])))}::jsonb ->> v.id)::int`;
    return {
      condition: tx`v.id = any(${best.map(({ id }) => id)}::text[])`,
      order: ordering(tx, search, tx`coalesce(${position}, 0)`),
    };
  }
  const conditions = conditionsOf(tx, visibility, filter);
  if (filter.query !== undefined)
    conditions.push(hasAny(tx, await readQuestion(tx, visibility, filter.query)));
  return { condition: allOf(tx, conditions), order: ordering(tx, search, undefined) };
}

/** What puts venues into an order by a question. */
export type Rank = (tx: Tx, question: Question, scope: Scope) => Promise<Ranked[]>;

/** The venues that meet the filter and fit its text, the best first. Not all of them, see `MOST_RANKED`. */
export async function rankVenues(
  tx: Tx,
  visibility: Visibility,
  filter: VenueFilter,
  rank: Rank = rankByText,
): Promise<{ question: Question; best: Ranked[] }> {
  const question = await readQuestion(tx, visibility, filter.query ?? '');
  const condition = allOf(tx, conditionsOf(tx, visibility, filter));
  return { question, best: await rank(tx, question, { visibility, condition }) };
}

/** Ids break ties in the direction of the rest, so that the two directions are exact mirrors. */
function ordering(tx: Tx, { sortBy, direction }: VenueSearch, score: Fragment | undefined): Fragment {
  const [ordered, reversed] = direction === 'ASC' ? [tx`asc`, tx`desc`] : [tx`desc`, tx`asc`];
  const byName = tx`v.name collate "und-x-icu" ${ordered}, v.id ${ordered}`;
  switch (sortBy) {
    case 'name':
    case 'venueGroup':
      return byName;
    case 'city':
      return tx`v.city collate "und-x-icu" ${ordered}, ${byName}`;
    case 'area':
      return tx`v.area collate "und-x-icu" ${ordered}, ${byName}`;
    case 'relevance':
      // The best come first by default, which is descending; ids ascend then, as they do in every other list.
      return score === undefined ? tx`v.id ${ordered}` : tx`${score} ${ordered}, v.id ${reversed}`;
    case 'default':
      return tx`v.id ${ordered}`;
  }
}

export interface PageStart {
  isPast(id: Fragment): Fragment;
  offset: number;
}

/** From where on a page is read: past the last id before it, where that is known, or so many rows further. */
export function pageStart(tx: Tx, { offset, direction }: VenueSearch, { after }: KnownOfList): PageStart {
  if (after === undefined) return { isPast: () => tx`true`, offset };
  const isPast = (id: Fragment) => (direction === 'ASC' ? tx`${id} > ${after}` : tx`${id} < ${after}`);
  return { isPast, offset: 0 };
}

/** One page of ids and how many there are in all. */
export async function searchVenues(
  tx: Tx,
  visibility: Visibility,
  search: VenueSearch,
  known: KnownOfList = {},
  rank: Rank = rankByText,
): Promise<{ ids: VenueId[]; total: number }> {
  if (search.sortBy === 'relevance') {
    const { best } = await rankVenues(tx, visibility, search.filter, rank);
    const turned = search.direction === 'DESC' ? best : best.toReversed();
    const page = turned.slice(search.offset, search.offset + search.limit);
    return { ids: page.map(({ id }) => id), total: best.length };
  }
  const { condition, order } = await readSearch(tx, visibility, search);
  const start = pageStart(tx, search, known);
  const [page, total] = await Promise.all([
    tx<{ id: VenueId }[]>`select v.id from venue v
      where ${visibleVenues(tx, visibility, tx`v`, start.isPast)} and ${condition ?? tx`true`}
        and ${start.isPast(tx`v.id`)}
      order by ${order} limit ${search.limit} offset ${start.offset}`,
    known.total ?? countVisibleVenues(tx, visibility, condition),
  ]);
  return { ids: page.map((row) => row.id), total };
}

/** What need not be found out again. */
export interface KnownOfList {
  total?: number | undefined;
  /** The last id before the page, in a list that is in the order of ids. */
  after?: VenueId | undefined;
}
