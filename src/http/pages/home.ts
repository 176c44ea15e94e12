/** `GET /`: what this is and where to go, for people and, with `Accept: application/json`, for programs. */
import type { Config } from '../../config.ts';
import { INTERFACE_VERSION, PROGRAM_VERSION } from '../../kernel/version.ts';
import { prefersJson } from '../format/negotiation.ts';
import { type Prepared, PUBLIC_FILE, prepare, sendPrepared } from '../format/static-answer.ts';
import type { App } from '../route.ts';
import { escapeHtml, type Page, preparePage } from './frame.ts';

type Settings = Pick<Config, 'publicUrl' | 'audience' | 'environment'>;

/** Who comes here, and where each goes first. */
const AUDIENCES: [who: string, what: string, links: [text: string, href: string][]][] = [
  [
    'You sell tables or tickets',
    'A booking site, a booking engine, an app. One interface reaches every venue that is mapped to you.',
    [
      ['Book your first table', 'docs/first-booking'],
      ['All guides', 'docs/guides'],
      ['Reference', 'docs/'],
    ],
  ],
  [
    'You run restaurants',
    'Put venues in, set rules that hold, answer enquiries, and run the evening.',
    [
      ['Open the console', 'console/'],
      ['How it works', 'docs/console'],
      ['Management over HTTP', 'docs/management'],
    ],
  ],
  [
    'You build an agent',
    'Tools over MCP, with short answers made for a model. What it may do is limited by a mandate.',
    [
      ['Connect an agent', 'docs/agents'],
      ['Mandates', 'docs/mandates'],
      ['/llms.txt', 'llms.txt'],
    ],
  ],
  [
    'You operate this service',
    'One program on PostgreSQL. More capacity is more copies of it.',
    [
      ['Operating Maitred', 'docs/operating'],
      ['Health', 'health/ready'],
      ['Reference of management', 'docs/manage/'],
    ],
  ],
  [
    'You make a table system',
    'Join through an open protocol, without code of ours.',
    [['Connect your system', 'docs/connect']],
  ],
];

/** A call that works as it stands, except in live, where the credentials are the reader's own. */
function firstCall({ publicUrl, audience, environment }: Settings): string {
  const client = environment === 'live' ? '"$CLIENT_ID:$CLIENT_SECRET"' : 'demo-partner:demo-partner-secret';
  return `TOKEN=$(curl -sS ${publicUrl}/oauth/token -u ${client} \\
  -d grant_type=client_credentials -d audience=${audience} \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS '${publicUrl}/venues?city=London&pageSize=3' -H "Authorization: Bearer $TOKEN"`;
}

function homePage(settings: Settings): Page {
  const cards = AUDIENCES.map(([who, what, links]) => {
    const items = links.map(([text, href]) => `<li><a href="${href}">${text}</a></li>`).join('');
    return `<section class="card"><h2>${who}</h2>\n<p>${what}</p>\n<ul>${items}</ul></section>`;
  });
  return {
    title: 'Maitred: one interface for tables and tickets',
    root: './',
    content: `<h1>Tables and tickets through one interface</h1>
<p class="lead">Maitred stands between those who sell restaurant tables and event tickets and the systems that venues run on. It shows what is free, books it, and tells you when something changes.</p>
<div class="audiences">
${cards.join('\n')}
</div>
<h2>A first call</h2>
<p>Copy this into a terminal. It gets a token, which lasts an hour, and lists three venues. <a href="docs/first-booking">The guide</a> goes on to a confirmed booking.</p>
<div class="example"><pre tabindex="0"><code>${escapeHtml(firstCall(settings))}</code></pre></div>
<h2>Also here</h2>
<ul class="links">
<li><a href="openapi.json">/openapi.json</a> to generate a client from, and <a href="openapi.manage.json">/openapi.manage.json</a> for operators and the platform</li>
<li><a href="problems">/problems</a>: what every refusal means, and what to do</li>
<li><code>/mcp</code>: the tools for agents; <a href="llms.txt">/llms.txt</a> lists everything that a program can read</li>
<li><a href="health/ready">/health/ready</a>: whether this service is well</li>
</ul>
<p class="source">Version ${PROGRAM_VERSION} · interface ${INTERFACE_VERSION} · ${settings.environment}</p>`,
  };
}

function homeJson({ publicUrl, environment }: Settings) {
  const at = (path: string) => `${publicUrl}${path}`;
  return {
    name: 'Maitred',
    version: PROGRAM_VERSION,
    interfaceVersion: INTERFACE_VERSION,
    environment,
    links: {
      firstBooking: at('/docs/first-booking.md'),
      guides: at('/docs/guides'),
      reference: at('/docs'),
      referenceOfManagement: at('/docs/manage'),
      openapi: at('/openapi.json'),
      openapiOfManagement: at('/openapi.manage.json'),
      problems: at('/problems'),
      console: at('/console'),
      token: at('/oauth/token'),
      mcp: at('/mcp'),
      llms: at('/llms.txt'),
      health: at('/health/ready'),
    },
  };
}

export function homeRoutes(app: App, settings: Settings): void {
  const cacheable = { cacheControl: 'public, max-age=300', vary: 'accept' } as const;
  let page: Prepared | undefined;
  let json: Prepared | undefined;
  app.get('/', PUBLIC_FILE, (request, reply) => {
    if (!prefersJson(request.headers.accept)) {
      page ??= preparePage(homePage(settings), cacheable);
      return sendPrepared(request, reply, page);
    }
    json ??= prepare(JSON.stringify(homeJson(settings)), {
      ...cacheable,
      contentType: 'application/json; charset=utf-8',
    });
    return sendPrepared(request, reply, json);
  });
}
