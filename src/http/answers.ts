import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { createCatalogueCache } from '../db/catalogue-cache.ts';
import type { Notifications } from '../db/notifications.ts';
import { visibilityKey, visibilityOf } from './caller.ts';
import { callerOf } from './identify.ts';
import { formatOf, type Rendered, render, sendRendered } from './render.ts';

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

const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const BYTES_PER_ENTRY = 500;

export function createAnswers(notifications: Notifications): Answers {
  const cache = createCatalogueCache<Rendered>(MAX_KEPT_BYTES, notifications);

  return {
    sendKept(request, reply, done) {
      const kept = cache.get(keyOf(request));
      if (kept) sendRendered(request, reply, kept);
      else done();
    },

    async send(request, reply, subject, produce) {
      const ticket = cache.beginRead();
      const rendered = render(await produce(), formatOf(request));
      const key = keyOf(request);
      const size = rendered.body.length + key.length + BYTES_PER_ENTRY;
      cache.keep(ticket, key, rendered, size, [subject, visibilityKeyOf(request)]);
      sendRendered(request, reply, rendered);
    },
  };
}

const visibilityKeyOf = (request: FastifyRequest) => visibilityKey(visibilityOf(callerOf(request)));

const keyOf = (request: FastifyRequest) => `${visibilityKeyOf(request)} ${formatOf(request)} ${request.url}`;
