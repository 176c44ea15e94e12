import { isProductId, isVenueId, type VenueId, venueOfProduct } from '../../kernel/ids.ts';
import { routeNameOf } from '../problems/method-not-allowed.ts';
import type { App } from '../route.ts';
import { type AnsweredRequest, observersOf } from './observers.ts';

/** An answered call of a partner, or of an agent for it. It has no body, no address and nothing of a guest. */
export interface AnsweredCall {
  arrivedMs: number;
  partnerId: number;
  clientId: string;
  method: string;
  /** The pattern of the address, as in `/venues/{venueId}`. */
  route: string;
  venueId: VenueId | null;
  /** Null: the caller disconnected before the answer. */
  status: number | null;
  code: string | null;
  correlationId: string | null;
  durationMs: number;
}

type Answer = Pick<AnsweredCall, 'status' | 'code'>;

/**
 * Tells `note` of every call of an identified partner or agent. Calls under `/manage` have an actor and no caller. To
 * be installed after identification.
 */
export function noteAnsweredCalls(app: App, nowMs: () => number, note: (call: AnsweredCall) => void): void {
  const patterns = new Map<string, string>();
  const patternOf = (route: string) =>
    patterns.getOrInsertComputed(route, () => route.replace(/:(\w+)/g, '{$1}'));

  function noteCall(request: AnsweredRequest, durationMs: number, answer: Answer): void {
    const { caller } = request;
    if (caller === null || !('partner' in caller)) return;
    note({
      arrivedMs: Math.floor(nowMs() - durationMs),
      partnerId: caller.partner.id,
      clientId: caller.clientId,
      method: request.method,
      route: patternOf(routeNameOf(request)),
      venueId: venueOf(request),
      ...answer,
      correlationId: storableCorrelationId(request.id),
      durationMs: Math.round(durationMs * 10) / 10,
    });
  }

  const noteAbandoned = (request: AnsweredRequest, elapsedMs: number) =>
    noteCall(request, elapsedMs, { status: null, code: null });

  app.decorateReply('isNoted', false);
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify tells nothing of an answer that cannot be sent any more; `close` comes after every other one too.
    if (request.caller !== null)
      reply.raw.on('close', () => {
        if (!reply.isNoted) noteAbandoned(request, reply.elapsedTime);
      });
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    reply.isNoted = true;
    done();
  });
  const observers = observersOf(app);
  observers.abandoned.push(noteAbandoned);
  observers.answered.push((request, reply) =>
    noteCall(request, reply.elapsedTime, { status: reply.statusCode, code: reply.problemCode }),
  );
}

declare module 'fastify' {
  interface FastifyReply {
    /** It is in the request log, if that is where it belongs. */
    isNoted: boolean;
  }
}

/** Addresses call a venue `venueId` and a product `compositeId`. What is neither may be anything, and is left out. */
function venueOf({ params }: Pick<AnsweredRequest, 'params'>): VenueId | null {
  const { venueId, compositeId } = params as Record<string, string | undefined>;
  const id = venueId ?? compositeId;
  if (id === undefined) return null;
  if (isVenueId(id)) return id;
  return isProductId(id) ? venueOfProduct(id) : null;
}

/** Enough for UUIDs, base64 and trace ids, and not for a mail address. */
const HARMLESS = /^[\w.:/+=~-]+$/;

/** Callers choose their correlation ids, and one may have put the address of a guest there. */
const storableCorrelationId = (id: string): string | null => (HARMLESS.test(id) ? id : null);
