/** Operators, the table systems that they use, and their credentials there. */
import type { PlatformDeps } from './context.ts';
import { createCredentials, type SystemCredentials } from './credentials.ts';
import { createOperators, type Operators } from './operators.ts';
import { createSystems, type Systems } from './systems.ts';

export interface OperatorServices {
  operators: Operators;
  systems: Systems;
  credentials: SystemCredentials;
}

export const createOperatorServices = (deps: PlatformDeps): OperatorServices => ({
  operators: createOperators(deps),
  systems: createSystems(deps),
  credentials: createCredentials(deps),
});

export { getOperator, holdOperator, notFound, type PlatformDeps } from './context.ts';
export { findSystemAccount } from './credentials.ts';
export { ALL_OPERATORS, assertNewOperator, settingsIn } from './operators.ts';
export { Operator } from './schema.ts';
export { updateOperator } from './store.ts';
