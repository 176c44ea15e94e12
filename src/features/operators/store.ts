import { type Tx, timestampText } from '../../db/database.ts';
import type { Operator, OperatorSettings, PaymentAccount } from './schema.ts';

const columns = (tx: Tx) => tx`id, name,
  json_build_object('contactEmail', contact_email, 'bookingReplyTo', booking_reply_to,
    'defaultTimeZone', default_time_zone) as settings,
  ${timestampText(tx, 'created_at')} as "createdAt"`;

export async function findOperator(tx: Tx, id: number): Promise<Operator | undefined> {
  const [operator] = await tx<Operator[]>`select ${columns(tx)} from operator where id = ${id}`;
  return operator;
}

/** Serialises changes below an operator. Returns whether it exists. */
export async function lockOperator(tx: Tx, id: number): Promise<boolean> {
  return (await tx`select from operator where id = ${id} for no key update`).length === 1;
}

export async function listOperators(
  tx: Tx,
  name: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ operators: Operator[]; total: number }> {
  const condition =
    name === undefined
      ? tx`true`
      : tx`strpos(lower(name collate "und-x-icu"), lower(${name}::text collate "und-x-icu")) > 0`;
  const operators = await tx<Operator[]>`
    select ${columns(tx)} from operator where ${condition}
    order by name collate "und-x-icu", id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from operator where ${condition}`;
  return { operators: [...operators], total: counted?.total ?? 0 };
}

/** Whether another operator has this name, ignoring case. */
export async function hasNamesake(tx: Tx, name: string, exceptId: number | null): Promise<boolean> {
  const found = await tx`
    select from operator
    where lower(btrim(name) collate "und-x-icu") = lower(btrim(${name}::text) collate "und-x-icu")
      and id is distinct from ${exceptId} limit 1`;
  return found.length > 0;
}

/**
 * Whether there ever was an operator with this id: its audit log stays and must not become readable to another
 * operator.
 */
export async function hasHistory(tx: Tx, id: number): Promise<boolean> {
  return (await tx`select from audit_entry where operator_id = ${id} limit 1`).length > 0;
}

export async function updateOperator(
  tx: Tx,
  id: number,
  { name, settings }: { name: string; settings: OperatorSettings },
): Promise<void> {
  await tx`
    update operator set name = ${name}, contact_email = ${settings.contactEmail},
      booking_reply_to = ${settings.bookingReplyTo}, default_time_zone = ${settings.defaultTimeZone},
      updated_at = now()
    where id = ${id}`;
}

export async function findPaymentAccount(tx: Tx, id: number): Promise<PaymentAccount | undefined> {
  const [found] = await tx<PaymentAccount[]>`
    select payment_account as account from operator where id = ${id}`;
  return found;
}

export async function updatePaymentAccount(tx: Tx, id: number, { account }: PaymentAccount): Promise<void> {
  await tx`update operator set payment_account = ${account}, updated_at = now() where id = ${id}`;
}

/** What must not be deleted along with an operator. The lock keeps concurrent transactions from adding to it. */
export async function listBelongings(tx: Tx, id: number): Promise<string[]> {
  await tx`select from operator where id = ${id} for update`;
  const [row] = await tx<{ belongings: string[] }[]>`
    select array_remove(array[
      case when exists (select from venue where operator_id = ${id}) then 'venues' end,
      case when exists (select from booking where operator_id = ${id}) then 'bookings' end,
      case when exists (select from account_role where operator_id = ${id}) then 'users' end
    ], null) as belongings`;
  return row?.belongings ?? [];
}

export async function deleteOperator(tx: Tx, id: number): Promise<void> {
  await tx`delete from operator where id = ${id}`;
}
