import { bulkhead } from 'cockatiel';
import type { Sql } from '../../db/database.ts';
import { partsOfVenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import type { AvailabilityQuery, Outcome, ProductAvailability, RemoteCall } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';

type Told = Promise<Outcome<ProductAvailability>>;
/** Puts a question to the system that it is about. */
export type Ask = (query: AvailabilityQuery) => Told;
/** The way to one remote system. */
type Lane = (send: (call: RemoteCall) => Told) => Told;

interface Systems {
  sql: Sql;
  registry: Registry;
}

const DEADLINE_MS = 2000;
/**
 * A call that has had all of the time speaks against its system; one that is cut because others took the time before
 * it does not. So whoever waits for all of them leaves a moment after the first ones are given up.
 */
const GRACE_MS = 50;
/**
 * To one remote system: few enough to leave room there for other callers, and enough for one that takes a tenth of
 * a second to answer the largest batch in time.
 */
const CALLS_AT_A_TIME = 8;

/** For a question that comes by itself. */
export function askingAlone(systems: Systems): Ask {
  return (query) => ask(systems, query, createLane);
}

/** For questions that come together: equal ones are asked once, and those to one remote system share a deadline. */
export function askingTogether(systems: Systems): Ask {
  const told = new Map<string, Told>();
  const lanes = new Map<string, Lane>();
  const laneTo = (tms: string) => lanes.getOrInsertComputed(tms, createLane);
  return (query) => told.getOrInsertComputed(questionIn(query), () => ask(systems, query, laneTo));
}

/** All that a system is told apart from the time, which is the same for questions that come together. */
function questionIn({ productId, dates, adults, children, durationMinutes, spaceId }: AvailabilityQuery) {
  return `${productId} ${dates.join()} ${adults} ${children} ${durationMinutes} ${spaceId}`;
}

async function ask(
  { sql, registry }: Systems,
  query: AvailabilityQuery,
  laneTo: (tms: string) => Lane,
): Told {
  const { tms } = partsOfVenueId(query.venueId);
  const connector = registry.get(tms);
  if (!connector) throw problem('BOOK-N-003', { detail: `The system ${tms} is not connected.` });
  if (connector.flavour === 'local') return connector.availability(sql, query);
  return laneTo(tms)((call) => connector.availability(call, query));
}

function createLane(): Lane {
  const endsAt = performance.now() + DEADLINE_MS;
  const call = { signal: AbortSignal.timeout(DEADLINE_MS + GRACE_MS), deadlineMs: DEADLINE_MS };
  const line = bulkhead(CALLS_AT_A_TIME, Number.POSITIVE_INFINITY);
  return (send) =>
    line.execute(async () => (performance.now() < endsAt - GRACE_MS ? send(call) : { kind: 'unavailable' }));
}
