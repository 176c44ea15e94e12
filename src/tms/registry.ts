import type { Connector } from './contract.ts';

/** The systems this node can talk to, by the slug that is the second segment of a venue's id. */
export interface Registry {
  get(slug: string): Connector | undefined;
}

export function createRegistry(connectors: readonly Connector[]): Registry {
  const bySlug = new Map<string, Connector>();
  for (const connector of connectors) {
    if (bySlug.has(connector.slug)) throw new Error(`Two systems are called "${connector.slug}".`);
    bySlug.set(connector.slug, connector);
  }
  return { get: (slug) => bySlug.get(slug) };
}
