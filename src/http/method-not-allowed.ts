// Brings `schema.hide` into Fastify's types.
import type {} from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import { problem } from '../kernel/problem.ts';
import type { App } from './route.ts';

interface KnownUrl {
  url: string;
  methods: Set<string>;
  interface: FastifyContextConfig['interface'];
}

/** URLs that differ only in the names of their parameters are one place for the router. */
function shapeOf(url: string): string {
  return url.replace(/:[^/()]+/g, ':');
}

/** Listens to every route that is added from now on. Call it before the first one. */
export function trackMethods(app: App): Map<string, KnownUrl> {
  const known = new Map<string, KnownUrl>();
  app.addHook('onRoute', (route) => {
    const shape = shapeOf(route.url);
    const place = known.get(shape) ?? {
      url: route.url,
      methods: new Set(),
      interface: route.config?.interface,
    };
    for (const method of [route.method].flat()) place.methods.add(method);
    known.set(shape, place);
  });
  return known;
}

/**
 * Answers 405 with `Allow` for each method that a known URL does not have. Call it after the last route: it
 * is a plugin, so it runs when everything registered before it is there.
 */
export function refuseOtherMethods(app: App, known: Map<string, KnownUrl>): void {
  app.register(async (scope) => {
    for (const place of [...known.values()]) {
      const missing = app.supportedMethods.filter((method) => !place.methods.has(method));
      // A route for everything answers unknown addresses itself.
      if (place.url === '*' || place.url === '/*' || missing.length === 0) continue;
      const refuse = refusal([...place.methods].join(', '));
      scope.route({
        method: missing,
        url: place.url,
        exposeHeadRoute: false,
        schema: { hide: true },
        config: { access: 'public', ...(place.interface ? { interface: place.interface } : {}) },
        // Refused before the body is read: whatever it is, it is not wanted.
        onRequest: refuse,
        handler: refuse,
      });
    }
  });
}

function refusal(allow: string): () => Promise<never> {
  return async () => {
    throw problem('HTTP-N-405', { detail: `Only ${allow} can be used here.`, headers: { allow } });
  };
}
