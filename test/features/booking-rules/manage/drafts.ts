/** Drafts of rules, and what is wrong with them. */
import assert from 'node:assert/strict';
import { readDraft } from '../../../../src/features/booking-rules/manage/draft.ts';
import { Problem } from '../../../../src/kernel/problem.ts';

export type Draft = Record<string, unknown>;

export const limit = (more: Draft = {}): Draft => ({
  effect: 'party_size_limit',
  name: 'Up to twelve',
  params: { max: 12 },
  ...more,
});
export const written = (more: Draft = {}): Draft => ({
  effect: 'expression',
  hook: 'booking.create',
  name: 'Large parties',
  when: { '>': [{ var: 'booking.guests' }, 12] },
  then: [{ reject: { message: 'Too many.' } }],
  ...more,
});
export function refusalOf(draft: unknown): Problem {
  try {
    readDraft(draft);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  assert.fail(`accepted: ${JSON.stringify(draft)}`);
}

function faultsOf(draft: unknown): Record<string, string[]> {
  const { code, options } = refusalOf(draft);
  assert.equal(code, 'VALID-N-001');
  return options.errors ?? {};
}

/** The fields that are refused. */
export const fieldsOf = (draft: unknown) => Object.keys(faultsOf(draft)).sort();

export function expressionFaultOf(draft: unknown): string {
  const { code, options } = refusalOf(draft);
  assert.equal(code, 'OPRUL-N-013');
  return options.detail ?? '';
}
