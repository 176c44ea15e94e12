/**
 * What all pages for readers share: the home page, the guides, the problem codes. They work without JavaScript; a small
 * script adds a button to copy examples. Links are relative, as the service may stand below a path of its own.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { type PreparedFacts, PUBLIC_FILE, prepare, sendPrepared } from '../format/static-answer.ts';
import type { App } from '../route.ts';

const beside = (file: string) => join(import.meta.dirname, file);

/** Colours and sizes that the console has too. */
export const TOKENS_FILE = beside('tokens.css');

const read = (file: string) => readFileSync(file, 'utf8');
const STYLE = [TOKENS_FILE, beside('pages.css'), beside('cards.css')].map(read).join('\n');
const SCRIPT = read(beside('copy-buttons.js'));

/** A new version has another address, so that a page never gets the style of the one before. */
const versionOf = (content: string) => hash('sha256', content, 'hex').slice(0, 12);
const STYLE_URL = `docs/pages.css?v=${versionOf(STYLE)}`;
const SCRIPT_URL = `docs/pages.js?v=${versionOf(SCRIPT)}`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface Page {
  title: string;
  /** The way from its address to `/`, such as `../`. */
  root: string;
  /** What stands in `<main>`. */
  content: string;
  /** Links to the parts of this page. */
  contents?: string;
  /** Links to other pages of the kind. */
  navigation?: string;
  /** What the search box shows. */
  query?: string;
}

function renderPage({ title, root, content, contents = '', navigation = '', query = '' }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}${STYLE_URL}">
<script src="${root}${SCRIPT_URL}" defer></script>
</head>
<body>
<header class="top">
<a class="brand" href="${root}">Maitred</a>
<nav aria-label="Main"><a href="${root}docs/guides">Guides</a><a href="${root}docs/">Reference</a><a href="${root}problems">Problems</a><a href="${root}console/">Console</a></nav>
<form role="search" action="${root}docs/guides"><input type="search" name="q" value="${escapeHtml(query)}" maxlength="100" aria-label="Search the guides" placeholder="Search the guides"><button>Search</button></form>
</header>
<div class="columns${navigation === '' ? ' single' : ''}">
${contents}
<main>
${content}
</main>
${navigation}
</div>
</body>
</html>
`;
}

const HEADERS = { 'content-security-policy': POLICY };
const HTML = 'text/html; charset=utf-8';

export const preparePage = (page: Page, facts: Partial<PreparedFacts> = {}) =>
  prepare(renderPage(page), {
    contentType: HTML,
    cacheControl: 'public, max-age=300',
    headers: HEADERS,
    ...facts,
  });

/** One that is made for this request. */
export const sendPage = (reply: FastifyReply, page: Page) =>
  reply.headers({ ...HEADERS, 'content-type': HTML, 'cache-control': 'no-cache' }).send(renderPage(page));

/** The style and the script of these pages. */
export function pageFileRoutes(app: App): void {
  const serve = (url: string, content: string, contentType: string) => {
    const prepared = prepare(content, { contentType, cacheControl: 'public, max-age=300' });
    app.get(url, PUBLIC_FILE, (request, reply) => sendPrepared(request, reply, prepared));
  };
  serve('/docs/pages.css', STYLE, 'text/css; charset=utf-8');
  serve('/docs/pages.js', SCRIPT, 'text/javascript; charset=utf-8');
}
