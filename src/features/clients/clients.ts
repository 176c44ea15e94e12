/** Programs that call this service, and whether they may. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { SCOPES } from '../../http/auth/caller.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { invalid } from '../../kernel/problem.ts';
import { addSecret, assertScopes, createClient, type NewClient } from '../identity/service.ts';
import { getOperator, holdOperator, notFound, type PlatformDeps } from '../operators/service.ts';
import { holdPartner } from '../partners/service.ts';
import type { Client, ClientChange, ClientQuery, ClientWithSecret, NewClientBody } from './schema.ts';
import { deleteClient, findClient, listClients, lockClient, updateClient } from './store.ts';

export interface Clients {
  list(query: ClientQuery): Promise<PageOf<Client>>;
  get(id: string): Promise<Client>;
  create(actor: Actor, client: NewClientBody): Promise<ClientWithSecret>;
  change(actor: Actor, id: string, change: ClientChange, ifMatch: string | undefined): Promise<Client>;
  remove(actor: Actor, id: string, ifMatch: string | undefined): Promise<void>;
}

export const aboutClient = ({ id, operatorId }: Pick<Client, 'id' | 'operatorId'>) => ({
  operatorId,
  subject: `client ${id}`,
});

export async function getClient(tx: Tx, id: string): Promise<Client> {
  const client = await findClient(tx, id);
  if (client) return clientView(client);
  throw notFound(`There is no client ${id}.`);
}

/** Locks the client and what belongs to it against changes until the transaction ends. */
export async function holdClient(tx: Tx, id: string): Promise<Client> {
  await lockClient(tx, id);
  return getClient(tx, id);
}

export function createClients({ sql, auditLog }: PlatformDeps): Clients {
  return {
    list: (query) =>
      inSnapshot(sql, async (tx) => {
        if (query.operatorId !== undefined) await getOperator(tx, query.operatorId);
        const { clients, total } = await listClients(tx, query, windowOf(query));
        return pageOf(clients.map(clientView), total, query);
      }),

    get: (id) => getClient(sql, id),

    async create(actor, body) {
      const wanted = clientIn(body);
      if (wanted.kind === 'platform') assertWhole(wanted.scopes);
      let secret = { id: '', secret: '' };
      const client = await auditLog.create({
        actor,
        action: 'client.create',
        async write(tx) {
          if (wanted.kind === 'partner') await holdPartner(tx, wanted.partnerId);
          if (wanted.kind === 'operator') await holdOperator(tx, wanted.operatorId);
          const { id } = await createClient(tx, wanted);
          secret = await addSecret(tx, id);
          return getClient(tx, id);
        },
        about: (created) => aboutClient(created),
      });
      return { ...client, secretId: secret.id, secret: secret.secret };
    },

    async change(actor, id, { isActive, scopes }, ifMatch) {
      const { kind, operatorId } = await getClient(sql, id);
      if (!isActive) assertAnother(actor, id);
      if (kind === 'platform') assertWhole(scopes);
      assertScopes(kind, scopes);
      return auditLog.change({
        ...aboutClient({ id, operatorId }),
        actor,
        action: 'client.change',
        ifMatch,
        find: (tx) => holdClient(tx, id),
        write: (tx) => updateClient(tx, id, { isActive, scopes }),
      });
    },

    async remove(actor, id, ifMatch) {
      const { operatorId } = await getClient(sql, id);
      assertAnother(actor, id);
      await auditLog.remove({
        ...aboutClient({ id, operatorId }),
        actor,
        action: 'client.delete',
        ifMatch,
        find: (tx) => holdClient(tx, id),
        write: (tx) => deleteClient(tx, id),
      });
    },
  };
}

/** A client of the platform has every scope of this version, also those that came after it. */
const clientView = (client: Client): Client =>
  client.kind === 'platform' ? { ...client, scopes: [...SCOPES] } : client;

function assertWhole(scopes: readonly string[] | undefined): void {
  if (scopes !== undefined && scopes.length < SCOPES.length)
    throw invalid('scopes', 'must be all of them, or left out, for a client of the platform');
}

/** A client that removes its own access may be the last one that could restore it. */
function assertAnother(actor: Actor, clientId: string): void {
  if (actor.kind === 'client' && actor.id === clientId)
    throw invalid('clientId', 'is the client that you are calling with');
}

function clientIn({ id, kind, partnerId, operatorId, scopes }: NewClientBody): NewClient {
  const common = { ...(id !== undefined && { id }), ...(scopes && { scopes }) };
  const partner = partnerId ?? undefined;
  const operator = operatorId ?? undefined;
  if (kind !== 'partner' && partner !== undefined)
    throw invalid('partnerId', 'is only for clients of partners');
  if (kind !== 'operator' && operator !== undefined)
    throw invalid('operatorId', 'is only for clients of operators');
  switch (kind) {
    case 'partner':
      if (partner === undefined) throw invalid('partnerId', 'is required for a client of a partner');
      return { ...common, kind, partnerId: partner };
    case 'operator':
      if (operator === undefined) throw invalid('operatorId', 'is required for a client of an operator');
      return { ...common, kind, operatorId: operator };
    default:
      return { ...common, kind };
  }
}
