/** What `npm run storm` leaves behind: what was done, what went wrong on purpose, and what came of it, seed by seed. */
import { writeReport } from '../../bench/report.ts';
import { publishedRoutes } from './actors/platform.ts';
import { type Entry, isCut, isDone } from './journal.ts';
import type { Outcome } from './storm.ts';

const REPORT = 'proof/STORM.md';

export interface Run {
  seed: number;
  outcome: Outcome;
}

/** Routes that nobody in the storm calls, each with the reason. */
export const NOT_CALLED: Record<string, string> = {};

/** Public routes and tools that nobody has called in any of these storms. */
export function untouched(runs: readonly Pick<Outcome, 'calls'>[]): string[] {
  const calls = runs.flatMap((run) => run.calls);
  const called = new Set(calls.map(({ route }) => route));
  const used = new Set(calls.map(({ tool }) => tool));
  return [
    ...publishedRoutes().filter((route) => !called.has(route) && NOT_CALLED[route] === undefined),
    ...toolsIn(calls).filter((tool) => !used.has(tool)),
  ];
}

/** As `/mcp` has listed them. */
function toolsIn(calls: readonly Entry[]): string[] {
  const tools = calls.flatMap(({ answer }) => answer?.result?.tools ?? []) as { name: string }[];
  return [...new Set(tools.map(({ name }) => name))];
}

export interface Report {
  command: string;
  minutes: number;
  nodes: number;
  runs: readonly Run[];
  contradictions: readonly string[];
}

export function report({ command, ...rest }: Report): void {
  writeReport(REPORT, { title: 'Storms', command, body: bodyOf(rest) });
}

function bodyOf({ minutes, nodes, runs, contradictions }: Omit<Report, 'command'>): string {
  const outcomes = runs.map(({ outcome }) => outcome);
  const calls = outcomes.flatMap((outcome) => outcome.calls);
  return `
${runs.length} storms of ${minutes} minutes on ${nodes} nodes and one PostgreSQL. Partners, agents with mandates, a reseller who speaks OCTO, parties that wait, the desk and the door of restaurants, screens, people, the platform and the systems of others make calls and changes, while nodes, the database, receivers and those systems fail. The seed decides what everybody does and what goes wrong; how the parts meet in time differs from run to run.

**${verdict(contradictions)}**

${contradictions.map((line) => `- ${line}`).join('\n')}

| seed | calls | faults | cut calls | bookings | holds | offers | payments | settled after | contradictions |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${runs.map(rowOf).join('\n')}

## What was compared

| what | how many |
| --- | ---: |
${sumsOf(outcomes)}

## What went wrong on purpose

| fault | times |
| --- | ---: |
${tableOf(outcomes.map(({ faults }) => faults))}

## Calls

| route | calls | 2xx | 4xx | 429, 503 | cut | node down |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${rowsOf(calls, ({ route }) => route).join('\n')}

## Tools of agents

| tool | calls | done | refused | 429, 503 | cut | node down |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${rowsOf(
  calls.filter(({ tool }) => tool !== undefined),
  ({ tool }) => tool ?? '',
).join('\n')}
`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`;

function rowOf({ seed, outcome }: Run): string {
  const { evidence, calls, faults, settleMs, contradictions } = outcome;
  const { bookings, holds, waiting, payments } = evidence;
  const offers = waiting.filter(({ holdId }) => holdId !== null).length;
  const counts = [calls.length, sum(Object.values(faults)), calls.filter(isCut).length, bookings.length];
  const cells = [...counts, holds.length, offers, payments.length, seconds(settleMs), contradictions.length];
  return `| ${seed} | ${cells.join(' | ')} |`;
}

function sumsOf(outcomes: readonly Outcome[]): string {
  const count = (of: (outcome: Outcome) => number) => sum(outcomes.map(of));
  const rows: [string, number][] = [
    [
      'bookings of partners, each with its whole history in the log',
      count(({ evidence: { bookings } }) => bookings.filter(({ partnerId }) => partnerId !== null).length),
    ],
    [
      'bookings of the house',
      count(({ evidence: { bookings } }) => bookings.filter(({ partnerId }) => partnerId === null).length),
    ],
    ['orders sent', count(({ evidence: { orders } }) => orders.length)],
    [
      'tables and lots of tickets taken at the end',
      count(({ evidence: { seats, tickets } }) => seats.length + tickets.length),
    ],
    [
      'bookings in the systems of others at the end',
      count(({ evidence: { remote } }) => sum([...remote.values()].map((held) => held.length))),
    ],
    ['holds', count(({ evidence: { holds } }) => holds.length)],
    ['reservations in the words of OCTO', count(({ evidence: { reservations } }) => reservations.length)],
    ['entries of waiting lists', count(({ evidence: { waiting } }) => waiting.length)],
    ['payments, with what was given back of them', count(({ evidence: { payments } }) => payments.length)],
    ['movements in the ledger, each with the provider’s', count(({ evidence: { ledger } }) => ledger.length)],
    ['closures that are left at the end', count(({ evidence: { closures } }) => closures.length)],
    ['screens compared with the diary', count(({ evidence: { screens } }) => screens.length)],
    ['events in the logs', count(({ evidence: { events } }) => events.length)],
    ['posts to receivers', count(({ evidence: { posts } }) => posts.length)],
    ['entries of the audit log', count(({ evidence: { audit } }) => audit.length)],
  ];
  const lines = rows.map(([what, number]) => `| ${what} | ${number} |`);
  return [...lines, tableOf(outcomes.map(({ deeds }) => deeds))].join('\n');
}

/** The same counts of several storms, added up. */
function tableOf(counts: readonly Record<string, number>[]): string {
  const totals = new Map<string, number>();
  for (const [name, number] of counts.flatMap(Object.entries<number>))
    totals.set(name, (totals.get(name) ?? 0) + number);
  return [...totals].map(([name, number]) => `| ${name} | ${number} |`).join('\n');
}

const verdict = (found: readonly string[]) =>
  found.length === 0 ? 'No contradiction was found.' : `${found.length} contradictions were found.`;

function rowsOf(entries: readonly Entry[], nameOf: (entry: Entry) => string): string[] {
  return [...Map.groupBy(entries, nameOf)]
    .toSorted(([left], [right]) => pathOf(left).localeCompare(pathOf(right)))
    .map(([name, calls]) => {
      const count = (holds: (entry: Entry) => boolean) => calls.filter(holds).length;
      const isTurnedAway = ({ status }: Entry) => status === 429 || status === 503;
      // A tool that refuses is answered with 200, and says so in its result.
      const isRefused = (entry: Entry) =>
        !isTurnedAway(entry) &&
        ((entry.status ?? 0) >= 400 || (entry.status !== null && entry.code !== null));
      const isUnreached = ({ code }: Entry) => code === 'unreached';
      const down = count(isUnreached);
      const cut = count((entry) => entry.status === null && !isUnreached(entry));
      const done = count((entry) => isDone(entry) && entry.code === null);
      return `| \`${name}\` | ${calls.length} | ${done} | ${count(isRefused)} | ${count(isTurnedAway)} | ${cut} | ${down} |`;
    });
}

const pathOf = (route: string) => route.split(' ')[1] ?? route;
