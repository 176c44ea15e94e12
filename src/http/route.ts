import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ProblemCode } from '../kernel/problem.ts';
import type { Actor, PartnerRole, Role } from './auth/actor.ts';
import type { Caller, Scope } from './auth/caller.ts';
import type { InterfaceName } from './format/negotiation.ts';
import type { ProblemForm } from './problems/problem-body.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/**
 * `public`: no token (docs, health, problem pages, files, tokens and signing in). No rate limit either, unless the route
 * has one of its own or `isCounted`.
 * `identified`: a token of any client. Otherwise the scope that the token must carry.
 */
export type Access = 'public' | 'identified' | Scope | ManageAccess;

/**
 * The least access that a `/manage` route requires: a role at the operator that the path names with `operatorId` or
 * `venueId`, a role at the partner that it names with `partnerId`, the platform, or any person who has signed in.
 */
export type ManageAccess = `manage:${Role | PartnerRole | 'platform' | 'user'}`;

/** What a route says about itself besides its schema. */
export interface RouteFacts {
  /** Every route declares its access; the application refuses to start with a route that does not. */
  access?: Access;
  /** Of a public route: calls count against their address, see `rate-limit.ts`. */
  isCounted?: boolean;
  /** The codes this route can answer besides those that every route shares; they end up in the OpenAPI document. */
  problems?: readonly ProblemCode[];
  /** The listings interface has its own closed list of statuses and a vendor media type. */
  interface?: InterfaceName;
  /** Of a route that speaks another protocol, in JSON alone: how it writes refusals; absent: RFC 9457. */
  problemForm?: ProblemForm;
  /** How long it may take from when the request has arrived; absent: 10 s. */
  deadlineMs?: number;
  /** The answer is a stream that lasts until its reader leaves. */
  isEndless?: boolean;
  /** True only at the moment of the request: such an answer has no `ETag` and must not be cached. */
  isLive?: boolean;
  /** The body of a successful answer, for the OpenAPI document; a test holds it against the schema. */
  example?: unknown;
  /** Of PUT: what GET shows there, so that it can be sent back as it is; see `read-only-fields.ts`. */
  readCurrent?: ((request: FastifyRequest) => Promise<unknown>) | undefined;
}

/** What the route of a request says about itself. `routeOptions` gathers all options of the route again each time. */
export const routeOf = (
  request: Pick<FastifyRequest, 'routeFacts'> & {
    routeOptions: Pick<FastifyRequest['routeOptions'], 'config'>;
  },
): FastifyRequest['routeOptions']['config'] => (request.routeFacts ??= request.routeOptions.config);

declare module 'fastify' {
  interface FastifyContextConfig extends RouteFacts {}
  interface FastifyRequest {
    /** For `routeOf`. */
    routeFacts: FastifyRequest['routeOptions']['config'] | null;
    caller: Caller | null;
    actor: Actor | null;
  }
}
