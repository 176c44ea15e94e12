import type { FastifyReply } from 'fastify';
import type { App } from '../../../http/route.ts';
import { BODY_LIMIT_BYTES, installRawBody, rawBodyOf } from '../../../http/validation/body-parsers.ts';
import { isStorable } from '../../../http/validation/validation.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { sandboxPage } from './page.ts';
import type { PageAnswer, SandboxPages, SandboxPayment } from './provider.ts';

const PAGE = '/payments/sandbox/:reference';

/** The page at which guests complete payments of the sandbox; they have no token. */
export function sandboxRoutes(app: App, pages: SandboxPages): void {
  installRawBody(app);
  const config = { access: 'public', isCounted: true, problems: ['HTTP-N-404', 'VALID-N-001'] } as const;

  app.get<{ Params: { reference: string } }>(
    PAGE,
    { config, schema: { hide: true } },
    async ({ params }, reply) => send(reply, found(await pages.find(referenceIn(params)))),
  );

  app.post<{ Params: { reference: string } }>(
    PAGE,
    { config, schema: { hide: true }, bodyLimit: BODY_LIMIT_BYTES },
    async ({ params, headers, body }, reply) => {
      const answer = answerIn(headers['content-type'], rawBodyOf(body));
      const payment = found(await pages.answer({ reference: referenceIn(params), answer }));
      return payment.returnUrl === null ? send(reply, payment) : reply.redirect(payment.returnUrl, 303);
    },
  );
}

/** No payment has one that cannot be stored. */
function referenceIn({ reference }: { reference: string }): string {
  if (isStorable(reference)) return reference;
  throw notFound();
}

function found(payment: SandboxPayment | undefined): SandboxPayment {
  if (payment) return payment;
  throw notFound();
}

const notFound = () => problem('HTTP-N-404', { detail: 'There is no such payment in the sandbox.' });

/** As a form sends it, or as JSON. */
function answerIn(contentType = '', body: Buffer): PageAnswer['answer'] {
  const answer = contentType.includes('json')
    ? fieldOf(body.toString())
    : new URLSearchParams(body.toString()).get('answer');
  if (answer === 'pay' || answer === 'decline') return answer;
  throw invalid('answer', 'must be one of pay, decline');
}

function fieldOf(json: string): unknown {
  try {
    return JSON.parse(json)?.answer;
  } catch {
    throw invalid('body', 'is not valid JSON');
  }
}

function send(reply: FastifyReply, payment: SandboxPayment): FastifyReply {
  const { html, policy } = sandboxPage(payment);
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    })
    .send(html);
}
