/** What clients prove themselves with, and for whom agents act. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import type { PartnerIdentity } from '../../http/auth/caller.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { nowOf } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/problem.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { addSecret, allowAgent, revokeSecret } from '../identity/service.ts';
import { notFound, type PlatformDeps } from '../operators/service.ts';
import { holdPartner } from '../partners/service.ts';
import { aboutClient, getClient, holdClient } from './clients.ts';
import type { Client, ClientSecret, NewClientSecret, NewSecretBody } from './schema.ts';
import { deleteAllowedPartner, findAllowedPartner, listAllowedPartners, listSecrets } from './store.ts';

export interface ClientAccess {
  listSecrets(clientId: string): Promise<{ data: ClientSecret[] }>;
  addSecret(actor: Actor, clientId: string, options: NewSecretBody): Promise<NewClientSecret>;
  removeSecret(actor: Actor, clientId: string, secretId: string, ifMatch: string | undefined): Promise<void>;
  listPartners(clientId: string, page: PageQuery): Promise<PageOf<PartnerIdentity>>;
  allowPartner(actor: Actor, clientId: string, partnerId: number): Promise<PartnerIdentity>;
  disallowPartner(
    actor: Actor,
    clientId: string,
    partnerId: number,
    ifMatch: string | undefined,
  ): Promise<void>;
}

const MOST_SECRETS = 20;

export function createClientAccess({ sql, clock, auditLog }: PlatformDeps): ClientAccess {
  /** The instants that were sent; a secret that has ended before it began is a mistake. */
  function timesIn({ othersExpireInSeconds, expiresAt }: NewSecretBody) {
    const now = nowOf(clock);
    const end = expiresAt == null ? undefined : instantOf(expiresAt);
    if (end && Temporal.Instant.compare(end, now) <= 0) throw invalid('expiresAt', 'must be in the future');
    return {
      ...(end && { expiresAt: end }),
      ...(othersExpireInSeconds != null && {
        othersExpireAt: now.add({ seconds: othersExpireInSeconds }),
      }),
    };
  }

  async function getSecret(tx: Tx, clientId: string, secretId: string): Promise<ClientSecret> {
    const secret = (await listSecrets(tx, clientId)).find(({ id }) => id === secretId.toLowerCase());
    if (secret) return secret;
    throw notFound(`Client ${clientId} has no secret ${secretId}.`);
  }

  /** A new secret may have set an end to the earlier ones. */
  async function recordEnds(tx: Tx, actor: Actor, client: Client, others: ClientSecret[]): Promise<void> {
    const present = await listSecrets(tx, client.id);
    for (const before of others) {
      const after = present.find(({ id }) => id === before.id);
      if (String(after?.expiresAt) === String(before.expiresAt)) continue;
      await auditLog.record(tx, { ...aboutClient(client), actor, action: 'secret.change', before, after });
    }
  }

  async function getAllowed(tx: Tx, clientId: string, partnerId: number): Promise<PartnerIdentity> {
    const partner = await findAllowedPartner(tx, clientId, partnerId);
    if (partner) return partner;
    throw notFound(`Client ${clientId} may not act for partner ${partnerId}.`);
  }

  return {
    async listSecrets(clientId) {
      await getClient(sql, clientId);
      return { data: await listSecrets(sql, clientId) };
    },

    async addSecret(actor, clientId, options) {
      const client = await getClient(sql, clientId);
      const times = timesIn(options);
      let text = '';
      const { id, expiresAt } = await auditLog.create({
        actor,
        action: 'secret.create',
        async write(tx) {
          await holdClient(tx, clientId);
          const others = await listSecrets(tx, clientId);
          if (others.length >= MOST_SECRETS)
            throw invalid('clientId', `has ${MOST_SECRETS} secrets already; delete those that have ended`);
          const added = await addSecret(tx, clientId, times);
          text = added.secret;
          await recordEnds(tx, actor, client, others);
          return getSecret(tx, clientId, added.id);
        },
        about: () => aboutClient(client),
      });
      return { secretId: id, secret: text, expiresAt };
    },

    async removeSecret(actor, clientId, secretId, ifMatch) {
      const client = await getClient(sql, clientId);
      await auditLog.remove({
        ...aboutClient(client),
        actor,
        action: 'secret.delete',
        ifMatch,
        async find(tx) {
          await holdClient(tx, clientId);
          return getSecret(tx, clientId, secretId);
        },
        write: (tx) => revokeSecret(tx, clientId, secretId),
      });
    },

    listPartners: (clientId, page) =>
      inSnapshot(sql, async (tx) => {
        await getClient(tx, clientId);
        const { partners, total } = await listAllowedPartners(tx, clientId, windowOf(page));
        return pageOf(partners, total, page);
      }),

    async allowPartner(actor, clientId, partnerId) {
      const client = await getClient(sql, clientId);
      return auditLog.create({
        actor,
        action: 'agent.allow',
        async write(tx) {
          await holdClient(tx, clientId);
          await holdPartner(tx, partnerId);
          await allowAgent(tx, clientId, partnerId);
          return getAllowed(tx, clientId, partnerId);
        },
        about: () => aboutClient(client),
      });
    },

    async disallowPartner(actor, clientId, partnerId, ifMatch) {
      const client = await getClient(sql, clientId);
      await auditLog.remove({
        ...aboutClient(client),
        actor,
        action: 'agent.disallow',
        ifMatch,
        async find(tx) {
          await holdClient(tx, clientId);
          return getAllowed(tx, clientId, partnerId);
        },
        write: (tx) => deleteAllowedPartner(tx, clientId, partnerId),
      });
    },
  };
}
