/** The paper that `npm run abuse` leaves behind. */
import type { FuzzOutcome } from './fuzz.ts';
import type { Found } from './hiding-places.ts';
import type { Lag } from './lag.ts';
import { neverAnswered, shareOf, statusTotals } from './results.ts';
import type { SearchedEverywhere } from './search.ts';

export interface AbuseRun {
  outcome: FuzzOutcome;
  seconds: number;
  lag: Lag;
  searched: SearchedEverywhere;
  inFlight: number;
  seed: string;
  deliveries: number;
}

const LAG_LIMIT_MS = 50;

export function hasFailed({ outcome: { results }, lag, searched }: AbuseRun): boolean {
  const isMissed = searched.controls.some(({ isFound }) => !isFound);
  const isFound = searched.database.found.length + searched.files.found.length > 0;
  return results.findings.size > 0 || lag.p99Ms >= LAG_LIMIT_MS || isMissed || isFound;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
const table = (head: string[], rows: (string | number)[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function abuseReport(run: AbuseRun): string {
  return [summary(run), faults(run), reach(run), searching(run), distribution(run)].join('\n\n');
}

function summary({
  outcome: { results, planted },
  seconds,
  lag,
  inFlight,
  seed,
  deliveries,
}: AbuseRun): string {
  const of = (from: number, below: number) => percent(shareOf(results, from, below));
  const secrets = [...planted.byKind()].map(([kind, values]) => `${values.size} of kind ${kind}`).join(', ');
  return `${results.requests} requests made from the OpenAPI document with seed ${seed}, ${inFlight} under way at a time, by ${results.callers.size} kinds of callers, in ${seconds.toFixed(0)} s. Nothing was meant to be wrong with ${percent(results.good / results.requests)} of them.

${table(
  ['what', 'wanted', 'seen'],
  [
    [
      'answers with 5xx',
      0,
      statusTotals(results)
        .filter(([status]) => status >= 500)
        .reduce((sum, [, times]) => sum + times, 0),
    ],
    ['kinds of faults in answers', 0, results.findings.size],
    [
      'event-loop lag, p99',
      `under ${LAG_LIMIT_MS} ms`,
      `${lag.p99Ms.toFixed(1)} ms (p50 ${lag.p50Ms.toFixed(1)}, p90 ${lag.p90Ms.toFixed(1)}, largest ${lag.maxMs.toFixed(0)})`,
    ],
    ['answers with 2xx', '', of(200, 300)],
    ['answers with 4xx', '', of(400, 500)],
    ['webhooks that arrived', '', deliveries],
  ],
)}

The lag is what the node measured of itself over the whole run; it includes the 10 ms between two looks at the clock. Every answer was held against its status, its codes and its schema in the document, had to be a sound problem where it refused, and was searched for words of the inside and for guests of other partners and operators.

Handed over on the way and searched for afterwards: ${secrets}.`;
}

function faults({ outcome: { results } }: AbuseRun): string {
  const lines = [...results.findings.values()].map(
    ({ first, count }) =>
      `- ${count} × ${first.operation}, as ${first.caller}: ${first.what}\n  - asked: \`${clean(first.request)}\`\n  - answered: \`${clean(first.answer)}\``,
  );
  return `## Faults\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}`;
}

const clean = (text: string) => text.replaceAll(/[`\n\r\0]/g, ' ').slice(0, 500);

function reach({ outcome: { results, operations } }: AbuseRun): string {
  const without2xx = neverAnswered(results, operations, 200, 300);
  const without4xx = neverAnswered(results, operations, 400, 500);
  const why = (name: string) =>
    `- ${name}: \`${clean(results.refusals.get(name) ?? 'never asked without a fault')}\``;
  const codes = [...results.codes].sort(([, a], [, b]) => b - a).map(([code, times]) => `${code} ${times}`);
  return `## Reach

${operations.length} operations; ${operations.length - without2xx.length} of them answered with 2xx, ${operations.length - without4xx.length} with 4xx.

Never 2xx, with the last refusal of a request that had nothing wrong with it:

${without2xx.length === 0 ? 'none' : without2xx.map(why).join('\n')}

Never 4xx: ${without4xx.join(', ') || 'none'}.

Refusals by code: ${codes.join(', ')}.`;
}

function searching({ searched: { needles, database, files, expected, controls } }: AbuseRun): string {
  const lines = (found: Found[]) =>
    found.length === 0
      ? 'Found: nothing.'
      : found.map(({ what, where, times }) => `- ${what} in ${where}, ${times} ×`).join('\n');
  return `## What was left behind

${needles} texts (guests' words, secrets, tokens and keys, each as it is, in lower case, in hex, in base64 at each of its three places, and percent-encoded).

${database.places} tables, ${megabytes(database.bytes)} of rows as text. ${lines(database.found)}

${files.places} files, ${megabytes(files.bytes)}: the log of the node at level debug, \`server.log\` of PostgreSQL, its tables and its write-ahead log, feeds and mails. ${lines(files.found)}

Meant to be there: mails, which outside live are files, hold the token that they are about (${expected.length} files).

Controls, planted on purpose: ${controls.map(({ what, isFound }) => `${what}: ${isFound ? 'found' : '**missed**'}`).join('; ')}.`;
}

function distribution({ outcome: { results } }: AbuseRun): string {
  const totals = statusTotals(results).map(([status, times]) => `${status}: ${times}`);
  const rows = [...results.byOperation]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, statuses]) => [
      `\`${name}\``,
      [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, times]) => `${status}: ${times}`)
        .join(', '),
    ]);
  return `## Answers by operation\n\nAll: ${totals.join(', ')}.\n\n${table(['operation', 'answers'], rows)}`;
}
