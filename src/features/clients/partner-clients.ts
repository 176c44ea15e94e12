/** What a partner does with its own clients: it reads them and rotates their secrets. */
import type { Actor } from '../../http/auth/actor.ts';
import type { PageOf, PageQuery } from '../../http/validation/paging.ts';
import { notFound } from '../operators/service.ts';
import type { ClientAccess } from './access.ts';
import type { Clients } from './clients.ts';
import type { Client, ClientSecret, NewClientSecret, NewSecretBody } from './schema.ts';

interface ClientOfPartner {
  partnerId: number;
  clientId: string;
}

export interface PartnerClients {
  list(partnerId: number, page: PageQuery): Promise<PageOf<Client>>;
  listSecrets(client: ClientOfPartner): Promise<{ data: ClientSecret[] }>;
  addSecret(actor: Actor, client: ClientOfPartner, options: NewSecretBody): Promise<NewClientSecret>;
  removeSecret(
    actor: Actor,
    secret: ClientOfPartner & { secretId: string },
    ifMatch: string | undefined,
  ): Promise<void>;
}

export function createPartnerClients(clients: Clients, access: ClientAccess): PartnerClients {
  /** A client stays with its partner for as long as it exists, so this holds until the call is done. */
  async function assertOwn({ partnerId, clientId }: ClientOfPartner): Promise<void> {
    const client = await clients.get(clientId);
    if (client.partnerId !== partnerId) throw notFound(`There is no client ${clientId}.`);
  }

  return {
    list: (partnerId, page) => clients.list({ ...page, partnerId }),

    async listSecrets(client) {
      await assertOwn(client);
      return access.listSecrets(client.clientId);
    },

    async addSecret(actor, client, options) {
      await assertOwn(client);
      return access.addSecret(actor, client.clientId, options);
    },

    async removeSecret(actor, { secretId, ...client }, ifMatch) {
      await assertOwn(client);
      await access.removeSecret(actor, client.clientId, secretId, ifMatch);
    },
  };
}
