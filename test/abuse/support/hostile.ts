import fc from 'fast-check';
import type { Attack, Parameter, Target } from './target.ts';

/** Texts that have broken other programs: other encodings, other languages' syntax, numbers at their edges. */
export const CLASSICS = [
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

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CLASSICS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 120 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
);

/** Percent-encoded, also what no encoder would accept: half of a surrogate pair is sent as its three bytes. */
export function encoded(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9_.~-]/g, percent);
}

const percent = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

const IDS = [
  '1|house|soho-grill',
  '3|house|hidden-kitchen',
  '2|tickets|jazz-night',
  '1|house|soho-grill|dinner',
  '1|house|nowhere',
  '0|house|x',
  '2147483647|house|x',
  '2147483648|house|x',
  '01|house|soho-grill',
  '1|house|soho-grill|',
  '1||',
  '|||',
  '1|HOUSE|Soho-Grill',
  '018f6d2e-7d3a-7c11-9a3b-2f1e0d9c8b7a',
  'VALID-N-001',
];

/** Injected addresses are resolved like those of a browser, which takes dots for steps; raw sockets try those. */
const isStep = (id: string) => id === '.' || id === '..';

export const idText = fc.oneof(fc.constantFrom(...IDS), hostileText).filter((id) => !isStep(id));

export const pathOf = ({ url }: Target): fc.Arbitrary<string> => {
  const names = [...url.matchAll(/:[^/]+|\*/g)].map(([name]) => name);
  return fc
    .tuple(...names.map(() => idText))
    .map((ids) => names.reduce((path, name, at) => path.replace(name, () => encoded(ids[at] ?? '')), url));
};

/** Something that may well be right, so that attacks get past the first check. */
function plausible({ name, schema }: Parameter): fc.Arbitrary<string> {
  if (name === 'fields') return fieldSoup;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum.map(String));
  if (schema.type === 'integer') return fc.integer({ min: 0, max: 120 }).map(String);
  if (schema.type === 'number') return fc.double({ min: -200, max: 200, noNaN: true }).map(String);
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  return fc.constantFrom('2026-11-20', '19:30', 'London', 'dinner', 'Soho', 'grill', 'vegan,terrace');
}

/** Names that exist and the signs between them, in any order. */
export const fieldSoup = fc
  .array(
    fc.constantFrom(
      ...['id', 'name', 'products', 'compositeId', 'spaces', 'capacitySeated', 'max', 'location', 'lat'],
      ...['types', 'data', 'meta', 'preorders', 'menus', 'items', 'bookingRequirements', 'company', 'x'],
      ...['(', '(', ')', ')', ',', ',', ',', ' ', '.', '*', '__proto__', '-', '%', '\n'],
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

const junkQuery = fc.oneof(
  fc.constantFrom(
    '&&&',
    '=',
    '=&=',
    'fields',
    'fields=%',
    'a[b][c]=1',
    'pageSize[]=1',
    '?',
    'a=1;b=2',
    '%=%',
  ),
  fc.string({ unit: fc.constantFrom(..."abc=&%[]?+;/\\'~!@$^*()".split('')), maxLength: 60 }),
);

export function queryOf({ query }: Target): fc.Arbitrary<string> {
  const own = query.map((parameter) => {
    const value = fc.oneof(hostileText, plausible(parameter));
    return value.map((text) => `${parameter.name}=${encoded(text)}`);
  });
  const foreign = fc
    .tuple(hostileText, hostileText)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const pairs = fc.array(fc.oneof(foreign, ...own, ...own), { maxLength: 6 }).map((all) => all.join('&'));
  return fc.oneof({ weight: 6, arbitrary: pairs }, { weight: 1, arbitrary: junkQuery });
}

/** What a header can hold once it is through the parser: no control characters but the tab, and Latin-1. */
const headerText = fc.oneof(
  hostileText.map((text) =>
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
  ),
  fc.constantFrom(
    'application/json',
    'text/toon',
    'text/html',
    'application/json;q=0',
    '*/*;q=',
    'a/b;c="d',
    '*',
    '"json-xyz"',
    'W/"',
    'Basic Og==',
    'Bearer',
    'Bearer a.b.c',
    'demo-partner',
    'other-partner',
    'nobody',
    'application/x-www-form-urlencoded',
    'gzip',
  ),
);

const HEADERS = [
  'accept',
  'authorization',
  'x-partner-reference',
  'x-correlation-id',
  'if-none-match',
  'if-match',
  'if-modified-since',
  'content-type',
  'content-encoding',
  'idempotency-key',
  'x-booking-source',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'accept-version',
  'accept-encoding',
  'accept-language',
  'range',
  'origin',
  'cookie',
  'x-http-method-override',
];

export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(...HEADERS),
  headerText,
  { maxKeys: 4 },
);

const jsonBody = fc.oneof(
  fc.json({ maxDepth: 5 }),
  fc.json().map((text) => text.slice(0, -1)),
  fc.constantFrom(
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    '[1e400,-0,1E-400]',
    '"\\ud800"',
    '{"a":"\\u0000"}',
    '{"a":1,"a":2}',
    '\ufeff{}',
    'undefined',
    '',
  ),
);

const bodies: fc.Arbitrary<{ type: string; payload: string | Buffer }> = fc.oneof(
  { weight: 4, arbitrary: jsonBody.map((payload) => ({ type: 'application/json', payload })) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => ({ type: 'application/json', payload: Buffer.from(bytes) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', '', 'a/b'),
        hostileText,
      )
      .map(([type, payload]) => ({ type, payload })),
  },
);

const mayHaveBody = (method: string) => !['GET', 'HEAD', 'TRACE', 'OPTIONS'].includes(method);

/** Any request to this address, with one of the given tokens or none. */
export function attackOn(target: Target, tokens: readonly string[]): fc.Arbitrary<Attack> {
  return fc
    .record({
      path: pathOf(target),
      query: fc.option(queryOf(target), { nil: undefined }),
      headers: hostileHeaders,
      token: fc.option(fc.constantFrom(...tokens), { nil: undefined }),
      body: fc.option(bodies, { nil: undefined }),
    })
    .map(({ path, query, headers, token, body }) => ({
      method: target.method,
      url: query === undefined ? path : `${path}?${query}`,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && mayHaveBody(target.method) && { 'content-type': body.type }),
        ...headers,
      },
      ...(body && mayHaveBody(target.method) && { payload: body.payload }),
    }));
}
