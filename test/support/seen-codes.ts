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

/** Notes the code of an injected answer when it is a problem, and returns it; also those of problems inside one. */
export function seenCode(answer: Answer): string | undefined {
  // Answered on request: nothing had to happen for it.
  if (String(answer.headers['x-sandbox-fault']).startsWith('answer=')) return undefined;
  const type = String(answer.headers['content-type']);
  if (type.startsWith('application/json')) for (const code of codesInside(answer.body)) recordSeen(code);
  if (!type.startsWith('application/problem+json')) return undefined;
  const { code } = JSON.parse(answer.body) as { code: string };
  recordSeen(code);
  return code;
}

/** Entries of a list can fail on their own, and JSON-RPC carries the problem as the data of its error. */
function codesInside(body: string): string[] {
  const { items, results, error } = (JSON.parse(body) ?? {}) as Record<
    'items' | 'results' | 'error',
    unknown
  >;
  const entries = [items, results].filter(Array.isArray).flat() as { error?: { code?: string } }[];
  const refused = (error as { data?: { code?: string } } | undefined)?.data?.code;
  return [...entries.flatMap((entry) => entry?.error?.code ?? []), ...(refused ? [refused] : [])];
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
