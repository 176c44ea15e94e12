/** Parts of a page that its first view can do without. */
import { html } from 'htm/preact';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reloadOnce } from './reload.ts';

export interface Later<Props> extends FunctionComponent<Props> {
  /** Gets it before it is shown; a failure is left to the time when it is. */
  fetch: () => Promise<unknown>;
}

/** A component whose module is fetched when it is first shown, unless it was before. */
export function later<Props extends object>(load: () => Promise<FunctionComponent<Props>>): Later<Props> {
  let known: FunctionComponent<Props> | undefined;
  const get = async () => {
    known ??= await load();
    return known;
  };
  const Part = (props: Props) => {
    const [component, setComponent] = useState(() => known);
    useEffect(() => {
      if (!component) get().then((found) => setComponent(() => found), reloadOnce);
    }, []);
    return component ? html`<${component} ...${props} />` : null;
  };
  return Object.assign(Part as FunctionComponent<Props>, { fetch: () => get().catch(() => {}) });
}

const REST_MS = 1500;

/** Gets parts when the page has come to rest, so that they are there even if the connection is lost. */
export function useParts(parts: readonly Pick<Later<never>, 'fetch'>[], isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const rest = setTimeout(() => Promise.all(parts.map((part) => part.fetch())), REST_MS);
    return () => clearTimeout(rest);
  }, [isReady]);
}
