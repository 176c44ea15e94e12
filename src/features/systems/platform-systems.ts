/** Systems that the platform adds, changes and takes away. */
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { nowOf } from '../../kernel/clock.ts';
import { type FieldErrors, invalid, problem } from '../../kernel/problem.ts';
import type { Settings } from '../../tms/remote.ts';
import { DEFAULT_RESILIENCE } from '../../tms/resilience.ts';
import { notFound, type PlatformDeps } from '../operators/service.ts';
import type { Connections } from './connections.ts';
import type { PlatformSystem, PlatformSystemChange, Protocol, SystemOverview } from './schema.ts';
import { faultsIn, sentenceOf } from './settings-check.ts';
import {
  countOperators,
  deleteSystem,
  findSystem,
  listSystems,
  lockSystem,
  type SystemRow,
  saveSystem,
} from './store.ts';

export interface PlatformSystems {
  protocols(): Promise<{ data: Protocol[] }>;
  list(): Promise<{ data: SystemOverview[] }>;
  get(slug: string): Promise<PlatformSystem>;
  save(
    actor: Actor,
    slug: string,
    change: PlatformSystemChange,
    ifMatch: string | undefined,
  ): Promise<PlatformSystem>;
  remove(actor: Actor, slug: string, ifMatch: string | undefined): Promise<void>;
}

export interface PlatformSystemsDeps extends PlatformDeps {
  connections: Connections;
}

const about = (slug: string) => ({ operatorId: null, subject: `system ${slug}` });

export function createPlatformSystems(deps: PlatformSystemsDeps): PlatformSystems {
  const { sql, clock, auditLog, connections, registry } = deps;
  const { added, addresses, fixedSlugs, protocols } = connections;

  async function find(tx: Tx, slug: string): Promise<PlatformSystem | undefined> {
    const row = await findSystem(tx, slug);
    return row && viewOf(row);
  }

  async function get(tx: Tx, slug: string): Promise<PlatformSystem> {
    const system = await find(tx, slug);
    if (system) return system;
    throw notFound(
      fixedSlugs.has(slug) ? `${slug} is built in.` : `The platform has no system called ${slug}.`,
    );
  }

  /** All faults at once. */
  async function checked({ protocol: name, settings }: PlatformSystemChange): Promise<Settings> {
    const protocol = protocols.get(name);
    if (!protocol) throw invalid('protocol', `must be one of ${[...protocols.keys()].join(', ')}`);
    const faults =
      faultsIn(protocol.settings, settings, 'settings') ?? (await addresses.faultsIn(settings, 'settings'));
    if (faults) throw notValid(faults);
    return settings as Settings;
  }

  return {
    async protocols() {
      const data = [...protocols.values()].map(({ name, settings, accountSettings, credentials }) => ({
        name,
        settings: { ...settings },
        accountSettings: { ...accountSettings },
        credentials: { ...credentials },
      }));
      return { data };
    },

    async list() {
      const rows = await listSystems(sql);
      const data = rows.map(({ operators, ...row }) => {
        const connector = registry.get(row.slug);
        return {
          ...viewOf(row),
          isConnected: connector !== undefined,
          capability: connector?.capabilities.capability ?? null,
          operators,
        };
      });
      return { data };
    },

    get: (slug) => get(sql, slug),

    async save(actor, slug, change, ifMatch) {
      if (fixedSlugs.has(slug)) throw invalid('slug', 'is the name of a system that is built in');
      const settings = await checked(change);
      const { protocol, name, limits = {} } = change;
      const saved = await auditLog.change({
        ...about(slug),
        actor,
        action: 'platform-system.save',
        ifMatch,
        async find(tx) {
          await lockSystem(tx, slug);
          return find(tx, slug);
        },
        async write(tx, before) {
          if (before && before.protocol !== protocol && (await countOperators(tx, slug)) > 0)
            throw invalid('protocol', 'cannot be changed while operators use the system');
          await saveSystem(tx, { slug, protocol, name, settings, limits }, nowOf(clock));
        },
      });
      await added.reload();
      return saved;
    },

    async remove(actor, slug, ifMatch) {
      await auditLog.remove({
        ...about(slug),
        actor,
        action: 'platform-system.delete',
        ifMatch,
        async find(tx) {
          await lockSystem(tx, slug);
          return get(tx, slug);
        },
        async write(tx) {
          const operators = await countOperators(tx, slug);
          if (operators > 0)
            throw problem('OPRTR-N-005', {
              detail: `${operators === 1 ? 'One operator uses' : `${operators} operators use`} ${slug}.`,
            });
          await deleteSystem(tx, slug);
        },
      });
      await added.reload();
    },
  };
}

function viewOf({ limits, ...row }: SystemRow): PlatformSystem {
  const { readTimeoutMs, writeTimeoutMs, maxConcurrent, maxQueued } = { ...DEFAULT_RESILIENCE, ...limits };
  return { ...row, limits: { readTimeoutMs, writeTimeoutMs, maxConcurrent, maxQueued } };
}

const notValid = (errors: FieldErrors) => problem('VALID-N-001', { detail: sentenceOf(errors), errors });
