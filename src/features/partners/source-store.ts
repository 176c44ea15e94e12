import type { Tx } from '../../db/database.ts';
import type { Source } from './source-schema.ts';

const sources = (tx: Tx) => tx`
  select s.id, s.operator_id as "operatorId", s.name, s.partner_id as "partnerId",
    case when p.id is not null then
      json_build_object('id', p.id, 'reference', p.reference, 'name', p.name) end as partner
  from partner_source s left join partner p on p.id = s.partner_id`;

export async function findSource(tx: Tx, operatorId: number, id: number): Promise<Source | undefined> {
  const [source] = await tx<Source[]>`${sources(tx)} where s.operator_id = ${operatorId} and s.id = ${id}`;
  return source;
}

export async function findSourceNamed(tx: Tx, operatorId: number, name: string): Promise<Source | undefined> {
  const [source] = await tx<
    Source[]
  >`${sources(tx)} where s.operator_id = ${operatorId} and s.name = ${name}`;
  return source;
}

export async function findSourceOf(
  tx: Tx,
  operatorId: number,
  partnerId: number,
): Promise<Source | undefined> {
  const [source] = await tx<Source[]>`
    ${sources(tx)} where s.operator_id = ${operatorId} and s.partner_id = ${partnerId}`;
  return source;
}

export async function listSources(
  tx: Tx,
  operatorId: number,
  isResolved: boolean | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ found: Source[]; total: number }> {
  const condition = tx`s.operator_id = ${operatorId}
    and (s.partner_id is not null) = coalesce(${isResolved ?? null}::boolean, s.partner_id is not null)`;
  const found = await tx<Source[]>`
    ${sources(tx)} where ${condition}
    order by s.name collate "und-x-icu", s.id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from partner_source s where ${condition}`;
  return { found: [...found], total: counted?.total ?? 0 };
}

export async function insertSource(
  tx: Tx,
  operatorId: number,
  { name, partnerId }: { name: string; partnerId: number | null },
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into partner_source (operator_id, name, partner_id) values (${operatorId}, ${name}, ${partnerId})
    returning id`;
  if (!row) throw new Error('PostgreSQL returned no source.');
  return row.id;
}

export async function updateSource(
  tx: Tx,
  id: number,
  { name, partnerId }: { name: string; partnerId: number | null },
): Promise<void> {
  await tx`update partner_source set name = ${name}, partner_id = ${partnerId} where id = ${id}`;
}

/** Null: it no longer stands for a partner. */
export async function linkSource(tx: Tx, id: number, partnerId: number | null): Promise<void> {
  await tx`update partner_source set partner_id = ${partnerId} where id = ${id}`;
}

export async function deleteSource(tx: Tx, id: number): Promise<void> {
  await tx`delete from partner_source where id = ${id}`;
}
