import type { App } from './route.ts';

/** Only what the page itself consists of: it must work without any other host. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference page at `/docs`, drawn from `/openapi.json`. */
export async function installDocs(app: App): Promise<void> {
  // The page's program is four megabytes; only a node that serves pages loads it.
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    await pages.register(apiReference, {
      routePrefix: '/docs',
      hooks: {
        onRequest: (_request, reply, done) => {
          reply.header('content-security-policy', POLICY);
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
      },
    });
  });
}
