import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { type ProblemCode, problem } from '../../kernel/problem.ts';
import { catalogue, isProblemCode, isRetryable, problemCodes } from '../../kernel/problem-catalogue.ts';
import { type Prepared, prepare, sendPrepared } from '../format/static-answer.ts';
import { EXAMPLE_URL } from '../openapi/problems.ts';
import type { App } from '../route.ts';
import { named, URI } from '../validation/schema-helpers.ts';
import { problemBody, sampleProblem } from './problem-body.ts';

/** Chapters of the index, in the order in which a developer meets them, and the families of codes in each. */
const CHAPTERS: [name: string, families: string[]][] = [
  ['Requests', ['VALID', 'FSEL', 'RATE', 'HTTP']],
  ['Identity', ['IDENT']],
  ['Venues', ['VENUE']],
  ['Availability', ['AVAIL', 'OPRUL']],
  ['Bookings', ['BOOK', 'BKRUL', 'HOLD', 'WAIT', 'PAYM', 'MANDT']],
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

const cacheable = { cacheControl: 'public, max-age=3600', vary: 'accept' } as const;

const preparePage = (html: string) =>
  prepare(html, {
    ...cacheable,
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': PAGE_POLICY },
  });

const prepareJson = (value: unknown) =>
  prepare(JSON.stringify(value), { ...cacheable, contentType: 'application/json; charset=utf-8' });

const CatalogueEntry = Type.Object(
  {
    code: Type.String(),
    type: Type.String({ ...URI, description: 'Address of the page' }),
    status: Type.Integer(),
    isRetryable: Type.Boolean(),
    title: Type.String(),
    meaning: Type.String({ description: 'What happened' }),
    remedy: Type.String({ description: 'What to do' }),
  },
  named('CatalogueEntry', 'What is to be known about a problem code'),
);
const Catalogue = Type.Object({ data: Type.Array(CatalogueEntry) }, named('Catalogue', 'All problem codes'));

const inBothForms = (description: string, schema: object, example: object) => ({
  description,
  content: {
    'text/html': { schema: { type: 'string' }, example: '<!doctype html>' },
    'application/json': { schema, example },
  },
});

/** `GET /problems` and `GET /problems/{code}`, the addresses that `type` of a problem points to. */
export function problemPageRoutes(app: App, { publicUrl }: { publicUrl: string }): void {
  const kept = new Map<string, Prepared>();
  // There are two of each code at most, and two of the index.
  const find = (subject: ProblemCode | 'all', isJson: boolean) =>
    kept.getOrInsertComputed(`${subject} ${isJson}`, () => {
      if (subject !== 'all')
        return isJson
          ? prepareJson(entryJson(subject, publicUrl))
          : preparePage(entryPage(subject, publicUrl));
      return isJson
        ? prepareJson({ data: problemCodes.map((code) => entryJson(code, publicUrl)) })
        : preparePage(indexPage());
    });

  const example = entryJson('PMAP-N-001', EXAMPLE_URL);
  const list = {
    operationId: 'listProblems',
    tags: ['Problems'],
    summary: 'List problem codes',
    description: 'A page for people; a program that accepts JSON gets the same as JSON.',
    response: { 200: inBothForms('All codes', Catalogue, { data: [example] }) },
  };
  app.get('/problems', { config: { access: 'public', isCounted: true }, schema: list }, (request, reply) =>
    sendPrepared(request, reply, find('all', wantsJson(request.headers.accept))),
  );

  const one = {
    operationId: 'getProblem',
    tags: ['Problems'],
    summary: 'Read about a problem code',
    description: 'Where `type` of a problem leads. A page for people, or the same as JSON.',
    params: Type.Object({ code: Type.String({ description: 'As in `code` of a problem' }) }),
    response: { 200: inBothForms('What happened, and what to do', CatalogueEntry, example) },
  };
  const config = { access: 'public', isCounted: true, problems: ['HTTP-N-404'] } as const;
  app.get('/problems/:code', { config, schema: one }, (request, reply) => {
    const { code } = request.params;
    if (!isProblemCode(code)) throw problem('HTTP-N-404', { detail: 'There is no problem with this code.' });
    return sendPrepared(request, reply, find(code, wantsJson(request.headers.accept)));
  });
}

const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e0e1e6; --paper: #fcfcfd; --card: #ffffff;
  --accent: #8b2e1f; --good: #18794e; --stop: #a5451b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #edeef0; --soft: #b0b4ba; --line: #363a3f; --paper: #111113; --card: #18191b; --accent: #ff977d;
    --good: #3dd68c; --stop: #ffa057; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
a { color: var(--accent); text-underline-offset: .15em; }
nav { font-size: .9rem; margin-bottom: 2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .3rem 0 .8rem; text-wrap: balance; }
h2 { font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 2.2rem 0 .4rem; }
p { margin: 0 0 .8rem; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .92em; }
.code { color: var(--soft); font-size: 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 0; list-style: none; font-size: .88rem; }
.facts li { border: 1px solid var(--line); border-radius: 99px; padding: .1rem .8rem; background: var(--card); }
.yes { color: var(--good); } .no { color: var(--stop); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .82rem; line-height: 1.5; }
.list { padding: 0; margin: 0; list-style: none; border-top: 1px solid var(--line); }
.list a { display: grid; grid-template-columns: 8rem 3rem 1fr; gap: .8rem; padding: .5rem 0; color: inherit;
  text-decoration: none; border-bottom: 1px solid var(--line); align-items: baseline; }
.list a:hover span:last-child { text-decoration: underline; }
.list code { color: var(--accent); } .list .status { color: var(--soft); font-size: .9rem; }
@media (max-width: 34rem) { .list a { grid-template-columns: 1fr auto; gap: 0 .8rem; }
  .list a span:last-child { grid-column: 1 / -1; } h1 { font-size: 1.55rem; } }
`;

const styleHash = hash('sha256', PAGE_STYLE, 'base64');

/** The page may use exactly the style above, and nothing from anywhere else. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
