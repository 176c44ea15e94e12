import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { problemHeaders } from '../../../http/problems/problem-body.ts';
import type { App } from '../../../http/route.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Waitlist } from '../service.ts';
import { endedPage, entryPage, failedPage, type Page } from './page.ts';
import { preferredLanguage, type Refusal } from './texts.ts';

/** A button sends an empty form. */
const FORM_LIMIT_BYTES = 1024;

const options = {
  config: { access: 'public', isCounted: true },
  schema: { hide: true, params: Type.Object({ secret: Type.String({ maxLength: 100 }) }) },
} as const;

export interface PageRouteDeps {
  waitlist: Waitlist;
  publicUrl: string;
}

/** Looking changes nothing: programs that check mails open every link in them. */
export function waitlistPageRoutes(app: App, { waitlist, publicUrl }: PageRouteDeps): void {
  // Without the host, so that buttons lead to where the page came from.
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const addressOf = (secret: string) => `${base}/waitlist/${encodeURIComponent(secret)}`;

  async function show(
    reply: FastifyReply,
    secret: string,
    refusal: Refusal | null = null,
  ): Promise<FastifyReply> {
    const { entry, language } = await waitlist.getByLink(secret);
    return send(reply, entryPage(entry, { language, address: addressOf(secret), refusal }));
  }

  async function act(
    secret: string,
    reply: FastifyReply,
    work: (secret: string) => Promise<void>,
  ): Promise<FastifyReply> {
    try {
      await work(secret);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || error.code === 'WAIT-N-001') throw error;
      // What has ended says so on the page itself.
      if (error.code !== 'WAIT-N-003')
        return show(reply.code(409), secret, error.code === 'BOOK-N-008' ? 'deposit' : 'other');
    }
    // The page that is loaded then can be loaded again without pressing the button again.
    return reply.code(303).header('location', addressOf(secret)).send();
  }

  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      (_request, _body, done) => done(null, undefined),
    );
    addRoutes(scope);
  });

  function addRoutes(pages: App): void {
    pages.get('/waitlist/:secret', options, (request, reply) =>
      inPages(request, reply, () => show(reply, request.params.secret)),
    );
    pages.post('/waitlist/:secret/take', options, (request, reply) =>
      inPages(request, reply, () => act(request.params.secret, reply, waitlist.takeByLink)),
    );
    pages.post('/waitlist/:secret/leave', options, (request, reply) =>
      inPages(request, reply, () => act(request.params.secret, reply, waitlist.leaveByLink)),
    );
  }
}

const send = (reply: FastifyReply, { html, headers }: Page) => reply.headers(headers).send(html);

/** People get a page for a link that has ended and for what may work in a moment; programs get the problem. */
async function inPages(
  { headers, log }: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !/\btext\/html\b/i.test(headers.accept ?? '')) throw error;
    const language = preferredLanguage(headers['accept-language']);
    if (error.code === 'WAIT-N-001') return send(reply.code(404), endedPage(language));
    if (error.status < 500) throw error;
    log.warn({ err: error.options.cause ?? error, code: error.code }, 'A guest was asked to try again.');
    return send(reply.code(error.status).headers(problemHeaders(error)), failedPage(language));
  }
}
