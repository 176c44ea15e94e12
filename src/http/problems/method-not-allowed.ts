import { METHODS } from 'node:http';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { problem } from '../../kernel/problem.ts';
import { type App, routeOf } from '../route.ts';

/** An address that some methods can be used at. */
interface Place {
  url: string;
  methods: Set<string>;
  interface: FastifyContextConfig['interface'];
  problemForm: FastifyContextConfig['problemForm'];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The matching address, when only the method is wrong. */
    place: Place | null;
  }
}

/** What a request is counted and logged under; made-up addresses are all the same. */
export const routeNameOf = (request: Parameters<typeof routeOf>[0] & Pick<FastifyRequest, 'place'>): string =>
  routeOf(request).url ?? request.place?.url ?? 'unmatched';

export const interfaceOf = (request: FastifyRequest): FastifyContextConfig['interface'] =>
  routeOf(request).interface ?? request.place?.interface;

export const problemFormOf = (request: FastifyRequest): FastifyContextConfig['problemForm'] =>
  routeOf(request).problemForm ?? request.place?.problemForm;

/** URLs that differ only in the names of their parameters are one place for the router. */
function shapeOf(url: string): string {
  return url.replace(/:[^/()]+/g, ':');
}

/** Listens to every route that is added from now on. Call it before the first one. */
export function trackMethods(app: App): Map<string, Place> {
  const known = new Map<string, Place>();
  app.decorateRequest('place', null);
  app.decorateRequest('routeFacts', null);
  // A method that the router does not know would be answered without any of our hooks.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.addHook('onRoute', (route) => {
    const shape = shapeOf(route.url);
    const { url, config } = route;
    const place = known.get(shape) ?? {
      url,
      methods: new Set(),
      interface: config?.interface,
      problemForm: config?.problemForm,
    };
    for (const method of [route.method].flat()) place.methods.add(method);
    known.set(shape, place);
  });
  return known;
}

/** The router takes `/venues/` for a venue whose id is empty. */
export function isNowhere({ is404, params }: FastifyRequest): boolean {
  if (is404) return true;
  for (const name in params as object) if ((params as Record<string, string>)[name] === '') return true;
  return false;
}

/**
 * Refuses unknown addresses before their bodies are read, and answers 405 with `Allow` where only the method is
 * unknown. Call it after the last hook, so that probing of addresses counts against the rate limit.
 */
export function refuseOtherMethods(app: App, known: ReadonlyMap<string, Place>): void {
  let findPlace: ReturnType<typeof placeFinder> | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isNowhere(request)) return done();
    findPlace ??= placeFinder([...known.values()]);
    request.place = findPlace(request.url) ?? null;
    // A path that ends where a `*` begins: the method is right, and nothing is named.
    if (!request.place || request.place.methods.has(request.method)) throw problem('HTTP-N-404');
    const allow = [...request.place.methods].join(', ');
    throw problem('HTTP-N-405', { detail: `Only ${allow} can be used here.`, headers: { allow } });
  });
}

function placeFinder(places: readonly Place[]): (url: string) => Place | undefined {
  const patterns = places
    // A route for everything answers unknown addresses itself.
    .filter(({ url }) => url !== '*' && url !== '/*')
    .map((place) => ({ place, rank: rankOf(place.url), pattern: patternOf(place.url) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return (url) => {
    const [path = ''] = url.split(/[?#]/, 1);
    return patterns.find(({ pattern }) => pattern.test(path))?.place;
  };
}

/** As the router prefers them, part by part: words, then parameters, then anything. */
const rankOf = (url: string) => url.replace(/:[^/]+/g, '\uFFFE').replace('*', '\uFFFF');

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join('/')}$`);
}
