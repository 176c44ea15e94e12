import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Type } from 'typebox';
import type { App } from '../../src/http/route.ts';
import { OPTIONAL_BODY } from '../../src/http/validation/validation.ts';
import {
  assertSound,
  assertStatusOfCode,
  codeIn,
  startTarget,
  strike,
  type Target,
  type TargetApp,
} from './support/target.ts';

/** An ordinary route with a body, so that the attacks have one whatever the application has. */
function probe(app: App): void {
  const items = Type.Array(Type.Object({ quantity: Type.Integer() }), { maxItems: 5 });
  const schema = { body: Type.Object({ items: Type.Optional(items) }) };
  app.post('/probe', { config: { access: 'identified' }, schema }, () => ({}));
}

let maitred: TargetApp;
let writes: Target[];
before(async () => {
  maitred = await startTarget({}, probe);
  writes = maitred.targets.filter(({ body, isShut }) => body !== undefined && !isShut);
});
after(() => maitred.close());

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

interface BadBody {
  what: string;
  type: string | undefined;
  payload: string | Buffer;
  headers?: Record<string, string>;
  code: 'VALID-N-001' | 'HTTP-N-413' | 'HTTP-N-415';
}

const text = (what: string, payload: string | Buffer): BadBody => ({
  what,
  type: JSON_TYPE,
  payload,
  code: 'VALID-N-001',
});
const typed = (what: string, type: string | undefined): BadBody => ({
  what,
  type,
  payload: '{}',
  code: 'HTTP-N-415',
});

