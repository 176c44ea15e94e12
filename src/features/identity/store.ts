import { continueNumbering } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../http/auth/caller.ts';
import type { PublicKey } from './schema.ts';

export type ClientKind = Caller['kind'];

/** A client as it is stored: the credentials belong to a partner, an operator, an agent or the platform. */
export type ClientRecord = { id: string; scopes: string[]; isActive: boolean } & (
  | { kind: 'partner'; partner: PartnerIdentity }
  | { kind: 'operator'; operatorId: number }
  | { kind: 'agent' }
  | { kind: 'platform' }
);

export interface StoredSecret {
  salt: Buffer;
  hash: Buffer;
}

export async function findClient(tx: Tx, id: string): Promise<ClientRecord | undefined> {
  const [row] = await tx<ClientRecord[]>`
    select client.id, client.kind, client.scopes, client.is_active as "isActive", client.operator_id as "operatorId",
      case when partner.id is not null then
        jsonb_build_object('id', partner.id, 'reference', partner.reference, 'name', partner.name)
      end as partner
    from client left join partner on partner.id = client.partner_id
    where client.id = ${id}`;
  return row;
}

export interface Credentials {
  scopes: string[];
  kind: ClientKind;
  isActive: boolean;
  secrets: StoredSecret[];
}

/** The client and those of its secrets that have not expired. */
export async function findCredentials(
  tx: Tx,
  clientId: string,
  now: Temporal.Instant,
): Promise<Credentials | undefined> {
  type Row = Omit<Credentials, 'secrets'> & { salt: Buffer | null; hash: Buffer | null };
  const rows = await tx<Row[]>`
    select client.kind, client.scopes, client.is_active as "isActive", secret.salt, secret.hash
    from client
    left join client_secret secret
      on secret.client_id = client.id and (secret.expires_at is null or secret.expires_at > ${now})
    where client.id = ${clientId}`;
  const [first] = rows;
  if (!first) return undefined;
  const secrets = rows.flatMap(({ salt, hash }) => (salt && hash ? [{ salt, hash }] : []));
  return { kind: first.kind, scopes: first.scopes, isActive: first.isActive, secrets };
}

/** The partner with this reference, if the agent may act for it. */
export async function findAgentPartner(
  tx: Tx,
  clientId: string,
  reference: string,
): Promise<PartnerIdentity | undefined> {
  const [row] = await tx<PartnerIdentity[]>`
    select partner.id, partner.reference, partner.name
    from partner join agent_partner allowed on allowed.partner_id = partner.id
    where partner.reference = ${reference} and allowed.client_id = ${clientId}`;
  return row;
}

export async function hasPartner(tx: Tx, id: number): Promise<boolean> {
  return (await tx`select from partner where id = ${id}`).length === 1;
}

export async function hasOperator(tx: Tx, id: number): Promise<boolean> {
  return (await tx`select from operator where id = ${id}`).length === 1;
}

export async function insertOperator(
  tx: Tx,
  operator: { id: number | undefined; name: string },
): Promise<number> {
  const { id, name } = operator;
  const [row] = await (id === undefined
    ? tx<{ id: number }[]>`insert into operator (name) values (${name}) returning id`
    : tx<{ id: number }[]>`insert into operator (id, name) values (${id}, ${name}) returning id`);
  if (!row) throw new Error('PostgreSQL returned no operator.');
  if (id !== undefined) await continueNumbering(tx, ['operator']);
  return row.id;
}

export async function insertOperatorSystems(
  tx: Tx,
  operatorId: number,
  systems: readonly string[],
): Promise<void> {
  await tx`
    insert into operator_system (operator_id, tms)
    select ${operatorId}, unnest(${[...systems]}::text[]) on conflict do nothing`;
}

/** Undefined when the reference is taken. */
export async function insertPartner(
  tx: Tx,
  partner: { id: number | undefined; reference: string; name: string },
): Promise<PartnerIdentity | undefined> {
  const { id, reference, name } = partner;
  const [row] = await (id === undefined
    ? tx<PartnerIdentity[]>`
        insert into partner (reference, name) values (${reference}, ${name})
        on conflict (reference) do nothing returning id, reference, name`
    : tx<PartnerIdentity[]>`
        insert into partner (id, reference, name) values (${id}, ${reference}, ${name})
        on conflict (reference) do nothing returning id, reference, name`);
  if (row && id !== undefined) await continueNumbering(tx, ['partner']);
  return row;
}

export interface NewClientRow {
  id: string;
  kind: ClientKind;
  partnerId: number | null;
  operatorId: number | null;
  scopes: readonly string[];
}

/** False when the id is taken, or was: tokens of the client that had it may still be about. */
export async function insertClient(tx: Tx, client: NewClientRow): Promise<boolean> {
  const rows = await tx`
    insert into client (id, kind, partner_id, operator_id, scopes)
    select ${client.id}, ${client.kind}, ${client.partnerId}::integer, ${client.operatorId}::integer,
      ${[...client.scopes]}::text[]
    where not exists (select from retired_client where id = ${client.id})
    on conflict (id) do nothing returning id`;
  return rows.length === 1;
}

export async function insertSecret(
  tx: Tx,
  secret: StoredSecret & { clientId: string; expiresAt: Temporal.Instant | null },
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into client_secret (client_id, salt, hash, expires_at)
    values (${secret.clientId}, ${secret.salt}, ${secret.hash}, ${secret.expiresAt}) returning id`;
  if (!row) throw new Error('PostgreSQL returned no secret.');
  return row.id;
}

/** Gives every secret of the client an end, and leaves those that end sooner as they are. */
export async function expireSecrets(tx: Tx, clientId: string, at: Temporal.Instant): Promise<void> {
  await tx`update client_secret set expires_at = least(expires_at, ${at}) where client_id = ${clientId}`;
}

export async function deleteSecret(tx: Tx, clientId: string, secretId: string): Promise<boolean> {
  const rows = await tx`
    delete from client_secret where client_id = ${clientId} and id = ${secretId} returning id`;
  return rows.length === 1;
}

/** False when the agent was allowed already. */
export async function insertAgentPartner(tx: Tx, clientId: string, partnerId: number): Promise<boolean> {
  const rows = await tx`
    insert into agent_partner (client_id, partner_id) values (${clientId}, ${partnerId})
    on conflict do nothing returning client_id`;
  return rows.length === 1;
}

export interface SigningKeyRow {
  id: string;
  publicJwk: PublicKey;
  sealedPrivateJwk: Buffer;
  createdAt: Temporal.Instant;
  retiresAt: Temporal.Instant;
}

/** Held until the transaction ends, so that several nodes agree on the next key instead of each making one. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('maitred/signing-keys', 0))`;
}

export async function listSigningKeys(tx: Tx): Promise<SigningKeyRow[]> {
  return tx<SigningKeyRow[]>`
    select id, public_jwk as "publicJwk", private_jwk as "sealedPrivateJwk", created_at as "createdAt",
      retires_at as "retiresAt"
    from signing_key order by retires_at`;
}

export async function insertSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx`
    insert into signing_key (id, public_jwk, private_jwk, created_at, retires_at)
    values (${key.id}, ${JSON.stringify(key.publicJwk)}::text::jsonb, ${key.sealedPrivateJwk}, ${key.createdAt},
      ${key.retiresAt})`;
}

export async function deleteSigningKeysRetiredBefore(tx: Tx, instant: Temporal.Instant): Promise<void> {
  await tx`delete from signing_key where retires_at < ${instant}`;
}
