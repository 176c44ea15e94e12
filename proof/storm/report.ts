/** What `npm run storm` leaves behind: what was done, what went wrong on purpose, and what came of it. */
import { writeReport } from '../../bench/report.ts';
import { type Entry, isCut, isDone } from './journal.ts';
import { publishedRoutes } from './platform.ts';
import type { Outcome, StormOptions } from './storm.ts';

const REPORT = 'proof/STORM.md';

export function report(options: StormOptions & { command: string }, outcome: Outcome): void {
  writeReport(REPORT, { title: 'A storm', command: options.command, body: bodyOf(options, outcome) });
}

/** Public routes that nobody has called; under `/manage` a fair share is enough. */
export function untouched(entries: readonly Entry[]): string[] {
  const called = new Set(entries.map(({ route }) => route));
  return publishedRoutes().filter((route) => !route.includes(' /manage/') && !called.has(route));
}

function bodyOf({ seed, nodes }: StormOptions, outcome: Outcome): string {
  const { evidence, contradictions, faults, stormMs, settleMs } = outcome;
  const { entries, bookings, orders, events, posts, payments, audit, seats, tickets, remote } = evidence;
  const seconds = (ms: number) => (ms / 1000).toFixed(0);
  const distinct = new Set(posts.map(({ headers, path }) => `${path} ${headers['webhook-id']}`)).size;
  return `
Seed ${seed}, ${nodes} nodes on one PostgreSQL, ${seconds(stormMs)} s of storm and ${seconds(settleMs)} s until all was at rest. Partners, an agent, operators, the platform and readers made ${entries.length} calls meanwhile. The seed decides what everybody does and what goes wrong; how the parts meet in time differs from run to run.

**${verdict(contradictions)}**

${contradictions.map((line) => `- ${line}`).join('\n')}

## What went wrong on purpose

| fault | times |
| --- | --- |
${Object.entries(faults)
  .map(([kind, count]) => `| ${kind} | ${count} |`)
  .join('\n')}

${entries.filter(isCut).length} calls were cut off and left their callers in doubt.

## What was compared

| what | how many |
| --- | --- |
| bookings, each with its whole history in the log | ${bookings.length} |
| orders sent | ${orders.length} |
| tables and lots of tickets held at the end | ${seats.length + tickets.length} |
| bookings held by the remote system at the end | ${remote.length} |
| payments, with what was given back of them | ${payments.length} |
| events in the logs | ${events.length} |
| posts to receivers, of which repeats | ${posts.length}, ${posts.length - distinct} |
| entries in the trail | ${audit.length} |

## Calls

| route | calls | 2xx | 4xx | 429, 503 | cut | node down |
| --- | --- | --- | --- | --- | --- | --- |
${rowsOf(entries).join('\n')}
`;
}

const verdict = (found: readonly string[]) =>
  found.length === 0 ? 'No contradiction was found.' : `${found.length} contradictions were found.`;

function rowsOf(entries: readonly Entry[]): string[] {
  return [...Map.groupBy(entries, ({ route }) => route)]
    .toSorted(([left], [right]) => pathOf(left).localeCompare(pathOf(right)))
    .map(([route, calls]) => {
      const count = (holds: (entry: Entry) => boolean) => calls.filter(holds).length;
      const isTurnedAway = ({ status }: Entry) => status === 429 || status === 503;
      const isRefused = (entry: Entry) => (entry.status ?? 0) >= 400 && !isTurnedAway(entry);
      const isUnreached = ({ code }: Entry) => code === 'unreached';
      const down = count(isUnreached);
      const cut = count((entry) => entry.status === null && !isUnreached(entry));
      return `| \`${route}\` | ${calls.length} | ${count(isDone)} | ${count(isRefused)} | ${count(isTurnedAway)} | ${cut} | ${down} |`;
    });
}

const pathOf = (route: string) => route.split(' ')[1] ?? '';
