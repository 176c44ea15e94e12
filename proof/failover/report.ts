import type { Checked } from './check.ts';

export interface Finding extends Checked {
  label: string;
  /** From the failure until another server was the primary. */
  replacedAfterMs: number;
  writesDownMs: number;
  readsDownMs: number;
  refused: number;
  failed: number;
  slowestMs: number;
  unseen: number;
  /** Acknowledged, and only on the former primary. */
  strays: number;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const COLUMNS: readonly [string, (finding: Finding) => number | string][] = [
  ['round', ({ label }) => label],
  ['promoted after', ({ replacedAfterMs }) => seconds(replacedAfterMs)],
  ['writes down', ({ writesDownMs }) => seconds(writesDownMs)],
  ['reads down', ({ readsDownMs }) => seconds(readsDownMs)],
  ['calls refused', ({ refused }) => refused],
  ['other failures', ({ failed }) => failed],
  ['slowest call', ({ slowestMs }) => seconds(slowestMs)],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['lost', ({ lost }) => lost],
  ['on the former primary alone', ({ strays }) => strays],
  ['twice', ({ duplicates }) => duplicates],
  ['oversold', ({ oversold }) => oversold],
  ['without event', ({ withoutEvent }) => withoutEvent],
];

export function table(findings: readonly Finding[]): string {
  return [
    `| ${COLUMNS.map(([name]) => name).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(COLUMNS.length - 1)}`,
    ...findings.map((finding) => `| ${COLUMNS.map(([, value]) => value(finding)).join(' | ')} |`),
  ].join('\n');
}

export function reportOf(byHand: readonly Finding[], byPatroni: readonly Finding[] | string): string {
  const patroni = typeof byPatroni === 'string' ? [] : byPatroni;
  const all = [...byHand, ...patroni];
  const sum = (of: readonly Finding[], value: (finding: Finding) => number) =>
    of.reduce((total, finding) => total + value(finding), 0);
  const synchronous = [...byHand.filter(({ label }) => label.startsWith('synchronous')), ...patroni];
  const asynchronous = byHand.filter(({ label }) => label.startsWith('asynchronous'));
  const met = (is: boolean) => (is ? 'met' : '**missed**');
  const lost = sum(synchronous, (f) => f.lost);
  const wrong = sum(all, (f) => f.duplicates + f.oversold + f.withoutEvent);
  return [
    [
      `- Acknowledged bookings lost with synchronous replication: ${lost} of ${sum(synchronous, (f) => f.acknowledged)} (goal: none; ${met(lost === 0)}). Without it: ${sum(asynchronous, (f) => f.lost)} of ${sum(asynchronous, (f) => f.acknowledged)}.`,
      `- Made twice, oversold or without their event: ${wrong} (goal: none; ${met(wrong === 0)}). Answers that are neither these nor 503: ${sum(all, (f) => f.failed)}. Acknowledged bookings that a read did not find a moment later: ${sum(synchronous, (f) => f.unseen)} with synchronous replication, ${sum(asynchronous, (f) => f.unseen)} without.`,
      '- PostgreSQL 15 of Debian, a primary and two standbys; three nodes with all three hosts in `DATABASE_URL`. Eight partners book, two of them for the same tables, and repeat every call that is refused, with its key; four read what was booked last. Of a frozen primary all processes are stopped with `SIGSTOP`; it wakes up 2.5 s after the promotion, not knowing of it, and the calls go on. In the rounds without synchronous replication that kill the primary, nothing has reached its standbys for half a second before, as where the network between them stalls.',
      '- «Promoted after» is up to whoever promotes: by hand it begins with a second of waiting. «Writes down» and «reads down» are the longest time without a booking, and without a read, that was answered.',
    ].join('\n'),
    '## Promoted by hand',
    table(byHand),
    '## Promoted by Patroni',
    typeof byPatroni === 'string' ? byPatroni : table(byPatroni),
  ].join('\n\n');
}
