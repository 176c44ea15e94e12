import type { Capability } from './contract.ts';
import type { Connector } from './remote.ts';

/** The systems this node can talk to, by the slug that is the second segment of a venue's id. */
export interface Registry {
  get(slug: string): Connector | undefined;
  /** What venues of that system sell; tables, where no connector has the slug. */
  capabilityOf(slug: string): Capability;
  slugsOf(capability: Capability): string[];
}

export function createRegistry(connectors: readonly Connector[]): Registry {
  const bySlug = new Map<string, Connector>();
  for (const connector of connectors) {
    if (bySlug.has(connector.slug)) throw new Error(`Two systems are called "${connector.slug}".`);
    bySlug.set(connector.slug, connector);
  }
  return {
    get: (slug) => bySlug.get(slug),
    capabilityOf: (slug) => bySlug.get(slug)?.capabilities.capability ?? 'table_reservation',
    slugsOf: (capability) =>
      connectors.filter(({ capabilities }) => capabilities.capability === capability).map(({ slug }) => slug),
  };
}
