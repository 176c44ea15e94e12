export interface Finding {
  perSecond: number;
  calls: number;
  /** Callers who hung up before an answer came. */
  gone: number;
  refused: number;
  withoutRetryAfter: number;
  served: number;
  failed: number;
  longestMs: number;
  beyondThreeSeconds: number;
  beforeMb: number;
  peakMb: number;
  /** From when the database goes on until the node says that it is ready. */
  readyMs: number;
  madeForGone: number;
  /** Answers that say that the outcome is not known. */
  inDoubt: number;
  madeThoughRefused: number;
  /** Answered with 201 and not there. */
  lost: number;
  failedAfter: number;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (mb: number) => `${Math.round(mb)} MB`;

export function table(findings: readonly Finding[]): string {
  const row = (f: Finding) =>
    [
      f.perSecond,
      f.calls,
      seconds(f.longestMs),
      f.beyondThreeSeconds,
      f.refused,
      f.served,
      `${megabytes(f.beforeMb)} / ${megabytes(f.peakMb)}`,
      f.gone,
      f.madeForGone,
      f.inDoubt,
      f.madeThoughRefused,
      seconds(f.readyMs),
    ].join(' | ');
  return [
    '| requests/s | calls | longest | beyond 3 s | refused (503) | served | memory before / peak | hung up | booked for them | in doubt | booked though refused | ready after |',
    `|${' ---: |'.repeat(12)}`,
    ...findings.map((finding) => `| ${row(finding)} |`),
  ].join('\n');
}

export function reportOf(findings: readonly Finding[], standstillSeconds: number): string {
  const sum = (value: (finding: Finding) => number) => findings.reduce((total, f) => total + value(f), 0);
  const met = (is: boolean) => (is ? 'met' : '**missed**');
  return [
    [
      `- Longest call: ${seconds(Math.max(...findings.map(({ longestMs }) => longestMs)))}; ${sum((f) => f.beyondThreeSeconds)} beyond 3 s (goal: none; ${met(sum((f) => f.beyondThreeSeconds) === 0)}).`,
      `- Bookings made for the ${sum((f) => f.gone)} callers who had hung up: ${sum((f) => f.madeForGone)} (goal: none; ${met(sum((f) => f.madeForGone) === 0)}).`,
      `- Refused with 503 as not carried out, and booked all the same: ${sum((f) => f.madeThoughRefused)} (goal: none; ${met(sum((f) => f.madeThoughRefused) === 0)}). Answered with 201 and not there: ${sum((f) => f.lost)}. 503 without \`Retry-After\`: ${sum((f) => f.withoutRetryAfter)}. Other answers of 5xx: ${sum((f) => f.failed)}.`,
      `- In the five seconds after the node was ready again: ${sum((f) => f.failedAfter)} answers of 5xx.`,
    ].join('\n'),
    `One node (default settings, a rate limit that is never reached) and one PostgreSQL, new for each rate. After five seconds of calls every process of PostgreSQL is stopped (\`SIGSTOP\`) for ${standstillSeconds} s while the calls go on, then continued. Calls are sent by a schedule, whether or not earlier ones were answered. Of ten, six ask for live availability, one for a booking, three book; one of these three hangs up after 0.3 s. Afterwards the database is asked which bookings there are. Served are those that the node answered from memory in the first moments, and those that waited when the database went on.`,
    table(findings),
    'In doubt are bookings whose statement had been sent when the database fell silent: their answer says `isOutcomeKnown: false`.',
  ].join('\n\n');
}
