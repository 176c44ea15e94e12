/**
 * `npm run client:faults`: bookings made and cancelled by the client while every call fails once, a thousand rounds for
 * each fault, against a real node; then the service is asked what it has. Writes proof/CLIENT.md. With `--rounds` or
 * `--only`, part of a fault's name, it only prints.
 */
import { parseArgs } from 'node:util';
import type { ListedBooking } from '@maitred/client';
import { writeReport } from '../../bench/report.ts';
import { startTestServer } from '../../test/support/databases/database.ts';
import { FAULTS, type Fault } from './faults.ts';
import { AT_A_TIME, bodyOf, type Finding } from './report.ts';
import { PRODUCT, slotOf, startWorld, type World } from './world.ts';

const ALL = 1000;
/** Calls in 60 seconds that the node of the last part allows, for as many callers at once as there are rounds. */
const RATE_LIMIT = 400;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: String(ALL) }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
if (!(rounds > 0)) {
  console.error('--rounds is a number above 0.');
  process.exit(2);
}

const server = await startTestServer();
process.env.MAITRED_TEST_SERVER = server.url;
const findings: Finding[] = [];
try {
  const chosen = FAULTS.filter(({ name }) => name.includes(values.only));
  if (chosen.length > 0) {
    await using world = await startWorld(0);
    for (const fault of chosen) findings.push(tell(await underFault(world, fault)));
    if (!values.only) findings.push(tell(await underStorm(world)));
  }
  if (!values.only || values.only === 'limit') findings.push(tell(await underLimit()));
} finally {
  await server.stop();
}
if (rounds === ALL && !values.only)
  writeReport('proof/CLIENT.md', {
    title: 'The client under faults',
    command: 'npm run client:faults',
    body: bodyOf(findings),
  });
process.exit(findings.some(({ wrong }) => wrong.length > 0) ? 1 : 0);

function tell(finding: Finding): Finding {
  const { name, retries, listed, seconds, wrong } = finding;
  console.log(`${name}: ${listed} bookings, ${retries} retries, ${seconds} s, ${wrong.length} wrong`);
  for (const line of wrong.slice(0, 5)) console.log(`  ${line}`);
  return finding;
}

/** Both calls of every round fail once in this way. */
async function underFault(world: World, fault: Fault): Promise<Finding> {
  const injected = fault.proxy?.(world.expiredToken);
  world.proxy.decide(({ path, attempt }) => (isChange(path) && attempt === 1 ? injected : undefined));
  return measure(world, fault, AT_A_TIME, (attempt, method) =>
    attempt === 1 ? fault.header?.[method === 'DELETE' ? 'cancel' : 'booking'] : undefined,
  );
}

/** Up to three faults in a row, by chance. */
async function underStorm(world: World): Promise<Finding> {
  // A new token that is refused as well is no fault that passes.
  const pick = (attempt: number) => {
    const possible = FAULTS.filter(({ name }) => attempt === 1 || name !== 'token ended');
    return attempt <= 3 ? possible[Math.floor(Math.random() * possible.length)] : undefined;
  };
  world.proxy.decide(({ path, attempt }) =>
    isChange(path) ? pick(attempt)?.proxy?.(world.expiredToken) : undefined,
  );
  const storm = { name: 'storm', what: 'up to three of these in a row, by chance' };
  return measure(
    world,
    storm,
    AT_A_TIME,
    (attempt, method) => pick(attempt)?.header?.[method === 'DELETE' ? 'cancel' : 'booking'],
  );
}

/** Everybody comes at once to a node that lets through a part of them a minute. */
async function underLimit(): Promise<Finding> {
  await using world = await startWorld(RATE_LIMIT);
  const what = `all at once against a real limit of ${RATE_LIMIT} calls a minute`;
  // Awaited here: the node stops when this function ends.
  return await measure(world, { name: 'limit', what }, rounds, () => undefined);
}

function isChange(path: string): boolean {
  return path.endsWith('/booking') || path.startsWith('/venues/bookings/');
}

type HeaderOf = (attempt: number, method: string | undefined) => string | undefined;

async function measure(
  world: World,
  { name, what }: Pick<Fault, 'name' | 'what'>,
  atATime: number,
  headerOf: HeaderOf,
): Promise<Finding> {
  const beganMs = performance.now();
  let retries = 0;
  const maitred = world.client({
    fetch: withFaults(headerOf),
    // Those who wait for a limit come back for as long as it takes.
    timeoutMs: 900_000,
    attemptTimeoutMs: 60_000,
    maxAttempts: 100,
    onRetry: () => {
      retries += 1;
    },
  });
  const isCancelling = name !== 'limit';
  const mark = `${name} ${Date.now()}`;
  const made = new Map<string, string>();
  const wrong: string[] = [];
  let next = 0;
  const work = async () => {
    for (let round = next++; round < rounds; round = next++) {
      const lastName = `${mark} ${round}`;
      try {
        const wanted = { type: 'book', ...slotOf(round), firstName: 'Round', lastName } as const;
        const { id } = await maitred.bookings.create(PRODUCT, wanted);
        made.set(lastName, id);
        if (isCancelling) await maitred.bookings.cancel(id);
      } catch (error) {
        wrong.push(`round ${round}: ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  world.proxy.decide(() => undefined);
  const listed = await bookingsOf(world, mark);
  wrong.push(...contradictions(made, listed, isCancelling ? 'cancelled' : 'confirmed'));
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  return { name, what, rounds, retries, listed: listed.length, wrong, seconds };
}

/** The header goes with the attempt that it is meant for; a retry of the client would repeat it. */
function withFaults(headerOf: HeaderOf): typeof fetch {
  const attempts = new Map<string, number>();
  return (input, init) => {
    const headers = new Headers(init?.headers);
    const id = `${init?.method} ${headers.get('x-correlation-id')}`;
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const fault = isChange(new URL(String(input)).pathname) ? headerOf(attempt, init?.method) : undefined;
    if (fault) headers.set('x-sandbox-fault', fault);
    return fetch(input, { ...init, headers });
  };
}

async function bookingsOf(world: World, mark: string): Promise<ListedBooking[]> {
  const reader = world.client({ timeoutMs: 600_000, maxAttempts: 12 });
  const all = await reader.bookings.list({ compositeId: PRODUCT, pageSize: 100 }).all();
  return all.filter(({ lastName }) => lastName?.startsWith(mark));
}

/** One booking for each round, the one that the client was told of, in the state that it was left in. */
function contradictions(
  made: ReadonlyMap<string, string>,
  listed: readonly ListedBooking[],
  status: string,
): string[] {
  const byName = Map.groupBy(listed, ({ lastName }) => String(lastName));
  const found = [...byName].flatMap(([lastName, bookings]) => {
    const [booking] = bookings;
    if (bookings.length !== 1) return [`${lastName}: ${bookings.length} bookings`];
    if (booking?.id !== made.get(lastName)) return [`${lastName}: the caller was told of another booking`];
    return booking?.status === status ? [] : [`${lastName}: ${booking?.status}`];
  });
  const lost = [...made.keys()].filter((lastName) => !byName.has(lastName));
  return [...found, ...lost.map((lastName) => `${lastName}: no booking`)];
}
