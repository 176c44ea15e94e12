import type { Capability } from './contract.ts';
import type { Connector } from './remote.ts';

/** The systems this node can talk to, by the slug that is the second segment of a venue's id. */
export interface Registry {
  get(slug: string): Connector | undefined;
  /** What venues of that system sell; tables, where no connector has the slug. */
  capabilityOf(slug: string): Capability;
  slugsOf(capability: Capability): string[];
}

/** Systems that come and go while the node runs. */
export interface ChangingSystems {
  get(slug: string): Connector | undefined;
  list(): readonly Connector[];
}

/** `connectors` are there for good, and go before those that change. */
export function createRegistry(connectors: readonly Connector[], changing?: ChangingSystems): Registry {
  const bySlug = new Map<string, Connector>();
  for (const connector of connectors) {
    if (bySlug.has(connector.slug)) throw new Error(`Two systems are called "${connector.slug}".`);
    bySlug.set(connector.slug, connector);
  }
  const get = (slug: string) => bySlug.get(slug) ?? changing?.get(slug);
  return {
    get,
    capabilityOf: (slug) => get(slug)?.capabilities.capability ?? 'table_reservation',
    slugsOf(capability) {
      const others = changing?.list().filter(({ slug }) => !bySlug.has(slug)) ?? [];
      return [...connectors, ...others]
        .filter(({ capabilities }) => capabilities.capability === capability)
        .map(({ slug }) => slug);
    },
  };
}
