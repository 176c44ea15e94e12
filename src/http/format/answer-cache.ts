import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { createCatalogueCache } from '../../db/catalogue-cache.ts';
import type { Notifications } from '../../db/notifications.ts';
import { visibilityKey, visibilityOf } from '../auth/caller.ts';
import { callerOf } from '../auth/identify.ts';
import { EncodedForms, exactly } from './compression.ts';
import { acceptedEncoding, formatOf, type Rendered, render, sendRendered } from './render.ts';

/**
 * Finished answers about the catalogue, kept in memory per visibility, address and format. A venue that
 * changes takes the answers about it and every list along; a mapping those of its partner.
 */
export interface Answers {
  /**
   * For `onRequest` of a route, after the caller is known and counted: sends the kept answer, and nothing of the
   * request is checked again, since only what passed the checks is ever kept.
   */
  sendKept(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  /** Produces, keeps and sends an answer. `produce` also validates; what throws is not kept. */
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
