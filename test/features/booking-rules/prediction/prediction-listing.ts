/** What the list of rules says and keeps to itself, held against what the operator has stored. */
import assert from 'node:assert/strict';
import type { Body } from '../../bookings/support.ts';
import { SOHO } from '../support.ts';
import { CATEGORIES, GARDEN, SILENT_PARTNER } from './prediction-world.ts';

export interface Stored {
  id: string;
  draft: Body;
}

/** Which of the venues here each partner distributes. */
const VENUES: Record<number, string[]> = {
  1: [SOHO, GARDEN],
  2: [SOHO],
};

export function assertListing({ caller, rules }: Body, stored: Stored[], where: string): void {
  for (const { id, draft } of stored) {
    const listed = rules.find((rule: Body) => rule.id === id);
    const expected = scopeOf(draft, caller);
    // An expression may speak of partners itself and then be no concern of the caller's.
    if (expected && draft.effect !== 'expression')
      assert.ok(listed, `${where}: partner ${caller.partnerId} is not shown ${JSON.stringify(draft)}`);
    if (!listed) continue;
    assert.equal(listed.appliesTo.partnerScope, expected, where);
    assertSaysNothingOfOthers(listed, caller, where);
    assertVenues(listed.appliesTo, draft, caller);
    assert.deepEqual([listed.when, listed.then], [draft.when, draft.then], where);
  }
  const known = new Set(stored.map(({ id }) => id));
  assert.ok(
    rules.every((rule: Body) => rule.operatorId !== 1 || known.has(rule.id)),
    where,
  );
}

/** Why a rule is the caller's concern; undefined where it is not. */
function scopeOf({ partnerIds, categoryIds, venueIds }: Body, caller: Body): string | undefined {
  const visible = VENUES[caller.partnerId] ?? [];
  if (venueIds && !venueIds.some((id: string) => visible.includes(id))) return undefined;
  if (!partnerIds && !categoryIds) return 'all_partners';
  if (partnerIds?.includes(caller.partnerId)) return 'you';
  const mine: number[] = caller.categoryIdsByOperator[1];
  return categoryIds?.some((id: number) => mine.includes(id)) ? 'your_categories' : undefined;
}

function assertSaysNothingOfOthers(rule: Body, caller: Body, where: string): void {
  const { when: _when, then: _then, ...rest } = rule;
  const mine: number[] = caller.categoryIdsByOperator[1];
  for (const id of [SILENT_PARTNER, ...CATEGORIES.filter((each) => !mine.includes(each))])
    assert.equal(JSON.stringify(rest).includes(String(id)), false, `${where}: ${rule.id} speaks of ${id}`);
}

function assertVenues(appliesTo: Body, { venueIds }: Body, caller: Body): void {
  const visible = VENUES[caller.partnerId] ?? [];
  const expected = (venueIds ?? []).filter((id: string) => visible.includes(id));
  assert.equal(appliesTo.allVenues, !venueIds);
  assert.deepEqual(appliesTo.venues.map(({ id }: Body) => id).sort(), expected.sort());
}
