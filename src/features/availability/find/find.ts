/**
 * One question over many venues. Venues that may fit come from the catalogue, the most likely first; their systems are
 * asked for the whole day at once, and the starts are ranked by how close they come. When none fits, the question is
 * relaxed step by step (`stages.ts`).
 */
import { type Caller, visibilityOf } from '../../../http/auth/caller.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { invalid, Problem, type ProblemCode } from '../../../kernel/problem.ts';
import { FIRST_TRADING_DAY, isTradingDay, LAST_TRADING_DAY } from '../../../kernel/zone-time.ts';
import type { Registry } from '../../../tms/registry.ts';
import {
  type Bookable,
  type Candidate,
  type ProductRecord,
  STEP_FREE_TYPE,
  type VenueRecord,
  type Venues,
} from '../../venues/service.ts';
import type { AvailabilityQuery } from '../query.ts';
import type { Availability } from '../schema.ts';
import { cursorOf, type Position, positionOf } from './cursor.ts';
import {
  bestStarts,
  inOrder,
  type ProductDay,
  placeMinutes,
  type RankedStart,
  type VenueDay,
} from './ranking.ts';
import { DEFAULT_TABLES, type FoundTables, RELAXATIONS, type TableQuestion } from './schema.ts';
import { type Stage, stagesOf } from './stages.ts';
import { foundTable } from './view.ts';

/** How many venues one call asks; the cursor goes on with others. */
const MOST_ASKED = 60;
const MOST_NAMED = 10;

/** The system is away at the moment; the others are asked all the same. */
const AWAY: readonly ProblemCode[] = ['AVAIL-R-001', 'BOOK-N-003'];
/** The product does not offer that at all, such as a stay of that length. */
const NOT_OFFERED: readonly ProblemCode[] = ['AVAIL-N-001', 'AVAIL-N-006'];

export interface FinderDeps {
  venues: Venues;
  registry: Registry;
}

/** What a product has to offer; remote systems share one deadline for all questions of a call. */
export type AskProduct = (bookable: Bookable, query: AvailabilityQuery) => Promise<Availability>;

/** What one call knows. */
interface Inquiry {
  caller: Caller;
  question: TableQuestion;
  ask: AskProduct;
  queries: Queries;
  /** What was asked and could be answered. */
  days: Map<VenueId, VenueDay>;
  asked: Set<VenueId>;
  /** Names of venues. */
  unanswered: Set<string>;
}

export async function findTables(
  deps: FinderDeps,
  caller: Caller,
  question: TableQuestion,
  ask: AskProduct,
): Promise<FoundTables> {
  if (!isTradingDay(question.date))
    throw invalid('date', `must lie between ${FIRST_TRADING_DAY} and ${LAST_TRADING_DAY}`);
  const stages = await stagesOf(question, {
    eventSystems: deps.registry.slugsOf('event_ticket'),
    findCentres: (filter) => deps.venues.candidates.centres(visibilityOf(caller), filter),
  });
  const inquiry: Inquiry = {
    ...{ caller, question, ask, queries: queriesFor(question) },
    ...{ days: new Map(), asked: new Set(), unanswered: new Set() },
  };
  const position = positionOf(question);
  const lastStage = position.isSettled ? position.stage : stages.length - 1;
  let at = position;
  for (let index = position.stage; index <= lastStage; index += 1) {
    const stage = stages[index];
    if (!stage) break;
    // A wider time alone is looked for at the same venues.
    if (index > position.stage && stages[index - 1]?.search !== stage.search)
      at = { ...position, stage: index, offset: 0, end: undefined, skip: 0 };
    const candidates = await candidatesAt(stage, deps, inquiry);
    const chunk = affordable(candidates.slice(at.offset, at.end), inquiry);
    await inquire(chunk, deps, inquiry);
    const found = startsAt(chunk, stage, inquiry);
    const end = at.offset + chunk.length;
    const next = end < candidates.length ? { ...at, offset: end, end: undefined, skip: 0 } : undefined;
    const skip = index === position.stage ? position.skip : 0;
    if (found.length > skip) return pageOf(found, { ...at, stage: index, end, skip }, next, inquiry);
    const isWidened = index < lastStage && stages[index + 1]?.search === stage.search;
    if (next && !isWidened) return answerOf([], next, inquiry);
  }
  return answerOf([], undefined, inquiry);
}

const ordered = new WeakMap<readonly Candidate[], readonly Candidate[]>();

/** The most likely first. */
async function candidatesAt(
  { search, searchByText }: Stage,
  { venues }: FinderDeps,
  { caller, question }: Inquiry,
): Promise<readonly Candidate[]> {
  const visibility = visibilityOf(caller);
  const inOrderOfPlace = (list: readonly Candidate[]) =>
    list.toSorted((a, b) => placeMinutes(a, question) - placeMinutes(b, question));
  const candidates = await venues.candidates.list(visibility, search);
  // A list is kept with its search, which has all that the order depends on.
  if (!searchByText) return ordered.getOrInsertComputed(candidates, inOrderOfPlace);
  const matching = await venues.candidates.list(visibility, searchByText);
  const ids = new Set(matching.map(({ id }) => id));
  return inOrderOfPlace([...matching, ...candidates.filter(({ id }) => !ids.has(id))]);
}

