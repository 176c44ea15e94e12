/** The page of numbers: one row for each operation, one column for each size. */
import type { Background } from './growth-background.ts';
import type { Memory, Taken } from './growth-measure.ts';
import { OPERATIONS } from './growth-operations.ts';
import type { TableSize } from './growth-store.ts';
import type { Size } from './growth-world.ts';

export interface Measured extends Size {
  startMs: number;
  operations: Map<string, Taken>;
  warm: Memory;
  touched: Memory;
  background: Background;
  bytes: number;
  tables: TableSize[];
  wholeReads: { name: string; scans: number }[];
}

/** Twice is noise, a deeper index and colder memory; what grows with the data is far beyond it. */
const CONSTANT = 2;
/** Below this a figure is mostly what any request takes. */
const FLOOR_MS = 0.3;

const short = (count: number) =>
  count >= 1e6 ? `${count / 1e6} M` : count >= 1e3 ? `${count / 1e3} k` : String(count);
const titleOf = ({ venues, bookings }: Size) => `${short(venues)} venues, ${short(bookings)} bookings`;
const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)}`;

export function bodyOf(measured: readonly Measured[]): string {
  return [
    'Every figure is of one size against another on the same machine, so it is the columns of a row that count, not the milliseconds. Requests are sent one at a time and their addresses differ, so that answers are not the ones kept from before, unless it says so. **Work** is processor time of the node and of its database together, per request; it is what the verdict looks at, because time on a busy machine says little. Every second booking belongs to the partner that asks, which also distributes every venue. Parallel queries are switched off.',
    '## Requests',
    operationTable(measured),
    `A verdict is «constant» where the work at the largest is at most ${CONSTANT} times that at the smallest, by venues and by bookings.`,
    '## Latency',
    latencyTable(measured),
    '## Behind the answers',
    backgroundTable(measured),
    '## The largest tables',
    sizeTable(measured),
    '## Tables read from end to end',
    ...measured.map((one) => `${titleOf(one)}: ${wholeReadsOf(one)}.`),
  ].join('\n\n');
}

const workOf = ({ nodeMs, databaseMs }: Taken) => nodeMs + databaseMs;

interface Growth {
  byVenues: number;
  byBookings: number;
}

function growthOf(measured: readonly Measured[], figure: (one: Measured) => number): Growth {
  const [base] = measured;
  if (!base) return { byVenues: 1, byBookings: 1 };
  const factor = (others: readonly Measured[]) => {
    const last = others.at(-1);
    return last ? Math.max(figure(last), FLOOR_MS) / Math.max(figure(base), FLOOR_MS) : 1;
  };
  return {
    byVenues: factor(measured.filter(({ bookings }) => bookings === base.bookings)),
    byBookings: factor(measured.filter(({ venues }) => venues === base.venues)),
  };
}

const isConstant = ({ byVenues, byBookings }: Growth) => byVenues <= CONSTANT && byBookings <= CONSTANT;

function operationTable(measured: readonly Measured[]): string {
  const rows = OPERATIONS.filter(({ name }) => measured.every(({ operations }) => operations.has(name))).map(
    ({ name, grows }) => {
      const taken = measured.map(({ operations }) => operations.get(name) as Taken);
      const growth = growthOf(measured, ({ operations }) => workOf(operations.get(name) as Taken));
      const verdict = isConstant(growth) ? 'constant' : (grows ?? '**grows**');
      const cells = taken.map(
        (one) => `${rounded(workOf(one))} (${rounded(one.nodeMs)} + ${rounded(one.databaseMs)})`,
      );
      return [name, ...cells, `${growth.byVenues.toFixed(1)}`, `${growth.byBookings.toFixed(1)}`, verdict];
    },
  );
  const titles = measured.map((one) => `${titleOf(one)}: work in ms (node + database)`);
  return tableOf(['request', ...titles, 'growth by venues', 'growth by bookings', 'verdict'], rows);
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

function backgroundTable(measured: readonly Measured[]): string {
  const rows: [string, (one: Measured) => number][] = [
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

const wholeReadsOf = ({ wholeReads }: Measured) =>
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
