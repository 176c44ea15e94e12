import type { Fragment, Tx } from '../../db/database.ts';
import type { Visibility } from '../../http/auth/caller.ts';
import { visibleProducts, visibleVenues } from '../../http/auth/visibility-store.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { Rule } from './engine/rule.ts';
import type { PartnerRules } from './schema.ts';

const columns = (tx: Tx): Fragment => tx`
  id, operator_id as "operatorId", version, is_on as "isActive", priority, effect, name, description, message,
  partner_ids as "partnerIds", category_ids as "categoryIds", venue_ids as "venueIds",
  product_slugs as "productSlugs", conditions, items, params, hook, expression as "when", actions as "then"`;

/** A row has the columns of both kinds of rule. */
type RuleRow = Omit<Rule, 'params'> & Record<'params' | 'hook' | 'when' | 'then', unknown>;

function ruleOf({ params, hook, when, then, ...commons }: RuleRow): Rule {
  return (
    commons.effect === 'expression' ? { ...commons, hook, when, then } : { ...commons, params }
  ) as Rule;
}

export interface StoredRulebook {
  version: number;
  rules: Rule[];
}

/** The rules that hold. One statement, so that the version is that of these very rules. */
export async function loadRulebook(tx: Tx, operatorId: number): Promise<StoredRulebook> {
  const [row] = await tx<{ version: number; rules: RuleRow[] }[]>`
    select
      coalesce((select version from rulebook where operator_id = ${operatorId}), 0) as version,
      (select coalesce(json_agg(rule), '[]') from (
        select ${columns(tx)} from booking_rule where operator_id = ${operatorId} and is_active and is_on) rule) as rules`;
  return { version: row?.version ?? 0, rules: (row?.rules ?? []).map(ruleOf) };
}

/** All that are not retired, those that are switched off too; in no order. */
export async function loadAllRules(tx: Tx, operatorId: number): Promise<Rule[]> {
  const rows = await tx<RuleRow[]>`
    select ${columns(tx)} from booking_rule where operator_id = ${operatorId} and is_active`;
  return rows.map(ruleOf);
}

/** Locks the operator's rules until the transaction ends; false when another transaction has the lock. */
export async function tryLockRules(tx: Tx, operatorId: number): Promise<boolean> {
  const [row] = await tx<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`booking-rules/${operatorId}`}, 0)) as "isOurs"`;
  return row?.isOurs ?? false;
}

export async function operatorExists(tx: Tx, operatorId: number): Promise<boolean> {
  const rows = await tx`select from operator where id = ${operatorId}`;
  return rows.length > 0;
}

/** An operator that is there stays until the transaction ends. */
export async function keepOperator(tx: Tx, operatorId: number): Promise<void> {
  await tx`select from operator where id = ${operatorId} for key share`;
}

/** Those that are switched off count too. */
export async function countActiveRules(tx: Tx, operatorId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from booking_rule where operator_id = ${operatorId} and is_active`;
  return row?.count ?? 0;
}

/** Of any operator, unless it is retired. */
export async function findRule(tx: Tx, ruleId: string): Promise<Rule | undefined> {
  const [row] = await tx<
    RuleRow[]
  >`select ${columns(tx)} from booking_rule where id = ${ruleId} and is_active`;
  return row && ruleOf(row);
}

export interface References {
  partnerIds: number[];
  categoryIds: number[];
  venueIds: VenueId[];
}

/** What does not exist, or is another operator's. */
export async function findUnknown(tx: Tx, operatorId: number, named: References): Promise<References> {
  const { partnerIds, categoryIds, venueIds } = named;
  const [unknown] = await tx<References[]>`
    select
      array(select unnest(${partnerIds}::integer[]) except select id from partner order by 1) as "partnerIds",
      array(select unnest(${categoryIds}::integer[])
        except select id from partner_category where operator_id = ${operatorId} order by 1) as "categoryIds",
      array(select unnest(${venueIds as string[]}::text[])
        except select id from venue where operator_id = ${operatorId} order by 1) as "venueIds"`;
  return unknown ?? named;
}

