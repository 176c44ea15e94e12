import { appendFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/**
 * Tests note here which problem codes they have seen in real answers; test/catalogue-coverage.test.ts reads
 * the notes when all of them have run. Answers that a test only made up are not noted.
 */
export function recordSeen(code: string): void {
  const file = process.env.MAITRED_SEEN_CODES;
  // One short line per call is written at once by the system, so files that run in parallel do not mix.
  if (file) appendFileSync(file, `${code}\n`);
}

interface Answer {
  headers: Record<string, unknown>;
  body: string;
}

/** Notes the code of an injected answer when it is a problem, and returns it. */
export function seenCode(answer: Answer): string | undefined {
  if (!String(answer.headers['content-type']).startsWith('application/problem+json')) return undefined;
  const { code } = JSON.parse(answer.body) as { code: string };
  recordSeen(code);
  return code;
}

/** Notes every problem that `app` answers. For the application itself; call it before it is ready. */
export function recordSeenProblems(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type'));
    if (type.startsWith('application/problem+json') && typeof payload === 'string') {
      recordSeen((JSON.parse(payload) as { code: string }).code);
    }
    done();
  });
}
