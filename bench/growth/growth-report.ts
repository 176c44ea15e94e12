/** The page of numbers: one row for each operation, one column for each size. */
import type { Background } from './growth-background.ts';
import type { Memory, Taken } from './growth-measure.ts';
import { OPERATIONS } from './growth-operations.ts';
import { DAYS, DAYS_BEFORE, EVENT_DAYS, GUEST_DAYS, type TableSize } from './growth-store.ts';
import type { Size } from './growth-world.ts';

export interface Filled {
  fillTime: string;
  bytes: number;
  tables: TableSize[];
}

export interface Measured extends Size, Filled {
  operations: Map<string, Taken>;
  /** Absent: not measured yet. */
  behind?: Behind;
}

export interface Behind {
  startMs: number;
  warm: Memory;
  touched: Memory;
  background: Background;
  wholeReads: { name: string; scans: number }[];
}

/** A deeper index and colder memory are inside of this; what grows with the data is far beyond it. */
const CONSTANT = 1.3;
/** Below this a figure is mostly what any request takes. */
const FLOOR_MS = 0.3;

const short = (count: number) =>
  count >= 1e6 ? `${count / 1e6} M` : count >= 1e3 ? `${count / 1e3} k` : String(count);
const titleOf = ({ venues, bookings }: Size) => `${short(venues)} venues, ${short(bookings)} bookings`;
const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)}`;

export function bodyOf(measured: readonly Measured[], took: string): string {
  const fills = measured.map((one) => `${titleOf(one)} in ${one.fillTime}`).join(', ');
  return [
    `Every figure is of one size against another on the same machine, asked in turn, so it is the columns of a row that count, not the milliseconds. Requests are sent one at a time and their addresses differ, so that answers are not the ones kept from before, unless it says so. **Work** is processor time of the node and of its database together, per request, the median of five rounds; it is what the verdict looks at, because time on a busy machine says little. Every second booking belongs to the partner that asks, which also distributes every venue. Parallel queries are switched off.`,
    `The large world is as after three years: ${share(DAYS_BEFORE)} of the bookings are over, evenly over ${DAYS_BEFORE} days, the rest is for the next ${DAYS - DAYS_BEFORE}. Guests of visits more than ${GUEST_DAYS} days ago are forgotten, events more than ${EVENT_DAYS} days old are dropped with their months, and stays that are over are in \`house_past_allocation\`. Ten venues of the operator that asks have ten bookings on each of the ten days around today in both worlds: diaries, weeks and reports show about the same. After the fill everything was vacuumed and analysed, as autovacuum does in the course of three years: without statistics PostgreSQL guesses, and pages that nobody has vacuumed are read even where the index has it all.`,
    `Filled (minutes:seconds): ${fills}. The whole run took ${took}.`,
    '## Requests',
    operationTable(measured),
    `A verdict is «constant» where the work in the large world is at most ${CONSTANT} times that in the small one.`,
    '## Latency',
    latencyTable(measured),
    '## The largest tables',
    'Of a table with partitions all of them together.',
    sizeTable(measured),
    ...behindOf(measured),
  ].join('\n\n');
}

function behindOf(measured: readonly Measured[]): string[] {
  const known = measured.flatMap(({ behind, ...one }) => (behind ? [{ ...one, ...behind }] : []));
  if (known.length < measured.length)
    return ['What goes on behind the answers was not measured in this run.'];
  return [
    '## Behind the answers',
    backgroundTable(known),
    '## Tables read from end to end',
    ...known.map((one) => `${titleOf(one)}: ${wholeReadsOf(one)}.`),
  ];
}

type Known = Measured & Behind;

const share = (days: number) => `${Math.round((100 * days) / DAYS)} %`;

const workOf = ({ nodeMs, databaseMs }: Taken) => nodeMs + databaseMs;

/** The last world against the first. */
function growthOf(taken: readonly Taken[]): number {
  const [small, large] = [taken[0], taken.at(-1)];
  return small && large ? Math.max(workOf(large), FLOOR_MS) / Math.max(workOf(small), FLOOR_MS) : 1;
}

function operationTable(measured: readonly Measured[]): string {
  const rows = OPERATIONS.filter(({ name }) => measured.every(({ operations }) => operations.has(name))).map(
    ({ name, grows }) => {
      const taken = measured.map(({ operations }) => operations.get(name) as Taken);
      const growth = growthOf(taken);
      const verdict = growth <= CONSTANT ? 'constant' : (grows ?? '**grows**');
      const cells = taken.map(
        (one) => `${rounded(workOf(one))} (${rounded(one.nodeMs)} + ${rounded(one.databaseMs)})`,
      );
      return [name, ...cells, growth.toFixed(2), verdict];
    },
  );
  const titles = measured.map((one) => `${titleOf(one)}: work in ms (node + database)`);
  return tableOf(['request', ...titles, 'growth', 'verdict'], rows);
}

function latencyTable(measured: readonly Measured[]): string {
  const rows = [...(measured[0]?.operations.keys() ?? [])].map((name) => [
    name,
    ...measured.map(({ operations }) => {
      const taken = operations.get(name);
      return taken ? `${rounded(taken.medianMs)} / ${rounded(taken.p99Ms)}` : '';
    }),
  ]);
  return tableOf(['request', ...measured.map((one) => `${titleOf(one)}: median / p99 in ms`)], rows);
}

function backgroundTable(measured: readonly Known[]): string {
  const rows: [string, (one: Known) => number][] = [
    ['start of a node, ms', ({ startMs }) => startMs],
    ['memory of the node after these requests, MB', ({ warm }) => warm.residentMegabytes],
    ['memory after 25,000 venues, or all, were asked for, MB', ({ touched }) => touched.residentMegabytes],
    ['of that, heap in use, MB', ({ touched }) => touched.heapMegabytes],
    ['feed of a venue without files (100 wait), ms each', ({ background }) => background.firstFeedMs],
    [
      'feed of a venue with one new booking (100 wait), ms each',
      ({ background }) => background.changedFeedMs,
    ],
    ['guests forgotten by the nightly job', ({ background }) => background.guestsForgotten],
    ['a thousand guests forgotten, ms', ({ background }) => background.forgettingMs],
    ['database, MB', ({ bytes }) => bytes / 1024 ** 2],
  ];
  return tableOf(
    ['', ...measured.map(titleOf)],
    rows.map(([name, figure]) => [name, ...measured.map((one) => rounded(figure(one)))]),
  );
}

const LARGEST = 10;

function sizeTable(measured: readonly Measured[]): string {
  const totals = new Map<string, number>();
  for (const { tables } of measured)
    for (const { name, bytes } of tables) totals.set(name, Math.max(bytes, totals.get(name) ?? 0));
  const names = [...totals].toSorted(([, a], [, b]) => b - a).slice(0, LARGEST);
  const rows = names.map(([name]) => [
    `\`${name}\``,
    ...measured.map(({ tables }) => {
      const table = tables.find((candidate) => candidate.name === name);
      return table ? `${megabytes(table.bytes)} (${short(table.rows)})` : '';
    }),
  ]);
  return tableOf(['table', ...measured.map((one) => `${titleOf(one)}: MB with indexes (rows)`)], rows);
}

const wholeReadsOf = ({ wholeReads }: Behind) =>
  wholeReads.map(({ name, scans }) => `\`${name}\` ${scans} times`).join(', ') ||
  'none of more than 5,000 rows';

/** In columns, as the formatter wants it. */
function tableOf(header: readonly string[], rows: readonly string[][]): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
