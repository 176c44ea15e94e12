/** What clients may do at most on behalf of others: kept for each client, and enforced on everything that it books. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { aboutClient, type Client, getClient, holdClient } from '../clients/service.ts';
import { createEnforcement, type Enforcement, type EnforcementDeps } from './enforcement.ts';
import type { Mandate, OwnMandate } from './schema.ts';
import { countUsage, deleteMandate, findMandate, listUnknownVenues, saveMandate } from './store.ts';

/** A client, as the platform names it or as one of a partner. */
export interface ClientOf {
  clientId: string;
  partnerId?: number;
}

export interface Mandates extends Enforcement {
  get(client: ClientOf): Promise<Mandate>;
  /** Gives a client its mandate, or another one. */
  put(actor: Actor, client: ClientOf, mandate: Mandate, ifMatch: string | undefined): Promise<Mandate>;
  remove(actor: Actor, client: ClientOf, ifMatch: string | undefined): Promise<void>;
  /** What the caller may do, and how much of it is left. */
  own(caller: Caller): Promise<OwnMandate>;
}

export interface MandatesDeps extends EnforcementDeps {
  auditLog: AuditLog;
}

export function createMandates(deps: MandatesDeps): Mandates {
  const { sql, clock, auditLog } = deps;

  /** A client stays with its partner for as long as it exists. */
  async function getClientOf({ clientId, partnerId }: ClientOf): Promise<Client> {
    const client = await getClient(sql, clientId);
    if (partnerId === undefined || client.partnerId === partnerId) return client;
    throw problem('HTTP-N-404', { detail: `There is no client ${clientId}.` });
  }

  async function getMandate(tx: Tx, clientId: string): Promise<Mandate> {
    const { mandate } = await findMandate(tx, clientId);
    if (mandate) return mandate;
    throw problem('HTTP-N-404', { detail: `Client ${clientId} has no mandate.` });
  }

  return {
    ...createEnforcement(deps),

    async get(named) {
      const { id } = await getClientOf(named);
      return getMandate(sql, id);
    },

    async put(actor, named, mandate, ifMatch) {
      const client = await getClientOf(named);
      assertBooks(client);
      return auditLog.change({
        ...aboutClient(client),
        actor,
        action: 'mandate.change',
        ifMatch,
        async find(tx): Promise<Mandate | undefined> {
          await holdClient(tx, client.id);
          return (await findMandate(tx, client.id)).mandate;
        },
        async write(tx) {
          await assertVenues(tx, mandate.venueIds ?? []);
          await saveMandate(tx, client.id, mandate);
        },
      });
    },

    async remove(actor, named, ifMatch) {
      const client = await getClientOf(named);
      await auditLog.remove({
        ...aboutClient(client),
        actor,
        action: 'mandate.delete',
        ifMatch,
        async find(tx) {
          await holdClient(tx, client.id);
          return getMandate(tx, client.id);
        },
        write: (tx) => deleteMandate(tx, client.id),
      });
    },

    own: ({ clientId }) =>
      inSnapshot(sql, async (tx) => {
        const { mandate } = await findMandate(tx, clientId);
        const { openBookings, bookingsInLastDay } = await countUsage(tx, clientId, { now: nowOf(clock) });
        const left = (most: number | null | undefined, used: number) =>
          most == null ? null : Math.max(0, most - used);
        return {
          mandate: mandate ?? null,
          openBookings,
          openBookingsLeft: left(mandate?.maxOpenBookings, openBookings),
          bookingsInLastDay,
          bookingsLeft: left(mandate?.maxBookingsPerDay, bookingsInLastDay),
        };
      }),
  };
}

/** Operators and the platform book for no partner. */
function assertBooks({ kind }: Client): void {
  if (kind !== 'partner' && kind !== 'agent')
    throw invalid('clientId', 'must be a client of a partner or an agent');
}

async function assertVenues(tx: Tx, venueIds: readonly string[]): Promise<void> {
  const [unknown] = await listUnknownVenues(tx, venueIds);
  if (unknown !== undefined)
    throw invalid(`venueIds.${venueIds.indexOf(unknown)}`, `is no venue of this service`);
}

export type { Judgement } from './enforcement.ts';
export { confirmationToken, OwnMandate } from './schema.ts';
export { saveMandate } from './store.ts';
