import { type Tx, timestampText } from '../../db/database.ts';
import type { Credentials, SettingValue } from './schema.ts';

export interface OperatorSystemRow {
  tms: string;
  /** Null: the platform has not added it. */
  name: string | null;
  settings: Record<string, SettingValue>;
  hasCredentials: boolean;
}

/** All systems of an operator, or the one that is named. */
export async function listOperatorSystems(
  tx: Tx,
  operatorId: number,
  tms: string | null,
): Promise<OperatorSystemRow[]> {
  const rows = await tx<OperatorSystemRow[]>`
    select s.tms, (select name from system where slug = s.tms) as name, s.settings,
      exists (select from operator_credentials c where c.operator_id = s.operator_id and c.tms = s.tms)
        as "hasCredentials"
    from operator_system s
    where s.operator_id = ${operatorId} and s.tms = coalesce(${tms}, s.tms)
    order by s.tms`;
  return [...rows];
}

export async function saveOperatorSystem(
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

export async function deleteOperatorSystem(tx: Tx, operatorId: number, tms: string): Promise<void> {
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
