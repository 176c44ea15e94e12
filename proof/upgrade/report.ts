/** Writes down what the upgrades found. */
import { type Call, hasFailed } from '../rolling/load.ts';
import { type Check, lineOf } from './check.ts';
import type { OldVersion } from './old-version.ts';
import type { TableChanges } from './tables.ts';

export interface Phase {
  name: string;
  fromMs: number;
}

export interface Finding {
  old: OldVersion;
  perSecond: number;
  phases: Phase[];
  endMs: number;
  calls: Call[];
  /** Old nodes that did not exit with 0. */
  unclean: number;
  /** Printed by all nodes. */
  said: string;
  checked: Check[];
  migrations: readonly { name: string; startedAt: Temporal.Instant }[];
  tables: TableChanges[];
}

/** Why rows of before may have gone, or have other values. Whatever is not here is a finding. */
const EXPECTED: Record<string, string> = {
  booking: 'amended and cancelled by the calls',
  booking_count: 'added up by a job',
  feed_channel: 'feeds are made anew',
  feed_garbage: 'feeds are made anew',
  feed_shard: 'feeds are made anew',
  feed_venue: 'feeds are made anew',
  house_allocation: 'cancelled by the calls, or moved by the nightly job',
  house_day: 'marks of days with calls; those of the past are deleted',
  house_reservation: 'amended and cancelled by the calls',
  idempotency_key: 'leases of the calls',
  node: 'the old nodes, which have ended',
  payment: 'other words for provider and status (`0026_payments.sql`), or settled by a job',
  refund: 'paid out by a job',
  sandbox_payment: 'settled by time',
  ticket_stock: 'sold by the calls',
  venue: 'what it is found by (`0029_search.sql`)',
};
/** The only columns of these that an upgrade may change. */
const COLUMNS: Record<string, string[]> = { payment: ['provider', 'status'], venue: ['search'] };

/** Refused by nodes from before `0026_payments.sql`, see docs/operating.md. */
const isExcused = (f: Finding) => {
  const hadLedger = f.old.migrations.some((file) => file.includes('0026_'));
  return ({ kind }: Call) => kind === 'pay' && !hadLedger;
};

export function findingText(findings: readonly Finding[]): string {
  return [
    'Two nodes of the old version on one PostgreSQL, which has its demo data and what users have made over HTTP: bookings, some of them changed and cancelled, enquiries with messages, orders, payments with refunds, a webhook, people, an invite, rules, partners and clients, and evenings of the past. Both stand behind haproxy with `deploy/haproxy.cfg`. While calls come at a fixed rate, whether or not earlier ones were answered, a node of the new version is started, which migrates the database; then the proxy is told to give the first old node no more calls, it gets `SIGTERM`, and a new one takes its port, and so with the second. A third of the calls books, changes, cancels or orders; others read, list, sign in, pay, and repeat a booking under its `Idempotency-Key`, which another version may have made. Failed is a status of 5xx or no answer.',
    ...findings.map(oneText),
  ].join('\n\n');
}

function oneText(f: Finding): string {
  const failed = f.calls.filter(hasFailed);
  const excused = failed.filter(isExcused(f));
  const unexpected = failed.filter((call) => !excused.includes(call));
  const met = (is: boolean) => (is ? 'met' : '**missed**');
  return [
    `## From ${f.old.version} at ${f.old.commit} (${f.old.committedAt})`,
    [
      `- Calls: ${f.calls.length}, ${f.perSecond} a second. Failed: ${unexpected.length} (goal: none; ${met(unexpected.length === 0)})${unexpected.length > 0 ? `: ${reasonsOf(unexpected)}` : ''}.`,
      ...(excused.length > 0
        ? [
            `- Payments that old nodes could not begin once the database was migrated, as [docs/operating.md](../docs/operating.md#upgrades) says: ${excused.length}.`,
          ]
        : []),
      `- Old nodes that did not exit with 0: ${f.unclean} (goal: none; ${met(f.unclean === 0)}).`,
      `- Migrations: ${migrationText(f)}`,
      ...f.checked.map((check) => `- ${lineOf(check)}`),
      `- Errors in the logs of all nodes: ${errorsOf(f.said) || 'none'}.`,
    ].join('\n'),
    phaseTable(f),
    tablesText(f.tables),
  ].join('\n\n');
}

const countsOf = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => `${name} (${length})`).join(', ');

const reasonsOf = (failed: readonly Call[]) =>
  countsOf(failed.map((call) => [call.kind, call.status, call.error].filter(Boolean).join(' ')));

/** Each is stamped with the beginning of its transaction. */
function migrationText({ old, migrations }: Finding): string {
  const released = new Set(old.migrations.map((path) => path.replace('migrations/', '')));
  const added = migrations.filter(({ name }) => !released.has(name));
  const [first, last] = [added[0], added.at(-1)];
  if (!first || !last) return 'none.';
  const tookMs = last.startedAt.since(first.startedAt).total('milliseconds');
  return `${first.name} to ${last.name}, ${added.length} files; ${(tookMs / 1000).toFixed(1)} s from the beginning of the first to that of the last.`;
}

function errorsOf(said: string): string {
  const lines = said.split('\n').filter((line) => /^\{"level":[56]0/.test(line));
  return countsOf(
    lines.map((line) => {
      const { msg, err, req } = JSON.parse(line);
      return `${[req?.route && `\`${req.route}\``, msg, err?.message].filter(Boolean).join(': ')}`;
    }),
  );
}

export function phaseTable({ phases, calls, endMs }: Pick<Finding, 'phases' | 'calls' | 'endMs'>): string {
  const rows = phases.map(({ name, fromMs }, index) => {
    const untilMs = phases[index + 1]?.fromMs ?? endMs;
    const own = calls.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
    const times = own.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    const at = (share: number) => `${Math.round(times[Math.floor(times.length * share)] ?? 0)} ms`;
    const cells = [
      name,
      `${((untilMs - fromMs) / 1000).toFixed(0)} s`,
      own.length,
      own.filter(hasFailed).length,
      own.filter(({ status = 0 }) => status >= 400 && status < 500).length,
      at(0.5),
      at(0.99),
      `${Math.round(times.at(-1) ?? 0)} ms`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| phase | time | calls | failed | refused | median | 99 % | slowest |',
    `| --- |${' ---: |'.repeat(7)}`,
    ...rows,
  ].join('\n');
}

function tablesText(tables: readonly TableChanges[]): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const changed = tables.filter((table) => table.missing > 0 || table.changed.size > 0);
  const same = `Of the ${tables.length} tables with ${rows} rows of before, ${tables.length - changed.length} have all rows with all their old values. The others:`;
  const lines = changed.map(({ name, rows: count, missing, changed: columns }) => {
    const all = [...columns].map(([column, number]) => `${column} ${number}`).join(', ');
    const allowed = COLUMNS[name];
    const isExpected =
      name in EXPECTED && [...columns.keys()].every((column) => allowed?.includes(column) ?? true);
    return `| \`${name}\` | ${count} | ${missing} | ${all} | ${isExpected ? EXPECTED[name] : '**not expected**'} |`;
  });
  return [
    same,
    '',
    '| table | rows | gone | rows with other values | because |',
    '| --- | ---: | ---: | --- | --- |',
    ...lines,
  ].join('\n');
}
