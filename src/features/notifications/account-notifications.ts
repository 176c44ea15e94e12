/** What people want to be told by mail, as they set it themselves. */
import { inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { clockTime, minuteOfDay } from '../../kernel/zone-time.ts';
import type { AuditLog } from '../audit/service.ts';
import {
  findPreferences,
  listNotificationChoices,
  lockRoles,
  type MailPreferences,
  saveNotificationChoices,
  savePreferences,
} from './people-store.ts';
import type { AccountNotifications, NotificationsBody } from './schema.ts';

export interface AccountNotificationSettings {
  get(actor: Actor): Promise<AccountNotifications>;
  save(actor: Actor, body: NotificationsBody, ifMatch: string | undefined): Promise<AccountNotifications>;
}

/** In English, at nine. */
const DEFAULTS: MailPreferences = { language: 'en', summaryMinute: 540 };

export function createAccountNotifications({
  sql,
  auditLog,
}: {
  sql: Sql;
  auditLog: AuditLog;
}): AccountNotificationSettings {
  async function read(tx: Tx, accountId: string): Promise<AccountNotifications> {
    const { language, summaryMinute } = (await findPreferences(tx, accountId)) ?? DEFAULTS;
    return {
      language,
      dailySummaryAt: clockTime(summaryMinute),
      operators: await listNotificationChoices(tx, accountId),
    };
  }

  return {
    get: (actor) => inSnapshot(sql, (tx) => read(tx, actor.id)),

    save: (actor, { language, dailySummaryAt, operators }, ifMatch) =>
      auditLog.change({
        actor,
        action: 'notifications.change',
        operatorId: null,
        subject: `notifications ${actor.id}`,
        ifMatch,
        async find(tx) {
          await lockRoles(tx, actor.id);
          return read(tx, actor.id);
        },
        async write(tx, before) {
          const known = new Set(before.operators.map(({ operatorId }) => operatorId));
          const foreign = operators.find(({ operatorId }) => !known.has(operatorId));
          if (foreign)
            throw problem('OPRTR-N-002', { detail: `You have no role at operator ${foreign.operatorId}.` });
          if (new Set(operators.map(({ operatorId }) => operatorId)).size < operators.length)
            throw invalid('operators', 'names an operator twice');
          await savePreferences(tx, actor.id, { language, summaryMinute: minuteOfDay(dailySummaryAt) });
          await saveNotificationChoices(tx, actor.id, operators);
        },
      }),
  };
}
