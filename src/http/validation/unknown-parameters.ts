import type { FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { invalid } from '../../kernel/problem.ts';
import type { App } from '../route.ts';
import { type FieldReport, MAX_UNKNOWN_NAMED, memberPath, reportUnnamed } from './messages.ts';

/**
 * A parameter that a route does not name is refused: a misspelt filter would otherwise return everything, and a
 * misspelt `dryRun` would do what it was meant to try.
 */

/** Words that callers of booking and list APIs use for one thing, without case and separators. */
const SAME_MEANING = [
  'partysize covers cover guests guest people pax persons party seats adults diners heads quantity',
  'pagenumber page pageno pageindex p',
  'cursor page pagetoken nexttoken next after startingafter offset skip',
  'pagesize limit size perpage count take maxresults',
  'query q search text keyword keywords term',
  'sortby sort order orderby',
  'sortdirection direction order sortorder dir',
  'date day on',
  'time at hour clock start starttime',
  'datefrom from startdate start fromdate since after begin',
  'dateto to enddate end todate until before',
  'since from after start updatedsince modifiedsince changedsince updatedafter',
  'until to before end',
  'updatedsince modifiedsince changedsince updatedafter lastupdate',
  'lat latitude',
  'lng lon long longitude',
  'radius distance within',
  'city town location',
  'area neighbourhood neighborhood district',
  'venuename name venue restaurant restaurantname',
  'venueid venue restaurant restaurantid',
  'compositeid product productid',
  'fields select include only properties',
  'dryrun preview validateonly simulate test',
  'bookingids bookingid booking ids id',
  'partnerbookingid reference ref externalid',
  'status state',
  'type kind',
].map((words) => new Set(words.split(' ')));

const MAX_EDITS = 2;
const MAX_LENGTH_COMPARED = 40;
const MAX_NAMES_LISTED = 20;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The parameter that was probably meant: written otherwise, called otherwise, or misspelt. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH_COMPARED) return undefined;
  const sent = plain(name);
  const written = known.find((candidate) => plain(candidate) === sent);
  if (written !== undefined) return written;
  const groups = SAME_MEANING.filter((words) => words.has(sent));
  const called = known.find((candidate) => groups.some((words) => words.has(plain(candidate))));
  if (called !== undefined) return called;
  const misspelt = known
    .map((candidate) => ({ candidate, edits: editsBetween(sent, plain(candidate)) }))
    .filter(
      ({ candidate, edits }) => edits <= Math.min(MAX_EDITS, Math.max(sent.length, candidate.length) / 3),
    );
  return misspelt.sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** Letters to add, drop, replace or swap with their neighbour (optimal string alignment). */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

function messageFor(name: string, known: readonly string[]): string {
  const nearest = nearestOf(name, known);
  if (nearest !== undefined) return `is not a parameter of this address; the nearest is ${nearest}`;
  const more = known.length > MAX_NAMES_LISTED ? ` and ${known.length - MAX_NAMES_LISTED} more` : '';
  const listed = known.length === 0 ? 'none' : known.slice(0, MAX_NAMES_LISTED).join(', ') + more;
  return `is not a parameter of this address, which takes ${listed}`;
}

export function reportUnknownParameters(sent: object, known: ReadonlySet<string>, report: FieldReport): void {
  const unknown = Object.keys(sent).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  for (const name of unknown.slice(0, MAX_UNKNOWN_NAMED)) {
    report.add(memberPath('', name), messageFor(name, [...known]));
  }
  reportUnnamed(unknown.length, 'parameter', '', report);
}

const NO_PARAMETERS = Type.Object({});

/** Browsers, caches and probes add parameters of their own to public pages and files, which read none. */
function takesAnyQuery({ method, config, schema }: RouteOptions): boolean {
  const isRead = [method].flat().every((name) => name === 'GET' || name === 'HEAD');
  return isRead && config?.access === 'public' && schema?.querystring === undefined;
}

/** Gives every other route a schema of its query, and refuses a query that cannot be decoded. Call it before the routes. */
export function closeQueries(app: App): void {
  app.addHook('onRoute', (route) => {
    if (takesAnyQuery(route)) return;
    route.schema = { querystring: NO_PARAMETERS, ...route.schema };
    route.onRequest = [route.onRequest ?? [], assertDecodable].flat();
  });
}

function assertDecodable({ url }: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  const start = url.indexOf('?');
  if (start >= 0 && url.includes('%', start)) {
    const pairs = url.slice(start + 1).split('&');
    const broken = pairs.find((pair) => decoded(pair) === undefined);
    if (broken !== undefined) {
      const name = decoded(broken.split('=', 1)[0] ?? '');
      throw invalid(name ? memberPath('', name) : 'query', 'is not UTF-8 in percent-encoding');
    }
  }
  done();
}

/** Parsers of queries leave alone what they cannot decode, so it would be looked for as it was written. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
