import type { Tx } from '../db/database.ts';
import type { VenueId } from '../kernel/ids.ts';
import type { Settings } from './remote.ts';

/** A system that the platform has added, as nodes need it. */
export interface ConnectedSystem {
  slug: string;
  protocol: string;
  settings: Settings;
  limits: SystemLimits;
}

/** What is absent is as usual. */
export interface SystemLimits {
  readTimeoutMs?: number;
  writeTimeoutMs?: number;
  maxConcurrent?: number;
  maxQueued?: number;
}

export async function listConnectedSystems(tx: Tx): Promise<ConnectedSystem[]> {
  const rows = await tx<ConnectedSystem[]>`select slug, protocol, settings, limits from system order by slug`;
  return [...rows];
}

/** What the system calls the spaces of a venue, by our ids. */
export async function findSystemSpaces(tx: Tx, venueId: VenueId): Promise<Map<number, string>> {
  const rows = await tx<{ spaceId: number; systemId: string }[]>`
    select space_id as "spaceId", system_id as "systemId" from system_space where venue_id = ${venueId}`;
  return new Map(rows.map(({ spaceId, systemId }) => [spaceId, systemId]));
}
