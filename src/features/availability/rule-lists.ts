/** Partners and categories that a rule is aimed at, one by one. */
import { invalid, problem } from '../../kernel/problem.ts';
import { MAX_LISTED, type ManagedRule } from './manage-schema.ts';
import { assertNamesSomebody, assertScopeAllowed } from './rule-checks.ts';

export interface ScopeEntry {
  list: 'partnerIds' | 'categoryIds';
  id: number;
}

const NAMES = { partnerIds: 'partner', categoryIds: 'category' } as const;

/** A rule that was for everybody is then for it alone. */
export function withEntry(rule: ManagedRule, { list, id }: ScopeEntry): ManagedRule {
  assertScopeAllowed(rule, [id]);
  const listed = rule[list] ?? [];
  if (listed.includes(id)) {
    throw problem('OPRUL-N-006', { detail: `The ${NAMES[list]} ${id} is there already.` });
  }
  if (listed.length >= MAX_LISTED) throw invalid(list, `must have at most ${MAX_LISTED} items`);
  return { ...rule, [list]: [...listed, id] };
}

/** A rule whose last entry is taken out is for nobody. */
export function withoutEntry(rule: ManagedRule, { list, id }: ScopeEntry): ManagedRule {
  const listed = rule[list] ?? [];
  if (!listed.includes(id)) {
    throw problem('OPRUL-N-007', { detail: `The rule does not name the ${NAMES[list]} ${id}.` });
  }
  const left = { ...rule, [list]: listed.filter((each) => each !== id) };
  assertNamesSomebody(left);
  return left;
}
