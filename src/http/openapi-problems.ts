import type { FastifySchema } from 'fastify';
import type { Problem, ProblemCode } from '../kernel/problem.ts';
import { parametersOf } from './conversion.ts';
import { isObject, type JsonObject } from './json-schema.ts';
import { type ProblemBody, problemBody } from './problem-body.ts';
import { sampleProblem } from './problem-sample.ts';
import { ProblemSchema } from './problem-schema.ts';
import type { RouteFacts } from './route.ts';

/** Even a request without any input can be malformed, in its `Host` header for one. */
const EVERY_ROUTE: readonly ProblemCode[] = ['VALID-N-001', 'HTTP-R-500', 'HTTP-R-503'];
const EVERY_IDENTIFIED_ROUTE: readonly ProblemCode[] = [
  'IDENT-N-001',
  'IDENT-N-002',
  'IDENT-N-003',
  'USER-N-009',
  'HTTP-N-406',
  'RATE-R-001',
];

/** The document is the same for every deployment, so its examples cannot name the address of one. */
const EXAMPLE_URL = 'https://api.maitred.example';

/** Every code that a route can answer: its own, and those that follow from what it takes and from whom. */
function codesOf(schema: FastifySchema, route: RouteFacts): ProblemCode[] {
  const isIdentified = route.access !== undefined && route.access !== 'public';
  const takesSessions = route.access?.startsWith('manage:');
  const namesOperator = takesSessions && route.access !== 'manage:platform' && route.access !== 'manage:user';
  const codes = new Set<ProblemCode>([
    ...(schema.body && isIdentified ? (['HTTP-N-413', 'HTTP-N-415'] as const) : []),
    ...(route.problems ?? []),
    ...(isIdentified ? EVERY_IDENTIFIED_ROUTE : []),
    ...(takesSessions ? (['USER-N-013'] as const) : []),
    ...(namesOperator ? (['OPRTR-N-002'] as const) : []),
    ...EVERY_ROUTE,
  ]);
  return [...codes].sort();
}

/** A fault that this very route could find with what it is sent. */
function likelyFault({ body, querystring, params }: FastifySchema): [field: string, message: string] {
  const [required] = isObject(body) && Array.isArray(body.required) ? body.required : [];
  if (typeof required === 'string') return [required, 'is required'];
  const names = [params, querystring, body].flatMap(parametersOf).map(([name]) => name);
  return names.includes('pageSize')
    ? ['pageSize', 'must be at most 100']
    : [names[0] ?? 'Host', 'is not valid'];
}

function sampleOf(code: ProblemCode, schema: FastifySchema): Problem {
  return sampleProblem(code, ...likelyFault(schema));
}

/** What an answer with this code looks like when nothing particular is known about it. */
export function plainExample(code: ProblemCode): ProblemBody {
  return problemBody(sampleOf(code, {}), { publicUrl: EXAMPLE_URL });
}

function describeStatus(bodies: ProblemBody[]): string {
  return bodies.map(({ code, title }) => `- \`${code}\` ${title}`).join('\n');
}

/** The responses of a route that are problems, by status, with one example per code. */
export function problemResponses(schema: FastifySchema, route: RouteFacts): JsonObject {
  const bodies = codesOf(schema, route).map((code) =>
    problemBody(sampleOf(code, schema), { publicUrl: EXAMPLE_URL, interface: route.interface }),
  );
  const byStatus = [...Map.groupBy(bodies, ({ status }) => status)];
  return Object.fromEntries(
    byStatus.map(([status, ofStatus]) => [
      status,
      {
        description: describeStatus(ofStatus),
        content: {
          'application/problem+json': {
            schema: ProblemSchema,
            examples: Object.fromEntries(
              ofStatus.map((body) => [body.code, { summary: body.title, value: body }]),
            ),
          },
        },
      },
    ]),
  );
}
