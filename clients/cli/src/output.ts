/** What is printed: tables that fit the terminal, colours where there is one, JSON where it is asked for. */
import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';

/** Codes of the terminal that switch a style on and off. */
const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;
export type Style = keyof typeof STYLES;

export interface Column<Row> {
  title: string;
  of: (row: Row) => string | number | null | undefined;
  /** Numbers stand on the right. */
  isNumber?: boolean;
}

export interface Output {
  isJson: boolean;
  isTerminal: boolean;
  /** One document: JSON, or what `show` prints of it. */
  document(data: unknown, show: () => void): void;
  /** One of many that come over time: JSON on one line, or what `show` returns. */
  entry(data: unknown, show: () => string): void;
  line(text?: string): void;
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void;
  /** Names with values, one a line; those without a value are left out. */
  facts(facts: Record<string, string | number | null | undefined>): void;
  /** To stderr, for people: it is no part of the result. */
  note(text: string): void;
  style(style: Style, text: string): string;
  progress(total: number, unit: string): Progress;
}

export interface Progress {
  at(count: number, note?: string): void;
  done(): void;
}

interface Streams {
  stdout: NodeJS.WritableStream & Partial<WriteStream>;
  stderr: NodeJS.WritableStream & Partial<WriteStream>;
  env: Record<string, string | undefined>;
}

const NARROWEST_COLUMN = 8;
const DEFAULT_WIDTH = 100;
const BAR_WIDTH = 24;

export function createOutput({ stdout, stderr, env }: Streams, isJson: boolean): Output {
  const isTerminal = stdout.isTTY === true;
  const hasColours = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  const style = (name: Style, text: string) => {
    const [on, off] = STYLES[name];
    return hasColours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  const line = (text = '') => void stdout.write(`${text}\n`);
  return {
    isJson,
    isTerminal,
    style,
    line,
    document(data, show) {
      if (isJson) line(jsonOf(data, 2));
      else show();
    },
    entry: (data, show) => line(isJson ? jsonOf(data) : show()),
    table(rows, columns) {
      const width = isTerminal ? (stdout.columns ?? DEFAULT_WIDTH) : Number.POSITIVE_INFINITY;
      const [head = '', ...body] = tableLines(rows, columns, width);
      line(style('bold', head));
      for (const each of body) line(each);
    },
    facts(facts) {
      const shown = Object.entries(facts).filter(
        ([, value]) => value !== null && value !== undefined && value !== '',
      );
      const width = Math.max(0, ...shown.map(([name]) => name.length));
      for (const [name, value] of shown)
        line(`${style('dim', name.padEnd(width))}  ${printable(String(value))}`);
    },
    note: (text) => void stderr.write(`${text}\n`),
    progress: (total, unit) => createProgress(stderr, total, unit),
  };
}

/** What comes from elsewhere must not move the cursor or change the title of the window. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** JSON escapes only some of the characters that steer a terminal; these are the others. */
export function jsonOf(data: unknown, indent = 0): string {
  return JSON.stringify(data, null, indent).replaceAll(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ of }) => printable(String(of(row) ?? '')))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => [...(row[index] ?? '')].length)));
  const gaps = 2 * (columns.length - 1);
  // The widest column gives way first, so that the short ones stay readable.
  for (;;) {
    const widest = widths.indexOf(Math.max(...widths));
    const total = widths.reduce((sum, each) => sum + each, gaps);
    if (total <= width || (widths[widest] ?? 0) <= NARROWEST_COLUMN) break;
    widths[widest] = Math.max(NARROWEST_COLUMN, (widths[widest] ?? 0) - (total - width));
  }
  return cells.map((row) =>
    row
      .map((cell, index) => fit(cell, widths[index] ?? 0, columns[index]?.isNumber ?? false))
      .join('  ')
      .trimEnd(),
  );
}

function fit(text: string, width: number, isRight: boolean): string {
  const letters = [...text];
  const shown = letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : text;
  const padding = ' '.repeat(width - Math.min(letters.length, width));
  return isRight ? padding + shown : shown + padding;
}

/** A bar that is drawn over itself on a terminal; elsewhere a line for each tenth. */
function createProgress(stream: Streams['stderr'], total: number, unit: string): Progress {
  let shown = -1;
  return {
    at(count, note = '') {
      const share = total === 0 ? 1 : count / total;
      if (stream.isTTY) {
        const full = Math.round(share * BAR_WIDTH);
        const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
        const text = `${bar} ${count} of ${total} ${unit} ${note}`;
        stream.write(`\r${text.slice(0, (stream.columns ?? DEFAULT_WIDTH) - 1)}\u001b[K`);
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth === shown) return;
      shown = tenth;
      stream.write(`${count} of ${total} ${unit} ${note}`.trimEnd().concat('\n'));
    },
    done() {
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}

export const bytes = (count: number): string =>
  count < 1000
    ? `${count} B`
    : count < 1e6
      ? `${(count / 1000).toFixed(1)} kB`
      : `${(count / 1e6).toFixed(1)} MB`;

/** `1250`, `GBP`: «£12.50». */
export function money(pence: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(pence / 100);
}
