import { Type } from 'typebox';
import { type Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import { catalogue, isProblemCode, isRetryable, problemCodes } from '../../kernel/problem-catalogue.ts';
import { prefersJson } from '../format/negotiation.ts';
import { type Prepared, prepare, sendPrepared } from '../format/static-answer.ts';
import { EXAMPLE_URL } from '../openapi/problems.ts';
import { escapeHtml, type Page, preparePage } from '../pages/frame.ts';
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

/** What an answer with this code looks like, made by the code that makes the real ones. */
function exampleBody(code: ProblemCode, publicUrl: string) {
  return problemBody(sampleProblem(code, 'partySize', 'must be at least 1'), { publicUrl });
}

function entryPage(code: ProblemCode, publicUrl: string): Page {
  const { status, title, meaning, remedy } = catalogue[code];
  const retry = isRetryable(code)
    ? '<li class="yes">may be retried</li>'
    : '<li class="no">will fail again unless something changes</li>';
  return {
    title: `${code}: ${title}`,
    root: '../',
    content: `<p class="section"><a href="../problems">All problems</a> · <code>${code}</code></p>
<h1>${escapeHtml(title)}</h1>
<ul class="facts"><li>HTTP ${status}</li>${retry}</ul>
<h2>What happened</h2>
<p>${escapeHtml(meaning)}</p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<h2>Example</h2>
<div class="example"><pre tabindex="0"><code>${escapeHtml(JSON.stringify(exampleBody(code, publicUrl), null, 2))}</code></pre></div>`,
  };
}

/** In place of the page at `url`, which a browser has asked for. */
export function refusalPage({ code, options }: Problem, url: string): Page {
  const { title, meaning, remedy } = catalogue[code];
  const [path = ''] = url.split('?');
  const root = '../'.repeat(Math.max(0, path.split('/').length - 2)) || './';
  return {
    title,
    root,
    content: `<p class="section"><a href="${root}problems/${code}"><code>${code}</code></a></p>
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(options.detail ?? meaning)}</p>
<p>${escapeHtml(remedy)}</p>
<p><a href="${root}">Start page</a></p>`,
  };
}

function indexPage(): Page {
  const sections = CHAPTERS.map(([name, families]) => {
    const rows = problemCodes
      .filter((code) => families.includes(familyOf(code)))
      .map((code) => {
        const { status, title } = catalogue[code];
        return `<li><a href="problems/${code}"><code>${code}</code><span class="status">${status}</span><span>${escapeHtml(title)}</span></a></li>`;
      });
    return `<h2>${name}</h2>\n<ul class="codes">\n${rows.join('\n')}\n</ul>`;
  });
  return {
    title: 'Problems',
    root: './',
    content: `<h1>Problems</h1>
<p class="lead">Every answer that is not a success carries one of these codes. R in a code means that the same request may work later, N that it will not unless something changes. <a href="docs/failures">When things fail</a> says how to deal with them.</p>
${sections.join('\n')}`,
  };
}

function entryJson(code: ProblemCode, publicUrl: string) {
  const { status, title, meaning, remedy } = catalogue[code];
  const type = `${publicUrl}/problems/${code}`;
  return { code, type, status, isRetryable: isRetryable(code), title, meaning, remedy };
}

const cacheable = { cacheControl: 'public, max-age=3600', vary: 'accept' } as const;

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
          : preparePage(entryPage(subject, publicUrl), cacheable);
      return isJson
        ? prepareJson({ data: problemCodes.map((code) => entryJson(code, publicUrl)) })
        : preparePage(indexPage(), cacheable);
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
    sendPrepared(request, reply, find('all', prefersJson(request.headers.accept))),
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
    return sendPrepared(request, reply, find(code, prefersJson(request.headers.accept)));
  });
}
