import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { encoded } from '../../proof/abuse/requests/hostile-values.ts';
import { GUIDES } from '../../src/http/pages/guide-list.ts';
import { makeBooking } from './support/bookings.ts';
import { fieldSoup, hostileText, idText } from './support/hostile.ts';
import { startTarget, strike, type Target, type TargetApp } from './support/target.ts';
import { wrongValues } from './support/wrong-values.ts';

let maitred: TargetApp;
let reads: Target[];
before(async () => {
  maitred = await startTarget();
  reads = maitred.targets.filter(({ method, isPublic, isShut }) => method === 'GET' && !isPublic && !isShut);
  EXAMPLES.bookingId = (await makeBooking(maitred)).id;
});
after(() => maitred.close());

const EXAMPLES: Record<string, string> = {
  venueId: '1|house|soho-grill',
  compositeId: '1|house|soho-grill|dinner',
};
const UUID = '018f6d2e-7d3a-7c11-9a3b-2f1e0d9c8b7a';

/** What some reads cannot do without. */
const NEEDED: Record<string, string> = {
  ...{ partySize: '2', date: '2026-12-05', from: '2026-12-05', to: '2026-12-06' },
  '/manage/venues/:venueId/mails/preview kind': 'confirmation',
  // These are about moments, the others about days.
  ...Object.fromEntries(
    [
      '/manage/audit',
      '/manage/operators/:operatorId/audit',
      '/manage/partners/:partnerId/requests',
      '/request-log',
    ].flatMap((url) => [
      [`${url} from`, '2026-12-05T00:00:00Z'],
      [`${url} to`, '2026-12-06T00:00:00Z'],
    ]),
  ),
};

/** An address of this target that exists as far as the demo data goes, with these parameters and those it needs. */
function addressOf({ url, params, query }: Target, parameters: [name: string, value: string][] = []): string {
  const given = parameters.map(([name]) => name);
  const needed = query.flatMap(({ name }): [string, string][] => {
    const value = NEEDED[`${url} ${name}`] ?? NEEDED[name];
    return value === undefined || given.includes(name) ? [] : [[name, value]];
  });
  const numbers = params.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name);
  const path = url.replaceAll(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(EXAMPLES[name] ?? (numbers.includes(name) ? '1' : UUID)),
  );
  return `${path}?${[...needed, ...parameters].map(([name, value]) => `${name}=${value}`).join('&')}`;
}

async function get(
  url: string,
  {
    target = { isForPeople: false },
    ...headers
  }: { target?: Pick<Target, 'isForPeople'>; accept?: string } = {},
) {
  const authorization = maitred.authorizationFor(target);
  const outcome = await strike(maitred, { method: 'GET', url, headers: { authorization, ...headers } });
  return { ...outcome, json: () => JSON.parse(outcome.text) };
}

test('every parameter of every read refuses what its schema excludes, by its own name', async () => {
  let tried = 0;
  for (const target of reads) {
    for (const parameter of target.query) {
      for (const value of wrongValues(parameter)) {
        const answer = await get(addressOf(target, [[parameter.name, encoded(value)]]), { target });
        const what = `${target.url} ${parameter.name}=${JSON.stringify(value.slice(0, 60))}: ${answer.text.slice(0, 200)}`;
        assert.equal(answer.status, 400, what);
        assert.equal(answer.json().code, 'VALID-N-001', what);
        // An entry of a list is named by its place, as in features.0.
        const blamed = Object.keys(answer.json().errors).map((path) => path.split('.')[0]);
        assert.ok(blamed.includes(parameter.name), what);
        tried++;
      }
    }
  }
  assert.ok(tried > 100, `only ${tried} values were tried`);
});

/** What browsers, caches, crawlers and probes fetch; all of them add parameters of their own. */
const PAGES_AND_FILES = [
  ...['/', '/llms.txt', '/docs/guides', '/docs/pages.css', '/docs/pages.js', '/docs/connect.openapi.json'],
  ...['/docs', '/docs/', '/docs/openapi.json', '/docs/js/scalar.js'],
  ...['/docs/manage', '/docs/manage/', '/docs/openapi.manage.json', '/problems', '/problems/:code'],
  ...['/openapi.json', '/openapi.manage.json', '/waitlist/:secret', '/payments/sandbox/:reference'],
  ...['/media/:mediaId', '/feed/:token/:file', '/health/live', '/health/ready', '/metrics'],
  ...['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'],
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
  ...['/console', '/console/', '/console/*', '/console/files/:version/*'],
];

