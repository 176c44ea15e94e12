import { type Tx, timestampText } from '../../db/database.ts';
import type { PartnerIdentity } from '../../http/auth/caller.ts';
import type { Client, ClientQuery, ClientSecret } from './schema.ts';

const columns = (tx: Tx) => tx`id, kind, partner_id as "partnerId", operator_id as "operatorId", scopes,
  is_active as "isActive", exists (select from mandate where client_id = client.id) as "hasMandate",
  ${timestampText(tx, 'created_at')} as "createdAt"`;

export async function findClient(tx: Tx, id: string): Promise<Client | undefined> {
  const [client] = await tx<Client[]>`select ${columns(tx)} from client where id = ${id}`;
  return client;
}

/** Locks the client, if it exists, against changes until the transaction ends. */
export async function lockClient(tx: Tx, id: string): Promise<void> {
  await tx`select from client where id = ${id} for no key update`;
}

export async function listClients(
  tx: Tx,
  { kind, partnerId, operatorId }: ClientQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ clients: Client[]; total: number }> {
  const condition = tx`${kind === undefined ? tx`true` : tx`kind = ${kind}`}
    and ${partnerId === undefined ? tx`true` : tx`partner_id = ${partnerId}`}
    and ${operatorId === undefined ? tx`true` : tx`operator_id = ${operatorId}`}`;
  const clients = await tx<Client[]>`
    select ${columns(tx)} from client where ${condition} order by id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from client where ${condition}`;
  return { clients: [...clients], total: counted?.total ?? 0 };
}

export async function updateClient(
  tx: Tx,
  id: string,
  { isActive, scopes }: Pick<Client, 'isActive' | 'scopes'>,
): Promise<void> {
  await tx`update client set is_active = ${isActive}, scopes = ${[...scopes]}::text[] where id = ${id}`;
}

export async function deleteClient(tx: Tx, id: string): Promise<void> {
  await tx`delete from client where id = ${id}`;
}

export async function listSecrets(tx: Tx, clientId: string): Promise<ClientSecret[]> {
  return [
    ...(await tx<ClientSecret[]>`
      select id, ${timestampText(tx, 'created_at')} as "createdAt", ${timestampText(tx, 'expires_at')} as "expiresAt"
      from client_secret where client_id = ${clientId} order by created_at, id`),
  ];
}

export async function findAllowedPartner(
  tx: Tx,
  clientId: string,
  partnerId: number,
): Promise<PartnerIdentity | undefined> {
  const [partner] = await tx<PartnerIdentity[]>`
    select p.id, p.reference, p.name from agent_partner a join partner p on p.id = a.partner_id
    where a.client_id = ${clientId} and p.id = ${partnerId}`;
  return partner;
}

export async function listAllowedPartners(
  tx: Tx,
  clientId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ partners: PartnerIdentity[]; total: number }> {
  const partners = await tx<PartnerIdentity[]>`
    select p.id, p.reference, p.name from agent_partner a join partner p on p.id = a.partner_id
    where a.client_id = ${clientId} order by p.name collate "und-x-icu", p.id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from agent_partner where client_id = ${clientId}`;
  return { partners: [...partners], total: counted?.total ?? 0 };
}

export async function deleteAllowedPartner(tx: Tx, clientId: string, partnerId: number): Promise<void> {
  await tx`delete from agent_partner where client_id = ${clientId} and partner_id = ${partnerId}`;
}
