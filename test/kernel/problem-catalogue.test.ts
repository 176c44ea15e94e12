import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { problem } from '../../src/kernel/problem.ts';
import { catalogue, isProblemCode, isRetryable, problemCodes } from '../../src/kernel/problem-catalogue.ts';

const shared = new URL('../../../shared/', import.meta.url);
const interfaceFile = new URL('spec/interface.md', shared);
const designFile = new URL('design.md', shared);

const OWN_CODES = ['403', '404', '405', '406', '412', '413', '414', '415', '416', '431'].map(
  (status) => `HTTP-N-${status}`,
);
const numbered = (family: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${family}-${String(from + i).padStart(3, '0')}`);

const OWN = new Set([
  ...OWN_CODES,
  'HTTP-R-500',
  'HTTP-R-503',
  'ORDER-N-009',
  'ORDER-N-010',
  'USER-N-016',
  'OPRTR-N-010',
  'OPRTR-N-011',
  ...numbered('HOLD-N', 1, 6),
  ...numbered('WAIT-N', 1, 3),
  ...numbered('PAYM-N', 1, 4),
  'PAYM-R-001',
  ...numbered('MANDT-N', 1, 2),
]);

/** Codes of a table cell: single ones, `A to B`, and `A`..`006`. */
function codesOfCell(cell: string): string[] {
  const bare = cell.replaceAll('`', '');
  return bare.split(',').flatMap((part) => {
    const match = /([A-Z]+-[NR])-(\d{3})(?:(?: to [A-Z]+-[NR]-|\.\.)(\d{3}))?/.exec(part);
    if (!match) return [];
    const [, family, from, to] = match as unknown as [string, string, string, string | undefined];
    return numbered(family, Number(from), Number(to ?? from));
  });
}

/** Statuses of the design's table, where a code can be shortened to its number after one of the same family. */
function statusesOfDesign(text: string): Map<string, number> {
  const statuses = new Map<string, number>();
  for (const [, status, cell] of text.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)) {
    let family = '';
    for (const part of (cell ?? '').split(',')) {
      const match = /(?:([A-Z]+-[NR])-)?(\d{3}|\*)(?: to (\d{3}))?/.exec(part);
      assert.ok(match, `unreadable: ${part}`);
      family = match[1] ?? family;
      const from = Number(match[2]);
      const codes =
        match[2] === '*'
          ? problemCodes.filter((code) => code.startsWith(family))
          : numbered(family, from, Number(match[3] ?? from));
      for (const code of codes) statuses.set(code, Number(status));
    }
  }
  return statuses;
}

test('the catalogue has exactly the codes of the interface and our own', (t) => {
  if (!existsSync(interfaceFile)) return t.skip('the interface is not at hand');
  const section = readFileSync(interfaceFile, 'utf8').split('\n## Errors')[1]?.split('\n## ')[0] ?? '';
  const cells = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map((match) => match[1] ?? '');
  const expected = new Set([...cells.flatMap(codesOfCell), ...OWN]);
  assert.ok(expected.size > 130, 'the table was not read');
  assert.deepEqual([...problemCodes].sort(), [...expected].sort());
});

test('every code has the status that was decided for it', (t) => {
  if (!existsSync(designFile)) return t.skip('the design is not at hand');
  const section =
    readFileSync(designFile, 'utf8').split('**HTTP statuses.**')[1]?.split('**Tokens.**')[0] ?? '';
  const decided = statusesOfDesign(section);
  const here = Object.entries(catalogue).filter(([code]) => !OWN.has(code));
  assert.deepEqual(
    new Map(here.map(([code, entry]) => [code, entry.status])),
    new Map(decided.entries().toArray()),
  );
});

test('our own codes carry their status in their name', () => {
  for (const code of problemCodes.filter((name) => name.startsWith('HTTP-'))) {
    assert.equal(String(catalogue[code].status), code.slice(-3));
  }
});

test('the letter says whether a code may be retried, with two exceptions', () => {
  const exceptions = problemCodes.filter((code) => isRetryable(code) !== code.includes('-R-'));
  assert.deepEqual(exceptions.sort(), ['USER-N-014', 'VENUE-N-010']);
  for (const code of problemCodes) assert.equal(problem(code).isRetryable, isRetryable(code));
});

test('every entry is written out for a reader', () => {
  for (const [code, { title, meaning, remedy }] of Object.entries(catalogue)) {
    assert.ok(title.length <= 50 && !title.endsWith('.'), `${code}: title`);
    assert.match(meaning, /^[A-Za-z].{15,}\.$/, `${code}: meaning`);
    assert.match(remedy, /^[A-Z].{7,}\.$/, `${code}: remedy`);
  }
});

test('names of Object are no codes', () => {
  assert.equal(isProblemCode('constructor'), false);
  assert.equal(isProblemCode('BOOK-N-017'), true);
});
