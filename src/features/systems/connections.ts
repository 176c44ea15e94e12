/** Everything that a node needs to speak to systems: those that are built in, given by code, and added by the platform. */

import type { Config } from '../../config.ts';
import type { Log } from '../../kernel/log.ts';
import type { Resolve } from '../../kernel/safe-connector.ts';
import type { LocalConnector } from '../../tms/contract.ts';
import { loadProtocols, type Protocols } from '../../tms/protocols.ts';
import { createRegistry, type Registry } from '../../tms/registry.ts';
import type { RemoteConnector } from '../../tms/remote.ts';
import { openRemoteSystems, type RemoteSystems } from '../../tms/remote-systems.ts';
import { type CallObserver, type ProtectedConnector, withResilience } from '../../tms/resilience.ts';
import { withSandboxFaults } from '../../tms/sandbox-faults.ts';
import { createTransport } from '../../tms/transport.ts';
import { createSystemAccounts, type SystemAccounts, type SystemAccountsDeps } from './accounts.ts';
import { type AddressCheck, createAddressCheck, reachOf } from './settings-check.ts';

export interface Connections {
  registry: Registry;
  protocols: Protocols;
  accounts: SystemAccounts;
  addresses: AddressCheck;
  /** Those that the platform has added. */
  added: RemoteSystems;
  /** Slugs that the platform cannot give away: built in, or given by code. */
  fixedSlugs: ReadonlySet<string>;
  /** All systems over the network. */
  listRemote(): ProtectedConnector[];
  close(): Promise<void>;
}

export interface ConnectionDeps extends SystemAccountsDeps {
  config: Pick<Config, 'environment' | 'webhookAllowLoopback' | 'connectors'>;
  builtIn: readonly LocalConnector[];
  /** Given by code, besides those of the database. */
  given: readonly RemoteConnector[];
  resolve?: Resolve;
  observe: CallObserver;
  log: Pick<Log, 'error'>;
}

export async function openConnections(deps: ConnectionDeps): Promise<Connections> {
  const { config, builtIn, resolve, observe } = deps;
  const protocols = await loadProtocols(config.connectors);
  const transport = createTransport({ ...reachOf(config), ...(resolve && { resolve }) });
  const accounts = createSystemAccounts(deps);
  const given = deps.given.map((connector) => withResilience(connector, { observe }));
  const fixed = [...builtIn, ...given];
  const added = await openRemoteSystems({
    ...deps,
    protocols,
    fetch: transport.fetch,
    findAccount: (tms, operatorId) => accounts.find({ operatorId, tms }),
  });
  const fixedSlugs = new Set(fixed.map(({ slug }) => slug));
  const registry = createRegistry(fixed, added);
  return {
    registry: config.environment === 'sandbox' ? withSandboxFaults(registry) : registry,
    protocols,
    accounts,
    addresses: createAddressCheck(config, resolve),
    added,
    fixedSlugs,
    listRemote: () => [...given, ...added.list().filter(({ slug }) => !fixedSlugs.has(slug))],
    async close() {
      added.close();
      await transport.close();
    },
  };
}
