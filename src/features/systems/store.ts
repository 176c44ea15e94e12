/** Systems that the platform has added. */
import { type Tx, timestampText } from '../../db/database.ts';
import type { SystemLimits } from '../../tms/system-store.ts';
import type { SettingValue } from './schema.ts';

export interface SystemRow {
  slug: string;
  protocol: string;
  name: string;
  settings: Record<string, SettingValue>;
  limits: SystemLimits;
  version: number;
  createdAt: string;
  updatedAt: string;
}

const columns = (tx: Tx) => tx`slug, protocol, name, settings, limits, version,
  ${timestampText(tx, 'created_at')} as "createdAt", ${timestampText(tx, 'updated_at')} as "updatedAt"`;

export async function findSystem(tx: Tx, slug: string): Promise<SystemRow | undefined> {
  const [row] = await tx<SystemRow[]>`select ${columns(tx)} from system where slug = ${slug}`;
  return row;
}

/** Until the transaction ends, no operator begins to use it. */
export async function lockSystem(tx: Tx, slug: string): Promise<void> {
  await tx`select from system where slug = ${slug} for update`;
}

/** Until the transaction ends, it stays and keeps its protocol. Returns whether it is there. */
export async function keepSystem(tx: Tx, slug: string): Promise<boolean> {
  return (await tx`select from system where slug = ${slug} for share`).length === 1;
}

export async function listSystems(tx: Tx): Promise<(SystemRow & { operators: number })[]> {
  const rows = await tx<(SystemRow & { operators: number })[]>`
    select ${columns(tx)}, (select count(*)::int from operator_system o where o.tms = s.slug) as operators
    from system s order by slug`;
  return [...rows];
}

export async function saveSystem(
  tx: Tx,
  { slug, protocol, name, settings, limits }: Omit<SystemRow, 'version' | 'createdAt' | 'updatedAt'>,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into system (slug, protocol, name, settings, limits, created_at, updated_at)
    values (${slug}, ${protocol}, ${name}, ${tx.json(settings)}, ${tx.json({ ...limits })}, ${now}, ${now})
    on conflict (slug) do update set protocol = excluded.protocol, name = excluded.name,
      settings = excluded.settings, limits = excluded.limits, version = system.version + 1,
      updated_at = excluded.updated_at`;
}

export async function countOperators(tx: Tx, slug: string): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from operator_system where tms = ${slug}`;
  return row.count;
}

export async function deleteSystem(tx: Tx, slug: string): Promise<void> {
  await tx`delete from system where slug = ${slug}`;
}
