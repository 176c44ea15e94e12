import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Notifications } from '../db/notifications.ts';
import { ReadCache } from '../db/read-cache.ts';
import { visibilityKey, visibilityOf } from './caller.ts';
import { callerOf } from './identify.ts';
import { formatOf, type Rendered, render, sendRendered } from './render.ts';

/**
 * Finished answers about the catalogue, kept in memory per visibility, address and format. A venue that
 * changes takes the answers about it and every list along; a mapping those of its partner.
 */
export interface Answers {
  /** Sends the kept answer, or produces, keeps and sends it. `produce` also validates; what throws is not kept. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    subject: string,
    produce: () => Promise<unknown>,
  ): void | Promise<void>;
}

export const LISTS = 'lists';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const BYTES_PER_ENTRY = 500;

export function createAnswers(notifications: Notifications): Answers {
  const cache = new ReadCache<Rendered>(MAX_KEPT_BYTES, notifications.isConnected);
  notifications.subscribe({
    changed(topic) {
      if (topic.startsWith('venue:')) {
        cache.drop(topic);
        cache.drop(LISTS);
      } else if (topic.startsWith('mapping:')) {
        cache.drop(`p${topic.slice('mapping:'.length)}`);
      } else if (topic === 'catalogue') {
        cache.clear();
      }
    },
    lost: () => cache.clear(),
  });

  return {
    send(request, reply, subject, produce) {
      const format = formatOf(request);
      const visibility = visibilityKey(visibilityOf(callerOf(request)));
      const key = `${visibility} ${format} ${request.url}`;
      const kept = cache.get(key);
      if (kept) {
        sendRendered(request, reply, kept);
        return;
      }
      const ticket = cache.beginRead();
      return produce().then((value) => {
        const rendered = render(value, format);
        const size = rendered.body.length + key.length + BYTES_PER_ENTRY;
        cache.keep(ticket, key, rendered, size, [subject, visibility]);
        sendRendered(request, reply, rendered);
      });
    },
  };
}
