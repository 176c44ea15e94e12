/** Rules that are aimed at somebody who goes: they lose the name or go too, and the trail says so of each of them. */
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import type { Trail } from '../audit/service.ts';
import type { ScopeEntry } from './rule-lists.ts';
import { findRule, lockRulesAimedAt } from './rule-store.ts';
import { aboutRule } from './rule-storing.ts';

interface Removal {
  actor: Actor;
  trail: Pick<Trail, 'record'>;
  gone: ScopeEntry;
}

export async function recordingRuleLosses(
  tx: Tx,
  { actor, trail, gone }: Removal,
  remove: () => Promise<void>,
): Promise<void> {
  const aimed = await lockRulesAimedAt(tx, gone);
  await remove();
  for (const { venueId, rule: before } of aimed) {
    const address = { venueId, ruleId: before.id };
    const after = await findRule(tx, address);
    const action = after ? 'availability-rule.change' : 'availability-rule.remove';
    await trail.record(tx, { actor, action, ...aboutRule(address), before, after });
  }
}
