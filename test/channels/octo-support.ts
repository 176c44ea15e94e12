/** What the tests of the OCTO channel share: calls as a reseller makes them, held against the published document. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import * as ajvFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Answer, CallOptions, TestApp } from '../support/app.ts';

const FILE = new URL('../../../shared/conformance/octo/openapi.yaml', import.meta.url);
export const isPublished = existsSync(FILE);

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are looked into.
type Body = any;

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const document = isPublished
  ? (parse(readFileSync(FILE, 'utf8')) as {
      paths: Record<string, Record<string, Operation>>;
      components: object;
    })
  : undefined;

const validators = new Map<string, ValidateFunction>();

/** OpenAPI 3.0 says `nullable` where JSON Schema has a type; with `allOf` beside it, null must get past that too. */
function asJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, example: _, ...rest } = schema as Record<string, unknown>;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, asJsonSchema(value)]));
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}

function validatorOf(path: string, method: string, status: string): ValidateFunction | undefined {
  const operation = document?.paths[path]?.[method];
  const schema = operation?.responses[status]?.content?.['application/json']?.schema;
  if (!document || !schema) return undefined;
  return validators.getOrInsertComputed(`${method} ${path} ${status}`, () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    ajvFormats.default.default(ajv);
    const components = asJsonSchema(document.components);
    return ajv.compile({ ...(asJsonSchema(schema) as object), components });
  });
}

/** `/octo/bookings/{id}/confirm` as the document names it. */
function pathOf(url: string): string {
  const [path = ''] = url.replace(/^\/octo/, '').split('?');
  const named = path
    .replace(/^\/bookings\/[^/]+/, '/bookings/{uuid}')
    .replace(/^\/products\/[^/]+/, '/products/{id}');
  return document?.paths[named] ? named : `${named}/`;
}

/** Every answer below 500 fits the document: 200 as what was asked for, and refusals as one of its errors. */
export function assertPublished(url: string, method: string, answer: Answer): void {
  if (!document) return;
  const validate = validatorOf(pathOf(url), method.toLowerCase(), answer.status === 200 ? '200' : '400');
  if (!validate) assert.fail(`${method} ${url} is not in the document`);
  assert.ok(
    validate(answer.json),
    `${method} ${url}: ${JSON.stringify(validate.errors)} ${answer.text.slice(0, 400)}`,
  );
}

export interface Reseller {
  call(path: string, options?: CallOptions): Promise<Answer>;
  get(path: string): Promise<Body>;
  post(path: string, body: object): Promise<Body>;
  patch(path: string, body: object): Promise<Body>;
  /** Asserts the error of OCTO. */
  refused(path: string, error: string, options: CallOptions): Promise<Body>;
  /** A reservation of the first available start of a day. */
  reserve(product: string, date: string, body?: object): Promise<Body>;
  firstStart(product: string, date: string, quantity?: number): Promise<Body>;
}

export const unitOf = (product: string) => (product.includes('|tickets|') ? 'ticket' : 'guest');
export const units = (product: string, count: number) =>
  Array.from({ length: count }, () => ({ unitId: unitOf(product) }));

export const ADA = {
  fullName: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  emailAddress: 'ada@example.com',
  phoneNumber: '+44 20 7946 0018',
  notes: 'By the window',
  country: 'GB',
  locales: ['en'],
};

export function resellerOf(app: () => TestApp, as = 'demo-partner'): Reseller {
  async function call(path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await app().call(`/octo${path}`, { as, ...options });
    assert.ok(answer.status < 500, answer.text);
    assertPublished(`/octo${path}`, options.method ?? 'GET', answer);
    return answer;
  }
  async function done(path: string, options?: CallOptions): Promise<Body> {
    const answer = await call(path, options);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }
  const post = (path: string, body: object) => done(path, { method: 'POST', body });
  async function firstStart(productId: string, date: string, quantity = 2): Promise<Body> {
    const starts = await post('/availability', {
      productId,
      optionId: 'DEFAULT',
      localDateStart: date,
      localDateEnd: date,
      units: [{ id: unitOf(productId), quantity }],
    });
    const start = starts.find(({ available }: Body) => available);
    assert.ok(start, `nothing is available on ${date}`);
    return start;
  }
  return {
    call,
    get: (path) => done(path),
    post,
    patch: (path, body) => done(path, { method: 'PATCH', body }),
    async refused(path, error, options) {
      const answer = await call(path, options);
      assert.equal(answer.json.error, error, answer.text);
      assert.ok(answer.status >= 400);
      return answer.json;
    },
    firstStart,
    async reserve(productId, date, body = {}) {
      const start = await firstStart(productId, date);
      return post('/bookings', {
        uuid: randomUUID(),
        productId,
        optionId: 'DEFAULT',
        availabilityId: start.id,
        unitItems: units(productId, 2),
        ...body,
      });
    },
  };
}
