/** Patches as an enemy, a fool or a broken program would send them, and a few that are in order. */
import fc from 'fast-check';
import type { Step } from './amending.ts';

const FIELDS = [
  'compositeId type partySize children dateTime date time duration spaceId firstName lastName email phone',
  'company partnerBookingId notes comments admin_notes labels depositAmount preorders',
].flatMap((line) => line.split(' '));
const NOT_FIELDS = 'id status lastUpdate guest tables payments operatorBookingId partnerId'.split(' ');
const POISON = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
const INDEXES = [
  '0',
  '1',
  '-',
  '-1',
  '01',
  '1e3',
  '4294967295',
  '9007199254740993',
  '99999999999999999999',
  ' 0',
];
const ODD = [
  '',
  ' ',
  '~0',
  '~1',
  '~01',
  '~2',
  '~',
  '%2F',
  '\0',
  '\u202e',
  '🦉',
  '\ud800',
  'length',
  '*',
  '..',
];

const among = <T>(values: readonly T[]) => fc.constantFrom(...values);
const oneOf = <T>(...weighted: [number, fc.Arbitrary<T>][]) =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const token = oneOf<string>(
  [4, among(FIELDS)],
  [2, among(POISON)],
  [2, among(INDEXES)],
  [2, among(ODD)],
  [1, among(NOT_FIELDS)],
  [1, among(['packages', 'menus', 'items', 'options', 'quantity', 'value', 'slug'])],
  [1, fc.string({ unit: 'binary', maxLength: 8 })],
);
const pointer = oneOf<string>(
  [6, among(FIELDS).map((field) => `/${field}`)],
  [4, fc.array(token, { minLength: 1, maxLength: 5 }).map((tokens) => `/${tokens.join('/')}`)],
  [
    3,
    fc
      .tuple(among(['labels', 'preorders/menus', 'preorders/packages']), among(INDEXES))
      .map((parts) => `/${parts.join('/')}`),
  ],
  [2, fc.tuple(among(FIELDS), among(POISON)).map(([field, name]) => `/${field}/${name}`)],
  [1, fc.constant('')],
  [1, fc.integer({ min: 40, max: 2000 }).map((depth) => '/a'.repeat(depth))],
  [1, fc.string({ unit: 'binary', maxLength: 12 })],
);

/** Parsed, so that `__proto__` is a member like any other. */
const poisoned = among([
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"packages":{"length":1e9}}',
  '{"menus":[{"__proto__":null,"items":[]}]}',
]).map((text) => JSON.parse(text));
const nested = fc.integer({ min: 5, max: 60 }).map((depth) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
});
const value = oneOf<unknown>(
  [5, among<unknown>([null, true, 0, -1, 1.5, 1e308, '', ' ', [], {}, [null], 'x', 'book', 'request', 2, 3])],
  [3, fc.jsonValue({ maxDepth: 3 })],
  [2, fc.string({ unit: 'binary', maxLength: 40 })],
  [1, among(['\0', 'a\0b', '\ud800', '\u202eevil', '🦉'.repeat(30), "'; drop table booking; --"])],
  [1, fc.integer({ min: 100, max: 5000 }).map((length) => 'x'.repeat(length))],
  [1, poisoned],
  [1, nested],
  [1, fc.array(among(['vip', 'press', '🦉', 7, null]), { maxLength: 30 })],
);

const step = oneOf<unknown>(
  [30, fc.record({ op: among(['add', 'remove', 'replace']), path: pointer, value })],
  [3, fc.record({ op: among(['add', 'replace']), path: pointer })],
  [
    2,
    fc.record({ op: among(['move', 'copy', 'test', '', '__proto__', 'ADD']), path: pointer, from: pointer }),
  ],
  [1, fc.record({ op: value, path: value, value })],
  [1, value],
);
const harmless: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    op: among(['add', 'replace']),
    path: among(['/comments', '/admin_notes', '/company']),
    value: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  }),
  fc.record({
    op: fc.constant('add'),
    path: among(['/labels/0', '/labels/-']),
    value: among(['vip', '🦉', '__proto__']),
  }),
  fc.record({ op: fc.constant('remove'), path: among(['/labels/0', '/email', '/comments', '/preorders']) }),
  fc.record({
    op: fc.constant('replace'),
    path: fc.constant('/partySize'),
    value: among([1, 2, 3, 4, 8, 9]),
  }),
  fc.record({
    op: fc.constant('replace'),
    path: fc.constant('/time'),
    value: among(['18:00', '19:15', '03:00', '19:07']),
  }),
  fc.record({ op: fc.constant('replace'), path: fc.constant('/labels'), value: among([[], ['a'], null]) }),
);

const patch = oneOf<unknown>(
  [10, fc.array(step, { minLength: 1, maxLength: 4 })],
  [1, fc.array(harmless, { minLength: 1, maxLength: 3 })],
  [
    1,
    fc
      .tuple(fc.array(harmless, { minLength: 1, maxLength: 3 }), step)
      .map(([steps, last]) => [...steps, last]),
  ],
  [1, value],
);

export const hostilePatches = (count: number, seed: number): unknown[] =>
  fc.sample(patch, { numRuns: count, seed });
