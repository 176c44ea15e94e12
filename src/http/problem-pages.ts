import type { FastifyReply } from 'fastify';
import { type ProblemCode, problem } from '../kernel/problem.ts';
import { catalogue, isProblemCode, isRetryable, problemCodes } from '../kernel/problem-catalogue.ts';
import { problemBody } from './problem-body.ts';
import { PAGE_POLICY, PAGE_STYLE } from './problem-page-style.ts';
import { sampleProblem } from './problem-sample.ts';
import type { App } from './route.ts';

/** Chapters of the index, in the order in which a developer meets them, and the families of codes in each. */
const CHAPTERS: [name: string, families: string[]][] = [
  ['Requests', ['VALID', 'FSEL', 'RATE', 'HTTP']],
  ['Identity', ['IDENT']],
  ['Venues', ['VENUE']],
  ['Availability', ['AVAIL', 'OPRUL']],
  ['Bookings', ['BOOK', 'BKRUL']],
  ['Events and orders', ['EVENT', 'ORDER']],
  ['Webhooks and sandbox', ['WHK', 'SBOX']],
  ['Partners and operators', ['PMAP', 'OPRTR']],
  ['Users and permissions', ['USER']],
];

const familyOf = (code: ProblemCode) => code.slice(0, code.indexOf('-'));

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body><main>
${content}
</main></body>
</html>
`;
}

/** What an answer with this code looks like, made by the code that makes the real ones. */
function exampleBody(code: ProblemCode, publicUrl: string) {
  return problemBody(sampleProblem(code, 'partySize', 'must be at least 1'), { publicUrl });
}

function entryPage(code: ProblemCode, publicUrl: string): string {
  const { status, title, meaning, remedy } = catalogue[code];
  const retry = isRetryable(code)
    ? '<li class="yes">may be retried</li>'
    : '<li class="no">will fail again unless something changes</li>';
  return page(
    `${code}: ${title}`,
    `<nav><a href="../problems">All problems</a> · <a href="../docs">Reference</a></nav>
<code class="code">${code}</code>
<h1>${escapeHtml(title)}</h1>
<ul class="facts"><li>HTTP ${status}</li>${retry}</ul>
<h2>What happened</h2>
<p>${escapeHtml(meaning)}</p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<h2>Example</h2>
<pre><code>${escapeHtml(JSON.stringify(exampleBody(code, publicUrl), null, 2))}</code></pre>`,
  );
}

function indexPage(): string {
  const sections = CHAPTERS.map(([name, families]) => {
    const rows = problemCodes
      .filter((code) => families.includes(familyOf(code)))
      .map((code) => {
        const { status, title } = catalogue[code];
        return `<li><a href="problems/${code}"><code>${code}</code><span class="status">${status}</span><span>${escapeHtml(title)}</span></a></li>`;
      });
    return `<h2>${name}</h2>\n<ul class="list">\n${rows.join('\n')}\n</ul>`;
  });
  return page(
    'Problems',
    `<nav><a href="docs">Reference</a></nav>
<h1>Problems</h1>
<p>Every answer that is not a success carries one of these codes. R in a code means that the same request may work later, N that it will not unless something changes.</p>
${sections.join('\n')}`,
  );
}

function entryJson(code: ProblemCode, publicUrl: string) {
  const { status, title, meaning, remedy } = catalogue[code];
  const type = `${publicUrl}/problems/${code}`;
  return { code, type, status, isRetryable: isRetryable(code), title, meaning, remedy };
}

/** People open these addresses in a browser; a program that says so gets the same as JSON. */
function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(html);
}

/** `GET /problems` and `GET /problems/{code}`, the addresses that `type` of a problem points to. */
export function problemPageRoutes(app: App, { publicUrl }: { publicUrl: string }): void {
  const options = { config: { access: 'public' }, schema: { hide: true } } as const;
  const index = indexPage();

  app.get('/problems', options, (request, reply) => {
    reply.headers({ vary: 'accept', 'cache-control': 'public, max-age=3600' });
    if (!wantsJson(request.headers.accept)) return sendPage(reply, index);
    return reply.send({ data: problemCodes.map((code) => entryJson(code, publicUrl)) });
  });

  app.get('/problems/:code', options, (request, reply) => {
    const { code } = request.params as { code: string };
    if (!isProblemCode(code)) throw problem('HTTP-N-404', { detail: 'There is no problem with this code.' });
    reply.headers({ vary: 'accept', 'cache-control': 'public, max-age=3600' });
    if (wantsJson(request.headers.accept)) return reply.send(entryJson(code, publicUrl));
    return sendPage(reply, entryPage(code, publicUrl));
  });
}
