import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { countRequest, type RateLimiter } from '../limits/rate-limit.ts';
import { isNowhere } from '../problems/method-not-allowed.ts';
import { type App, type ManageAccess, routeOf } from '../route.ts';
import { type Actor, assertDeveloper, assertPlatform, assertRole, assertUser, type Role } from './actor.ts';
import type { Caller, Scope } from './caller.ts';
import { assertMayUseCookie, credentialOf } from './session-cookie.ts';

export interface Identification {
  /** The address that people know us by; a session cookie is good for requests from pages there. */
  publicUrl: string;
  resolveCaller(
    authorization: string | undefined,
    partnerReference: string | undefined,
  ): Caller | Promise<Caller>;
  /** For `/manage`, which people who have signed in may call too. */
  resolveActor(authorization: string | undefined, partnerReference: string | undefined): Promise<Actor>;
  /** The same caller if it is known without a promise. */
  findCaller(authorization: string, partnerReference: string | undefined): Caller | undefined;
  requireScope(caller: Caller, scope: Scope): void;
  /** Throws where there is no such operator. */
  requireOperator(operatorId: number): Promise<void>;
  /** The same for a partner. */
  requirePartner(partnerId: number): Promise<void>;
}

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller) return request.caller;
  throw new Error(`Route ${routeOf(request).url} reads its caller but is public.`);
}

/** The same under `/manage`. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor) return request.actor;
  throw new Error(`Route ${routeOf(request).url} reads its actor but is not part of /manage.`);
}

/**
 * Runs before anything else of a request is read: identifies the caller, counts the call against its rate limit and
 * checks that its token allows the route. Cached answers come without a promise, since every request passes here.
 */
export function installIdentification(app: App, identity: Identification, limiter: RateLimiter): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('actor', null);

  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      if (!config?.access) throw new Error(`${method} ${url} does not say who may call it (config.access).`);
    }
  });

  app.addHook('onRequest', (request, reply, done) => {
    const access = isNowhere(request) ? undefined : routeOf(request).access;
    if (access === 'public') return done();
    let admitted: void | Promise<void>;
    try {
      admitted =
        // No route: the answer is 404, after the call is counted against the address that probes.
        access === undefined
          ? countRequest(limiter, addressKey(request), reply)
          : isManage(access)
            ? admitActor(request, reply, access)
            : admit(request, reply, access);
    } catch (refusal) {
      return done(refusal as Error);
    }
    if (admitted instanceof Promise) admitted.then(() => done(), done);
    else done();
  });

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    access: Scope | 'identified',
  ): void | Promise<void> {
    let caller: Caller | Promise<Caller>;
    try {
      caller = identity.resolveCaller(request.headers.authorization, partnerReference(request));
    } catch (refusal) {
      return refuse(request, reply, refusal);
    }
    return caller instanceof Promise
      ? caller.then(
          (resolved) => welcome(request, reply, access, resolved),
          (refusal) => refuse(request, reply, refusal),
        )
      : welcome(request, reply, access, caller);
  }

  function welcome(
    request: FastifyRequest,
    reply: FastifyReply,
    access: Scope | 'identified',
    caller: Caller,
  ): void | Promise<void> {
    request.caller = caller;
    const counted = countRequest(limiter, caller.clientId, reply);
    if (counted instanceof Promise) return counted.then(() => requireAccess(caller, access));
    requireAccess(caller, access);
  }

  function requireAccess(caller: Caller, access: Scope | 'identified'): void {
    if (access !== 'identified') identity.requireScope(caller, access);
  }

  async function admitActor(
    request: FastifyRequest,
    reply: FastifyReply,
    access: ManageAccess,
  ): Promise<void> {
    let actor: Actor;
    try {
      const { authorization, isByCookie } = credentialOf(request.headers);
      if (isByCookie) assertMayUseCookie(request, identity.publicUrl);
      actor = await identity.resolveActor(authorization, partnerReference(request));
      if (isByCookie) actor = { ...actor, isByCookie };
    } catch (refusal) {
      return refuse(request, reply, refusal);
    }
    request.actor = actor;
    await countRequest(limiter, actor.kind === 'user' ? `user ${actor.id}` : actor.id, reply);
    requireRole(actor, access, request);
    // Everyone else has a role at an operator or a partner that exists.
    if (!actor.isPlatform) return;
    const operatorId = storableId(request, 'operatorId');
    if (operatorId !== undefined) await identity.requireOperator(operatorId);
    const partnerId = access === 'manage:developer' ? storableId(request, 'partnerId') : undefined;
    if (partnerId !== undefined) await identity.requirePartner(partnerId);
  }

  /** Refused calls count against their address, so that guessing tokens is bounded too. */
  function refuse(request: FastifyRequest, reply: FastifyReply, refusal: unknown): void | Promise<void> {
    const counted = countRequest(limiter, addressKey(request), reply);
    if (counted instanceof Promise) {
      return counted.then(() => {
        throw refusal;
      });
    }
    throw refusal;
  }
}

const isManage = (access: string): access is ManageAccess => access.startsWith('manage:');

function requireRole(actor: Actor, access: ManageAccess, request: FastifyRequest): void {
  if (access === 'manage:platform') assertPlatform(actor);
  else if (access === 'manage:user') assertUser(actor);
  else if (access === 'manage:developer') assertDeveloper(actor, partnerIdIn(request));
  else assertRole(actor, operatorIdIn(request), access.slice('manage:'.length) as Role);
}

/** A venue's id begins with its operator's id. Text that is not a number matches no operator. */
function operatorIdIn(request: FastifyRequest): number {
  const { operatorId, venueId } = request.params as Record<string, string | undefined>;
  const text = operatorId ?? venueId?.split('|')[0];
  if (text === undefined) throw new Error(`${routeOf(request).url} does not name its operator.`);
  return Number(text);
}

function partnerIdIn(request: FastifyRequest): number {
  const { partnerId } = request.params as Record<string, string | undefined>;
  if (partnerId === undefined) throw new Error(`${routeOf(request).url} does not name its partner.`);
  return Number(partnerId);
}

const LARGEST_ID = 2 ** 31 - 1;

/** What the path names; what cannot be an id is left to the validation of the path. */
function storableId(request: FastifyRequest, name: 'operatorId' | 'partnerId'): number | undefined {
  const text = (request.params as Record<string, string | undefined>)[name];
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  return id >= 1 && id <= LARGEST_ID ? id : undefined;
}

const addressKey = (request: FastifyRequest) => `address ${request.ip}`;

/** Sent more than once, the header arrives as one joined text, which matches no reference. */
export const partnerReference = (request: Pick<IncomingMessage, 'headers'>) =>
  request.headers['x-partner-reference']?.toString();