test('every route refuses a parameter that it does not name, but for public pages and files', async () => {
  const open = maitred.targets.filter(({ takesAnyQuery }) => takesAnyQuery).map(({ url }) => url);
  const isGuide = (url: string) =>
    GUIDES.some(({ name }) => [`/docs/${name}`, `/docs/${name}.md`].includes(url));
  assert.deepEqual([...new Set(open)].filter((url) => !isGuide(url)).sort(), PAGES_AND_FILES.sort());
  const shut = new Set(maitred.targets.filter(({ isShut }) => isShut).map(({ url }) => url));
  // Bodies are looked at before queries, so only what takes none is asked.
  const bodiless = maitred.targets.filter(
    ({ takesAnyQuery, url, body }) => !takesAnyQuery && !shut.has(url) && !body,
  );
  assert.ok(bodiless.length > 100);
  for (const target of bodiless) {
    const { method } = target;
    const url = addressOf(target, [['unheardOf', '1']]);
    const authorization = maitred.authorizationFor(target);
    const answer = await strike(maitred, { method, url, headers: { authorization } });
    assert.equal(answer.status, 400, `${method} ${url}: ${answer.text}`);
    if (method !== 'HEAD')
      assert.ok(JSON.parse(answer.text).errors?.unheardOf, `${method} ${url}: ${answer.text}`);
  }
});

test('a parameter that takes one value refuses two, also when they are equal', async () => {
  for (const target of reads) {
    for (const { name, schema } of target.query.filter(({ schema }) => schema.type !== 'array')) {
      const value = encoded(String(schema.enum?.[0] ?? schema.minimum ?? '2026-11-20'));
      const answer = await get(
        addressOf(target, [
          [name, value],
          [name, value],
        ]),
        { target },
      );
      assert.equal(answer.status, 400, `${target.url} ${name}`);
      assert.ok(answer.json().errors[name], `${target.url} ${name}: ${answer.text}`);
    }
  }
});

test('fields are served or refused as fields, whatever they say', async () => {
  const withFields = reads.filter(({ query }) => query.some(({ name }) => name === 'fields'));
  assert.ok(withFields.length >= 2);
  for (const target of withFields) {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fieldSoup, hostileText), async (fields) => {
        const answer = await get(addressOf(target, [['fields', encoded(fields)]]));
        // What cannot even be stored as text is no list of fields, good or bad.
        const code = fields.includes('\0') ? 'VALID-N-001' : 'FSEL-N-001';
        if (answer.status !== 200) assert.equal(answer.json().code, code, answer.text);
        if (fields.trim() === '') assert.equal(answer.status, 400);
      }),
      { numRuns: 150 },
    );
  }
});

test('a venue id that is none is VALID-N-001, one that nobody has is VENUE-N-001', async () => {
  const segment = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,30}$/);
  const wellFormed = fc
    .tuple(fc.integer({ min: 1, max: 2_147_483_647 }), segment, segment)
    .map((segments) => segments.join('|'));
  const check = async (id: string, expected: 'VALID-N-001' | 'VENUE-N-001') => {
    for (const path of [encoded(id), encoded(id).replaceAll('%7c', '|')]) {
      const answer = await get(`/venues/${path}`);
      assert.equal(answer.json().code, expected, `${JSON.stringify(id)}: ${answer.text}`);
    }
  };
  await fc.assert(
    fc.asyncProperty(wellFormed, (id) => check(id, 'VENUE-N-001')),
    { numRuns: 40 },
  );
  const isWellFormed = /^[1-9]\d{0,9}(\|[A-Za-z0-9][A-Za-z0-9._~-]{0,99}){2}$/;
  const malformed = fc
    .oneof(
      idText,
      wellFormed.map((id) => `${id}|`),
      wellFormed.map((id) => `0${id}`),
    )
    // No id at all is another address, and 404.
    .filter((id) => id !== '' && id.length < 100 && !isWellFormed.test(id) && id !== 'category');
  await fc.assert(
    fc.asyncProperty(malformed, (id) => check(id, 'VALID-N-001')),
    { numRuns: 100 },
  );
});

test('an Accept that rules out every format is 406, whatever else it holds', async () => {
  const ruledOut = [
    'text/html',
    'image/*',
    'application/json;q=0, text/toon;q=0',
    '*/*;q=0',
    'application/xml;q=0.9',
  ];
  for (const accept of ruledOut) {
    for (const target of reads) {
      const answer = await get(addressOf(target), { target, accept });
      assert.equal(answer.json().code, 'HTTP-N-406', `${target.url} ${accept}: ${answer.text}`);
    }
  }
});

test('pages beyond the last are empty and say how many there are', async () => {
  for (const pageNumber of [2, 1000, 1_000_000]) {
    const { status, json } = await get(`/venues?pageNumber=${pageNumber}&pageSize=100`);
    assert.equal(status, 200);
    assert.deepEqual(json().data, []);
    assert.equal(json().meta.totalPages, 1);
    assert.equal(json().meta.currentPage, pageNumber);
  }
});
