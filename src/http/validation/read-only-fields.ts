/**
 * What GET shows can be sent back with PUT as it is. Fields that are shown but not the caller's to set are laid aside
 * before the body is checked, and refused afterwards only where they say something else than what is there.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { Problem, problem } from '../../kernel/problem.ts';
import type { App } from '../route.ts';
import { isObject, type JsonObject } from './schema-helpers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    laidAside: JsonObject | null;
  }
}

/** Must be installed before the routes; those with `readCurrent` take part. */
export function installReadOnlyFields(app: App): void {
  app.decorateRequest('laidAside', null);
  app.addHook('onRoute', (route) => {
    const readCurrent = route.config?.readCurrent;
    if (!readCurrent) return;
    const readOnly = readOnlyFieldsOf(route);
    route.preValidation = [
      ...[route.preValidation ?? []].flat(),
      async (request) => {
        request.laidAside = takeFrom(request.body, readOnly);
      },
    ];
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      async (request) => {
        if (request.laidAside) await refuseChanges(request, request.laidAside, readCurrent);
      },
    ];
  });
}

function readOnlyFieldsOf({ schema }: RouteOptions): ReadonlySet<string> {
  const { 200: shown } = (schema?.response ?? {}) as Record<number, unknown>;
  return new Set(fieldsOf(shown)).difference(new Set(fieldsOf(schema?.body)));
}

function fieldsOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { properties = {}, anyOf = [] } = schema as { properties?: object; anyOf?: unknown[] };
  return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)];
}

function takeFrom(body: unknown, names: ReadonlySet<string>): JsonObject | null {
  if (!isObject(body)) return null;
  const taken = Object.entries(body).filter(([name]) => names.has(name));
  for (const [name] of taken) delete body[name];
  return taken.length > 0 ? Object.fromEntries(taken) : null;
}

type ReadCurrent = (request: FastifyRequest) => Promise<unknown>;

async function refuseChanges(request: FastifyRequest, sent: JsonObject, read: ReadCurrent): Promise<void> {
  const current = await getCurrent(request, sent, read);
  const changed = Object.keys(sent).filter((name) => !isDeepStrictEqual(sent[name], current[name]));
  const [first] = changed;
  if (first === undefined) return;
  const message = 'is not yours to set: leave it out, or send what is there';
  throw problem('VALID-N-001', {
    detail:
      changed.length === 1 ? `${first} ${message}.` : `These are not yours to set: ${changed.join(', ')}.`,
    errors: Object.fromEntries(changed.map((name) => [name, [message]])),
  });
}

/**
 * As GET shows it. Where nothing is there, the route itself refuses or creates it; then what was sent counts, except
 * that it must be of the address that it was sent to.
 */
async function getCurrent(request: FastifyRequest, sent: JsonObject, read: ReadCurrent): Promise<JsonObject> {
  try {
    return JSON.parse(JSON.stringify(await read(request)));
  } catch (error) {
    if (error instanceof Problem && error.status === 404)
      return { ...sent, ...(request.params as JsonObject) };
    throw error;
  }
}
