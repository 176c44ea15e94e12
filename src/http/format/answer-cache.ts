import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { createCatalogueCache } from '../../db/catalogue-cache.ts';
import type { Notifications } from '../../db/notifications.ts';
import { visibilityKey, visibilityOf } from '../auth/caller.ts';
import { callerOf } from '../auth/identify.ts';
import { EncodedForms, exactly } from './compression.ts';
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
}

/** An answer and its encoded forms, so that each is compressed once for as long as it is kept. */
interface KeptAnswer extends Rendered {
  forms: EncodedForms;
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
      const answer = { ...rendered, body, forms: new EncodedForms(body, 'kept') };
      const key = keyOf(request);
      cache.keep(ticket, key, answer, answer.forms.bytes, [subject, visibilityKeyOf(request)]);
      await prepareForm(request, key, answer);
      sendAnswer(request, reply, answer);
    },
  };
}

const visibilityKeyOf = (request: FastifyRequest) => visibilityKey(visibilityOf(callerOf(request)));

const keyOf = (request: FastifyRequest) => `${visibilityKeyOf(request)} ${formatOf(request)} ${request.url}`;
