import { hash } from 'node:crypto';
import Fastify from 'fastify';
import type { Config } from '../../config.ts';
import { type Prepared, PUBLIC_FILE, prepare, sendPrepared } from '../format/static-answer.ts';
import type { App } from '../route.ts';
import type { JsonObject } from '../validation/schema-helpers.ts';
import { type Documents, type PartName, serveDocument } from './openapi.ts';

/** The colour of the problem pages; and no frame around a whole section when a link leads to it. */
const STYLE = `
.light-mode { --scalar-color-accent: #8b2e1f }
.dark-mode { --scalar-color-accent: #ff977d }
section:focus-visible { outline: none }`;

type Settings = Pick<Config, 'environment' | 'audience'>;

/** Where the page looks for its program. */
const SCRIPT = '/docs/js/scalar.js';

/** The page's validator would try whether it may compile code, which the policy refuses and the browser reports. */
const WITHOUT_COMPILING = 'globalThis.__zod_globalConfig = { jitless: true };\n';
/** Browsers would look for one at `/favicon.ico`, and report that there is none. */
const NO_ICON = '<link rel="icon" href="data:,">';
const INLINE_SCRIPT = /<script type="text\/javascript">([\s\S]*?)<\/script>/g;

/**
 * Only what the page itself consists of, and its one inline script by its hash: it must work without any other host.
 * Styles have to be free, because the page writes them into its elements.
 */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface Reference {
  /** Where the page is. */
  url: string;
  /** Where the document is that it is drawn from. */
  document: string;
  /** Whose demo credentials are filled in outside live. */
  demoClient: string;
}

/** One page for partners, one for operators and the platform: a browser took long to draw both as one. */
const REFERENCES: Record<PartName, Reference> = {
  partners: { url: '/docs/', document: '/docs/openapi.json', demoClient: 'demo-partner' },
  manage: { url: '/docs/manage/', document: '/docs/openapi.manage.json', demoClient: 'demo-operator' },
};

const SCHEMES = ['Live', 'Sandbox'] as const;
const schemeOf = ({ environment }: Settings) => (environment === 'live' ? 'Live' : 'Sandbox');

/** Trying a call out asks for a token first. */
function authenticationOf(settings: Settings, client: string) {
  const scheme = schemeOf(settings);
  const demo = { 'x-scalar-secret-client-id': client, 'x-scalar-secret-client-secret': `${client}-secret` };
  const clientCredentials = {
    'x-scalar-security-body': { audience: settings.audience },
    ...(settings.environment === 'live' ? {} : demo),
  };
  return {
    preferredSecurityScheme: scheme,
    securitySchemes: { [scheme]: { flows: { clientCredentials } } },
  };
}

/** The document as this environment knows it: with the credentials of the other, the page shows every scope twice. */
function inEnvironment(document: JsonObject, settings: Settings): JsonObject {
  const others = SCHEMES.filter((scheme) => scheme !== schemeOf(settings));
  const without = (schemes: JsonObject) => {
    const kept = Object.entries(schemes).filter(([name]) => !others.some((other) => other === name));
    return Object.fromEntries(kept);
  };
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'securitySchemes') return without(value);
    if (key !== 'security' || !Array.isArray(value) || value.length === 0) return value;
    return value.filter((schemes) => Object.keys(without(schemes)).length > 0);
  });
}

interface Pages {
  html: Record<PartName, Prepared>;
  /** The program of both pages, four megabytes of it. */
  script: Prepared;
}

/** The package takes as long to load as a good part of a node, so it is loaded with the first request for a page. */
async function makePages(settings: Settings): Promise<Pages> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  // What the package makes can only be had from the routes that it adds.
  const maker = Fastify();
  for (const { url, document, demoClient } of Object.values(REFERENCES)) {
    await maker.register(apiReference, {
      routePrefix: url.slice(0, -1) as `/${string}`,
      configuration: {
        url: document,
        pageTitle: 'Maitred reference',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        // Every schema stands where it is used; a chapter of all of them takes longer to draw than the rest.
        hideModels: true,
        showDeveloperTools: 'never',
        // What follows would otherwise lead to services of the page's maker.
        agent: { disabled: true },
        mcp: { disabled: true },
        documentDownloadType: 'direct',
        customCss: STYLE,
        authentication: authenticationOf(settings, demoClient),
      },
    });
  }
  const made = {
    html: {
      partners: preparePage((await maker.inject(REFERENCES.partners.url)).body),
      manage: preparePage((await maker.inject(REFERENCES.manage.url)).body),
    },
    script: prepare(`${WITHOUT_COMPILING}${(await maker.inject(SCRIPT)).body}`, {
      contentType: 'application/javascript; charset=utf-8',
      cacheControl: 'public, max-age=3600',
    }),
  };
  await maker.close();
  return made;
}

function preparePage(made: string): Prepared {
  const html = made
    .replace('<html>', '<html lang="en">')
    .replace('<head>', `<head>${NO_ICON}`)
    .replace('src="js/scalar.js"', `src="${SCRIPT}"`);
  return prepare(html, {
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    headers: { 'content-security-policy': policyOf(html) },
  });
}

/** The reference: `/docs` for partners, `/docs/manage` for operators and the platform. */
export function installDocs(app: App, settings: Settings, documents: () => Documents): void {
  let made: Promise<Pages> | undefined;
  const getPages = () => {
    made ??= makePages(settings).catch((error) => {
      // The next request tries again.
      made = undefined;
      throw error;
    });
    return made;
  };
  for (const name of Object.keys(REFERENCES) as PartName[]) {
    const { url, document } = REFERENCES[name];
    app.get(url.slice(0, -1), PUBLIC_FILE, (_request, reply) => reply.redirect(url, 301));
    app.get(url, PUBLIC_FILE, async (request, reply) =>
      sendPrepared(request, reply, (await getPages()).html[name]),
    );
    serveDocument(app, document, () => inEnvironment(documents()[name], settings));
  }
  app.get(SCRIPT, PUBLIC_FILE, async (request, reply) =>
    sendPrepared(request, reply, (await getPages()).script),
  );
}
