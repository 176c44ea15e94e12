import { type Tx, timestampText } from '../../db/database.ts';
import type {
  Association,
  AssociationPath,
  NewPartnerCategory,
  Partner,
  PartnerCategory,
  Source,
} from './schema.ts';

interface Window {
  limit: number;
  offset: number;
}

const columns = (tx: Tx) =>
  tx`id, reference, name, is_marketplace as "isMarketplace", ${timestampText(tx, 'created_at')} as "createdAt"`;

export async function findPartner(tx: Tx, id: number): Promise<Partner | undefined> {
  const [partner] = await tx<Partner[]>`select ${columns(tx)} from partner where id = ${id}`;
  return partner;
}

/**
 * A shared lock: other transactions may refer to the partner, but not change or delete it. Returns whether it exists.
 */
export async function holdPartner(tx: Tx, id: number): Promise<boolean> {
  return (await tx`select from partner where id = ${id} for share`).length === 1;
}

export async function listPartners(
  tx: Tx,
  name: string | undefined,
  { limit, offset }: Window,
): Promise<{ partners: Partner[]; total: number }> {
  const condition =
    name === undefined
      ? tx`true`
      : tx`strpos(lower(name collate "und-x-icu"), lower(${name}::text collate "und-x-icu")) > 0`;
  const partners = await tx<Partner[]>`
    select ${columns(tx)} from partner where ${condition}
    order by name collate "und-x-icu", id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from partner where ${condition}`;
  return { partners: [...partners], total: counted?.total ?? 0 };
}

export async function listNames(tx: Tx): Promise<{ id: number; name: string }[]> {
  return [...(await tx<{ id: number; name: string }[]>`select id, name from partner order by id`)];
}

export async function hasReference(tx: Tx, reference: string, exceptId: number): Promise<boolean> {
  return (await tx`select from partner where reference = ${reference} and id <> ${exceptId}`).length > 0;
}

type PartnerValues = Pick<Partner, 'reference' | 'name' | 'isMarketplace'>;

export async function updatePartner(tx: Tx, id: number, values: PartnerValues): Promise<void> {
  await tx`
    update partner set reference = ${values.reference}, name = ${values.name},
      is_marketplace = ${values.isMarketplace}, updated_at = now()
    where id = ${id}`;
}

export async function hasMappings(tx: Tx, partnerId: number): Promise<boolean> {
  return (await tx`select from venue_mapping where partner_id = ${partnerId} limit 1`).length > 0;
}

/** Whether anything was ever sold through it; the lock keeps out what would be sold now. */
export async function hasSold(tx: Tx, partnerId: number): Promise<boolean> {
  await tx`select from partner where id = ${partnerId} for update`;
  const [row] = await tx<{ hasSold: boolean }[]>`
    select exists (select from booking where partner_id = ${partnerId})
      or exists (select from booking_intent where partner_id = ${partnerId})
      or exists (select from booking_order where partner_id = ${partnerId}) as "hasSold"`;
  return row?.hasSold ?? false;
}

export async function deletePartner(tx: Tx, id: number): Promise<void> {
  await tx`delete from partner where id = ${id}`;
}

const associations = (tx: Tx) => tx`
  select json_build_object('id', p.id, 'reference', p.reference, 'name', p.name) as partner,
    a.is_suspended as "isSuspended",
    (select s.name from partner_source s where s.partner_id = p.id and s.operator_id = a.operator_id) as source
  from partner_operator a join partner p on p.id = a.partner_id`;

export async function findAssociation(tx: Tx, path: AssociationPath): Promise<Association | undefined> {
  const [found] = await tx<Association[]>`
    ${associations(tx)} where a.operator_id = ${path.operatorId} and a.partner_id = ${path.partnerId}`;
  return found;
}

export async function listAssociations(
  tx: Tx,
  operatorId: number,
  { limit, offset }: Window,
): Promise<{ found: Association[]; total: number }> {
  const found = await tx<Association[]>`
    ${associations(tx)} where a.operator_id = ${operatorId}
    order by p.name collate "und-x-icu", p.id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from partner_operator where operator_id = ${operatorId}`;
  return { found: [...found], total: counted?.total ?? 0 };
}

