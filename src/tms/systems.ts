/**
 * The systems that live in our database. Their tables are in our migrations, so every node has all of them. Other parts
 * of the program know them through this list only.
 */
import { partsOfVenueId, type VenueId } from '../kernel/ids.ts';
import type { HouseDocument } from './house/document.ts';
import { house } from './house/system.ts';
import type { LocalSystem, VenuePart } from './local-system.ts';
import type { TicketsDocument } from './tickets/document.ts';
import { tickets } from './tickets/system.ts';

/** What the document of a venue has for each system. */
export interface VenueParts {
  house?: HouseDocument;
  tickets?: TicketsDocument;
}

export type SystemSlug = keyof VenueParts;

export const LOCAL_SYSTEMS: readonly LocalSystem<SystemSlug>[] = [house, tickets];

/** The system behind a venue; undefined: it is reached over the network. */
export function systemOf(venueId: VenueId): LocalSystem<SystemSlug> | undefined {
  const { tms } = partsOfVenueId(venueId);
  return LOCAL_SYSTEMS.find(({ slug }) => slug === tms);
}

/** The names of those that have this. */
export const systemsWith = (part: 'layout' | 'desk' | 'occurrences'): string =>
  LOCAL_SYSTEMS.filter((system) => system[part])
    .map(({ slug }) => slug)
    .join(' or ');

/** What a document has for systems: that of the venue's own, unless it is wrong. */
export function partsIn(
  document: VenueParts,
): { system: LocalSystem<SystemSlug>; slug: SystemSlug; part: VenuePart }[] {
  return LOCAL_SYSTEMS.flatMap((system) => {
    const { slug } = system;
    const part = document[slug];
    return part ? [{ system, slug, part }] : [];
  });
}
