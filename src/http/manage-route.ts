/**
 * Routes of `/manage`. They are many and alike, so each states only its access, its input, its output and its action.
 * Reads carry an `ETag`; a caller that sends it back as `If-Match` changes exactly the version it read.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { VenueId } from '../kernel/ids.ts';
import type { ProblemCode } from '../kernel/problem.ts';
import type { Actor } from './auth/actor.ts';
import { actorOf } from './auth/identify.ts';
import { etagOf } from './format/etag.ts';
import { formatOf, render, sendLive, sendRendered } from './format/render.ts';
import type { App, ManageAccess } from './route.ts';
import { DOCUMENT_LIMIT_BYTES } from './validation/body-parsers.ts';
import { idempotencyKey, named } from './validation/schema-helpers.ts';
import { OPTIONAL_BODY } from './validation/validation.ts';

/** What a route is called with. */
export interface ManageCall<Params, Query, Body> {
  actor: Actor;
  params: Params;
  query: Query;
  body: Body;
  /** The tag of what the caller has read and wants to change. */
  ifMatch: string | undefined;
  /** Of a route that is `isRepeatable`. */
  idempotencyKey: string | undefined;
  /** Where the call comes from. */
  ip: string;
}

interface Described {
  access: ManageAccess;
  operationId: string;
  summary: string;
  description: string;
  problems?: readonly ProblemCode[];
  /** Absent: that of every request. */
  deadlineMs?: number;
  /** Throws where the interface is closed to every caller; runs after identification, before the body is read. */
  assertOpen?: () => void;
}

export interface ManageRoute<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Result extends TSchema,
> extends Described {
  params?: Params;
  query?: Query;
  body?: Body;
  result: Result;
  example: NoInfer<Static<Result>>;
  /** Takes an `Idempotency-Key`. */
  isRepeatable?: boolean;
  /** What is answered, with 200, to a query with `dryRun`. */
  preview?: TSchema;
  /** Bytes; absent: `DOCUMENT_LIMIT_BYTES`. */
  bodyLimit?: number;
  run(call: ManageCall<Static<Params>, Static<Query>, Static<Body>>): Promise<NoInfer<Static<Result>>>;
  /** Instead of `run`, for a query with `dryRun`. */
  runPreview?(call: ManageCall<Static<Params>, Static<Query>, Static<Body>>): Promise<object>;
}

export interface ManageRemoval<Params extends TSchema> extends Described {
  params: Params;
  run(call: ManageCall<Static<Params>, unknown, unknown>): Promise<void>;
  /** Of the answer. */
  headersOf?(actor: Actor): Record<string, string>;
}

type Empty = ReturnType<typeof Type.Object<Record<never, never>>>;

const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'The `ETag` of what you have read. If it has changed since, nothing is done.',
    }),
  ),
});

/** The validator of a document is the same in whichever format it is read. */
export function documentTag(document: unknown): string {
  return etagOf(Buffer.from(JSON.stringify(document)), 'doc');
}

function callOf<Params, Query, Body>(request: FastifyRequest): ManageCall<Params, Query, Body> {
  const { params, query, body, headers } = request;
  return {
    actor: actorOf(request),
    params: params as Params,
    query: query as Query,
    body: body as Body,
    ifMatch: headers['if-match'],
    idempotencyKey: headers['idempotency-key'] as string | undefined,
    ip: request.ip,
  };
}

/** Adds one route. */
type Add = <
  Params extends TSchema = Empty,
  Query extends TSchema = Empty,
  Body extends TSchema = Empty,
  Result extends TSchema = TSchema,
>(
  url: string,
  route: ManageRoute<Params, Query, Body, Result>,
) => void;

export interface ManageRoutes {
  /** One thing, with its `ETag`. */
  get: Add;
  /** Many of them: a page, or `{data}`. */
  list: Add;
  /** `POST`, 201. */
  create: Add;
  /** `POST`, 202: it is made, and work goes on in the background. */
  begin: Add;
  /** `PUT`, 200: the whole of it. */
  put: Add;
  /** `PATCH`, 200: the members that are sent. */
  patch: Add;
  /** `POST`, 200: something is done with what is there. */
  act: Add;
  /** `DELETE`, 204. */
  remove<Params extends TSchema>(url: string, route: ManageRemoval<Params>): void;
}

