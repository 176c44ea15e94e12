import { isDeepStrictEqual } from 'node:util';
import { isProblemCode } from '../../kernel/problem-catalogue.ts';
import { INTERFACE_VERSION } from '../../kernel/version.ts';
import type { Scope } from '../auth/caller.ts';
import { isObject, type JsonObject } from '../validation/schema-helpers.ts';
import { OPTIONAL_BODY } from '../validation/validation.ts';
import { hoistComponents, sortedByName } from './components.ts';
import { LIVE } from './operation.ts';
import { plainExample } from './problems.ts';

/** The last step, when every operation is written: what they share moves to the components. */

const text = (maxLength: number) => ({ type: 'string', maxLength });

/** Without examples: tools send a header along as soon as it has one. */
const PARAMETERS = {
  PartnerReference: {
    name: 'X-Partner-Reference',
    in: 'header',
    description:
      'The partner that an agent acts for. Agents send it with every call; others have no need to.',
    schema: text(100),
  },
  CorrelationId: {
    name: 'X-Correlation-ID',
    in: 'header',
    description:
      'Your own id for this call, which comes back in the answer: 1 to 128 visible ASCII characters. A longer or ' +
      'other one is not refused but replaced by a new one, as is one that is absent.',
    schema: { type: 'string' },
  },
  SandboxFault: {
    name: 'X-Sandbox-Fault',
    in: 'header',
    description:
      'In the sandbox: failures that you want to meet, such as `booking=taken` or `answer=RATE-R-001`, with a comma ' +
      'between. Elsewhere a call with this header is refused.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the answer you have; while nothing has changed, you get 304 and no body.',
    schema: { type: 'string' },
  },
};

const header = (type: string, description: string, example: unknown) => ({
  description,
  schema: { type },
  example,
});

const HEADERS = {
  'X-Correlation-ID': header(
    'string',
    'The id of this call in our logs: yours where it could be taken',
    'checkout-7421',
  ),
  'X-RateLimit-Limit': header('integer', 'Calls allowed in a window of 60 s', 200),
  'X-RateLimit-Remaining': header('integer', 'Calls left in this window', 187),
  'X-RateLimit-Reset': header('integer', 'When the window ends, in Unix seconds', 1_790_000_040),
  ETag: header('string', 'Names this state of the answer', '"json-3vTq0cYk1m9uWc2bJ0yQp8xZrLs"'),
  'Retry-After': header('integer', 'Seconds to wait before the next attempt', 5),
  'WWW-Authenticate': header('string', 'How to identify yourself, or what the token lacks', 'Bearer'),
};

type HeaderName = keyof typeof HEADERS;

const OF_EVERY_ANSWER: HeaderName[] = ['X-Correlation-ID'];
const OF_COUNTED_ANSWERS: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

interface Operation extends JsonObject {
  tags?: string[];
  security?: JsonObject[];
  parameters?: JsonObject[];
  requestBody?: JsonObject;
  responses: Record<string, JsonObject>;
}

const canBeKept = (method: string, operation: Operation) =>
  method === 'get' && isIdentified(operation) && operation[LIVE] !== true;
const isIdentified = (operation: Operation) => (operation.security?.length ?? 0) > 0;

const OF_OTHERS: readonly string[] = ['operator:write', 'platform:admin'] satisfies Scope[];

/** Whether partners may call it; people and operators have operations of their own. */
const isOfPartners = ({ security = [] }: Operation) =>
  !security.some((schemes) => {
    const scopes = Object.values(schemes).flat();
    return 'Session' in schemes || scopes.some((scope) => OF_OTHERS.includes(String(scope)));
  });

function headersOf(status: string, method: string, operation: Operation): HeaderName[] {
  const isCounted = isIdentified(operation);
  const hasTag = canBeKept(method, operation) && (status === '200' || status === '304');
  return [
    ...OF_EVERY_ANSWER,
    ...(isCounted ? OF_COUNTED_ANSWERS : []),
    ...(hasTag ? (['ETag'] as const) : []),
    // The only problem with status 500 may be retried like those that say «later».
    ...(['429', '500', '503'].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === '401' || (status === '403' && isCounted) ? (['WWW-Authenticate'] as const) : []),
  ];
}

