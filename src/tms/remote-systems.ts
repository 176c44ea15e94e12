/** Keeps a connector for each system that the platform has added, as the database has them now. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Check } from 'typebox/schema';
import { createCatalogueCache, venueTag } from '../db/catalogue-cache.ts';
import type { Sql } from '../db/database.ts';
import type { Notifications } from '../db/notifications.ts';
import { estimateBytes } from '../kernel/estimate-bytes.ts';
import type { VenueId } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { reasonOf } from '../kernel/problem.ts';
import type { Protocols } from './protocols.ts';
import type { Protocol, Settings, SystemAccount, SystemFetch } from './remote.ts';
import { type CallObserver, type ProtectedConnector, withResilience } from './resilience.ts';
import { type ConnectedSystem, findSystemSpaces, listConnectedSystems } from './system-store.ts';

export interface RemoteSystems {
  get(slug: string): ProtectedConnector | undefined;
  list(): ProtectedConnector[];
  /** What a system that is connected was made of. */
  setupOf(slug: string): { protocol: Protocol; settings: Settings } | undefined;
  /** Returns once what was committed before is in use on this node. */
  reload(): Promise<void>;
  close(): void;
}

export interface RemoteSystemsDeps {
  sql: Sql;
  notifications: Notifications;
  protocols: Protocols;
  fetch: SystemFetch;
  findAccount(tms: string, operatorId: number): Promise<SystemAccount | undefined>;
  observe?: CallObserver;
  log: Pick<Log, 'error'>;
}

interface Kept {
  /** Of what the connector was made. */
  made: string;
  /** Undefined: it cannot be connected. */
  connected: { connector: ProtectedConnector; setup: { protocol: Protocol; settings: Settings } } | undefined;
}

const RETRY_MS = 1000;

export async function openRemoteSystems(deps: RemoteSystemsDeps): Promise<RemoteSystems> {
  const { sql, notifications, log } = deps;
  const findSpaces = createSystemSpaces(deps);
  let systems = new Map<string, Kept>();
  let isClosed = false;
  let reading: Promise<void> | undefined;
  /** Begins when the one under way has ended: that one may have read before the change. */
  let next: Promise<void> | undefined;

  /** A connector stays while its row does, so that its breaker goes on. */
  async function read(): Promise<void> {
    const rows = await listConnectedSystems(sql);
    systems = new Map(rows.map((row) => [row.slug, keptOf(row)]));
  }

  function keptOf(row: ConnectedSystem): Kept {
    const made = JSON.stringify(row);
    const before = systems.get(row.slug);
    return before?.made === made ? before : { made, connected: connect(row) };
  }

  /** A row that cannot be used must not stop the node: the system is not connected then. */
  function connect({ slug, protocol: name, settings, limits }: ConnectedSystem): Kept['connected'] {
    const notConnected = (reason: string): undefined => {
      log.error({ tms: slug, protocol: name }, `A system is not connected: ${reason}`);
    };
    const protocol = deps.protocols.get(name);
    if (!protocol) return notConnected('its protocol is not loaded.');
    if (!Check(protocol.settings, settings)) return notConnected('its settings do not fit its protocol.');
    try {
      const findAccount = (operatorId: number) => deps.findAccount(slug, operatorId);
      const connector = protocol.connect({ slug, settings, findAccount, findSpaces, fetch: deps.fetch });
      const { observe } = deps;
      return {
        connector: withResilience(connector, { ...limits, ...(observe && { observe }) }),
        setup: { protocol, settings },
      };
    } catch (error) {
      return notConnected(reasonOf(error));
    }
  }

  function reload(): Promise<void> {
    const begin = () => {
      next = undefined;
      reading = read().finally(() => {
        reading = undefined;
      });
      return reading;
    };
    if (!reading) return begin();
    next ??= reading.then(begin, begin);
    return next;
  }

  async function reloadUntilDone(): Promise<void> {
    while (!isClosed) {
      try {
        return await reload();
      } catch (err) {
        if (notifications.isConnected()) log.error({ err }, 'The systems cannot be read.');
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  const unsubscribe = notifications.subscribe({
    changed(topic) {
      if (topic === 'systems') void reloadUntilDone();
    },
    lost: () => void reloadUntilDone(),
  });
  await reload();

  return {
    get: (slug) => systems.get(slug)?.connected?.connector,
    list: () => [...systems.values()].flatMap(({ connected }) => connected?.connector ?? []),
    setupOf: (slug) => systems.get(slug)?.connected?.setup,
    reload,
    close() {
      isClosed = true;
      unsubscribe();
    },
  };
}

/** What systems call the spaces of our venues; kept until the venue changes. */
function createSystemSpaces({ sql, notifications }: { sql: Sql; notifications: Notifications }) {
  const cache = createCatalogueCache<ReadonlyMap<number, string>>('system_spaces', notifications);
  return async (venueId: VenueId): Promise<ReadonlyMap<number, string>> => {
    const known = cache.get(venueId);
    if (known) return known;
    const ticket = cache.beginRead();
    const spaces = await findSystemSpaces(sql, venueId);
    cache.keep(ticket, venueId, spaces, estimateBytes([...spaces]), [venueTag(venueId)]);
    return spaces;
  };
}