/** The routes of one chapter of the reference. What GET shows must be added before the PUT of the same address. */
export function manageRoutes(app: App, tag: string): ManageRoutes {
  /** What GET shows at each address. */
  const shown = new Map<string, (request: FastifyRequest) => Promise<unknown>>();
  const add =
    (kind: Kind): Add =>
    (url, typed) => {
      const { method, status, changes, send } = kind;
      const route = typed as unknown as ManageRoute<TSchema, TSchema, TSchema, TSchema>;
      const { access, operationId, summary, description, params, query, body, result, example } = route;
      if (send === sendTagged) shown.set(url, (request) => route.run(callOf(request)));
      app.route({
        method,
        url,
        bodyLimit: route.bodyLimit ?? DOCUMENT_LIMIT_BYTES,
        ...onRequestOf(route),
        config: {
          access,
          problems: problemsOf(url, kind, route.problems),
          example,
          isLive: send === sendNow,
          readCurrent: method === 'PUT' ? shown.get(url) : undefined,
          ...(route.deadlineMs !== undefined && { deadlineMs: route.deadlineMs }),
        },
        schema: {
          operationId,
          tags: [tag],
          summary,
          description,
          ...(params && { params }),
          ...(query && { querystring: query }),
          ...(body && { body }),
          // What is made may belong to something that the caller has read.
          ...((changes || route.problems?.includes('HTTP-N-412')) && { headers: IfMatch }),
          ...(route.isRepeatable && { headers: Type.Object({ 'idempotency-key': idempotencyKey }) }),
          response: { [status]: result, ...(route.preview && { 200: route.preview }) },
        },
        handler: async (request, reply) => {
          // A form that we do not have is refused before anything is done.
          formatOf(request);
          const call = callOf(request);
          const isPreview = route.runPreview !== undefined && isDryRun(call.query);
          const document = await (isPreview ? route.runPreview?.(call) : route.run(call));
          await send(request, reply.code(isPreview ? 200 : status), document);
          return reply;
        },
      });
    };

  return {
    get: add({ method: 'GET', status: 200, changes: false, send: sendTagged }),
    list: add({ method: 'GET', status: 200, changes: false, send: sendNow }),
    create: add({ method: 'POST', status: 201, changes: false, send: sendNow }),
    begin: add({ method: 'POST', status: 202, changes: false, send: sendNow }),
    put: add({ method: 'PUT', status: 200, changes: true, send: sendNow }),
    patch: add({ method: 'PATCH', status: 200, changes: true, send: sendNow }),
    act: add({ method: 'POST', status: 200, changes: true, send: sendNow }),

    remove(url, { access, operationId, summary, description, params, problems, assertOpen, run, headersOf }) {
      app.delete(
        url,
        {
          ...onRequestOf({ assertOpen }),
          config: { access, problems: problemsOf(url, { method: 'DELETE', changes: true }, problems) },
          schema: {
            operationId,
            tags: [tag],
            summary,
            description,
            params,
            headers: IfMatch,
            response: { 204: Type.Null({ description: 'It is gone' }) },
          },
        },
        async (request, reply) => {
          await run(callOf(request));
          if (headersOf) reply.headers(headersOf(actorOf(request)));
          return reply.code(204).send(null);
        },
      );
    },
  };
}

const isDryRun = (query: unknown) => (query as { dryRun?: boolean }).dryRun === true;

interface Kind {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  status: 200 | 201 | 202;
  /** Something that is there, which the caller may have read. */
  changes: boolean;
  send: Send;
}

/**
 * What is sent may be too long or of another kind, what is changed may have changed already, and the operator or the
 * partner that the path names may not be there.
 */
function problemsOf(
  url: string,
  { method, changes }: Pick<Kind, 'changes'> & { method: string },
  own: readonly ProblemCode[] = [],
): ProblemCode[] {
  const ofBody = method === 'GET' ? [] : (['HTTP-N-413', 'HTTP-N-415'] as const);
  const ofChange = changes ? (['HTTP-N-412'] as const) : [];
  const ofOperator = url.includes(':operatorId') ? (['OPRTR-N-001'] as const) : [];
  const ofPartner = url.startsWith('/manage/partners/:partnerId') ? (['PMAP-N-004'] as const) : [];
  return [...new Set<ProblemCode>([...own, ...ofOperator, ...ofPartner, ...ofBody, ...ofChange])];
}

const onRequestOf = ({ assertOpen }: { assertOpen?: (() => void) | undefined }) =>
  assertOpen ? { onRequest: async () => assertOpen() } : {};

type Send = (request: FastifyRequest, reply: FastifyReply, document: unknown) => unknown;

const sendNow: Send = (request, reply, document) => sendLive(reply, document as object, formatOf(request));

const sendTagged: Send = (request, reply, document) =>
  sendRendered(request, reply, { ...render(document, formatOf(request)), etag: documentTag(document) });

/** For what can be tried first. */
export const DryRunQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Check everything and store nothing' }),
});

/** For actions without parameters. */
export const NoBody = Type.Object(
  {},
  {
    additionalProperties: false,
    [OPTIONAL_BODY]: true,
    examples: [{}],
    ...named('NoBody', 'Nothing needs to be said'),
  },
);

/** What paths of `/manage` name. Spread them where a path names more. */

export const MAX_INTEGER = 2_147_483_647;

export const integerId = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description, examples: [example] });

export const operatorId = integerId('Id of the operator: the first segment of the ids of its venues', 1);

/** The group is a positive integer of PostgreSQL, or nearly: none is that large. */
const VENUE_ID = '^([1-9]\\d{0,8}|1\\d{9}|20\\d{8})(\\|[A-Za-z0-9][A-Za-z0-9._~-]{0,99}){2}$';

export const venueId = Type.Unsafe<VenueId>(
  Type.String({
    pattern: VENUE_ID,
    'x-message': 'must be a venue id: group, system and resource joined by "|", such as 1|house|soho-grill',
    description: 'Id of the venue, percent-encoded',
    examples: ['1|house|soho-grill'],
  }),
);

export const operatorPath = Type.Object({ operatorId });
export const venuePath = Type.Object({ venueId });
