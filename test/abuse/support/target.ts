import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Config } from '../../../src/config.ts';
import { BODY_LIMIT_BYTES } from '../../../src/http/validation/body-parsers.ts';
import { catalogue, isProblemCode, isRetryable } from '../../../src/kernel/problem-catalogue.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import { DEMO_PASSWORD } from '../../support/people.ts';

export interface Parameter {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON schema, of which each attack reads the keywords it knows.
  schema: any;
}

/** One method of one address, as the application declared it. */
export interface Target {
  method: string;
  /** With `:names` where ids go. */
  url: string;
  isPublic: boolean;
  /** Only somebody who has signed in gets anywhere. */
  isForPeople: boolean;
  /** Whatever is sent, the sandbox does not have it. */
  isShut: boolean;
  isListings: boolean;
  /** Those of its path. */
  params: Parameter[];
  query: Parameter[];
  /** Parameters that nobody has heard of are passed over. */
  takesAnyQuery: boolean;
  /** The schema of its body; undefined when it takes none. */
  body: unknown;
  /** Bytes. */
  bodyLimit: number;
  /** What the reference says it can answer; undefined where the reference does not show it. */
  documentedCodes: ReadonlySet<string> | undefined;
}

export interface TargetApp extends TestApp {
  targets: Target[];
  /** What opens this target as far as anything does: the platform, or a person who runs it. */
  authorizationFor(target: Pick<Target, 'isForPeople'>): string;
}

/**
 * The application together with everything it serves. Routes are heard of as they are added, hidden ones
 * too, so that whoever adds one need not come here for it to be attacked.
 */
export async function startTarget(
  config: Partial<Config> = {},
  extend: TestAppOptions['extend'] = () => {},
): Promise<TargetApp> {
  const routes: RouteOptions[] = [];
  const listen = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
      routes.push(route);
    });
  };
  diagnostics.subscribe('fastify.initialization', listen);
  const maitred = await startTestApp({ config, extend }).finally(() =>
    diagnostics.unsubscribe('fastify.initialization', listen),
  );
  const documented = documentedCodesOf(maitred);
  // A stream never ends, and an injected request waits for its end; `test/features/diary` is about those.
  const finite = routes.filter(({ config }) => !config?.isEndless);
  const targets = finite.flatMap((route) =>
    [route.method].flat().map((method) => targetOf(route, method, documented)),
  );
  const [client, session] = await Promise.all([maitred.token('demo-admin'), sessionOf(maitred)]);
  return {
    ...maitred,
    targets,
    authorizationFor: ({ isForPeople }) => `Bearer ${isForPeople ? session : client}`,
  };
}

async function sessionOf({ call }: TestApp): Promise<string> {
  const body = { email: 'admin@platform.example', password: DEMO_PASSWORD };
  const answer = await call('/manage/sessions', { method: 'POST', as: null, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.token;
}

function targetOf(route: RouteOptions, method: string, documented: Map<string, Set<string>>): Target {
  const { url, config, schema } = route;
  const parametersOf = (part: unknown) =>
    Object.entries((part as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}).map(
      ([name, parameter]) => ({ name, schema: parameter }),
    );
  const documentedCodes = documented.get(`${method} ${url}`);
  return {
    method,
    url,
    isPublic: config?.access === 'public',
    isForPeople: config?.access === 'manage:user',
    isShut: documentedCodes?.has('SBOX-N-001') ?? false,
    isListings: config?.interface === 'listings',
    params: parametersOf(schema?.params),
    query: parametersOf(schema?.querystring),
    takesAnyQuery: schema?.querystring === undefined,
    body: schema?.body,
    bodyLimit: route.bodyLimit ?? BODY_LIMIT_BYTES,
    documentedCodes,
  };
}

function documentedCodesOf({ app }: TestApp): Map<string, Set<string>> {
  const { paths = {} } = app.swagger() as unknown as { paths?: Record<string, Record<string, Operation>> };
  const found = new Map<string, Set<string>>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses = {} }] of Object.entries(operations)) {
      const codes = Object.values(responses).flatMap((response) =>
        Object.keys(
          response.content?.['application/problem+json']?.examples ??
            response.content?.['application/json']?.examples ??
            {},
        ),
      );
      found.set(`${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`, new Set(codes));
    }
  }
  return found;
}

interface Operation {
  responses?: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }>;
}

export interface Attack {
  method: string;
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
}

export interface Outcome {
  status: number;
  headers: OutgoingHttpHeaders;
  text: string;
}

