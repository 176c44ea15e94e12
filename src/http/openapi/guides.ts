/**
 * The guides of `docs/` as Markdown under `/docs/<name>.md`, and `/llms.txt` (https://llmstxt.org), which lists them for
 * programs that read before they call. Each is read with the first request for it.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Prepared, PUBLIC_FILE, prepare, sendPrepared } from '../format/static-answer.ts';
import type { App } from '../route.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CACHE_CONTROL = 'public, max-age=300';

/** The address that the guides show in their examples. */
const SHOWN_ADDRESS = 'http://127.0.0.1:3000';

type Section = [heading: string, guides: Record<string, string>];

/**
 * Files of the repository, and what to read each for. Those about the code itself (decisions, internals, the database)
 * are not served. What stands under «Optional» can be left out when there is little room.
 */
const SECTIONS: Section[] = [
  [
    'Start',
    {
      'docs/agents.md': 'connect an agent over MCP: tools, a whole conversation, mandates, errors',
      'README.md': 'the first five calls over HTTP, with a token of the sandbox',
    },
  ],
  [
    'Guides for partners and agents',
    {
      'docs/mandates.md': 'what a client may do at most, and what a person has to confirm',
      'docs/find-tables.md': 'the best free tables over many venues with one question',
      'docs/search.md': 'find venues by words, and how the search understands them',
      'docs/bookings.md': 'how a booking is made, its states, repeats, amendments and cancellation',
      'docs/failures.md': 'refusals, repeats, unknown outcomes, and faults on demand',
      'docs/availability.md': 'how free starts are worked out',
      'docs/holds.md': 'keep a place and its terms while a guest decides',
      'docs/rules.md': 'what operators demand of bookings, and how to know it beforehand',
      'docs/orders.md': 'several bookings with one request, also all or nothing',
      'docs/payments.md': 'deposits, payments and refunds, and the cards of the sandbox',
      'docs/waitlist.md': 'wait for a place where nothing is free',
      'docs/webhooks.md': 'be told of changes, verify signatures, replay',
      'docs/listings.md': 'venues and events side by side',
      'docs/feed.md': 'availability of half a year as files',
      'docs/octo.md': 'tickets and tables for those who speak OCTO',
    },
  ],
  [
    'Optional',
    {
      'docs/management.md': 'for operators and the platform: venues, people, rules, an evening',
      'docs/console.md': 'the pages for people at /console',
      'docs/connect.md': 'for makers of table systems who want to join',
      'docs/operating.md': 'for those who run the service',
    },
  ],
];

const urlOf = (path: string) => `/docs/${posix.basename(path)}`;

/** Where each file of the repository is served. */
const SERVED = new Map([
  ...SECTIONS.flatMap(([, guides]) => Object.keys(guides).map((path) => [path, urlOf(path)] as const)),
  ['docs/connect.openapi.json', '/docs/connect.openapi.json'],
  ['openapi.json', '/openapi.json'],
]);

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

const FENCED = /^```.*?^```$/gms;
const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g;
const PICTURE = /<img [^>]*>/g;

/** Links lead to what is served; others lead into the repository, which the reader does not have, and become text. */
function withServedLinks(markdown: string, path: string): string {
  return markdown.replace(PICTURE, '').replace(LINK, (whole, text: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole;
    const [file = '', anchor] = target.split('#');
    const url = SERVED.get(posix.join(posix.dirname(path), file));
    if (url === undefined) return text;
    // Relative, as the service may stand below a path of its own.
    return `[${text}](${posix.relative('/docs', url)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** Commands can be copied as they are: they go to this service. */
const withAddress = (markdown: string, publicUrl: string) =>
  markdown.replace(FENCED, (block) => block.replaceAll(SHOWN_ADDRESS, publicUrl));

function guideOf(path: string, publicUrl: string): string {
  return withAddress(withServedLinks(read(path), path), publicUrl);
}

function llmsText(publicUrl: string): string {
  const link = (title: string, url: string, about: string) => `- [${title}](${publicUrl}${url}): ${about}`;
  const sections = SECTIONS.map(([heading, guides]) =>
    [
      `## ${heading}`,
      '',
      ...Object.entries(guides).map(([path, about]) => link(titleOf(read(path)), urlOf(path), about)),
    ].join('\n'),
  );
  const reference = [
    '## Reference',
    '',
    link('MCP', '/mcp', 'tools for agents, streamable HTTP, stateless; post JSON-RPC with a token'),
    link('OpenAPI', '/openapi.json', 'every call of partners and agents, with schemas and examples'),
    link('Problem codes', '/problems', 'what each refusal means; JSON with Accept: application/json'),
    link('OpenAPI of management', '/openapi.manage.json', 'every call of operators and the platform'),
  ].join('\n');
  const [start = '', ...others] = sections;
  return `# Maitred

> Maitred books restaurant tables and event tickets in many table management systems through one interface. Agents call its tools over MCP, programs its HTTP interface; both take the same access token and the same rules.

Get a token with \`POST ${publicUrl}/oauth/token\` (\`grant_type=client_credentials\`), send it as \`Authorization: Bearer\`, and, as an agent, name the partner you act for in \`X-Partner-Reference\`. Every refusal has a stable \`code\` and says what to change. No card number is ever sent here.

${[start, reference, ...others].join('\n\n')}
`;
}

/** `/llms.txt` and `/docs/<name>.md`: fixed addresses, so that a path leads to no other file. */
export function guideRoutes(app: App, { publicUrl }: { publicUrl: string }): void {
  const serve = (url: string, contentType: string, make: () => string) => {
    let prepared: Prepared | undefined;
    app.get(url, PUBLIC_FILE, (request, reply) => {
      prepared ??= prepare(make(), { contentType, cacheControl: CACHE_CONTROL });
      return sendPrepared(request, reply, prepared);
    });
  };
  serve('/llms.txt', 'text/plain; charset=utf-8', () => llmsText(publicUrl));
  // Its examples are of another interface than ours, so it is no answer in JSON like others.
  serve('/docs/connect.openapi.json', 'application/openapi+json; version=3.1', () =>
    read('docs/connect.openapi.json'),
  );
  for (const [path, url] of SERVED)
    if (path.endsWith('.md')) serve(url, 'text/markdown; charset=utf-8', () => guideOf(path, publicUrl));
}
