import { METHODS } from 'node:http';
// Brings `schema.hide` into Fastify's types.
import type {} from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import { problem } from '../kernel/problem.ts';
import type { Access, App } from './route.ts';

interface KnownUrl {
  url: string;
  methods: Set<string>;
  access: Access;
  interface: FastifyContextConfig['interface'];
}

/** URLs that differ only in the names of their parameters are one place for the router. */
function shapeOf(url: string): string {
  return url.replace(/:[^/()]+/g, ':');
}

/** Listens to every route that is added from now on. Call it before the first one. */
export function trackMethods(app: App): Map<string, KnownUrl> {
  const known = new Map<string, KnownUrl>();
  // A method that the router has never heard of would be answered as if the address did not exist.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.addHook('onRoute', (route) => {
    const shape = shapeOf(route.url);
    const place = known.get(shape) ?? {
      url: route.url,
      methods: new Set(),
      access: route.config?.access === 'public' ? 'public' : 'nobody',
      interface: route.config?.interface,
    };
    for (const method of [route.method].flat()) place.methods.add(method);
    known.set(shape, place);
  });
  return known;
}

/**
 * Refuses unknown addresses before their bodies are read, and answers 405 with `Allow` for each method that a
 * known URL does not have. Call it after the last route: it is a plugin, so it runs when everything registered
 * before it is there.
 */
export function refuseOtherMethods(app: App, known: Map<string, KnownUrl>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw problem('HTTP-N-404');
    done();
  });
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
        config: { access: place.access, ...(place.interface ? { interface: place.interface } : {}) },
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
