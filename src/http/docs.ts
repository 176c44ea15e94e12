import { hash } from 'node:crypto';
import Fastify from 'fastify';
import type { Config } from '../config.ts';
import { type Prepared, prepare, sendPrepared } from './prepared.ts';
import type { App } from './route.ts';

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

/** Trying a call out asks for a token first; outside live the credentials of the demo data are filled in. */
function authenticationOf({ environment, audience }: Settings) {
  const scheme = environment === 'live' ? 'Live' : 'Sandbox';
  const demo = {
    'x-scalar-secret-client-id': 'demo-partner',
    'x-scalar-secret-client-secret': 'demo-partner-secret',
  };
  const clientCredentials = {
    'x-scalar-security-body': { audience },
    ...(environment === 'live' ? {} : demo),
  };
  return {
    preferredSecurityScheme: scheme,
    securitySchemes: { [scheme]: { flows: { clientCredentials } } },
  };
}

interface Page {
  html: Prepared;
  /** The program of the page, four megabytes of it. */
  script: Prepared;
}

/** The package takes as long to load as a good part of a node, so it is when somebody wants to see the page. */
async function makePage(settings: Settings): Promise<Page> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  // What the package makes can only be had from the routes that it adds.
  const pages = Fastify();
  await pages.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Maitred reference',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      // What follows would otherwise lead to services of the page's maker.
      agent: { disabled: true },
      mcp: { disabled: true },
      documentDownloadType: 'direct',
      customCss: STYLE,
      authentication: authenticationOf(settings),
    },
  });
  const [page, program] = [await pages.inject('/docs/'), await pages.inject(SCRIPT)];
  await pages.close();
  const html = page.body.replace('<html>', '<html lang="en">').replace('<head>', `<head>${NO_ICON}`);
  return {
    html: prepare(html, {
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'no-cache',
      headers: { 'content-security-policy': policyOf(html) },
    }),
    script: prepare(`${WITHOUT_COMPILING}${program.body}`, {
      contentType: 'application/javascript; charset=utf-8',
      cacheControl: 'public, max-age=3600',
    }),
  };
}

const PUBLIC = { config: { access: 'public', isCounted: true }, schema: { hide: true } } as const;

/** The reference page at `/docs`, drawn from `/openapi.json`. */
export function installDocs(app: App, settings: Settings): void {
  let made: Promise<Page> | undefined;
  const getPage = () => {
    made ??= makePage(settings).catch((error) => {
      // Whoever asks next tries again.
      made = undefined;
      throw error;
    });
    return made;
  };
  app.get('/docs', PUBLIC, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', PUBLIC, async (request, reply) => sendPrepared(request, reply, (await getPage()).html));
  app.get(SCRIPT, PUBLIC, async (request, reply) => sendPrepared(request, reply, (await getPage()).script));
}
