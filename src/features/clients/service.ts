/** The API clients of partners, operators, agents and the platform: their scopes, secrets and whom they act for. */
import type { PlatformDeps } from '../operators/service.ts';
import { type ClientAccess, createClientAccess } from './access.ts';
import { type Clients, createClients } from './clients.ts';
import { createPartnerClients, type PartnerClients } from './partner-clients.ts';

export interface ClientServices {
  clients: Clients;
  access: ClientAccess;
  ofPartners: PartnerClients;
}

export function createClientServices(deps: PlatformDeps): ClientServices {
  const clients = createClients(deps);
  const access = createClientAccess(deps);
  return { clients, access, ofPartners: createPartnerClients(clients, access) };
}

export { aboutClient, getClient, holdClient } from './clients.ts';
export type { Client } from './schema.ts';