/** The operators that deal with a partner. */
export async function listOperatorsOf(tx: Tx, partnerId: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select operator_id as id from partner_operator where partner_id = ${partnerId} order by operator_id`;
  return rows.map(({ id }) => id);
}

export async function saveAssociation(
  tx: Tx,
  { operatorId, partnerId }: AssociationPath,
  isSuspended: boolean,
): Promise<void> {
  await tx`
    insert into partner_operator (operator_id, partner_id, is_suspended)
    values (${operatorId}, ${partnerId}, ${isSuspended})
    on conflict (partner_id, operator_id) do update set is_suspended = excluded.is_suspended`;
}

export async function hasMappingsAt(tx: Tx, { operatorId, partnerId }: AssociationPath): Promise<boolean> {
  const found = await tx`
    select from venue_mapping m join venue v on v.id = m.venue_id
    where m.partner_id = ${partnerId} and v.operator_id = ${operatorId} limit 1`;
  return found.length > 0;
}

export async function deleteAssociation(tx: Tx, { operatorId, partnerId }: AssociationPath): Promise<void> {
  await tx`
    delete from venue_mapping m using venue v
    where v.id = m.venue_id and m.partner_id = ${partnerId} and v.operator_id = ${operatorId}`;
  await tx`delete from partner_operator where partner_id = ${partnerId} and operator_id = ${operatorId}`;
}

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

const categories = (tx: Tx) => tx`
  select g.id, g.slug, g.name,
    array(select partner_id from partner_category_member m where m.category_id = g.id order by partner_id)
      as "partnerIds"
  from partner_category g`;

export async function listCategories(tx: Tx, operatorId: number): Promise<PartnerCategory[]> {
  return [
    ...(await tx<PartnerCategory[]>`${categories(tx)} where g.operator_id = ${operatorId} order by g.slug`),
  ];
}

/** Those of all operators that a partner is in. */
export async function listCategoriesWith(
  tx: Tx,
  partnerId: number,
): Promise<(PartnerCategory & { operatorId: number })[]> {
  const found = await tx<(PartnerCategory & { operatorId: number })[]>`
    select g.operator_id as "operatorId", its.* from partner_category g join (${categories(tx)}) its on its.id = g.id
    where exists (select from partner_category_member m where m.category_id = g.id and m.partner_id = ${partnerId})
    order by g.id`;
  return [...found];
}

export async function findCategory(
  tx: Tx,
  operatorId: number,
  id: number,
): Promise<PartnerCategory | undefined> {
  const [category] = await tx<PartnerCategory[]>`
    ${categories(tx)} where g.operator_id = ${operatorId} and g.id = ${id}`;
  return category;
}

export async function hasSlug(
  tx: Tx,
  operatorId: number,
  slug: string,
  exceptId: number | null,
): Promise<boolean> {
  const found = await tx`
    select from partner_category
    where operator_id = ${operatorId} and slug = ${slug} and id is distinct from ${exceptId}`;
  return found.length > 0;
}

/** The ids that exist; the lock keeps them until the transaction ends. */
export async function holdPartners(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from partner where id = any(${[...ids]}::integer[]) order by id for key share`;
  return rows.map(({ id }) => id);
}

export async function insertCategory(
  tx: Tx,
  operatorId: number,
  { slug, name, partnerIds }: NewPartnerCategory,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into partner_category (operator_id, slug, name) values (${operatorId}, ${slug}, ${name}) returning id`;
  if (!row) throw new Error('PostgreSQL returned no category.');
  await saveMembers(tx, row.id, partnerIds);
  return row.id;
}

export async function updateCategory(
  tx: Tx,
  id: number,
  { slug, name, partnerIds }: NewPartnerCategory,
): Promise<void> {
  await tx`update partner_category set slug = ${slug}, name = ${name} where id = ${id}`;
  await saveMembers(tx, id, partnerIds);
}

/** Leaves unchanged members alone: what nodes have cached for them stays valid. */
async function saveMembers(tx: Tx, categoryId: number, partnerIds: readonly number[]): Promise<void> {
  const ids = [...partnerIds];
  await tx`
    delete from partner_category_member
    where category_id = ${categoryId} and partner_id <> all(${ids}::integer[])`;
  await tx`
    insert into partner_category_member (category_id, partner_id)
    select ${categoryId}, unnest(${ids}::integer[]) on conflict do nothing`;
}

/** Members are deleted first, while the operator of their category is still known. */
export async function deleteCategory(tx: Tx, id: number): Promise<void> {
  await saveMembers(tx, id, []);
  await tx`delete from partner_category where id = ${id}`;
}
