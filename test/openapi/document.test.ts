import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type RawDocument, resolved } from '../../proof/abuse/document.ts';
import { buildUnconnectedApp, OPENAPI_FILES, openApiText } from '../../scripts/openapi.ts';
import { ROLES } from '../../src/http/auth/actor.ts';
import { openApiDocuments, PARTS, type PartName } from '../../src/http/openapi/openapi.ts';
import { catalogue, isProblemCode } from '../../src/kernel/problem-catalogue.ts';

interface Media {
  schema?: { $ref?: string };
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: { code: string; status: number } }>;
}

interface Response {
  description: string;
  headers?: Record<string, { $ref?: string }>;
  content?: Record<string, Media>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: {
    name?: string;
    description?: string;
    $ref?: string;
    required?: boolean;
    schema?: object;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response & { $ref?: string }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the kind of component that it looks at.
  components: Record<string, Record<string, any>>;
}

const app = await buildUnconnectedApp();
after(() => app.close());
const documents = openApiDocuments(app) as unknown as Record<PartName, Document>;
const PART_NAMES = Object.keys(PARTS) as PartName[];
const textOf = (name: PartName) => JSON.stringify(documents[name]);

const operationsIn = (name: PartName) =>
  Object.entries(documents[name].paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      part: name,
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
const operations = PART_NAMES.flatMap(operationsIn);

/** The responses of an operation, whether they stand there or in the components. */
const responsesOf = (part: PartName, { responses }: Operation) =>
  Object.entries(responses).map(([status, response]): [string, Response] => [
    status,
    resolved(documents[part] as unknown as RawDocument, response),
  ]);

for (const name of PART_NAMES) {
  const { url } = PARTS[name];

  test(`${url} in the repository is what the routes say`, () => {
    const isCurrent = readFileSync(OPENAPI_FILES[name], 'utf8') === openApiText(documents[name]);
    assert.ok(isCurrent, `${url} is stale; run \`npm run openapi\` and commit what it writes`);
  });

  test(`${url} is served as it is, to everybody, and once to each caller that keeps it`, async () => {
    const served = await app.inject(url);
    assert.equal(served.statusCode, 200);
    assert.deepEqual(served.json(), documents[name]);
    assert.match(String(served.headers['cache-control']), /^public, max-age=\d+$/);
    const etag = String(served.headers.etag);
    const again = await app.inject({ url, headers: { 'if-none-match': etag } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.headers['cache-control'], served.headers['cache-control']);
  });

  test(`every chapter of ${url} has operations, and every operation stands in one`, () => {
    const declared = documents[name].tags.map((tag) => tag.name).sort();
    const used = new Set(operationsIn(name).flatMap(({ operation }) => operation.tags ?? []));
    assert.deepEqual([...used].sort(), declared);
  });

  test(`nothing that is meant for our own code is left in ${url}`, () => {
    assert.doesNotMatch(textOf(name), /"x-/);
  });

  test(`formats in ${url} are those that other validators know`, () => {
    const formats = new Set([...textOf(name).matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
    const known = ['date', 'date-time', 'email', 'uri', 'uuid', 'binary', 'password'];
    assert.deepEqual(
      [...formats].filter((format) => !known.includes(String(format))),
      [],
    );
  });

  test(`${url} says once what several operations share`, () => {
    const said = operationsIn(name).flatMap(({ operation }) => [
      ...(operation.parameters ?? []),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        status.startsWith('2') && response.content ? [] : [response],
      ),
    ]);
    const inline = said.filter((part) => part.$ref === undefined).map((part) => JSON.stringify(part));
    assert.equal(new Set(inline).size, inline.length);
    for (const { operation } of operationsIn(name)) {
      for (const [, { headers = {} }] of responsesOf(name, operation)) {
        for (const header of Object.values(headers)) assert.ok(header.$ref);
      }
    }
  });
}

test('both documents together stay below 1.8 MB, and below 200 kB compressed', () => {
  const sizes = PART_NAMES.map((name) => {
    const text = Buffer.from(textOf(name));
    return { plain: text.length, gzip: gzipSync(text).length, br: brotliCompressSync(text).length };
  });
  const total = (of: 'plain' | 'gzip' | 'br') => sizes.reduce((sum, size) => sum + size[of], 0);
  assert.ok(total('plain') < 1_800_000, `${total('plain')} bytes`);
  assert.ok(total('gzip') < 200_000, `${total('gzip')} bytes with gzip`);
  assert.ok(total('br') < 200_000, `${total('br')} bytes with brotli`);
});

test('the documents are drawn up the same way every time', async () => {
  const other = await buildUnconnectedApp();
  assert.deepEqual(openApiDocuments(other), documents);
  await other.close();
});

test('partners get what they may call, operators and the platform the rest', () => {
  const partners = operationsIn('partners').map(({ name }) => name);
  const manage = operationsIn('manage').map(({ name }) => name);
  assert.deepEqual(
    partners.filter((name) => manage.includes(name)),
    [],
  );
  for (const name of ['POST /oauth/token', 'GET /venues', 'POST /v1/orders', 'POST /webhooks/test']) {
    assert.ok(partners.includes(name), name);
  }
  assert.ok(partners.includes('GET /venues/{venueCompositeId}/site-faqs'));
  assert.ok(manage.includes('PUT /venues/{venueCompositeId}/site-faqs'));
  assert.ok(manage.includes('POST /manage/sessions'));
  assert.doesNotMatch(textOf('partners'), /"\/manage|operator:write"|platform:admin"/);
  assert.equal(
    partners.length + manage.length,
    Object.values(app.swagger().paths ?? {}).flatMap(Object.keys).length,
  );
});

test('callers prove themselves with credentials of the live environment or of the sandbox, people with a session', () => {
  const { Session, SessionCookie, ...credentials } = documents.manage.components.securitySchemes ?? {};
  for (const schemes of [credentials, documents.partners.components.securitySchemes ?? {}]) {
    assert.deepEqual(Object.keys(schemes), ['Live', 'Sandbox']);
    for (const scheme of Object.values<{ flows: object }>(schemes)) {
      assert.deepEqual(Object.keys(scheme.flows), ['clientCredentials']);
    }
  }
  assert.equal(Session.scheme, 'bearer');
  assert.deepEqual([SessionCookie.in, SessionCookie.name], ['cookie', '__Host-maitred']);
});

test('lists that are closed are enumerations, also in bodies', () => {
  const ofManage = documents.manage.components.schemas ?? {};
  const ofPartners = documents.partners.components.schemas ?? {};
  assert.deepEqual(ofManage.ChangeMemberBody.properties.role.enum, ROLES);
  assert.deepEqual(ofManage.CreateInviteBody.properties.role.enum, [...ROLES, 'developer', null]);
  assert.deepEqual(ofManage.SaveMappingBody.properties.company.properties.mode.enum, [
    'none',
    'single',
    'list',
  ]);
  const { eventTypes } = ofPartners.WebhookSubscriptionRequest.properties;
  assert.deepEqual(eventTypes.items.enum, ofPartners.WebhookNotification.properties.eventType.enum);
  assert.ok(ofPartners.WebhookTest.properties.eventType.enum.includes('webhook.ping'));
});

test('a parameter with a default may be left out', () => {
  const parameters = Object.values(documents).flatMap(({ components }) =>
    Object.values(components.parameters ?? {}),
  );
  const inPlace = operations.flatMap(({ operation }) => operation.parameters ?? []);
  const withDefault = [...parameters, ...inPlace].filter(({ schema }) => schema && 'default' in schema);
  assert.ok(withDefault.some(({ name }) => name === 'dryRun'));
  assert.deepEqual(
    withDefault.filter(({ required }) => required).map(({ name }) => name),
    [],
  );
});

test('dates, times and addresses say what they are, also where the service checks them', () => {
  const ofManage = documents.manage.components.schemas ?? {};
  const { dateTime, date, time, email } =
    documents.partners.components.schemas?.BookingRequest.properties ?? {};
  assert.deepEqual([dateTime.format, date.format, email.format], ['date-time', 'date', 'email']);
  assert.match('19:30', new RegExp(time.pattern));
  assert.doesNotMatch('24:30', new RegExp(time.pattern));
  assert.equal(ofManage.CreateSessionBody.properties.email.format, 'email');
});

for (const { part, name, operation } of operations) {
  describe(name, () => {
    test('says what it is', () => {
      for (const member of ['operationId', 'summary', 'description'] as const) {
        assert.ok(operation[member], `${member} is missing`);
      }
      assert.equal(operation.tags?.length, 1);
      assert.ok(Array.isArray(operation.security));
    });

    test('describes each of its parameters', () => {
      for (const parameter of operation.parameters ?? []) {
        assert.ok(parameter.$ref ?? parameter.description, `${parameter.name} has no description`);
      }
    });

    test('has a name for what is sent', () => {
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
        assert.match(schema?.$ref ?? '', /^#\/components\/schemas\//);
      }
    });

    test('shows an example of what to send and of what comes back', () => {
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
        assert.ok(media.example ?? media.examples, `the request has no example as ${type}`);
      }
      for (const [status, { description, content }] of responsesOf(part, operation)) {
        assert.notEqual(description, '');
        for (const [type, media] of Object.entries(content ?? {})) {
          const isToon = /\/ToonInJson$|\/Toon$/.test(media.schema?.$ref ?? '');
          assert.ok(isToon || (media.example ?? media.examples), `${status} has no example as ${type}`);
        }
      }
    });

    test('has the headers that every answer carries', () => {
      for (const [, { headers }] of responsesOf(part, operation)) {
        assert.ok(headers && 'X-Correlation-ID' in headers);
      }
    });

    test('lists problems of the catalogue, each under its own status', () => {
      for (const [status, { content }] of responsesOf(part, operation)) {
        const examples = content?.['application/problem+json']?.examples ?? {};
        for (const [code, example] of Object.entries(examples)) {
          const shared = documents[part].components.examples?.[code]?.value;
          const body = example.$ref ? shared : example.value;
          assert.ok(isProblemCode(code));
          assert.equal(body.code, code);
          assert.equal(body.title, catalogue[code].title);
          assert.equal(String(body.status), status);
        }
      }
    });
  });
}