function reference(kind: 'parameters' | 'headers' | 'examples', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Comma lists are marked for our own reader of parameters; OpenAPI has words of its own for them. */
function finishParameter(parameter: JsonObject): JsonObject {
  const { required, schema, ...rest } = parameter;
  const { 'x-comma': isCommaList, ...plain } = isObject(schema) ? schema : {};
  return {
    ...rest,
    ...(rest.in === 'header' && { name: headerName(String(rest.name)) }),
    ...(required ? { required } : {}),
    ...(isCommaList ? { style: 'form', explode: false } : {}),
    schema: plain,
  };
}

/** Schemas name headers as Node does; people write `X-Booking-Source`. */
const headerName = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

const PLACES = ['path', 'query', 'header'];

function parametersOf(method: string, operation: Operation): JsonObject[] {
  const own = (operation.parameters ?? []).map(finishParameter);
  own.sort((a, b) => PLACES.indexOf(String(a.in)) - PLACES.indexOf(String(b.in)));
  if (!isIdentified(operation)) return [...own, reference('parameters', 'CorrelationId')];
  const shared = [
    'PartnerReference',
    'CorrelationId',
    ...(isOfPartners(operation) ? ['SandboxFault'] : []),
    ...(canBeKept(method, operation) ? ['IfNoneMatch'] : []),
  ];
  return [...own, ...shared.map((name) => reference('parameters', name))];
}

/** An example of a problem that says nothing about this operation in particular is shared by all of them. */
function shareExamples(response: JsonObject, shared: JsonObject): JsonObject {
  const content = isObject(response.content) ? response.content : {};
  const media = content['application/problem+json'];
  if (!isObject(media) || !isObject(media.examples)) return response;
  const examples = Object.entries(media.examples).map(([code, example]) => {
    const isPlain =
      isProblemCode(code) && isObject(example) && isDeepStrictEqual(example.value, plainExample(code));
    if (!isPlain) return [code, example];
    shared[code] = example;
    return [code, reference('examples', code)];
  });
  const finished = { ...media, examples: Object.fromEntries(examples) };
  return { ...response, content: { ...content, 'application/problem+json': finished } };
}

function finishOperation(method: string, operation: Operation, sharedExamples: JsonObject): Operation {
  const responses: Operation['responses'] = { ...operation.responses };
  if (canBeKept(method, operation)) {
    responses[304] = { description: 'Nothing has changed since the answer that `If-None-Match` names' };
  }
  for (const [status, response] of Object.entries(responses)) {
    const names = headersOf(status, method, operation);
    const headers = Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
    responses[status] = { ...shareExamples(response, sharedExamples), headers };
  }
  const { responses: _, parameters: __, [LIVE]: ___, [OPTIONAL_BODY]: isOptional, ...rest } = operation;
  const { requestBody, ...plain } = rest;
  const body = isOptional ? { ...requestBody, required: false } : requestBody;
  const parameters = parametersOf(method, operation);
  return { ...plain, parameters, ...(body ? { requestBody: body } : {}), responses };
}

/** In the order of their tags, so that the reference page reads like a book; then by path, the well-known ones last. */
function sortedPaths(paths: [string, Record<string, Operation>][], tags: string[]) {
  const chapter = (item: Record<string, Operation>) =>
    Math.min(...Object.values(item).map((operation) => tags.indexOf(operation.tags?.[0] ?? '')));
  const rank = (path: string) => path.replace('/.', '/~');
  return paths.sort(([a, one], [b, other]) => chapter(one) - chapter(other) || (rank(a) < rank(b) ? -1 : 1));
}

/** From what `@fastify/swagger` collected to the document that is published. */
export function finishDocument(collected: JsonObject): JsonObject {
  const { openapi, info, servers, tags, paths, components, ...rest } = hoistComponents(collected);
  const examples: JsonObject = {};
  const finished = Object.entries((paths ?? {}) as Record<string, Record<string, Operation>>).map(
    ([path, item]): [string, Record<string, Operation>] => {
      const operations = Object.entries(item).map(([method, operation]) => [
        method,
        finishOperation(method, operation, examples),
      ]);
      return [path, Object.fromEntries(operations)];
    },
  );
  const tagNames = ((tags ?? []) as { name: string }[]).map(({ name }) => name);
  return {
    openapi,
    info,
    servers,
    tags,
    paths: Object.fromEntries(sortedPaths(finished, tagNames)),
    components: {
      ...(isObject(components) ? components : {}),
      parameters: PARAMETERS,
      headers: HEADERS,
      examples: sortedByName(examples),
    },
    ...rest,
  };
}

/** What a developer should know before the first call; the reference page shows it above the operations. */
export const INTRODUCTION = `
Maitred stands between those who distribute restaurant tables and event tickets and the systems that venues run on. You call one interface, whatever is behind it. For those who run venues or the platform there is [a reference of its own](/docs/manage/).

[The guides](/docs/guides) say how to use it, with examples that run; begin with [book your first table](/docs/first-booking), or, if you build an agent, with [theirs](/docs/agents). [/llms.txt](/llms.txt) lists them as Markdown. The interface is that of edition ${INTERFACE_VERSION}; the version of this document is that of the program.

## First call

Exchange your client credentials for an access token, which lasts an hour, and send it with every call:

\`\`\`sh
TOKEN=$(curl -s $MAITRED/oauth/token \\
  -d grant_type=client_credentials \\
  -d client_id=$CLIENT_ID \\
  -d client_secret=$CLIENT_SECRET \\
  -d audience=$AUDIENCE | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl -s "$MAITRED/venues?pageSize=3" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

An agent acts for a partner and says for which one in \`X-Partner-Reference\`, with every call.

## Ids

A venue id has three parts joined by \`|\`: the venue group, the system and the venue, as in \`1|house|soho-grill\`. The id of a product adds a fourth: \`1|house|soho-grill|dinner\`. Percent-encode them in paths (\`1%7Chouse%7Csoho-grill\`). The id of a listing is that of its venue or event; where a product belongs it is refused.

## Times

Timestamps are in UTC with exactly three digits of a second (\`2026-01-02T03:04:05.678Z\`), so they can be compared as text. Starts of bookings are local times with their offset.

## Problems

Whatever is refused is answered with \`application/problem+json\`. Its \`code\` is stable and decides what your program does, \`detail\` says what was wrong this time, and \`type\` is the address of [a page about the code](/problems). Where \`isRetryable\` is true the same request can succeed later: wait as long as \`Retry-After\` says. As a rule those are the codes with \`R\` in the middle.

A query parameter that an operation does not have is refused with \`VALID-N-001\`, which names the nearest one that it has. Headers that mean nothing here are passed over.

In the sandbox each of them can be had on purpose with \`X-Sandbox-Fault\`, and so can slow systems, lost answers and failing webhooks: see [the guide to failures](/docs/failures.md).

## Less of an answer

Reads take \`fields\`, a list of the members you want, with sub-fields in parentheses and to any depth: \`fields=id,name,products(compositeId,spaces(id))\`. Of each such answer there are two schemas: the whole one, and one that ends in \`Selection\` and requires nothing. Without \`fields\` you always get the whole.

## TOON

Send \`Accept: text/toon\` to get the same data as TOON, a text that names the fields of a list once. Whole answers are nested and cost a language model about 13 % more tokens as TOON than as JSON; flat lists cost about a quarter less. \`fields\` saves far more, so select first. Under \`/v1\` there is also \`application/vnd.service.toon+json\`, the same text inside a JSON object. Request bodies and problems are always JSON.

## Reading again

Reads of the catalogue carry an \`ETag\`; availability, bookings and orders, which are true only at the moment of asking, do not. Send it back in \`If-None-Match\` and you get 304 without a body while nothing has changed.

## Limits

Each client has a number of calls per window of 60 seconds. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds) tell where you stand; one call too many is \`RATE-R-001\`.

## Growing

New members, codes and enumeration values can appear at any time. Ignore members you do not know, and treat an unknown code by its status and \`isRetryable\`.
`.trim();

/** The same for the operators of venues and of the platform. */
export const MANAGE_INTRODUCTION = `
What operators and the platform set up and look after: venues and what can be booked there, hours, layout, rules, bookings, people, partners and clients. What partners call has [a reference of its own](/docs/). The [guides](/docs/guides) have the order of things. The interface is that of edition ${INTERFACE_VERSION}; the version of this document is that of the program.

## Who calls

People sign in with \`POST /manage/sessions\` and send the session's token as \`Authorization: Bearer\`. Programs get an access token with \`POST /oauth/token\`, as partners do, and need the scope \`operator:write\` or \`platform:admin\`.

## Changing what you have read

Reads of one thing carry an \`ETag\`. Send it back as \`If-Match\` with the change: if it has changed meanwhile, you get 412 and nothing is changed. What you have read can be sent back with \`PUT\` as it is: fields that only Maitred sets are passed over, and refused with \`VALID-N-001\` where they differ from what is there. Every change is written down and can be read under \`/manage/operators/{operatorId}/audit\`.

Problems, TOON, limits and growth are as partners have them.
`.trim();
