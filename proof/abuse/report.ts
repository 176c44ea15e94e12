/** The paper that `npm run abuse` leaves behind. */

import { isPublished } from '../../test/channels/octo-support.ts';
import type { FuzzOutcome } from './fuzz.ts';
import { IMPOSSIBLE } from './impossible.ts';
import type { Lag } from './lag.ts';
import { neverAnswered, shareOf, statusTotals } from './results.ts';
import type { Found } from './search/hiding-places.ts';
import type { Letters } from './search/mails.ts';
import type { SearchedEverywhere } from './search/search.ts';

export interface AbuseRun {
  outcome: FuzzOutcome;
  seconds: number;
  lag: Lag;
  /** Of a thread that did nothing. */
  idleLag: Lag;
  searched: SearchedEverywhere;
  inFlight: number;
  seed: string;
  deliveries: number;
}

const LAG_LIMIT_MS = 50;

export function hasFailed({ outcome: { results }, lag, searched }: AbuseRun): boolean {
  const isMissed = searched.controls.some(({ isFound }) => !isFound);
  const { database, files, mails, posts } = searched;
  const isFound = [database, files, mails, posts].some(({ found }) => found.length > 0);
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
  idleLag,
  inFlight,
  seed,
  deliveries,
}: AbuseRun): string {
  const of = (from: number, below: number) => percent(shareOf(results, from, below));
  const secrets = [...planted.byKind()].map(([kind, values]) => `${values.size} of kind ${kind}`).join(', ');
  const totals = statusTotals(results);
  const sum = (from: number, below: number) =>
    totals.filter(([status]) => status >= from && status < below).reduce((all, [, times]) => all + times, 0);
  const lagText = ({ p50Ms, p90Ms, p99Ms, maxMs }: Lag) =>
    `${p99Ms.toFixed(1)} ms (p50 ${p50Ms.toFixed(1)}, p90 ${p90Ms.toFixed(1)}, largest ${maxMs.toFixed(0)})`;
  return `${results.requests} requests made from the OpenAPI documents, the lists of MCP tools and what is open to everyone, with seed ${seed}, ${inFlight} under way at a time, by ${results.callers.size} kinds of callers, in ${seconds.toFixed(0)} s. Nothing was meant to be wrong with ${percent(results.good / results.requests)} of them. A tenth went to a second node, which traced all of it.

${table(
  ['what', 'wanted', 'seen'],
  [
    ['answers with 5xx, but for the next two lines', 0, sum(500, 600) - results.putOff - results.ofSystems],
    ['503 with `Retry-After`, as the node had too much to do', 0, results.putOff],
    ['503 of venues whose system has no credentials of ours, as documented', '', results.ofSystems],
    ['kinds of faults in answers', 0, results.findings.size],
    ['event-loop lag, p99', `under ${LAG_LIMIT_MS} ms`, lagText(lag)],
    ['the same of a thread that did nothing', '', lagText(idleLag)],
    ['answers with 2xx', '', of(200, 300)],
    ['answers with 4xx', '', of(400, 500)],
    ['webhooks that arrived', '', deliveries],
  ],
)}

The lag is what the first node measured of itself over the whole run; it includes the 10 ms between two looks at the clock. What a thread without work measured is what the machine alone took. Every answer was held against its status, its codes and its schema in the document, had to be a sound problem where it refused, and was searched for words of the inside and for guests of other partners and operators.

Handed over on the way and searched for afterwards: ${secrets}.`;
}

function faults({ outcome: { results } }: AbuseRun): string {
  const lines = [...results.findings.values()].map(
    ({ first, count }) =>
      `- ${count} × ${first.operation}, as ${first.caller}: ${first.what}\n  - asked: \`${clean(first.request)}\`\n  - answered: \`${clean(first.answer)}\``,
  );
  return `## Faults\n\n${lines.length === 0 ? 'None.' : lines.join('\n')}`;
}

const clean = (text: string, length = 500) => text.replaceAll(/[`\n\r\0|]/g, ' ').slice(0, length);

/** Of a problem, what tells it from others. */
function refusalText(refusal: string | undefined): string {
  if (refusal === undefined) return 'never asked without a fault';
  const [, code] = /"code":"([^"]+)"/.exec(refusal) ?? [];
  const [, detail] = /"(?:detail|errorMessage|message)":"([^"]+)"/.exec(refusal) ?? [];
  return clean(`${code ?? ''} ${detail ?? refusal}`.trim(), 140);
}

function reach({ outcome: { results, operations } }: AbuseRun): string {
  const without2xx = neverAnswered(results, operations, 200, 300);
  const without4xx = neverAnswered(results, operations, 400, 500);
  const why = (name: string) =>
    IMPOSSIBLE[name]
      ? `- ${name}: ${IMPOSSIBLE[name]}`
      : `- ${name}: last refused with \`${refusalText(results.refusals.get(name) ?? results.steps.get(name))}\``;
  const ofProbes = [...results.byOperation.keys()].filter((name) => results.probes.has(name));
  const tools = ofProbes.filter((name) => name.startsWith('tool '));
  const codes = [...results.codes].sort(([, a], [, b]) => b - a).map(([code, times]) => `${code} ${times}`);
  return `## Reach

${operations.length} operations and the stream of the diary; ${operations.length - without2xx.length} of them answered with 2xx, ${operations.length - without4xx.length} with 4xx. ${tools.length} tools of MCP, and ${ofProbes.length - tools.length} other things that the documents do not describe: pages, notifications, sessions by cookie, broken messages. Answers of \`/octo\` ${isPublished ? 'fit the document that OCTO publishes' : 'were not held against the document that OCTO publishes, which is not at hand'}.

Never 2xx, with the reason, or with the last refusal of a request that had nothing wrong with it:

${without2xx.length === 0 ? 'none' : without2xx.map(why).join('\n')}

Steps of stories that were refused at some time, as the victim is ruined meanwhile: ${
    [...results.steps].map(([name, refusal]) => `${name} (\`${refusalText(refusal)}\`)`).join('; ') || 'none'
  }.

Never 4xx: ${without4xx.join(', ') || 'none'}.

Refusals by code: ${codes.join(', ')}.`;
}

function searching({ searched }: AbuseRun): string {
  const { needles, database, files, expected, mails, posts, controls } = searched;
  const lines = (found: Found[]) =>
    found.length === 0
      ? 'Found: nothing.'
      : found
          .slice(0, MOST_SHOWN)
          .map(({ what, where, times }) => `\n- ${what} in ${where}, ${times} ×`)
          .join('');
  const letters = ({ read, aboutGuests, found }: Letters) =>
    `${read}, ${aboutGuests} of them about guests whom their reader may know. ${lines(found)}`;
  return `## What was left behind

${needles} texts (guests' words, secrets, tokens and keys, each as it is, in lower case, in hex, in base64 at each of its three places, and percent-encoded).

- Database: ${database.places} tables, ${megabytes(database.bytes)} of rows as text. ${lines(database.found)}
- Files: ${files.places}, ${megabytes(files.bytes)}: the logs of the nodes at level debug, traces, \`server.log\` of PostgreSQL, its tables and its write-ahead log, a backup as text, feeds, the request log, the audit log, reports in CSV, metrics and health. ${lines(files.found)}
- Mails: ${letters(mails)}
- Webhooks: ${letters(posts)}

Meant to be there: mails, which outside live are files, hold the token that they are about (${expected.length} files).

Controls, planted on purpose: ${controls.map(({ what, isFound }) => `${what}: ${isFound ? 'found' : '**missed**'}`).join('; ')}.`;
}

const MOST_SHOWN = 20;

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
