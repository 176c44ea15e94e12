import { type Fragment, type Tx, timestampText } from '../../db/database.ts';
import type { AuditEntry } from './schema.ts';

export type NewEntry = Omit<AuditEntry, 'at' | 'isShortened'> & { at: Temporal.Instant };

/** Characters of a document that a list still shows: the FAQs of a venue can have two million. */
const SHOWN_IN_LISTS = 20_000;

export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  const { id, at, operatorId, actor, action, subject, before, after } = entry;
  await tx`
    insert into audit_entry (id, at, operator_id, actor_kind, actor_id, actor_name, action, subject, before, after)
    values (${id}, ${at}, ${operatorId}, ${actor.kind}, ${actor.id}, ${actor.name}, ${action}, ${subject},
      ${textOf(before)}::text::json, ${textOf(after)}::text::json)`;
}

/** As text, so that members stay in their order. */
const textOf = (document: unknown) => (document === null ? null : JSON.stringify(document));

/** Serialises changes of the same subject until the transaction ends. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`manage/${subject}`}, 0))`;
}

const columns = (tx: Tx): Fragment => tx`
  id, ${timestampText(tx, 'at')} as at, operator_id as "operatorId", json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
  action, subject`;

export async function findEntry(
  tx: Tx,
  { operatorId }: Pick<EntryFilter, 'operatorId'>,
  id: string,
): Promise<AuditEntry | undefined> {
  const isTheirs = operatorId === undefined ? tx`true` : tx`operator_id = ${operatorId}`;
  const [entry] = await tx<AuditEntry[]>`
    select ${columns(tx)}, before, after, false as "isShortened" from audit_entry where id = ${id} and ${isTheirs}`;
  return entry;
}

export interface EntryFilter {
  /** Absent: of all operators. */
  operatorId?: number | undefined;
  subject?: string | undefined;
  actorId?: string | undefined;
  /** The first word of subjects. */
  kind?: string | undefined;
  from?: Temporal.Instant | undefined;
  /** Not included. */
  to?: Temporal.Instant | undefined;
}

export async function listEntries(
  tx: Tx,
  { operatorId, subject, actorId, kind, from, to }: EntryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const conditions: Fragment[] = [
    ...(operatorId === undefined ? [] : [tx`operator_id = ${operatorId}`]),
    ...(subject === undefined ? [] : [tx`subject = ${subject}`]),
    ...(actorId === undefined ? [] : [tx`actor_id = ${actorId}`]),
    ...(kind === undefined ? [] : [tx`split_part(subject, ' ', 1) = ${kind}`]),
    ...(from === undefined ? [] : [tx`at >= ${from}`]),
    ...(to === undefined ? [] : [tx`at < ${to}`]),
  ];
  const condition = conditions.reduce((all, each) => tx`${all} and ${each}`, tx`true`);
  const isShort = tx`coalesce(length(before::text), 0) + coalesce(length(after::text), 0) <= ${SHOWN_IN_LISTS}`;
  const entries = await tx<AuditEntry[]>`
    select ${columns(tx)}, case when ${isShort} then before end as before, case when ${isShort} then after end as after,
      not ${isShort} as "isShortened"
    from audit_entry where ${condition} order by id desc limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from audit_entry where ${condition}`;
  return { entries: [...entries], total: counted?.total ?? 0 };
}
