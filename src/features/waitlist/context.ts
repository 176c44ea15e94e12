import type { Config } from '../../config.ts';
import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import type { Caller } from '../../http/auth/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import type { Log } from '../../kernel/log.ts';
import { problem } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Bookings } from '../bookings/service.ts';
import type { Events } from '../events/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import type { Notices } from '../notifications/service.ts';
import type { Venues } from '../venues/service.ts';
import type { EntryRecord, WaitlistStore } from './store.ts';

export interface WaitlistDeps {
  config: Pick<Config, 'publicUrl'>;
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
  notifications: Notifications;
  registry: Registry;
  venues: Venues;
  bookings: Bookings;
  events: Events;
  idempotency: Idempotency;
  notices: Notices;
  auditLog: AuditLog;
  log: Pick<Log, 'warn'>;
}

export interface Context extends WaitlistDeps {
  store: WaitlistStore;
}

/** The one on whose behalf places are looked for and kept: the partner of the entry, or the house. */
export function holderOf({ partner, clientId, operatorId }: EntryRecord): Caller {
  const scopes = new Set<never>();
  return partner
    ? { kind: 'partner', clientId, partner, scopes }
    : { kind: 'operator', clientId, operatorId, scopes };
}

export const noSuchEntry = (id: string) =>
  problem('WAIT-N-001', { detail: `There is no entry ${id} on a waiting list of yours.` });

export const notWaiting = ({ status }: Pick<EntryRecord, 'status'>) =>
  problem('WAIT-N-003', { detail: `The entry is ${status}.` });
