import type { Tx } from '../../db/database.ts';
import { problem } from '../../kernel/problem.ts';
import { scopeFault } from '../rules/scope.ts';
import type { AvailabilityRuleDocument } from './document.ts';
import { definitionErrors } from './rule-definition.ts';

export async function insertRules(
  tx: Tx,
  key: { venue_id: string; product_id?: string },
  rules: readonly AvailabilityRuleDocument[],
): Promise<void> {
  for (const rule of rules) {
    const { type, effect = 'disable', channel = 'all', spaceId = null, scope = null, definition } = rule;
    const errors = definitionErrors(type, definition);
    if (errors) throw problem('VALID-N-001', { detail: `A ${type} rule is not well defined.`, errors });
    const fault = scope === null ? undefined : scopeFault(scope);
    if (fault !== undefined) throw problem('OPRUL-N-013', { detail: fault });
    await tx`
      insert into availability_rule (id, venue_id, product_id, space_id, partner_ids, category_ids, scope, channel, type,
        effect, definition, is_active)
      values (coalesce(${rule.id ?? null}::uuid, gen_random_uuid()), ${key.venue_id}, ${key.product_id ?? null}, ${spaceId}, ${await partnersOf(tx, rule)},
        ${await categoriesOf(tx, key.venue_id, rule)}, ${scope === null ? null : JSON.stringify(scope)}::text::json,
        ${channel}, ${type}, ${effect}, ${tx.json(definition as never)}, ${rule.isActive ?? true})`;
  }
}

/** A rule aimed at a partner that does not exist must not become one for everybody. */
function partnersOf(tx: Tx, { partners }: AvailabilityRuleDocument): Promise<number[]> | null {
  return partners ? Promise.all(partners.map((reference) => partnerIdOf(tx, reference))) : null;
}

export async function partnerIdOf(tx: Tx, reference: string): Promise<number> {
  const [partner] = await tx<{ id: number }[]>`select id from partner where reference = ${reference}`;
  if (partner) return partner.id;
  throw problem('PMAP-N-004', { detail: `There is no partner with the reference ${reference}.` });
}

function categoriesOf(
  tx: Tx,
  venueId: string,
  { partnerCategories }: AvailabilityRuleDocument,
): Promise<number[]> | null {
  return partnerCategories
    ? Promise.all(partnerCategories.map((slug) => partnerCategoryIdOf(tx, venueId, slug)))
    : null;
}

async function partnerCategoryIdOf(tx: Tx, venueId: string, slug: string): Promise<number> {
  const [category] = await tx<{ id: number }[]>`
    select c.id from partner_category c join venue v on v.operator_id = c.operator_id
    where v.id = ${venueId} and c.slug = ${slug}`;
  if (category) return category.id;
  throw problem('OPRUL-N-014', { detail: `The operator has no category of partners called ${slug}.` });
}
