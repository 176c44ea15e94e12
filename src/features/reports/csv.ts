/** Comma-separated values after RFC 4180, in UTF-8. */
export type Cell = string | number | null;

const NEEDS_QUOTES = /[",\r\n]/;
/** Spreadsheets take a cell that begins like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A text that would be carried out gets an apostrophe in front. Numbers are ours, and stay what they are. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;
