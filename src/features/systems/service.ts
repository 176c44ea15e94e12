/** Table management systems: those of the platform, what operators have there, and how calls of them go. */
import { type Connections, openConnections } from './connections.ts';
import { createCredentials, type SystemCredentials } from './credentials.ts';
import { createOperatorSystems, type OperatorSystems } from './operator-systems.ts';
import { createPlatformSystems, type PlatformSystems, type PlatformSystemsDeps } from './platform-systems.ts';

export interface SystemServices {
  platform: PlatformSystems;
  operators: OperatorSystems;
  credentials: SystemCredentials;
}

export const createSystemServices = (deps: PlatformSystemsDeps): SystemServices => ({
  platform: createPlatformSystems(deps),
  operators: createOperatorSystems(deps),
  credentials: createCredentials(deps),
});

export type { SystemAccounts } from './accounts.ts';
export { type Connections, openConnections };
