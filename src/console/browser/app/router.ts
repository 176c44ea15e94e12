/** Every view has an address. Links are plain `<a href>`; those below `/console` do not load the page again. */
import { signal } from '@preact/signals';
import { type Query, queryText } from './api.ts';

export interface Address {
  path: string;
  query: URLSearchParams;
  hash: string;
}

const read = (): Address => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  hash: location.hash,
});

export const address = signal<Address>(read());

/** What asks before the view is left with unsaved changes; true: stay. */
let staysHere: (() => boolean) | undefined;
export function guardLeaving(ask: (() => boolean) | undefined): void {
  staysHere = ask;
}

export function go(href: string, options: { replace?: boolean } = {}): void {
  const url = new URL(href, location.href);
  const isOtherView = url.pathname !== location.pathname;
  if (isOtherView && staysHere?.()) return;
  if (isOtherView) staysHere = undefined;
  history[options.replace ? 'replaceState' : 'pushState'](null, '', url);
  address.value = read();
  if (isOtherView) scrollTo(0, 0);
}

/** Changes parameters of this address; null takes one out. */
export function setQuery(changes: Query, options: { replace?: boolean } = { replace: true }): void {
  const query: Query = { ...Object.fromEntries(address.peek().query), ...changes };
  go(`${location.pathname}${queryText(query)}`, options);
}

export function startRouter(): void {
  addEventListener('popstate', () => {
    address.value = read();
  });
  addEventListener('beforeunload', (event) => {
    if (staysHere) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null;
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !/^\/console(\/|$)/.test(url.pathname)) return;
    event.preventDefault();
    go(url.href);
  });
}

export type Params = Record<string, string>;

/** What every page is given. Here, and not with the list of pages, so that pages do not import what imports them. */
export interface PageProps {
  params: Params;
}

/** The values of `:name` in a pattern, or undefined where the path is another. */
export function matchPath(pattern: string, pathname: string): Params | undefined {
  const names: string[] = [];
  const source = pattern.replace(/:(\w+)/g, (_, name) => {
    names.push(name);
    return '([^/]+)';
  });
  const found = new RegExp(`^${source}/?$`).exec(pathname);
  if (!found) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  } catch {
    return undefined;
  }
}
