import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Compile } from 'typebox/schema';
import { buildApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Sql } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { publishedSchema } from '../../src/http/openapi/components.ts';
import { selectionOf } from '../../src/http/openapi/operation.ts';
import type { App } from '../../src/http/route.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { type AppDeps, createServices, type Services } from '../../src/services.ts';
import { createTestDatabase } from './databases/database.ts';
import { recordSeenChanges } from './seen-changes.ts';
import { seenCode } from './seen-codes.ts';
import { oddTimestamps } from './timestamps.ts';

export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  text: string;
  /** The parsed body; fails when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  json: any;
}

export interface CallOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Client id of the demo data whose token is sent; null: none. */
  as?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface TestApp {
  app: App;
  sql: Sql;
  url: string;
  services: Services;
  /** What it was built with, for further nodes on the same database. */
  deps: AppDeps;
  call(path: string, options?: CallOptions): Promise<Answer>;
  token(clientId: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  config?: Partial<Config>;
  deps?: Partial<AppDeps>;
  /** Nothing is there but the tables. */
  isEmpty?: boolean;
  /** Runs before the first request, for routes that only a test has. */
  extend?: (app: App) => void;
}

/** The real application on a database of its own with the demo data; requests are injected. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase({ hasDemo: !options.isEmpty });
  const { sql, url } = database;
  const config: Config = {
    ...readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0', WEBHOOK_ALLOW_LOOPBACK: 'false' }),
    ...options.config,
  };
  const notifications = await openNotifications(url);
  const deps: AppDeps = {
    config,
    sql,
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: systemClock,
    ...options.deps,
  };
  const services = await createServices(deps);
  const app = await buildApp(deps, services);
  const mismatches = watchAnswers(app);
  const oddTimes = watchTimestamps(app);
  recordSeenChanges(app, sql);
  options.extend?.(app);
  await app.ready();

  const tokens = new Map<string, Promise<string>>();
  const token = (clientId: string) => {
    const known = tokens.get(clientId) ?? fetchToken(app, clientId);
    tokens.set(clientId, known);
    return known;
  };

  return {
    app,
    sql,
    url,
    services,
    deps,
    token,
    async call(path, { method = 'GET', as = 'demo-partner', headers = {}, body } = {}) {
      const authorization = as === null ? {} : { authorization: `Bearer ${await token(as)}` };
      const response = await app.inject({
        method,
        url: path,
        headers: { ...authorization, ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      seenCode(response);
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        get json() {
          return JSON.parse(response.body);
        },
      };
    },
    async close() {
      await app.close();
      await services.webhooks.close();
      await services.systems.calls.close();
      await services.connections.close();
      await notifications.close();
      await database.drop();
      assert.deepEqual(mismatches, [], 'answers that do not fit the published schema');
      assert.deepEqual(oddTimes, [], 'timestamps without exactly three digits of a second');
    },
  };
}

type Validator = ReturnType<typeof Compile>;

async function fetchToken(app: App, clientId: string): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    payload: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: `${clientId}-secret`,
      audience: 'maitred',
    },
  });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().access_token;
}

/** Compressed answers are left to the tests of compression, which read them. */
const isPlainJson = (reply: FastifyReply) =>
  /^application\/(?:problem\+)?json/.test(String(reply.getHeader('content-type'))) &&
  !reply.hasHeader('content-encoding');

/** Every JSON answer of any test is held against the schema that the OpenAPI document shows for it. */
function watchAnswers(app: App): string[] {
  const mismatches: string[] = [];
  const validators = { whole: new Map<object, Validator>(), selected: new Map<object, Validator>() };
  app.addHook('onSend', async (request, reply, payload) => {
    const schemas = request.routeOptions.schema?.response as Record<string, object> | undefined;
    const schema = schemas?.[reply.statusCode];
    if (
      !schema ||
      !isPlainJson(reply) ||
      payload === null ||
      payload === undefined ||
      request.method === 'HEAD'
    ) {
      return payload;
    }
    const kind = request.url.includes('fields=') ? 'selected' : 'whole';
    const validator = validators[kind].getOrInsertComputed(schema, () =>
      Compile(publishedSchema(kind === 'selected' ? selectionOf({ ...schema }) : schema)),
    );
    const [isValid, errors] = validator.Errors(JSON.parse(String(payload)));
    if (!isValid) mismatches.push(`${request.method} ${request.url}: ${JSON.stringify(errors.slice(0, 3))}`);
    return payload;
  });
  return mismatches;
}

/** The same for the form of timestamps, by which texts order as instants do. */
function watchTimestamps(app: App): string[] {
  const found: string[] = [];
  // Without a promise: handlers that do not return their reply would be answered twice.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isPlainJson(reply) && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
      const odd = oddTimestamps(JSON.parse(String(payload)));
      if (odd.length > 0) found.push(`${request.method} ${request.url} ${odd.slice(0, 3).join(', ')}`);
    }
    done(null, payload);
  });
  return found;
}

/** Asserts a refusal and returns its body. */
export function assertProblem(answer: Answer, status: number, code: string) {
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
  const body = answer.json;
  assert.equal(body.code, code, answer.text);
  assert.equal(body.status, status);
  return body;
}
