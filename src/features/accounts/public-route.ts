/**
 * Routes for people who have not signed in yet. Anybody may call them, so calls are counted by where they come from:
 * nobody guesses tokens, tries many accounts, or has mails sent by the thousand.
 */
import type { Static, TSchema } from 'typebox';
import { countRequest } from '../../http/rate-limit.ts';
import { createMemoryCounter } from '../../http/rate-limit-memory.ts';
import { sendLive } from '../../http/render.ts';
import type { App } from '../../http/route.ts';
import { type Clock, epochMilliseconds } from '../../kernel/clock.ts';
import { networkOf } from '../../kernel/network.ts';
import type { ProblemCode } from '../../kernel/problem.ts';

const CALLS_A_MINUTE = 100;
const MAX_BODY_BYTES = 16_384;

export interface PublicRoute<Body extends TSchema, Result extends TSchema> {
  operationId: string;
  summary: string;
  description: string;
  status: 200 | 201 | 202;
  body: Body;
  result: Result;
  example: NoInfer<Static<Result>>;
  problems: readonly ProblemCode[];
  run(body: Static<Body>, ip: string): Promise<NoInfer<Static<Result>>>;
}

export type PublicRoutes = <Body extends TSchema, Result extends TSchema>(
  url: string,
  route: PublicRoute<Body, Result>,
) => void;

export interface PublicRouteOptions {
  tag: string;
  clock: Clock;
  /** False where the deployment has no limits at all (`RATE_LIMIT` 0), since something in front of it has them. */
  isLimited: boolean;
}

export function publicRoutes(app: App, { tag, clock, isLimited }: PublicRouteOptions): PublicRoutes {
  const nowMs = () => epochMilliseconds(clock);
  const limiter = { ...createMemoryCounter({ nowMs }), limit: isLimited ? CALLS_A_MINUTE : 0, nowMs };

  function add(url: string, route: PublicRoute<TSchema, TSchema>): void {
    const { status, body, result, example, problems, run, ...words } = route;
    app.route({
      method: 'POST',
      url,
      bodyLimit: MAX_BODY_BYTES,
      config: {
        access: 'public',
        problems: [...problems, 'RATE-R-001', 'HTTP-N-413', 'HTTP-N-415'],
        example,
        isLive: true,
      },
      schema: { ...words, tags: [tag], body, response: { [status]: result } },
      onRequest: async (request, reply) => countRequest(limiter, networkOf(request.ip), reply),
      handler: async (request, reply) =>
        sendLive(reply.code(status), (await run(request.body, request.ip)) as object, 'json'),
    });
  }

  return (url, route) => add(url, route as unknown as PublicRoute<TSchema, TSchema>);
}
