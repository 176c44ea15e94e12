/** What a rule would have done with past bookings. Other rules are not evaluated. */

import { setImmediate } from 'node:timers/promises';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import { withinDeadline } from '../../../kernel/request-scope.ts';
import { type CompiledRule, takesPart } from '../engine/compiled.ts';
import type { RuleContext, RuleEffect } from '../engine/effects.ts';
import { messagesOf } from '../engine/refusal.ts';
import type { Rule } from '../engine/rule.ts';
import type { DryRunResult } from './schema.ts';

export type Tally = NonNullable<DryRunResult['replaced']>;
type Example = DryRunResult['examples'][number];
type Outcome = Example['outcome'];

export interface Trial {
  considered: number;
  drafted: Tally;
  replaced: Tally | null;
  examples: Example[];
}

export const MAX_CONSIDERED = 50_000;
const MAX_EXAMPLES = 20;
/** How long others may wait for a rule that takes its time, and how long it may take altogether. */
const SLICE_MS = 10;

const COUNTERS: Record<Outcome, keyof Tally> = {
  rejected: 'rejected',
  deposit_required: 'depositRequired',
  turned_into_enquiry: 'turnedIntoEnquiry',
  flagged: 'flagged',
  without_preorder_email: 'withoutPreorderEmail',
};

/** Ends with the bookings, or when there were enough of them, or when it has taken too long. */
export async function tryRule(
  draft: CompiledRule,
  replaced: CompiledRule | undefined,
  creations: AsyncIterable<PastCreation[]>,
): Promise<Trial> {
  const judge = judgeOf(draft);
  const judgeBefore = replaced && judgeOf(replaced);
  const trial: Trial = {
    considered: 0,
    drafted: noneOf(),
    replaced: judgeBefore ? noneOf() : null,
    examples: [],
  };
  const endsAt = performance.now() + withinDeadline(DEADLINES.ruleTrial);
  let sliceEndsAt = performance.now() + SLICE_MS;
  for await (const batch of creations) {
    for (const { bookingId, shown, ruleContext } of batch) {
      if (trial.considered === MAX_CONSIDERED || performance.now() > endsAt) return trial;
      const ruleEffect = judge(ruleContext);
      const outcome = count(trial.drafted, ruleEffect, ruleContext);
      if (trial.replaced && judgeBefore) count(trial.replaced, judgeBefore(ruleContext), ruleContext);
      if (outcome && trial.examples.length < MAX_EXAMPLES)
        trial.examples.push({ bookingId, ...shown, outcome, ...wordsOf(draft.rule, ruleEffect) });
      trial.considered += 1;
      if (performance.now() < sliceEndsAt) continue;
      await setImmediate();
      sliceEndsAt = performance.now() + SLICE_MS;
    }
  }
  return trial;
}

/** Undefined: it does nothing. */
const judgeOf =
  (compiled: CompiledRule) =>
  (ruleContext: RuleContext): RuleEffect | undefined => {
    if (!takesPart(compiled, 'booking_create', ruleContext.facts)) return undefined;
    const judgement = compiled.judge(ruleContext);
    return judgement.kind === 'applied' ? judgement.ruleEffect : undefined;
  };

function noneOf(): Tally {
  return {
    rejected: 0,
    depositRequired: 0,
    turnedIntoEnquiry: 0,
    flagged: 0,
    withoutPreorderEmail: 0,
    unchanged: 0,
  };
}

function count(
  tally: Tally,
  ruleEffect: RuleEffect | undefined,
  ruleContext: RuleContext,
): Outcome | undefined {
  const outcome = ruleEffect && outcomeOf(ruleEffect, ruleContext);
  tally[outcome ? COUNTERS[outcome] : 'unchanged'] += 1;
  return outcome;
}

/** The gravest thing that it does. */
function outcomeOf(ruleEffect: RuleEffect, { facts }: RuleContext): Outcome | undefined {
  if (ruleEffect.code === 'BKRUL-N-001') return 'deposit_required';
  if (ruleEffect.code) return 'rejected';
  if (ruleEffect.becomesEnquiry && facts.booking.type === 'book') return 'turned_into_enquiry';
  if (ruleEffect.flags) return 'flagged';
  return ruleEffect.skipsPreorderEmail ? 'without_preorder_email' : undefined;
}

function wordsOf(rule: Rule, ruleEffect: RuleEffect | undefined): Pick<Example, 'code' | 'message'> {
  if (!ruleEffect?.code) return { code: null, message: null };
  return {
    code: ruleEffect.code as NonNullable<Example['code']>,
    message: messagesOf(rule).join(' ') || null,
  };
}

const DEEDS: [keyof Tally, (count: string) => string][] = [
  ['rejected', (bookings) => `rejected ${bookings}`],
  ['depositRequired', (bookings) => `required a deposit for ${bookings}`],
  ['turnedIntoEnquiry', (bookings) => `turned ${bookings} into enquiries`],
  ['flagged', (bookings) => `flagged ${bookings}`],
  ['withoutPreorderEmail', (bookings) => `spared ${bookings} the mail about pre-orders`],
];
const numbers = new Intl.NumberFormat('en-GB');
const lists = new Intl.ListFormat('en-GB');

/** Such as: Would have rejected 14 of 1,203 bookings. */
export function sentenceOf({ considered, drafted }: Trial, total: number): string {
  const done = DEEDS.flatMap(([counter, say]) =>
    drafted[counter] > 0 ? [say(numbers.format(drafted[counter]))] : [],
  );
  const ruleEffects = done.length > 0 ? lists.format(done) : 'changed none';
  const rest = considered < total ? `, the latest of ${numbers.format(total)} in that time` : '';
  return `Would have ${ruleEffects} of ${numbers.format(considered)} bookings${rest}.`;
}

export interface PastCreation {
  bookingId: string;
  /** What is told of it. */
  shown: Pick<Example, 'date' | 'time' | 'guests' | 'venueName' | 'partnerName'>;
  ruleContext: RuleContext;
}

/** Bookings that were made in a span of time; its end does not belong to it. */
export interface CreationWindow {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

/** The bookings of the past that a rule is tried on, the latest first. */
export interface PastCreations {
  pastCreations(operatorId: number, window: CreationWindow): AsyncIterable<PastCreation[]>;
  countCreations(operatorId: number, window: CreationWindow): Promise<number>;
}
