import type { FastifySchema } from 'fastify';
import type { ProblemCode } from '../../kernel/problem.ts';
import { catalogue } from '../../kernel/problem-catalogue.ts';
import { type ProblemBody, type ProblemForm, problemBody, sampleProblem } from '../problems/problem-body.ts';
import { ProblemSchema } from '../problems/problem-schema.ts';
import type { RouteFacts } from '../route.ts';
import type { JsonObject } from '../validation/schema-helpers.ts';

/** Even a request without any input can be malformed, in its `Host` header for one. */
const EVERY_ROUTE: readonly ProblemCode[] = [
  'VALID-N-001',
  'HTTP-N-414',
  'HTTP-N-431',
  'HTTP-R-500',
  'HTTP-R-503',
];
const EVERY_IDENTIFIED_ROUTE: readonly ProblemCode[] = [
  'IDENT-N-001',
  'IDENT-N-002',
  'IDENT-N-003',
  'USER-N-009',
  'HTTP-N-406',
  'RATE-R-001',
];

const EVERY_ROUTE_WITH_BODY: readonly ProblemCode[] = ['HTTP-N-413', 'HTTP-N-415'];
const SHARED_CODES: ReadonlySet<string> = new Set([
  ...EVERY_ROUTE,
  ...EVERY_IDENTIFIED_ROUTE,
  ...EVERY_ROUTE_WITH_BODY,
]);

/** Whether a code says nothing about the operation that lists it. */
export const isSharedCode = (code: string) => SHARED_CODES.has(code);

/** The document is the same for every deployment, so its examples cannot name the address of one. */
export const EXAMPLE_URL = 'https://api.maitred.example';

/** Every code that a route can answer: its own, and those that follow from its parameters and its access. */
function codesOf(schema: FastifySchema, route: RouteFacts): ProblemCode[] {
  const isIdentified = route.access !== undefined && route.access !== 'public';
  const takesSessions = route.access?.startsWith('manage:');
  const namesOperator =
    takesSessions && !['manage:platform', 'manage:user', 'manage:developer'].includes(route.access ?? '');
  const codes = new Set<ProblemCode>([
    ...(schema.body && isIdentified ? EVERY_ROUTE_WITH_BODY : []),
    ...(route.problems ?? []),
    ...(isIdentified ? EVERY_IDENTIFIED_ROUTE : []),
    ...(takesSessions ? (['USER-N-013', 'USER-N-016'] as const) : []),
    ...(namesOperator ? (['OPRTR-N-002'] as const) : []),
    ...EVERY_ROUTE,
  ]);
  return [...codes].sort();
}

interface DeclaredRoute {
  method: string | string[];
  config?: RouteFacts;
}

/** Any read can be made conditional, see `installPreconditions`. */
export function factsOf({ method, config }: DeclaredRoute): RouteFacts {
  const problems = config?.problems ?? [];
  return method === 'GET' ? { ...config, problems: [...problems, 'HTTP-N-412'] } : { ...config };
}

/** All codes that the reference shows for a route. */
export const documentedCodes = (schema: FastifySchema, route: DeclaredRoute): ProblemCode[] =>
  codesOf(schema, factsOf(route));

/** What an answer with this code looks like when nothing particular is known about it. */
export function plainExample(code: ProblemCode): ProblemBody {
  return exampleOf(code, {});
}

function exampleOf(code: ProblemCode, route: RouteFacts): ProblemBody {
  const sample = sampleProblem(code, 'partySize', 'must be at least 1');
  return problemBody(sample, { publicUrl: EXAMPLE_URL, interface: route.interface });
}

function describeStatus(bodies: ProblemBody[]): string {
  return bodies.map(({ code, title }) => `- \`${code}\` ${title}`).join('\n');
}

/** The responses of a route that are problems, by status, with one example per code. */
export function problemResponses(schema: FastifySchema, route: RouteFacts): JsonObject {
  if (route.problemForm) return formedResponses(codesOf(schema, route), route.problemForm);
  const bodies = codesOf(schema, route).map((code) => exampleOf(code, route));
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

/** The same in the form of another protocol. */
function formedResponses(codes: readonly ProblemCode[], form: ProblemForm): JsonObject {
  const answers = codes.map((code) => ({
    code,
    title: catalogue[code].title,
    ...form.write(sampleProblem(code, 'productId', 'is required'), undefined),
  }));
  const byStatus = [...Map.groupBy(answers, ({ status }) => status)];
  return Object.fromEntries(
    byStatus.map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map(({ code, title }) => `- \`${code}\` ${title}`).join('\n'),
        content: {
          'application/json': {
            schema: form.schema,
            examples: Object.fromEntries(
              ofStatus.map(({ code, title, body }) => [code, { summary: title, value: body }]),
            ),
          },
        },
      },
    ]),
  );
}
