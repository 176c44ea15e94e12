import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { invalid } from '../kernel/problem.ts';
import { coversEtag, etagOf } from './etag.ts';
import type { App } from './route.ts';

/** The colour of the problem pages; and no frame around a whole section when a link leads to it. */
const STYLE = `
.light-mode { --scalar-color-accent: #8b2e1f }
.dark-mode { --scalar-color-accent: #ff977d }
section:focus-visible { outline: none }`;

type Settings = Pick<Config, 'environment' | 'audience'>;

const compress = promisify(gzip);
/** The page's validator would try whether it may compile code, which the policy refuses and the browser reports. */
const WITHOUT_COMPILING = 'globalThis.__zod_globalConfig = { jitless: true };\n';
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

/** The program of the page is four megabytes; it is compressed once, and sent again only when it has changed. */
function scriptSender() {
  let kept: Promise<{ body: Buffer; etag: string }> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply, script: string) => {
    kept ??= compress(script, { level: constants.Z_BEST_SPEED }).then((body) => ({
      body,
      // Weak, because it stands for the compressed and the plain bytes alike.
      etag: `W/${etagOf(body, 'js')}`,
    }));
    const { body, etag } = await kept;
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, max-age=3600' });
    if (coversEtag(request.headers['if-none-match'] ?? '', etag)) {
      reply.code(304);
      return '';
    }
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return script;
    reply.header('content-encoding', 'gzip');
    return body;
  };
}

/** The reference page at `/docs`, drawn from `/openapi.json`. */
export async function installDocs(app: App, settings: Settings): Promise<void> {
  // Only a node that serves pages loads the program of the page.
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const sendScript = scriptSender();
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    pages.addHook('onSend', async (request, reply, payload) => {
      const type = String(reply.getHeader('content-type'));
      if (typeof payload !== 'string' || reply.statusCode !== 200) return payload;
      if (type.startsWith('application/javascript')) {
        return sendScript(request, reply, `${WITHOUT_COMPILING}${payload}`);
      }
      const html = payload.replace('<html>', '<html lang="en">');
      reply.headers({ 'content-security-policy': policyOf(html), 'cache-control': 'no-cache' });
      return html;
    });
    await pages.register(apiReference, {
      routePrefix: '/docs',
      hooks: {
        onRequest: (request, _reply, done) => {
          // The page works out its own address, which HTTP/1.0 may leave unsaid.
          if (!request.headers.host) throw invalid('Host', 'is required');
          done();
        },
      },
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
  });
}