/** Stores a new rule, or what an existing one has become. */
export async function saveRule(tx: Tx, rule: Rule, now: Temporal.Instant): Promise<void> {
  const { params, hook, when, then } = rule as Partial<RuleRow>;
  await tx`
    insert into booking_rule (id, operator_id, version, effect, priority, name, description, message, partner_ids,
      category_ids, venue_ids, product_slugs, items, conditions, params, hook, expression, actions,
      is_on, created_at, updated_at)
    values (${rule.id}, ${rule.operatorId}, ${rule.version}, ${rule.effect}, ${rule.priority}, ${rule.name},
      ${rule.description}, ${rule.message}, ${rule.partnerIds}::integer[], ${rule.categoryIds}::integer[],
      ${rule.venueIds as string[] | null}::text[], ${rule.productSlugs}::text[], ${rule.items}::text[],
      ${tx.json(rule.conditions as never)}, ${params ? tx.json(params as never) : null}, ${(hook as string) ?? null},
      ${verbatim(tx, when)}, ${verbatim(tx, then)}, ${rule.isActive}, ${now}, ${now})
    on conflict (id) do update set (version, effect, priority, name, description, message, partner_ids, category_ids,
      venue_ids, product_slugs, items, conditions, params, hook, expression, actions, is_on, updated_at)
      = (excluded.version, excluded.effect, excluded.priority, excluded.name, excluded.description, excluded.message,
        excluded.partner_ids, excluded.category_ids, excluded.venue_ids, excluded.product_slugs, excluded.items,
        excluded.conditions, excluded.params, excluded.hook, excluded.expression, excluded.actions,
        excluded.is_on, excluded.updated_at)`;
}

/** As text: what the driver knows as JSON is sent as jsonb, which puts members into an order of its own. */
function verbatim(tx: Tx, value: unknown): Fragment {
  return tx`${value === undefined ? null : JSON.stringify(value)}::text::json`;
}

export async function retireRule(tx: Tx, ruleId: string, now: Temporal.Instant): Promise<void> {
  await tx`update booking_rule set is_active = false, updated_at = ${now} where id = ${ruleId}`;
}

/** Rules whose place in the list is new get it as their priority. */
export async function reorderRules(tx: Tx, ruleIds: readonly string[], now: Temporal.Instant): Promise<void> {
  await tx`
    update booking_rule r set priority = wanted.place - 1, version = r.version + 1, updated_at = ${now}
    from unnest(${[...ruleIds]}::uuid[]) with ordinality as wanted (id, place)
    where r.id = wanted.id and r.priority <> wanted.place - 1`;
}

/** An operator of which the caller may see something. */
export interface SeenOperator {
  operatorId: number;
  /** The operator's categories that the partner is in; of callers that are no partner, none. */
  categoryIds: number[];
}

export async function listSeenOperators(tx: Tx, visibility: Visibility): Promise<SeenOperator[]> {
  const partnerId = visibility.kind === 'partner' ? visibility.partnerId : null;
  const rows = await tx<SeenOperator[]>`
    select o.id as "operatorId",
      array(select g.id from partner_category g join partner_category_member i on i.category_id = g.id
        where g.operator_id = o.id and i.partner_id = ${partnerId} order by g.id) as "categoryIds"
    from operator o
    where exists (select from venue v where v.operator_id = o.id and ${visibleVenues(tx, visibility)})
    order by o.id`;
  return [...rows];
}

/** The venues that the caller may see, with their names, by operator. */
export async function listSeenVenues(tx: Tx, visibility: Visibility): Promise<PartnerRules['operators']> {
  const rows = await tx<PartnerRules['operators']>`
    select o.id, o.name, json_agg(json_build_object('id', v.id, 'name', v.name) order by v.id) as venues
    from venue v join operator o on o.id = v.operator_id
    where ${visibleVenues(tx, visibility)} group by o.id order by o.id`;
  return [...rows];
}

/** Which of these the caller may see. */
export async function findVisible(
  tx: Tx,
  visibility: Visibility,
  venueIds: readonly VenueId[],
): Promise<Set<VenueId>> {
  if (venueIds.length === 0) return new Set();
  const rows = await tx<{ id: VenueId }[]>`
    select v.id from venue v where v.id = any(${[...venueIds]}::text[]) and ${visibleVenues(tx, visibility)}`;
  return new Set(rows.map(({ id }) => id));
}

/** Undefined: there is no such product that the caller may see. */
export async function findProduct(
  tx: Tx,
  visibility: Visibility,
  id: ProductId,
): Promise<{ slug: string | null } | undefined> {
  const [row] = await tx<{ slug: string | null }[]>`
    select p.slug from product p join venue v on v.id = p.venue_id
    where p.id = ${id} and ${visibleProducts(tx, visibility)} and ${visibleVenues(tx, visibility)}`;
  return row;
}
