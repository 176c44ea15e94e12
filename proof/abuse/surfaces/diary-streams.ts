/** Streams of diaries, which never end: everybody tries to open some, and those that open are listened to. */
import type { Outcome } from '../../../test/abuse/support/target.ts';
import type { Caller } from '../callers.ts';
import { foreignGuestsIn } from '../markers.ts';
import { encoded, HOSTILE_DATES, hostileText } from '../requests/hostile-values.ts';
import type { Open } from '../wire.ts';
import type { ProbeSetting } from './probe.ts';

export const STREAM = 'GET /manage/venues/{venueId}/diary/stream';

export interface Listened {
  caller: Caller;
  path: string;
  /** What had come when it was closed; of a refusal, all of it. */
  outcome: Outcome;
  faults: string[];
}

const DAYS = 5;
const HOSTILE = 24;
const BRIEFLY_MS = 400;

/** Follows the diaries of the victim, and of operator 1, with everyone who can call, until `work` is done. */
export async function listenDuring(
  open: Open,
  setting: ProbeSetting,
  work: () => Promise<void>,
): Promise<Listened[]> {
  const { callers, known, victim } = setting;
  const until = Promise.withResolvers<void>();
  const venueIds = [1, victim.operatorId].map((id) => known.in(`/manage/operators/${id}/venues`)[0] ?? '');
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: DAYS }).toString();
  const long = venueIds.flatMap((venueId) =>
    callers.map((caller) => listen(open, caller, `${pathOf(venueId)}?date=${date}`, {}, until.promise)),
  );
  const short = Array.from({ length: HOSTILE }, () => hostile(open, setting, venueIds));
  try {
    await work();
  } finally {
    until.resolve();
  }
  return Promise.all([...long, ...short]);
}

const pathOf = (venueId: string) => `/manage/venues/${encodeURIComponent(venueId)}/diary/stream`;

function hostile(open: Open, { chances, callers }: ProbeSetting, venueIds: string[]): Promise<Listened> {
  const positions = ['', '0', '-1', '1-AAAAAAAA.1:1:', '9'.repeat(9000), 'x.y', hostileText(chances)];
  const query = [
    `date=${encoded(chances.pick([...HOSTILE_DATES, '2026-12-05', '2026-12-05']))}`,
    ...(chances.happens(0.5) ? [`lastEventId=${encoded(chances.pick(positions))}`] : []),
  ];
  const header = chances.pick(positions).replaceAll(/[^\x20-\x7e]/g, '');
  const venueId = chances.happens(0.8) ? chances.pick(venueIds) : hostileText(chances).slice(0, 200);
  const headers = chances.happens(0.5) ? { 'last-event-id': header } : {};
  const brief = new Promise<void>((resolve) => setTimeout(resolve, BRIEFLY_MS));
  const path = `/manage/venues/${encoded(venueId) || '%20'}/diary/stream?${query.join('&')}`;
  return listen(open, chances.pick(callers), path, headers, brief);
}

async function listen(
  open: Open,
  caller: Caller,
  path: string,
  headers: Record<string, string>,
  until: Promise<void>,
): Promise<Listened> {
  const wire = { method: 'GET', path, headers: { ...headers, ...caller.headers } };
  const outcome = await open(wire, until);
  return { caller, path, outcome, faults: outcome.status === 200 ? faultsIn(outcome, caller) : [] };
}

function faultsIn({ headers, text }: Outcome, caller: Caller): string[] {
  const isStream = String(headers['content-type']).startsWith('text/event-stream');
  // What was cut off when it was closed is no event.
  const events = text.split('\n\n').slice(0, -1);
  const data = events.flatMap((event) => event.split('\n').filter((line) => line.startsWith('data:')));
  return [
    ...(isStream ? [] : [`is ${headers['content-type']}`]),
    ...data
      .filter((line) => !isJson(line.slice('data:'.length)))
      .map((line) => `is no JSON: ${line.slice(0, 100)}`),
    ...foreignGuestsIn(text, caller).map((tag) => `shows a guest of others: ${tag}`),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
