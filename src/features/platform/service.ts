/**
 * What those who run the platform see to: operators and the systems behind them, partners and what they may
 * distribute, and the clients of all of them.
 */
import { type Associations, createAssociations } from './associations.ts';
import { type Categories, createCategories } from './categories.ts';
import { type ClientAccess, createClientAccess } from './client-access.ts';
import { type Clients, createClients } from './clients.ts';
import type { PlatformDeps } from './context.ts';
import { createCredentials, type SystemCredentials } from './credentials.ts';
import { createMappings, type Mappings } from './mappings.ts';
import { createOperators, type Operators } from './operators.ts';
import { createPartners, type Partners } from './partners.ts';
import { createSources, type Sources } from './sources.ts';
import { createSystems, type Systems } from './systems.ts';

export interface Platform {
  operators: Operators;
  systems: Systems;
  credentials: SystemCredentials;
  partners: Partners;
  associations: Associations;
  categories: Categories;
  mappings: Mappings;
  sources: Sources;
  clients: Clients;
  clientAccess: ClientAccess;
}

export const createPlatform = (deps: PlatformDeps): Platform => ({
  operators: createOperators(deps),
  systems: createSystems(deps),
  credentials: createCredentials(deps),
  partners: createPartners(deps),
  associations: createAssociations(deps),
  categories: createCategories(deps),
  mappings: createMappings(deps),
  sources: createSources(deps),
  clients: createClients(deps),
  clientAccess: createClientAccess(deps),
});

export { getOperator, holdOperator } from './context.ts';
export { findSystemAccount } from './credentials.ts';
export { updateOperator } from './operator-store.ts';
