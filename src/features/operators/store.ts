import { type Tx, timestampText } from '../../db/database.ts';
import type { Credentials, Operator, OperatorSettings, SettingValue } from './schema.ts';

export interface SystemRow {
  tms: string;
  settings: Record<string, SettingValue>;
  hasCredentials: boolean;
}

/** All systems of an operator, or the one that is named. */
export async function listSystems(tx: Tx, operatorId: number, tms: string | null): Promise<SystemRow[]> {
  const rows = await tx<SystemRow[]>`
    select s.tms, s.settings,
      exists (select from operator_credentials c where c.operator_id = s.operator_id and c.tms = s.tms)
        as "hasCredentials"
    from operator_system s
    where s.operator_id = ${operatorId} and s.tms = coalesce(${tms}, s.tms)
    order by s.tms`;
  return [...rows];
}

export async function saveSystem(
  tx: Tx,
  operatorId: number,
  tms: string,
  settings: Record<string, SettingValue>,
): Promise<void> {
  await tx`
    insert into operator_system (operator_id, tms, settings) values (${operatorId}, ${tms}, ${tx.json(settings)})
    on conflict (operator_id, tms) do update set settings = excluded.settings`;
}

/** The lock keeps concurrent transactions from adding a venue. */
export async function hasVenuesOn(tx: Tx, operatorId: number, tms: string): Promise<boolean> {
  await tx`select from operator where id = ${operatorId} for update`;
  return (await tx`select from venue where operator_id = ${operatorId} and tms = ${tms} limit 1`).length > 0;
}

export async function deleteSystem(tx: Tx, operatorId: number, tms: string): Promise<void> {
  await tx`delete from operator_system where operator_id = ${operatorId} and tms = ${tms}`;
}

export async function findCredentials(
  tx: Tx,
  operatorId: number,
  tms: string,
): Promise<Credentials | undefined> {
  const [row] = await tx<Credentials[]>`
    select tms, version, field_names as "fieldNames", ${timestampText(tx, 'created_at')} as "createdAt",
      ${timestampText(tx, 'updated_at')} as "updatedAt"
    from operator_credentials where operator_id = ${operatorId} and tms = ${tms}`;
  return row;
}

export interface SealedCredentials {
  operatorId: number;
  tms: string;
  fieldNames: string[];
  fields: Buffer;
  now: Temporal.Instant;
}

export async function saveCredentials(tx: Tx, credentials: SealedCredentials): Promise<void> {
  const { operatorId, tms, fieldNames, fields, now } = credentials;
  await tx`
    insert into operator_credentials (operator_id, tms, field_names, fields, created_at, updated_at)
    values (${operatorId}, ${tms}, ${fieldNames}, ${fields}, ${now}, ${now})
    on conflict (operator_id, tms) do update set version = operator_credentials.version + 1,
      field_names = excluded.field_names, fields = excluded.fields, updated_at = excluded.updated_at`;
}

export async function deleteCredentials(tx: Tx, operatorId: number, tms: string): Promise<void> {
  await tx`delete from operator_credentials where operator_id = ${operatorId} and tms = ${tms}`;
}

/** What a connector needs; undefined where the operator does not use the system. */
export async function findAccount(
  tx: Tx,
  operatorId: number,
  tms: string,
): Promise<{ settings: Record<string, SettingValue>; fields: Buffer | null } | undefined> {
  const [row] = await tx<{ settings: Record<string, SettingValue>; fields: Buffer | null }[]>`
    select s.settings, c.fields
    from operator_system s left join operator_credentials c using (operator_id, tms)
    where operator_id = ${operatorId} and tms = ${tms}`;
  return row;
}

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
