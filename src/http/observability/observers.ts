/**
 * Those who look at every answer when it is sent: the log, the metrics, the request log. Most answers reach them through
 * Fastify, and those of `format/repeats.ts` without it.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../route.ts';

/** What is known of a request once it is answered: a part of what Fastify has. */
export interface AnsweredRequest
  extends Pick<
    FastifyRequest,
    'id' | 'method' | 'params' | 'caller' | 'actor' | 'span' | 'place' | 'routeFacts'
  > {
  routeOptions: Pick<FastifyRequest['routeOptions'], 'config'>;
  server: { log: FastifyBaseLogger };
}

export type SentReply = Pick<FastifyReply, 'statusCode' | 'elapsedTime' | 'problemCode' | 'toolName'>;

export interface Observers {
  /** A request begins to be worked on. */
  begun: ((response: ServerResponse) => void)[];
  answered: ((request: AnsweredRequest, reply: SentReply) => void)[];
  /** The caller disconnected before the answer was sent. */
  abandoned: ((request: AnsweredRequest, elapsedMs: number) => void)[];
}

declare module 'fastify' {
  interface FastifyInstance {
    observers: Observers;
  }
}

/** Those of this application, to be added to before it starts. */
export function observersOf(app: App): Observers {
  if (!app.hasDecorator('observers')) {
    const observers: Observers = { begun: [], answered: [], abandoned: [] };
    app.decorate('observers', observers);
    app.addHook('onResponse', (request, reply, done) => {
      for (const observe of observers.answered) observe(request, reply);
      done();
    });
  }
  return app.observers;
}
