import type { Tx } from '../../db/database.ts';

export interface NamedNotification {
  provider: string;
  id: string;
  now: Temporal.Instant;
}

/** False: it was worked off before. */
export async function noteNotification(tx: Tx, { provider, id, now }: NamedNotification): Promise<boolean> {
  const noted = await tx`
    insert into payment_notification (provider, id, received_at) values (${provider}, ${id}, ${now})
    on conflict (provider, id) do update set received_at = excluded.received_at
    where payment_notification.handled_at is null
    returning id`;
  return noted.length > 0;
}

export async function setHandled(tx: Tx, { provider, id, now }: NamedNotification): Promise<void> {
  await tx`update payment_notification set handled_at = ${now} where provider = ${provider} and id = ${id}`;
}

export async function forgetNotifications(tx: Tx, before: Temporal.Instant): Promise<void> {
  await tx`delete from payment_notification where received_at < ${before}`;
}
