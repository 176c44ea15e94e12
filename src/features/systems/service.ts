/** Table management systems: those of the platform, what operators have there, and how calls of them go. */
import type { JobDefinition } from '../../jobs/jobs.ts';
import { type CallRecord, createCallRecord } from './call-record.ts';
import { type Connections, openConnections } from './connections.ts';
import { createCredentials, type SystemCredentials } from './credentials.ts';
import { createSystemHealth, type SystemHealthDeps, type SystemHealthService } from './health.ts';
import { createOperatorSystems, type OperatorSystems } from './operator-systems.ts';
import { createPlatformSystems, type PlatformSystems } from './platform-systems.ts';

export interface SystemServices {
  platform: PlatformSystems;
  operators: OperatorSystems;
  credentials: SystemCredentials;
  health: SystemHealthService;
  calls: CallRecord;
}

export function createSystemServices(deps: Omit<SystemHealthDeps, 'systems'>): SystemServices {
  const operators = createOperatorSystems(deps);
  return {
    platform: createPlatformSystems(deps),
    operators,
    credentials: createCredentials(deps),
    health: createSystemHealth({ ...deps, systems: operators }),
    calls: deps.calls,
  };
}

export function systemJobs({ calls }: SystemServices): JobDefinition[] {
  return [{ name: 'systems.forget-calls', schedule: '23 * * * *', handle: () => calls.forget() }];
}

export { SEALED_CREDENTIALS } from './accounts.ts';
export { type Connections, createCallRecord, openConnections };