const BAD_BODIES: BadBody[] = [
  text('nothing', ''),
  text('a truncated object', '{"a":1,"b":'),
  text('a truncated text', '"abc'),
  text('two values', '{} {}'),
  text('single quotes', "{'a':1}"),
  text('a comment', '{/* a */}'),
  text('a form called JSON', 'grant_type=client_credentials'),
  text('NaN', '{"a":NaN}'),
  text('a byte order mark', '\ufeff{}'),
  text('bytes that are no UTF-8', Buffer.from('7b2261223a22ff227d', 'hex')),
  text('UTF-16', Buffer.from('{}', 'utf16le')),
  text('ten thousand levels', `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  text('levels that never end', '{"a":'.repeat(3_000)),
  text('__proto__', '{"__proto__":{"isAdmin":true}}'),
  text('__proto__ in escapes', '{"a":[{"\\u005f\\u005fproto\\u005f\\u005f":1}]}'),
  text('a prototype of a constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'),
  text('a list', '[]'),
  text('a number', '42'),
  text('null', 'null'),
  typed('plain text', 'text/plain'),
  typed('XML', 'application/xml'),
  typed('a multipart form without parts', 'multipart/form-data; boundary=x'),
  typed('Latin-1', 'application/json; charset=iso-8859-1'),
  typed('a type that is none', 'json'),
  typed('a list of types', 'application/json, application/xml'),
  { ...typed('a compressed body', JSON_TYPE), headers: { 'content-encoding': 'gzip' } },
];

/** Parts of files are bytes of any kind; their route has tests of its own. */
function takesJson({ body }: Target): boolean {
  const { content } = body as { content?: object };
  return content === undefined || JSON_TYPE in content;
}

function send(target: Target, { type, payload, headers }: BadBody) {
  return strike(maitred, {
    method: target.method,
    url: target.url.replaceAll(/:\w+/g, '1%7Chouse%7Csoho-grill%7Cdinner'),
    headers: {
      ...(!target.isPublic && { authorization: maitred.authorizationFor(target) }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    payload,
  });
}

const tooLarge = ({ bodyLimit }: Target): BadBody => ({
  what: 'more than it takes',
  type: JSON_TYPE,
  payload: `"${'x'.repeat(bodyLimit)}"`,
  code: 'HTTP-N-413',
});

/** Where a list is wanted, one is no mistake; nor is nothing where a body can be left out. */
function mayBe({ body }: Target, what: string): boolean {
  if (what === 'a list') return (body as { type?: string }).type === 'array';
  return OPTIONAL_BODY in (body as object) && (what === 'nothing' || what === 'null');
}

test('a body that cannot be read is refused for what is wrong with it, wherever a body is taken', async () => {
  assert.deepEqual(
    ['/oauth/token', '/probe'].filter((url) => !writes.some((target) => target.url === url)),
    [],
  );
  for (const target of writes.filter(takesJson)) {
    const bodies = [...BAD_BODIES.filter(({ what }) => !mayBe(target, what)), tooLarge(target)];
    for (const body of bodies) {
      const outcome = await send(target, body);
      assertSound(outcome, target.method);
      const answer = JSON.parse(outcome.text);
      const where = `${target.method} ${target.url}, ${body.what}: ${outcome.text}`;
      if (target.url === '/oauth/token') {
        assert.equal(outcome.status, 400, where);
        assert.equal(answer.error, 'invalid_request', where);
        continue;
      }
      assert.equal(codeIn(answer), body.code, where);
      assertStatusOfCode(target, outcome);
    }
  }
});

test('a form is read by the token endpoint and by nothing else', async () => {
  for (const target of writes.filter(({ url }) => url !== '/oauth/token')) {
    const outcome = await send(target, {
      what: 'a form',
      type: FORM_TYPE,
      payload: 'a=b',
      code: 'HTTP-N-415',
    });
    assert.equal(codeIn(JSON.parse(outcome.text)), 'HTTP-N-415', target.url);
  }
  const credentials =
    'grant_type=client_credentials&client_id=demo-partner&client_secret=demo-partner-secret&audience=maitred';
  const ask = async (payload: string) => {
    const outcome = await strike(maitred, {
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': FORM_TYPE },
      payload,
    });
    assertSound(outcome);
    return { status: outcome.status, ...JSON.parse(outcome.text) };
  };
  assert.equal((await ask(credentials)).status, 200);
  const refused: [string, string][] = [
    ['', 'invalid_request'],
    [`${credentials}&client_id=demo-admin`, 'invalid_request'],
    [`${credentials}&grant_type=client_credentials`, 'invalid_request'],
    [credentials.replace('client_credentials', 'password'), 'unsupported_grant_type'],
    [credentials.replace('audience=maitred', 'audience=%00'), 'invalid_target'],
    [credentials.replace('client_id=demo-partner', 'client_id=%00'), 'invalid_client'],
    [credentials.replace('client_id=demo-partner', 'client_id=__proto__'), 'invalid_client'],
    [credentials.replace('demo-partner-secret', 'demo-admin-secret'), 'invalid_client'],
    [credentials.replace('demo-partner-secret', '%'), 'invalid_client'],
    [`${credentials}&scope=platform:admin`, 'invalid_scope'],
    [`${credentials}&scope=%00%f0%9f`, 'invalid_scope'],
    [`${credentials}&${'a=b&'.repeat(5_000)}`, 'invalid_request'],
  ];
  for (const [payload, error] of refused)
    assert.equal((await ask(payload)).error, error, payload.slice(0, 200));
});

test('a list that is far too long is refused as such, and those beyond its end are not gone through', async () => {
  const payload = JSON.stringify({ items: Array(2_500).fill({ quantity: 'x' }) });
  const { text } = await strike(maitred, {
    method: 'POST',
    url: '/probe',
    headers: { authorization: maitred.authorizationFor({ isForPeople: false }), 'content-type': JSON_TYPE },
    payload,
  });
  const { errors } = JSON.parse(text);
  assert.deepEqual(errors.items, ['must have at most 5 items']);
  assert.deepEqual(Object.keys(errors).sort(), [
    'items',
    ...[0, 1, 2, 3, 4, 5].map((at) => `items.${at}.quantity`),
  ]);
});

const KILOBYTE = 1024;
const BOOKING = '/venues/1%7Chouse%7Csoho-grill%7Cdinner/booking';

test('a booking, a change of one and an order have at most 64 kB', () => {
  const limits = new Map(writes.map(({ method, url, bodyLimit }) => [`${method} ${url}`, bodyLimit]));
  const small = [
    'POST /venues/:compositeId/booking',
    'PUT /venues/bookings/:bookingId',
    'PATCH /venues/bookings/:bookingId',
    'POST /v1/orders',
    'PATCH /v1/orders/:orderId',
    'DELETE /v1/orders/:orderId',
  ];
  for (const route of small) assert.equal(limits.get(route), 64 * KILOBYTE, route);
});

async function booking(payload: string) {
  const target = writes.find(({ url }) => url === '/venues/:compositeId/booking');
  assert.ok(target);
  const headers = {
    authorization: `Bearer ${await maitred.token('demo-partner')}`,
    'content-type': JSON_TYPE,
  };
  const { status, text } = await strike(maitred, { method: 'POST', url: BOOKING, headers, payload });
  return { status, ...JSON.parse(text) };
}

const unknownKeys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`unheard${index}`, 1])));

test('of many unknown fields twenty are named, and the others counted', async () => {
  const { status, code, errors } = await booking(unknownKeys(3_000));
  assert.deepEqual([status, code], [400, 'VALID-N-001']);
  assert.equal(
    Object.values(errors)
      .flat()
      .filter((message) => message === 'is not a known field').length,
    20,
  );
  assert.deepEqual(errors.body, ['has 2980 more unknown fields']);
});

test('a body with too many fields is refused for their number alone', async () => {
  const many = await booking(`{${Array.from({ length: 6_000 }, (_, index) => `"${index}":1`).join(',')}}`);
  assert.deepEqual(many.errors, { body: ['has more than 5461 fields and entries'] });
  const nested = await booking(`{"labels":[${'[],'.repeat(6_000)}[]]}`);
  assert.deepEqual(nested.errors, { body: ['has more than 5461 fields and entries'] });
});

/** The addresses inside a schema where a list may be as long as the body allows. */
function endlessLists(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isEndless = 'type' in schema && schema.type === 'array' && !('maxItems' in schema);
  const inside = Object.entries(schema).flatMap(([name, member]) => endlessLists(member, `${path}/${name}`));
  return isEndless ? [path, ...inside] : inside;
}

test('every list that a request can hold has an end', () => {
  const found = maitred.targets.flatMap(({ method, url, query, body }) =>
    [...endlessLists(body), ...query.flatMap(({ name, schema }) => endlessLists(schema, `?${name}`))].map(
      (path) => `${method} ${url} ${path}`,
    ),
  );
  assert.deepEqual(found, []);
  assert.deepEqual(endlessLists({ type: 'object', properties: { a: { type: 'array' } } }), ['/properties/a']);
});

test('no body has changed what objects are', () => {
  assert.equal(Object.hasOwn(Object.prototype, 'isAdmin'), false);
  assert.deepEqual(Object.keys(Object.prototype), []);
});
