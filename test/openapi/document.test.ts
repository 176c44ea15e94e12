import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { buildUnconnectedApp, OPENAPI_FILE, openApiText } from '../../scripts/openapi.ts';
import { catalogue, isProblemCode } from '../../src/kernel/problem-catalogue.ts';

interface Media {
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: { code: string; status: number } }>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name?: string; description?: string; $ref?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
}

const app = await buildUnconnectedApp();
after(() => app.close());
const text = openApiText(app);
const document = JSON.parse(text);
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
);

test('openapi.json in the repository is what the routes say', () => {
  const isCurrent = readFileSync(OPENAPI_FILE, 'utf8') === text;
  assert.ok(isCurrent, 'openapi.json is stale; run `npm run openapi` and commit what it writes');
});

test('the service serves the same document, once to each caller that keeps it', async () => {
  const served = await app.inject('/openapi.json');
  assert.equal(served.statusCode, 200);
  assert.deepEqual(served.json(), document);
  const etag = String(served.headers.etag);
  const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': etag } });
  assert.equal(again.statusCode, 304);
});

test('the document is drawn up the same way every time', async () => {
  const other = await buildUnconnectedApp();
  assert.equal(openApiText(other), text);
  await other.close();
});

test('callers prove themselves with credentials of the live environment or of the sandbox, people with a session', () => {
  const { Session, ...credentials } = document.components.securitySchemes;
  assert.deepEqual(Object.keys(credentials), ['Live', 'Sandbox']);
  for (const scheme of Object.values<{ flows: object }>(credentials)) {
    assert.deepEqual(Object.keys(scheme.flows), ['clientCredentials']);
  }
  assert.equal(Session.scheme, 'bearer');
});

test('every chapter has operations, and every operation stands in one', () => {
  const declared = document.tags.map(({ name }: { name: string }) => name).sort();
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  assert.deepEqual([...used].sort(), declared);
});

test('nothing that is meant for our own code is left in the document', () => {
  assert.doesNotMatch(text, /"x-/);
});

for (const { name, operation } of operations) {
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

    test('shows an example of what to send and of what comes back', () => {
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
        assert.ok(media.example ?? media.examples, `the request has no example as ${type}`);
      }
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        assert.notEqual(description, '');
        for (const [type, media] of Object.entries(content ?? {})) {
          assert.ok(media.example ?? media.examples, `${status} has no example as ${type}`);
        }
      }
    });

    test('has the headers that every answer carries', () => {
      for (const { headers } of Object.values(operation.responses)) {
        assert.ok(headers && 'X-Correlation-ID' in headers);
      }
    });

    test('lists problems of the catalogue, each under its own status', () => {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const examples = content?.['application/problem+json']?.examples ?? {};
        for (const [code, example] of Object.entries(examples)) {
          const shared = document.components.examples[code]?.value;
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
