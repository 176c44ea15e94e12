import type { Tx } from '../../db/database.ts';
import { MAX_INTEGER } from '../../http/manage-paths.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { referencesIn } from '../rules/scope.ts';
import type { RuleContent } from './rule-checks.ts';
import { findUnknown, hasProduct, hasSpace } from './rule-store.ts';

/** Throws unless everything that a rule names is there, and stays until the transaction ends. */
export async function assertReferences(tx: Tx, venueId: VenueId, rule: RuleContent): Promise<void> {
  const { productKey, spaceId } = rule;
  if (productKey !== null && !(await hasProduct(tx, venueId, productKey)))
    throw invalid('productKey', 'is not a product of this venue');
  if (spaceId !== null && !(await hasSpace(tx, venueId, spaceId)))
    throw invalid('spaceId', 'is not a space of this venue');
  await assertScopeReferences(tx, venueId, rule);
}

type Aim = Pick<RuleContent, 'partnerIds' | 'categoryIds' | 'scope'>;

const MEANINGS = {
  partnerIds: 'no partner',
  categoryIds: 'no category of partners of this operator',
  venueIds: 'no venue of this operator',
} as const;

export async function assertScopeReferences(tx: Tx, venueId: VenueId, rule: Aim): Promise<void> {
  const named = referencesIn(rule.scope);
  for (const id of rule.partnerIds ?? []) named.partnerIds.add(id);
  for (const id of rule.categoryIds ?? []) named.categoryIds.add(id);
  const unknown = await findUnknown(tx, partsOfVenueId(venueId).operatorId, {
    partnerIds: [...named.partnerIds].filter(isNumericId),
    categoryIds: [...named.categoryIds].filter(isNumericId),
    venueIds: [...named.venueIds].filter((id) => typeof id === 'string'),
  });
  for (const kind of ['partnerIds', 'categoryIds', 'venueIds'] as const) {
    const fits = kind === 'venueIds' ? (id: unknown) => typeof id === 'string' : isNumericId;
    const [wrong] = [...[...named[kind]].filter((id) => !fits(id)), ...unknown[kind]];
    if (wrong !== undefined) {
      throw problem('OPRUL-N-014', { detail: `${JSON.stringify(wrong)} is ${MEANINGS[kind]}.` });
    }
  }
}

const isNumericId = (id: unknown): id is number =>
  Number.isInteger(id) && (id as number) > 0 && (id as number) <= MAX_INTEGER;
