import type { Tx } from '../db/database.ts';
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
