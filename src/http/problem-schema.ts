import { Type } from 'typebox';
import { COMPONENT } from './openapi-components.ts';
import type { ProblemBody } from './problem-body.ts';

const RuleViolation = {
  [COMPONENT]: 'RuleViolation',
  type: 'object',
  description: 'A booking rule that the booking does not meet',
  required: ['ruleId'],
  properties: {
    ruleId: { type: 'string', format: 'uuid', description: 'The rule in the list of booking rules' },
    analyticsRuleId: { type: 'string', description: 'With expression rules: its name in reports' },
    rejectMessages: {
      type: 'array',
      items: { type: 'string' },
      description: 'With expression rules: what the operator says about it',
    },
  },
};

/** What a problem looks like, as an answer of its own or as what became of one entry of a request. */
export const ProblemSchema = Type.Unsafe<ProblemBody>({
  [COMPONENT]: 'Problem',
  type: 'object',
  description: 'What went wrong, in the form of RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'code', 'isRetryable'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of a page about the code' },
    title: { type: 'string', description: 'The same words for every problem with this code' },
    status: { type: 'integer', description: 'The HTTP status that goes with the code' },
    detail: { type: 'string', description: 'What was wrong this time; for people, and worded freely' },
    code: {
      type: 'string',
      pattern: '^[A-Z]+-[NR]-[0-9]{3}$',
      description: 'Stable; write your handling against it. More codes can come with any version',
    },
    isRetryable: { type: 'boolean', description: 'The same request may succeed later' },
    errors: {
      type: 'object',
      description: 'With `VALID-N-001`: messages by the path of the field they are about',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    isOutcomeKnown: {
      type: 'boolean',
      description:
        'With `HTTP-R-503`: false where the database went away in the middle of a change, which may have been carried out; absent: it was not',
    },
    violations: {
      type: 'array',
      items: RuleViolation,
      description: 'With `BKRUL-N-*`: every booking rule that was violated',
    },
  },
});
