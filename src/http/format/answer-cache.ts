import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { createCatalogueCache } from '../../db/catalogue-cache.ts';
import type { Notifications } from '../../db/notifications.ts';
import { type Caller, visibilityKey, visibilityOf } from '../auth/caller.ts';
import { callerOf } from '../auth/identify.ts';
import { routeOf } from '../route.ts';
import { EncodedForms, exactly } from './compression.ts';
import { type Format, negotiate } from './negotiation.ts';
import { acceptedEncoding, formatOf, type Rendered, render, sendRendered } from './render.ts';

/**
 * Finished answers about the catalogue, cached per visibility, address and format. A change of a venue drops its
 * answers and every list; a change of a mapping drops those of its partner.
 */
export interface Answers {
  /**
   * For `onRequest` of a route, after the caller is identified and counted: sends the cached answer without checking
   * the request again, since only valid requests are ever cached.
   */
  sendKept(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  /** Produces, caches and sends an answer. `produce` also validates; errors are not cached. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    subject: string,
    produce: () => Promise<unknown>,
  ): Promise<void>;
  /** The cached answer for a request that has not been routed yet. */
  find(request: IncomingMessage, caller: Caller): KeptAnswer | undefined;
}

/** An answer and its encoded forms, so that each is compressed once for as long as it is kept. */
export interface KeptAnswer extends Rendered {
  forms: EncodedForms;
  /** Of the request that it was made for; requests that get it again have the same. */
  route: ReturnType<typeof routeOf>;
  params: unknown;
}

export function createAnswers(notifications: Notifications): Answers {
  const cache = createCatalogueCache<KeptAnswer>('answers', notifications);

  /** Undefined: nothing has to be waited for. */
  function prepareForm(request: FastifyRequest, key: string, answer: KeptAnswer): Promise<void> | undefined {
    const encoding = acceptedEncoding(request, answer.body);
    if (encoding === undefined || answer.forms.find(encoding)) return undefined;
    return answer.forms.make(encoding).then(() => cache.resize(key, answer, answer.forms.bytes));
  }

  function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: KeptAnswer): void {
    sendRendered(request, reply, answer, (encoding) => answer.forms.get(encoding));
  }

  return {
    sendKept(request, reply, done) {
      const key = keyOf(request);
      const kept = cache.get(key);
      if (!kept) return done();
      const preparing = prepareForm(request, key, kept);
      if (preparing) preparing.then(() => sendAnswer(request, reply, kept), done);
      else sendAnswer(request, reply, kept);
    },

    async send(request, reply, subject, produce) {
      const ticket = cache.beginRead();
      const rendered = render(await produce(), formatOf(request));
      const body = exactly(rendered.body);
      const forms = new EncodedForms(body, 'kept');
      const answer = { ...rendered, body, forms, route: routeOf(request), params: request.params };
      const key = keyOf(request);
      cache.keep(ticket, key, answer, answer.forms.bytes, [subject, visibilityKeyOf(callerOf(request))]);
      await prepareForm(request, key, answer);
      sendAnswer(request, reply, answer);
    },

    find({ headers: { accept }, url = '' }, caller) {
      const format = negotiate(accept, 'venue');
      const kept = format && cache.get(keyFor(caller, format, url));
      // Only the answer says which interface the address belongs to, and the other one may choose another format.
      const isChosen = kept && negotiate(accept, kept.route.interface ?? 'venue') === format;
      return isChosen ? kept : undefined;
    },
  };
}

const visibilityKeyOf = (caller: Caller) => visibilityKey(visibilityOf(caller));

const keyFor = (caller: Caller, format: Format, url: string) => `${visibilityKeyOf(caller)} ${format} ${url}`;

const keyOf = (request: FastifyRequest) => keyFor(callerOf(request), formatOf(request), request.url);
