import type { Fragment, Tx } from '../../../db/database.ts';
import { timestampOf } from '../../../kernel/clock.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import type { ManagedRule } from './schema.ts';

type RuleRow = Omit<ManagedRule, 'createdAt' | 'updatedAt'> &
  Record<'createdAt' | 'updatedAt', Temporal.Instant>;

const columns = (tx: Tx): Fragment => tx`
  id, version, type, definition, effect, substr(product_id, length(venue_id) + 2) as "productKey",
  space_id as "spaceId", partner_ids as "partnerIds", category_ids as "categoryIds", scope, channel,
  is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

const ruleOf = ({ createdAt, updatedAt, ...rule }: RuleRow): ManagedRule => ({
  ...rule,
  createdAt: timestampOf(createdAt),
  updatedAt: timestampOf(updatedAt),
});

export async function listRules(tx: Tx, venueId: VenueId): Promise<ManagedRule[]> {
  const rows = await tx<RuleRow[]>`
    select ${columns(tx)} from availability_rule where venue_id = ${venueId} order by created_at, id`;
  return rows.map(ruleOf);
}

/** Ids are compared as text: what comes in a path need not be one. */
const isRule = (tx: Tx, { venueId, ruleId }: RuleAddress): Fragment =>
  tx`venue_id = ${venueId} and id::text = ${ruleId}`;

export async function findRule(tx: Tx, address: RuleAddress): Promise<ManagedRule | undefined> {
  const [row] = await tx<
    RuleRow[]
  >`select ${columns(tx)} from availability_rule where ${isRule(tx, address)}`;
  return row && ruleOf(row);
}

/** The rules of any venue that name a partner or category, locked against changes until the transaction ends. */
export async function lockRulesAimedAt(
  tx: Tx,
  { list, id }: ScopeEntry,
): Promise<{ venueId: VenueId; rule: ManagedRule }[]> {
  const listed = list === 'partnerIds' ? tx`partner_ids` : tx`category_ids`;
  const rows = await tx<(RuleRow & { venueId: VenueId })[]>`
    select venue_id as "venueId", ${columns(tx)} from availability_rule
    where ${id} = any(${listed}) order by id for update`;
  return rows.map(({ venueId, ...row }) => ({ venueId, rule: ruleOf(row) }));
}

/**
 * Keeps the rule from being deleted along with its venue, and its lists from changing, until the transaction ends.
 */
export async function lockRule(tx: Tx, address: RuleAddress): Promise<void> {
  await tx`select from availability_rule where ${isRule(tx, address)} for update`;
}

export async function countRules(tx: Tx, venueId: VenueId): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from availability_rule where venue_id = ${venueId}`;
  return row?.count ?? 0;
}

/** Stores a new rule, or what an existing one has become. */
export async function saveRule(
  tx: Tx,
  { venueId, ruleId }: RuleAddress,
  rule: RuleContent,
  now: Temporal.Instant,
): Promise<void> {
  const productId = rule.productKey === null ? null : `${venueId}|${rule.productKey}`;
  const scope = rule.scope === null ? null : JSON.stringify(rule.scope);
  await tx`
    insert into availability_rule as known (id, venue_id, product_id, space_id, type, definition, effect, partner_ids,
      category_ids, scope, channel, is_active, created_at, updated_at)
    values (${ruleId}, ${venueId}, ${productId}, ${rule.spaceId}, ${rule.type}, ${tx.json(rule.definition as never)},
      ${rule.effect}, ${rule.partnerIds}, ${rule.categoryIds}, ${scope}::text::json, ${rule.channel},
      ${rule.isActive}, ${now}, ${now})
    on conflict (id) do update set (version, product_id, space_id, type, definition, effect, partner_ids, category_ids,
      scope, channel, is_active, updated_at)
      = (known.version + 1, excluded.product_id, excluded.space_id, excluded.type, excluded.definition,
        excluded.effect, excluded.partner_ids, excluded.category_ids, excluded.scope, excluded.channel,
        excluded.is_active, excluded.updated_at)`;
}

export async function deleteRule(tx: Tx, ruleId: string): Promise<void> {
  await tx`delete from availability_rule where id = ${ruleId}`;
}

/** Whether the venue has them. They cannot go until the transaction ends. */
export async function hasProduct(tx: Tx, venueId: VenueId, productKey: string): Promise<boolean> {
  const rows = await tx`select from product where id = ${`${venueId}|${productKey}`} for key share`;
  return rows.length > 0;
}

export async function hasSpace(tx: Tx, venueId: VenueId, spaceId: number): Promise<boolean> {
  const rows = await tx`select from space where id = ${spaceId} and venue_id = ${venueId} for key share`;
  return rows.length > 0;
}

export async function hasVenue(tx: Tx, venueId: VenueId): Promise<boolean> {
  const rows = await tx`select from venue where id = ${venueId}`;
  return rows.length > 0;
}

/**
 * Keeps the venue, if it exists, from being deleted, and locks its rules against changes, until the transaction ends.
 */
export async function lockVenue(tx: Tx, venueId: VenueId): Promise<void> {
  await tx`select from venue where id = ${venueId} for no key update`;
}

export interface References {
  partnerIds: readonly number[];
  categoryIds: readonly number[];
  venueIds: readonly string[];
}

/**
 * The ids that do not exist or belong to another operator. The other partners and categories are locked against
 * deletion until the transaction ends.
 */
export async function findUnknown(tx: Tx, operatorId: number, named: References): Promise<References> {
  const { partnerIds, categoryIds, venueIds } = named;
  const partners = await tx<{ id: number }[]>`
    select id from partner where id = any(${[...partnerIds]}::integer[]) order by id for key share`;
  const categories = await tx<{ id: number }[]>`
    select id from partner_category where id = any(${[...categoryIds]}::integer[]) and operator_id = ${operatorId}
    order by id for key share`;
  const venues = await tx<{ id: string }[]>`
    select id from venue where id = any(${[...venueIds]}::text[]) and operator_id = ${operatorId}`;
  return {
    partnerIds: missing(partnerIds, partners),
    categoryIds: missing(categoryIds, categories),
    venueIds: missing(venueIds, venues),
  };
}

const missing = <Id>(named: readonly Id[], found: readonly { id: Id }[]): Id[] =>
  named.filter((id) => !found.some((row) => row.id === id));

/** What an operator decides about a rule, complete. */
export type RuleContent = Omit<ManagedRule, 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** Where a rule is. */
export interface RuleAddress {
  venueId: VenueId;
  ruleId: string;
}

/** Partners and categories that a rule is aimed at, one by one. */

export interface ScopeEntry {
  list: 'partnerIds' | 'categoryIds';
  id: number;
}

export const NAMES = { partnerIds: 'partner', categoryIds: 'category' } as const;
