/** Values that have broken other programs, each for a kind of place that a request has. */
import { gzipSync } from 'node:zlib';
import type { Chances } from '../chances.ts';

/** Texts that have broken other programs: other encodings, other languages' syntax, numbers at their edges. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\u0000abc',
  '\ufeff',
  '\ud800',
  'İ',
  'ß'.repeat(50),
  '𝕏🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\r\nX-Injected: yes',
  "' or 1=1 --",
  "'; drop table venue; --",
  '%',
  '%00',
  '%ff',
  '\\',
  '\\%_',
  "a' & 'b | !c <-> (d:*",
  'example.com/a&b?c=|d',
  '__proto__',
  'constructor',
  'toString',
  '#{7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  '[object Object]',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '9007199254740993',
  '2147483648',
  '-1',
  '1.5',
  'null',
  'true',
  '{}',
  '[]',
  '{a,b}',
  '"',
  '0000-00-00',
  '9999-12-31',
  '2026-02-30',
  '24:00',
  '23:59:60',
  'a'.repeat(300),
  '('.repeat(2000),
  'id,'.repeat(1500),
];

/** One of them, or one that was never seen before. */
export const hostileText = (chances: Chances): string =>
  chances.happens(0.3) ? chances.text() : chances.pick(HOSTILE_TEXTS);

/** Percent-encoded, also what no encoder would accept: half of a surrogate pair is sent as its three bytes. */
export function encoded(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9_.~-]/g, percent);
}

const percent = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** No real id among them: whoever may do everything would do it. */
export const HOSTILE_IDS = [
  '|',
  '||',
  '|||',
  '||||||||',
  '1',
  '1|',
  '1|house',
  '1|house|',
  '|house|soho-grill',
  '1|house|soho-grill|',
  '1|house|soho-grill|dinner|',
  '1|house|soho-grill||dinner',
  '01|house|nowhere',
  '+1|house|nowhere',
  '1e0|house|nowhere',
  '2147483647|house|nowhere',
  '2147483648|house|nowhere',
  '99999999999999999999|house|nowhere',
  '1|HOUSE|Nowhere',
  '1|house|nowhere ',
  '1|house|no\u0000where',
  '1¦house¦nowhere',
  '0',
  '-1',
  '2147483648',
  '9223372036854775808',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{00000000-0000-7000-8000-000000000000}',
  '00000000000070008000000000000000',
  '1; select 1',
  '$1',
];

export const HOSTILE_DATES = [
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '+275760-09-13',
  '-271821-04-19',
  '2027-02-29',
  '2028-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-12-5',
  '2027-03-28',
  '2026-12-31T23:59:60Z',
  '2027-03-28T01:30:00+00:00',
  '2027-10-31T01:30:00+01:00',
  '2026-12-05T19:30:00+24:00',
  '2026-12-05T19:30:00-23:59',
  '2026-12-05T19:30:00+00:00[Europe/Paris]',
  '2026-12-05T19:30:00.123456789Z',
  '2026-12-05T24:00:00Z',
  '2026-12-05t19:30z',
  '２０２６-12-05',
];

export const HOSTILE_TIMES = ['24:00', '-1:00', '7:5', '19:60', '19:30:61', '25:61', '٢٣:٠٠', '19:30Z'];

export const HOSTILE_POINTERS = [
  '',
  '/',
  '//',
  '/-',
  '/-1',
  '/00',
  '/1e1',
  '/99999999999999999999',
  '/~',
  '/~2',
  '/__proto__/x',
  '/constructor/prototype/x',
  '/labels/4294967295',
  '/preorders/menus/0/items/-/options/-',
  '/partySize/x',
  '/0/answer/0',
  `/${'a/'.repeat(500)}`,
  'partySize',
];

export const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1e-7,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  5e-324,
];

/** What a reader of numbers may take for one, as JSON text that JavaScript would not write. */
export const HOSTILE_LITERALS = [
  '1e400',
  '-0',
  '1E-400',
  '0.1e1',
  '9007199254740993',
  'NaN',
  '-Infinity',
  '01',
  '0x1f',
  '1.',
  '.5',
];

export const HOSTILE_FIELDS = [
  'id',
  'id,name',
  'id(',
  'id)',
  ',',
  'id,,name',
  'products(compositeId,spaces(capacitySeated(min,max)))',
  'meta',
  'data(id)',
  '__proto__',
  'constructor(name)',
  'toString',
  `${'products('.repeat(300)}id${')'.repeat(300)}`,
  'id,'.repeat(2000),
  'firstName,email,phone,guest,partnerId',
  'location(lat(x))',
  '*',
];

export const MEDIA_TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json;;;',
  'json',
  '*/*',
  'application/octet-stream',
  'application/json-patch+json',
  'application/vnd.service.toon+json',
];

export const ACCEPTS = [
  'application/json',
  'text/toon',
  'text/toon;q=0.5, application/json;q=0.1',
  'application/vnd.service.toon+json',
  'text/html',
  '*/*;q=0',
  'a/b;c="d',
  ',,,',
];

const BOMB_BYTES = 8 * 1024 * 1024;
/** Eight megabytes of blanks in eight kilobytes. */
export const GZIP_BOMB = gzipSync(Buffer.alloc(BOMB_BYTES, ' '));

/** Expressions as the profile of rules has them, only deeper, longer or about what it does not know. */
export function hostileLogic(depth: number): unknown {
  let logic: unknown = { var: 'booking.partySize' };
  for (let level = 0; level < depth; level += 1)
    logic = level % 2 ? { '!': [logic] } : { and: [logic, true] };
  return logic;
}
