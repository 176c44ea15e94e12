/**
 * The guides of `docs/`: as Markdown under `/docs/<name>.md`, as pages under `/docs/<name>`, all of them with a search at
 * `/docs/guides`; and `/llms.txt` (https://llmstxt.org), which lists them for programs that read before they call. Each
 * is made with the first request for it.
 */
import { type Prepared, PUBLIC_FILE, prepare, sendPrepared } from '../format/static-answer.ts';
import type { App } from '../route.ts';
import { preparePage, sendPage } from './frame.ts';
import { GUIDES, markdownOf, readRepositoryFile, SECTIONS, type Section, titleOf } from './guide-list.ts';
import { frontPage, type GuideSet, guidePage, openGuides, searchPage } from './guide-pages.ts';

const CACHE_CONTROL = 'public, max-age=300';
const MAX_QUERY_LENGTH = 100;

function llmsText(publicUrl: string): string {
  const link = (title: string, url: string, about: string) => `- [${title}](${publicUrl}${url}): ${about}`;
  const linksOf = ({ guides }: Section) =>
    guides.map(({ path, name, about }) => link(titleOf(readRepositoryFile(path)), `/docs/${name}.md`, about));
  const chapter = (heading: string, links: string[]) => [`## ${heading}`, '', ...links].join('\n');
  const reference = chapter('Reference', [
    link('MCP', '/mcp', 'tools for agents, streamable HTTP, stateless; post JSON-RPC with a token'),
    link('OpenAPI', '/openapi.json', 'every call of partners and agents, with schemas and examples'),
    link('Problem codes', '/problems', 'what each refusal means; JSON with Accept: application/json'),
    link('OpenAPI of management', '/openapi.manage.json', 'every call of operators and the platform'),
  ]);
  const [start = '', ...others] = SECTIONS.filter(({ isOptional }) => !isOptional).map((each) =>
    chapter(each.heading, linksOf(each)),
  );
  // The name that the format has for what can be left out.
  const optional = chapter('Optional', SECTIONS.filter(({ isOptional }) => isOptional).flatMap(linksOf));
  return `# Maitred

> Maitred books restaurant tables and event tickets in many table management systems through one interface. Agents call its tools over MCP, programs its HTTP interface; both take the same access token and the same rules.

Get a token with \`POST ${publicUrl}/oauth/token\` (\`grant_type=client_credentials\`), send it as \`Authorization: Bearer\`, and, as an agent, name the partner you act for in \`X-Partner-Reference\`. Every refusal has a stable \`code\` and says what to change. No card number is ever sent here.

${[start, reference, ...others, optional].join('\n\n')}
`;
}

/** What was asked for; a query is anything, as browsers and crawlers add what they like. */
function wordsOf(query: unknown): string {
  const { q } = query as { q?: unknown };
  const asked = Array.isArray(q) ? q[0] : q;
  return typeof asked === 'string' ? asked.slice(0, MAX_QUERY_LENGTH).trim() : '';
}

/** Fixed addresses, so that a path leads to no other file. */
export function guideRoutes(app: App, { publicUrl }: { publicUrl: string }): void {
  const serve = (url: string, make: () => Prepared | Promise<Prepared>) => {
    let prepared: Prepared | undefined;
    app.get(url, PUBLIC_FILE, async (request, reply) => {
      prepared ??= await make();
      return sendPrepared(request, reply, prepared);
    });
  };
  const serveText = (url: string, contentType: string, make: () => string) =>
    serve(url, () => prepare(make(), { contentType, cacheControl: CACHE_CONTROL }));

  serveText('/llms.txt', 'text/plain; charset=utf-8', () => llmsText(publicUrl));
  // Its examples are of another interface than ours, so it is no answer in JSON like others.
  serveText('/docs/connect.openapi.json', 'application/openapi+json; version=3.1', () =>
    readRepositoryFile('docs/connect.openapi.json'),
  );

  let opened: Promise<GuideSet> | undefined;
  const guideSet = () => {
    opened ??= openGuides(publicUrl).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  for (const guide of GUIDES) {
    serveText(`/docs/${guide.name}.md`, 'text/markdown; charset=utf-8', () => markdownOf(guide, publicUrl));
    serve(`/docs/${guide.name}`, async () => preparePage(guidePage(guide, await guideSet())));
  }
  let front: Prepared | undefined;
  app.get('/docs/guides', PUBLIC_FILE, async (request, reply) => {
    const words = wordsOf(request.query);
    if (words !== '') return sendPage(reply, searchPage(words, await guideSet()));
    front ??= preparePage(frontPage(await guideSet()));
    return sendPrepared(request, reply, front);
  });
}