/** As many as this call may still ask; those that it has asked cost nothing. */
function affordable(candidates: readonly Candidate[], { asked }: Inquiry): readonly Candidate[] {
  let left = MOST_ASKED - asked.size;
  const end = candidates.findIndex(({ id }) => {
    if (!asked.has(id)) left -= 1;
    return left < 0;
  });
  return end === -1 ? candidates : candidates.slice(0, end);
}

/** Puts the question to the systems of those that have not been asked yet, to all at once. */
async function inquire(
  candidates: readonly Candidate[],
  { venues }: FinderDeps,
  inquiry: Inquiry,
): Promise<void> {
  const { asked, days } = inquiry;
  const byId = new Map(candidates.filter(({ id }) => !asked.has(id)).map((each) => [each.id, each]));
  const records = await venues.listKept(inquiry.caller, [...byId.keys()]);
  await Promise.all(
    records.map(async (venue) => {
      const candidate = byId.get(venue.id);
      if (!candidate || !isOpenTo(venue)) return;
      days.set(venue.id, { venue, candidate, days: await daysOf(venue, inquiry) });
    }),
  );
  for (const id of byId.keys()) asked.add(id);
}

/** Whether bookings of the caller are taken there. */
function isOpenTo({ id, isClosed, isSuspended, systems, channel }: VenueRecord): boolean {
  return !isClosed && !isSuspended && channel?.source !== null && systems.includes(partsOfVenueId(id).tms);
}

async function daysOf(venue: VenueRecord, inquiry: Inquiry): Promise<ProductDay[]> {
  const { ask, unanswered } = inquiry;
  const days = await Promise.all(
    venue.products.map(async (product) => {
      const query = queryFor(inquiry, venue, product);
      if (!query) return undefined;
      try {
        return { product, availability: await ask({ venue, product }, query) };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (AWAY.includes(error.code)) unanswered.add(venue.name);
        else if (!NOT_OFFERED.includes(error.code)) throw error;
        return undefined;
      }
    }),
  );
  return days.filter((day) => day !== undefined);
}

interface Queries {
  /** Of products without spaces: what is demanded of spaces would leave nothing of them. */
  plain: AvailabilityQuery;
  withSpaces: AvailabilityQuery;
}

function queriesFor({
  partySize,
  children = 0,
  date,
  duration,
  accessibility,
  maxPrice,
}: TableQuestion): Queries {
  const plain = {
    ...{ partySize, children, date, includeUnavailable: false },
    ...(duration !== undefined && { duration }),
  };
  const withSpaces = {
    ...plain,
    ...(accessibility && { accessibility }),
    ...(maxPrice !== undefined && { minimumSpend: maxPrice * (partySize + children) }),
  };
  return { plain, withSpaces };
}

/** Undefined: the product cannot be had by those who need it to be step-free. */
function queryFor(
  { question, queries }: Inquiry,
  venue: VenueRecord,
  product: ProductRecord,
): AvailabilityQuery | undefined {
  if (product.spaceIds.length > 0) return queries.withSpaces;
  const isStepFree = venue.types.some(({ slug }) => slug === STEP_FREE_TYPE);
  return question.accessibility && !isStepFree ? undefined : queries.plain;
}

function startsAt(candidates: readonly Candidate[], stage: Stage, inquiry: Inquiry): RankedStart[] {
  const starts = candidates.flatMap((candidate) => {
    const known = inquiry.days.get(candidate.id);
    return known ? bestStarts(inquiry.question, { ...known, candidate }, stage) : [];
  });
  return starts.sort(inOrder);
}

function pageOf(
  found: readonly RankedStart[],
  at: Position,
  next: Position | undefined,
  inquiry: Inquiry,
): FoundTables {
  const end = at.skip + (inquiry.question.limit ?? DEFAULT_TABLES);
  const following = end < found.length ? { ...at, skip: end } : next && { ...next, stage: at.stage };
  return answerOf(found.slice(at.skip, end), following && { ...following, isSettled: true }, inquiry);
}

function answerOf(
  starts: readonly RankedStart[],
  next: Position | undefined,
  { question, asked, unanswered }: Inquiry,
): FoundTables {
  return {
    tables: starts.map((start) => foundTable(start, question)),
    relaxed: RELAXATIONS.filter((each) => starts.some(({ misses }) => misses.includes(each))),
    ...(unanswered.size > 0 && { unanswered: [...unanswered].sort().slice(0, MOST_NAMED) }),
    ...(asked.size === 0 && question.cursor === undefined && { noVenues: true as const }),
    ...(next && { nextCursor: cursorOf(question, next) }),
  };
}
