/**
 * What a question is searched by, and what is given up when nothing fits: first the time becomes wider, then either the
 * place or the text goes, then both, the types, and at last the time altogether. Party, day, city, price and
 * accessibility are never given up.
 */
import type { CandidateSearch, Candidates, VenueFilter } from '../../venues/service.ts';
import { DEFAULT_RADIUS_METRES, type Relaxation, type TableQuestion } from './schema.ts';

/** How much further away is looked, when nothing is near. */
const RADIUS_FACTOR = 3;

export interface Stage {
  relaxed: ReadonlySet<Relaxation>;
  /** Of place and text one is met: «quiet, in Soho» is answered with both kinds, and the closer come first. */
  isEither: boolean;
  /** The very object of the stage before, where the venues are the same. */
  search: CandidateSearch;
  /** The same with the words, which then only rank; absent: they are not given up. */
  searchByText?: CandidateSearch | undefined;
}

export interface StageDeps {
  /** The systems that sell tickets, which have no tables. */
  eventSystems: readonly string[];
  /** Where the areas of a filter are. */
  findCentres(filter: VenueFilter): ReturnType<Candidates['centres']>;
}

interface Step {
  relaxed: readonly Relaxation[];
  isEither?: boolean;
}

const STEPS: readonly Step[] = [
  { relaxed: ['time'] },
  { relaxed: ['place', 'text'], isEither: true },
  { relaxed: ['place', 'text'] },
  { relaxed: ['types'] },
  { relaxed: ['day'] },
];

/** The first meets the whole question, and each gives up more. */
export async function stagesOf(question: TableQuestion, deps: StageDeps): Promise<Stage[]> {
  const from = question.near ? [question.near] : [];
  const asked = { filter: filterOf(question, deps), from, areas: question.areas };
  const wider = await widened(question, asked, deps);
  const isTimed = [question.time, question.earliest, question.latest].some((time) => time !== undefined);
  const applies: Record<Relaxation, boolean> = {
    time: isTimed,
    place: wider !== undefined,
    text: question.text !== undefined,
    types: question.types !== undefined,
    day: isTimed,
  };
  const first = { relaxed: new Set<Relaxation>(), isEither: false, ...searchesOf(new Set(), asked) };
  const stages: Stage[] = [first];
  for (const { relaxed, isEither = false } of STEPS) {
    const before = stages.at(-1) ?? first;
    const given = relaxed.filter((each) => applies[each]);
    if (given.length === 0 || (isEither && given.length === 1)) continue;
    const all = before.relaxed.union(new Set(given));
    const isSameList = given.every((each) => before.relaxed.has(each) || each === 'time' || each === 'day');
    const searches = isSameList ? before : searchesOf(all, all.has('place') && wider ? wider : asked);
    stages.push({ ...searches, relaxed: all, isEither });
  }
  return stages;
}

function searchesOf(relaxed: ReadonlySet<Relaxation>, { filter, ...seen }: CandidateSearch) {
  const { query, features, ...others } = filter;
  const kept = relaxed.has('types') || features === undefined ? others : { ...others, features };
  if (query === undefined) return { search: { filter: kept, ...seen } };
  const searchByText = { filter: { ...kept, query }, ...seen };
  return relaxed.has('text') ? { search: { filter: kept, ...seen }, searchByText } : { search: searchByText };
}

function filterOf(question: TableQuestion, { eventSystems }: StageDeps): VenueFilter {
  const { city, areas, near, text, types, accessibility } = question;
  return {
    systems: { slugs: eventSystems, areMeant: false },
    ...(city !== undefined && { cities: [city] }),
    ...(areas !== undefined && { areas }),
    ...(near !== undefined && {
      near: { lat: near.lat, lng: near.lng, radiusMetres: near.radius ?? DEFAULT_RADIUS_METRES },
    }),
    ...(types !== undefined && { features: types.map(slugOf) }),
    ...(accessibility && { isStepFree: true }),
    ...(text !== undefined && { query: text }),
  };
}

/** A model writes `Fine dining` as readily as `fine-dining`. */
export const slugOf = (type: string) => type.trim().toLowerCase().replaceAll(/\s+/g, '-');

/**
 * Around what was asked for: the rest of the city, and further from the point. An area that no venue is in, without
 * a city, has no surroundings that we know of.
 */
async function widened(
  { city, areas, near }: TableQuestion,
  { filter, from }: CandidateSearch,
  { findCentres }: StageDeps,
): Promise<CandidateSearch | undefined> {
  const { areas: _, near: circle, ...others } = filter;
  const further = circle && { near: { ...circle, radiusMetres: circle.radiusMetres * RADIUS_FACTOR } };
  if (areas === undefined) return further && { filter: { ...others, ...further }, from };
  const centres = await findCentres({ areas, ...(city !== undefined && { cities: [city] }) });
  if (centres.length === 0 && city === undefined && near === undefined) return undefined;
  const cities = city === undefined ? [...new Set(centres.map((centre) => centre.city))] : [city];
  return {
    filter: { ...others, ...further, ...(cities.length > 0 && { cities }) },
    from: near ? from : centres.map(({ lat, lng }) => ({ lat, lng })),
    areas,
  };
}
