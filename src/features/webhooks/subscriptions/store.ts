import type { Fragment, Tx } from '../../../db/database.ts';
import type { Owner, SealedSecrets, Subscription } from './secrets.ts';

/** A subscription with its secrets; views pick what may be shown. */
export interface SubscriptionRow extends Subscription, SealedSecrets {
  /** Of the callback, the same however that is spelt. */
  address: string;
}

/** Which rows belong to an owner: of webhooks, deliveries and events, named by their alias. */
export function ownedBy(tx: Tx, { kind, id }: Owner, alias: string): Fragment {
  const column = tx(`${alias}.${kind === 'partner' ? 'partner_id' : 'operator_id'}`);
  return tx`${column} = ${id}`;
}

/** The two columns in which rows name their owner. */
export const ownerColumns = ({ kind, id }: Owner) =>
  kind === 'partner' ? { partnerId: id, operatorId: null } : { partnerId: null, operatorId: id };

const columns = (tx: Tx): Fragment => tx`
  id, callback_url as "callbackUrl", address, event_types as "eventTypes",
  label, is_active as "isActive", secret, previous_secret as "previousSecret", previous_until as "previousUntil",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The oldest first. */
export async function listSubscriptions(tx: Tx, owner: Owner): Promise<SubscriptionRow[]> {
  const rows = await tx<SubscriptionRow[]>`
    select ${columns(tx)} from webhook w where ${ownedBy(tx, owner, 'w')} order by created_at, id`;
  return [...rows];
}

export async function findSubscription(
  tx: Tx,
  owner: Owner,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await tx<SubscriptionRow[]>`
    select ${columns(tx)} from webhook w where ${ownedBy(tx, owner, 'w')} and id = ${id}`;
  return row;
}

/** Serialises changes of the owner's subscriptions until the transaction ends. */
export async function lockSubscriptions(tx: Tx, { kind, id }: Owner): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`webhooks/${kind}/${id}`}, 0))`;
}

export async function countSubscriptions(tx: Tx, owner: Owner): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from webhook w where ${ownedBy(tx, owner, 'w')}`;
  return row?.count ?? 0;
}

/** Whether another subscription of the owner than this one delivers there. */
export async function isAddressTaken(
  tx: Tx,
  owner: Owner,
  { id, address }: Pick<SubscriptionRow, 'id' | 'address'>,
): Promise<boolean> {
  const rows = await tx`
    select from webhook w where ${ownedBy(tx, owner, 'w')} and address = ${address} and id <> ${id}`;
  return rows.length > 0;
}

export async function insertSubscription(tx: Tx, owner: Owner, webhook: SubscriptionRow): Promise<void> {
  const { partnerId, operatorId } = ownerColumns(owner);
  await tx`
    insert into webhook
      (id, partner_id, operator_id, callback_url, address, event_types, label, is_active, secret, created_at)
    values (${webhook.id}, ${partnerId}, ${operatorId}, ${webhook.callbackUrl}, ${webhook.address},
      ${webhook.eventTypes}::text[], ${webhook.label}, ${webhook.isActive}, ${webhook.secret},
      ${webhook.createdAt})`;
}

/** The secrets stay as they are. */
export async function updateSubscription(tx: Tx, webhook: SubscriptionRow): Promise<void> {
  await tx`
    update webhook set callback_url = ${webhook.callbackUrl}, address = ${webhook.address},
      event_types = ${webhook.eventTypes}::text[], label = ${webhook.label}, is_active = ${webhook.isActive},
      updated_at = ${webhook.updatedAt}
    where id = ${webhook.id}`;
}

export interface Rotation {
  id: string;
  secret: Buffer;
  previousUntil: Temporal.Instant;
  now: Temporal.Instant;
}

/** The current secret becomes the previous one, which is dropped. */
export async function rotateSecret(
  tx: Tx,
  owner: Owner,
  { id, secret, previousUntil, now }: Rotation,
): Promise<SubscriptionRow | undefined> {
  const [row] = await tx<SubscriptionRow[]>`
    update webhook w set secret = ${secret}, previous_secret = secret, previous_until = ${previousUntil},
      updated_at = ${now}
    where ${ownedBy(tx, owner, 'w')} and id = ${id} returning ${columns(tx)}`;
  return row;
}

/** Answers whether it was there. What was on its way to it is given up. */
export async function deleteSubscription(
  tx: Tx,
  owner: Owner,
  id: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx`
    with gone as (delete from webhook w where ${ownedBy(tx, owner, 'w')} and id = ${id} returning id),
    given_up as (
      update delivery set status = 'dropped', finished_at = ${now}
      where webhook_id in (select id from gone) and status = 'pending')
    select id from gone`;
  return rows.length > 0;
}
