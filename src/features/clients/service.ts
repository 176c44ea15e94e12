/** The API clients of partners, operators, agents and the platform: their scopes, secrets and whom they act for. */
import type { PlatformDeps } from '../operators/service.ts';
import { type ClientAccess, createClientAccess } from './access.ts';
import { type Clients, createClients } from './clients.ts';

export interface ClientServices {
  clients: Clients;
  access: ClientAccess;
}

export const createClientServices = (deps: PlatformDeps): ClientServices => ({
  clients: createClients(deps),
  access: createClientAccess(deps),
});