export async function strike({ app }: TestApp, attack: Attack): Promise<Outcome> {
  const { method, ...rest } = attack;
  const response = await app.inject({ method: method as 'GET', ...rest });
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

const SECURITY_HEADERS = [
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'content-security-policy',
];

/** What holds for every answer whatever was asked: no failure of ours, the common headers, a true problem. */
export function assertSound(outcome: Outcome, method = 'GET'): void {
  const { status, headers, text } = outcome;
  assert.ok(status >= 200 && status < 500, `answered ${status}: ${text.slice(0, 500)}`);
  assert.match(String(headers['x-correlation-id']), /^[\x21-\x7e]{1,128}$/);
  for (const name of SECURITY_HEADERS) assert.ok(headers[name], `${name} is missing`);
  if (status >= 400) assertRefusal(outcome, method);
}

/** For a guest who opens the link of a mail. */
export const isPage = (headers: OutgoingHttpHeaders) =>
  String(headers['content-type']).startsWith('text/html');

function assertRefusal({ status, headers, text }: Outcome, method: string): void {
  if (status === 401) assert.ok(headers['www-authenticate'], '401 does not say how to identify oneself');
  if (status === 405) assert.ok(headers.allow, '405 does not say what is allowed');
  if (status === 429) assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
  if (method === 'HEAD') return;
  if (isPage(headers)) {
    assert.match(text, /^<!doctype html>/);
    return;
  }
  const body = JSON.parse(text);
  if (isOctoError(body) || isRpcError(body) || isOAuthError(body)) return;
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.ok(isProblemCode(body.code), `${body.code} is not in the catalogue`);
  assert.equal(body.status, status);
  assert.equal(body.isRetryable, isRetryable(body.code));
  assert.ok(body.type.endsWith(`/problems/${body.code}`));
  assert.equal(body.title, catalogue[body.code as keyof typeof catalogue].title);
  assert.ok(typeof body.detail === 'string' && body.detail !== '');
  if (body.code === 'VALID-N-001') assertFieldErrors(body.errors);
}

function assertFieldErrors(errors: unknown): void {
  assert.ok(typeof errors === 'object' && errors !== null && Object.keys(errors).length > 0);
  for (const messages of Object.values(errors)) {
    assert.ok(Array.isArray(messages) && messages.length > 0);
    for (const message of messages) assert.equal(typeof message, 'string');
  }
}

const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'temporarily_unavailable',
];

/** The form of the OCTO channel, which has our code beside its own. */
export function isOctoError(body: Record<string, unknown>): boolean {
  if (!('errorMessage' in body)) return false;
  assert.match(String(body.error), /^[A-Z_]+$/);
  assert.ok(typeof body.errorMessage === 'string' && body.errorMessage !== '');
  assert.ok(isProblemCode(String(body.code)), `${body.code} is not in the catalogue`);
  assert.equal(body.isRetryable, isRetryable(body.code as Parameters<typeof isRetryable>[0]));
  return true;
}

/** The code of a refusal, in the form of a problem, of OCTO or of MCP. */
export function codeIn({
  code,
  error,
}: {
  code?: string;
  error?: { data?: { code?: string } };
}): string | undefined {
  return code ?? error?.data?.code;
}

/** The form of JSON-RPC, which the MCP channel answers in; what the protocol itself refuses has no code of ours. */
export function isRpcError(body: Record<string, unknown>): boolean {
  if (body.jsonrpc !== '2.0') return false;
  const { code, message, data } = body.error as { code: number; message: string; data?: { code?: string } };
  assert.ok(Number.isInteger(code) && message !== '');
  if (data?.code !== undefined) assert.ok(isProblemCode(data.code), `${data.code} is not in the catalogue`);
  return true;
}

/** RFC 6749, 5.2: the code is one of a list, and the description keeps to printable ASCII without quotes. */
export function isOAuthError(body: Record<string, unknown>): boolean {
  if (!('error' in body) || 'errorMessage' in body) return false;
  assert.ok(OAUTH_ERRORS.includes(String(body.error)), `${body.error} is no OAuth error`);
  assert.match(String(body.error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.deepEqual(Object.keys(body).sort(), ['error', 'error_description']);
  return true;
}

/** The status that goes with the code, which the listings interface may have narrowed to its own list. */
export function assertStatusOfCode(target: Target, { status, text }: Outcome): void {
  const body = JSON.parse(text);
  const { errorMessage, error } = body;
  const code = codeIn(body);
  // JSON-RPC has codes for what is wrong with its own messages.
  if (code === undefined && error?.code !== undefined) return;
  const expected = catalogue[code as keyof typeof catalogue].status;
  const isNarrowed =
    (target.isListings && ![400, 401, 403, 429, 500, 503].includes(expected)) ||
    (errorMessage !== undefined && status === 400);
  assert.equal(status, isNarrowed ? 400 : expected, `${code} was sent as ${status}`);
}

export function assertRateHeaders({ headers }: Outcome): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.match(String(headers[name]), /^\d+$/, `${name} is missing`);
  }
}
